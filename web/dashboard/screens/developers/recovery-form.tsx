// Starts a recovery: to where, of which span and types.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { WebhookEndpoint } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { Button } from '../../kit/button.tsx'
import { Check } from '../../kit/checks.tsx'
import { startOfDay } from '../../kit/days.ts'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { useReader, useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { subscribableOf, subscribableTypes, TypePicker, type Types } from './type-picker.tsx'

const hourMs = 3_600_000
const spans = { hour: 1, day: 24, threeDays: 72, week: 168 } as const
type Span = keyof typeof spans | 'dates'

export function RecoveryForm({
  endpoints,
  onClose,
}: {
  readonly endpoints: readonly WebhookEndpoint[]
  readonly onClose: () => void
}) {
  const words = useWords(webhookWords)
  const act = useAct()
  const [endpointId, setEndpointId] = useState(endpoints[0]?.id ?? '')
  const [types, setTypes] = useState<Types>()
  const [isAll, setAll] = useState(false)
  const [wasTried, setTried] = useState(false)
  const { field, read } = useSpan(act.error)
  const offered = endpoints.find(({ id }) => id === endpointId)?.eventTypes ?? subscribableTypes
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (types?.length === 0) return
    const body = {
      ...(endpointId === '' ? {} : { endpointId }),
      ...read(),
      ...(types === undefined ? {} : { types: subscribableOf(types) }),
      ...(isAll ? { includeDelivered: true } : {}),
    }
    if (!(await act.send('createWebhookRecovery', { body }))) return
    toast(words.recoverStarted)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.recover} lead={words.recoveriesLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <SelectField
          label={words.recoverTo}
          value={endpointId}
          onChange={(event) => {
            setEndpointId(event.target.value)
            setTypes(undefined)
          }}
          fault={faultOf(act.error, 'endpointId')}
          options={[
            ...endpoints.map(({ id, url, description }) => ({ value: id, label: description ?? url })),
            { value: '', label: words.ofPayments },
          ]}
        />
        {field}
        <TypePicker
          value={types}
          allHelp={words.typesTaken}
          offered={offered}
          onChange={setTypes}
          fault={wasTried && types?.length === 0 ? words.typesNone : faultOf(act.error, 'types')}
        />
        <AlsoDelivered isOn={isAll} onChange={setAll} />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.recoverDo}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function AlsoDelivered({
  isOn,
  onChange,
}: {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) {
  const words = useWords(webhookWords)
  return (
    <div>
      <Check checked={isOn} onChange={onChange}>
        {words.includeDelivered}
      </Check>
      <p className="text-13 text-ink-soft">{words.includeDeliveredHelp}</p>
    </div>
  )
}

/** The fields of a span, and what they say as the API reads it. */
function useSpan(error: unknown) {
  const words = useWords(webhookWords)
  const { timeZone } = useReader()
  const [span, setSpan] = useState<Span>('day')
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const names = [...(Object.keys(spans) as (keyof typeof spans)[]), 'dates'] as const
  const read = () => {
    if (span !== 'dates') return { since: new Date(Date.now() - spans[span] * hourMs).toISOString() }
    const end = until === '' ? undefined : startOfDay(until, 1, timeZone)
    return { since: startOfDay(from, 0, timeZone), ...(end === undefined ? {} : { until: end }) }
  }
  const field = (
    <>
      <SelectField
        label={words.recoverSpan}
        value={span}
        onChange={(event) => setSpan(names.find((each) => each === event.target.value) ?? 'day')}
        fault={span === 'dates' ? undefined : faultOf(error, 'since')}
        options={names.map((value) => ({ value, label: words.spans[value] }))}
      />
      {span === 'dates' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={words.from}
            type="date"
            required
            value={from}
            onChange={(event) => setFrom(event.target.value)}
            fault={faultOf(error, 'since')}
          />
          <TextField
            label={words.until}
            help={words.untilHelp}
            type="date"
            value={until}
            onChange={(event) => setUntil(event.target.value)}
            fault={faultOf(error, 'until')}
          />
        </div>
      )}
    </>
  )
  return { field, read }
}
