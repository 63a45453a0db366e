// Recoveries: events of a span that are sent again, with how far each has come.
import { given } from '#/kernel/given.ts'
import { useAct } from '../../api/act.ts'
import type { WebhookEndpoint, WebhookRecovery } from '../../api/generated.ts'
import { useList, useWatch } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { startOfDay } from '../../kit/days.ts'
import { DialogButton } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Check } from '../../kit/field.tsx'
import { named, useDraft, type Draft, type Item } from '../../kit/form.tsx'
import { Progress } from '../../kit/loading.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords, useReader } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { DevelopersFrame } from './frame.tsx'
import { subscribableOf, subscribableTypes, TypePicker, type Types } from './type-picker.tsx'

export function RecoveryList() {
  const words = useWords(webhookWords)
  const { may } = useMerchant()
  const records = useRecords('listWebhookRecoveries')
  const endpoints = useList('listWebhookEndpoints', { query: { limit: 100 } }).rows
  useWatch(records.rows?.some(({ status }) => status === 'RUNNING') === true, records.retry)
  const start = may('webhooks:write') && (
    <DialogButton
      variant="primary"
      icon="reload"
      dialog={(onClose) => <RecoveryForm endpoints={endpoints ?? []} onClose={onClose} />}
    >
      {words.recover}
    </DialogButton>
  )
  return (
    <DevelopersFrame lead={words.recoveriesLead} actions={start}>
      <RecordList
        records={records}
        words={{
          title: words.recoveries,
          none: words.recoveriesNone,
          noneLead: words.recoveriesNoneLead,
        }}
        icon="reload"
        line={(recovery) => (
          <li className="border-b border-line px-4 py-3 last:border-0">
            <RecoveryRow
              recovery={recovery}
              endpoint={endpoints?.find(({ id }) => id === recovery.endpointId)}
            />
          </li>
        )}
      />
    </DevelopersFrame>
  )
}

function RecoveryRow({
  recovery,
  endpoint,
}: {
  readonly recovery: WebhookRecovery
  readonly endpoint: WebhookEndpoint | undefined
}) {
  const words = useWords(webhookWords)
  const format = useFormat()
  const { may } = useMerchant()
  const act = useAct()
  const { status, afterSequence, throughSequence, reachedSequence, endpointId } = recovery
  const all = throughSequence - afterSequence
  const scanned = Math.max(0, reachedSequence - afterSequence)
  const cancel = async () => {
    if (await act.send('cancelWebhookRecovery', { id: recovery.id })) toast(words.recoverCanceled)
  }
  const place = endpointId === undefined ? words.ofPayments : (endpoint?.description ?? endpoint?.url)
  const tone = ({ RUNNING: 'wait', DONE: 'good', CANCELED: 'calm' } as const)[status]
  return (
    <div className="flex flex-col gap-2 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{words.recoverStatus[status]}</Badge>
        <span className="min-w-0 flex-1 basis-40 truncate font-strong">{place ?? words.endpoint}</span>
        <span className="text-ink-soft">
          {words.started} <Time at={recovery.createdAt} />
        </span>
        {status === 'RUNNING' && may('webhooks:write') && (
          <Button variant="danger" busy={act.isBusy} onClick={() => void cancel()}>
            {words.recoverCancel}
          </Button>
        )}
      </div>
      <Progress
        value={scanned}
        max={all}
        label={words.recoverProgress(format.count(scanned), format.count(all))}
      />
      <p className="figures text-ink-soft">
        {words.recoverProgress(format.count(scanned), format.count(all))} ·{' '}
        {words.recoverSent(format.count(recovery.deliveries))}
        {recovery.types !== undefined && <span className="break-words"> · {recovery.types.join(', ')}</span>}
      </p>
      <FormFault error={act.error} />
    </div>
  )
}

// Starts a recovery: to where, of which span and types.

const hourMs = 3_600_000
const spans = { hour: 1, day: 24, threeDays: 72, week: 168 } as const
const spanNames = ['hour', 'day', 'threeDays', 'week', 'dates'] as const

type Written = {
  /** Empty for the addresses that payments have. */
  readonly endpointId: string
  readonly span: (typeof spanNames)[number]
  readonly from: string
  readonly until: string
  readonly types: Types | undefined
  readonly isAll: boolean
}

function RecoveryForm({
  endpoints,
  onClose,
}: {
  readonly endpoints: readonly WebhookEndpoint[]
  readonly onClose: () => void
}) {
  const words = useWords(webhookWords)
  const { timeZone } = useReader()
  const draft = useDraft<Written>({
    endpointId: endpoints[0]?.id ?? '',
    span: 'day',
    from: '',
    until: '',
    types: undefined,
    isAll: false,
  })
  const { endpointId, types, isAll } = draft.values
  return (
    <ActionDialog
      call="createWebhookRecovery"
      title={words.recover}
      lead={words.recoveriesLead}
      act={words.recoverDo}
      isChecked
      draft={draft}
      fields={useRecoveryItems(draft, endpoints)}
      body={() => ({
        ...spanOf(draft.values, timeZone),
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

function useRecoveryItems(
  { values, put }: Draft<Written>,
  endpoints: readonly WebhookEndpoint[],
): readonly Item<Written>[] {
  const words = useWords(webhookWords)
  const { endpointId, span, types, isAll } = values
  const offered = endpoints.find(({ id }) => id === endpointId)?.eventTypes ?? subscribableTypes
  return [
    {
      name: 'endpointId',
      label: words.recoverTo,
      options: [
        ...endpoints.map(({ id, url, description }) => ({ value: id, label: description ?? url })),
        { value: '', label: words.ofPayments },
      ],
      also: () => ({ types: undefined }),
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
        { name: 'from', at: 'since', label: words.from, isDate: true, required: true },
        { name: 'until', label: words.until, help: words.untilHelp, isDate: true },
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
          onChange={(chosen) => put({ types: chosen })}
          fault={fault}
        />
      ),
    },
    <div key="all">
      <Check checked={isAll} onChange={(isOn) => put({ isAll: isOn })}>
        {words.includeDelivered}
      </Check>
      <p className="text-13 text-ink-soft">{words.includeDeliveredHelp}</p>
    </div>,
  ]
}

function spanOf({ span, from, until }: Written, timeZone: string) {
  return span === 'dates'
    ? {
        since: startOfDay(from, 0, timeZone),
        ...given({ until: until === '' ? undefined : startOfDay(until, 1, timeZone) }),
      }
    : { since: new Date(Date.now() - spans[span] * hourMs).toISOString() }
}
