// Starts a recovery: to where, of which span and types.
import { useState } from 'react'
import { given } from '#/kernel/given.ts'
import type { WebhookEndpoint } from '../../api/generated.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Check } from '../../kit/checks.tsx'
import { startOfDay } from '../../kit/days.ts'
import { named, useDraft } from '../../kit/form.tsx'
import { useReader, useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { subscribableOf, subscribableTypes, TypePicker, type Types } from './type-picker.tsx'

const hourMs = 3_600_000
const spans = { hour: 1, day: 24, threeDays: 72, week: 168 } as const
const spanNames = ['hour', 'day', 'threeDays', 'week', 'dates'] as const
type Span = (typeof spanNames)[number]

export function RecoveryForm({
  endpoints,
  onClose,
}: {
  readonly endpoints: readonly WebhookEndpoint[]
  readonly onClose: () => void
}) {
  const words = useWords(webhookWords)
  const { timeZone } = useReader()
  const draft = useDraft({
    endpointId: endpoints[0]?.id ?? '',
    span: 'day' as Span,
    from: '',
    until: '',
  })
  const { endpointId, span, from, until } = draft.values
  const [types, setTypes] = useState<Types>()
  const [isAll, setAll] = useState(false)
  const offered = endpoints.find(({ id }) => id === endpointId)?.eventTypes ?? subscribableTypes
  const spanOf = () =>
    span === 'dates'
      ? {
          since: startOfDay(from, 0, timeZone),
          ...given({ until: until === '' ? undefined : startOfDay(until, 1, timeZone) }),
        }
      : { since: new Date(Date.now() - spans[span] * hourMs).toISOString() }
  return (
    <ActionDialog
      call="createWebhookRecovery"
      title={words.recover}
      lead={words.recoveriesLead}
      act={words.recoverDo}
      isChecked
      draft={draft}
      fields={[
        {
          name: 'endpointId',
          label: words.recoverTo,
          options: [
            ...endpoints.map(({ id, url, description }) => ({ value: id, label: description ?? url })),
            { value: '', label: words.ofPayments },
          ],
          also: () => {
            setTypes(undefined)
            return {}
          },
        },
        {
          name: 'span',
          at: span === 'dates' ? '' : 'since',
          label: words.recoverSpan,
          options: named(spanNames, words.spans),
        },
        span === 'dates' && {
          className: 'sm:grid-cols-2',
          row: [
            { name: 'from', at: 'since', label: words.from, type: 'date', required: true },
            { name: 'until', label: words.until, help: words.untilHelp, type: 'date' },
          ],
        },
        {
          at: 'types',
          wrong: types?.length === 0 && words.typesNone,
          field: (fault) => (
            <TypePicker
              value={types}
              allHelp={words.typesTaken}
              offered={offered}
              onChange={setTypes}
              fault={fault}
            />
          ),
        },
        <div key="all">
          <Check checked={isAll} onChange={setAll}>
            {words.includeDelivered}
          </Check>
          <p className="text-13 text-ink-soft">{words.includeDeliveredHelp}</p>
        </div>,
      ]}
      body={() => ({
        ...spanOf(),
        ...given({
          endpointId: endpointId || undefined,
          types: types && subscribableOf(types),
          includeDelivered: isAll || undefined,
        }),
      })}
      done={words.recoverStarted}
      onClose={onClose}
    />
  )
}
