// The clock of the sandbox: what is ahead comes closer by a span.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { ClockAdvance } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { useWatch } from '../../api/watch.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Fault, FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { sandboxWords } from '../../words/sandbox-tools.ts'
import { DevelopersFrame } from './frame.tsx'

export function ClockPage() {
  const words = useWords(sandboxWords)
  const { data: clock, error, refetch } = useRead('getSandboxClock')
  useWatch(clock?.data.some(({ status }) => status === 'ADVANCING') === true, () => void refetch())
  return (
    <DevelopersFrame lead={words.clockLead}>
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_360px] phone:gap-4">
        <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
          <AdvanceForm />
          <Card title={words.history} flush>
            <LoadingLine isOn={clock === undefined && error === null} />
            {error !== null && clock === undefined && <Fault error={error} onRetry={() => void refetch()} />}
            {clock?.data.length === 0 && (
              <p className="px-4 py-4 text-13 text-ink-soft">{words.historyNone}</p>
            )}
            <ul>
              {clock?.data.map((advance) => (
                <li key={advance.id} className="border-b border-line px-4 py-3 last:border-0">
                  <Advance advance={advance} />
                </li>
              ))}
            </ul>
          </Card>
        </div>
        <Card>
          <Total seconds={clock?.advancedSeconds} />
          <h2 className="mt-4 text-13 font-strong">{words.does}</h2>
          <p className="mt-1 text-13 text-ink-soft">{words.doesList}</p>
          <h2 className="mt-4 text-13 font-strong">{words.doesNot}</h2>
          <p className="mt-1 text-13 text-ink-soft">{words.doesNotList}</p>
        </Card>
      </div>
    </DevelopersFrame>
  )
}

function Total({ seconds }: { readonly seconds: number | undefined }) {
  const words = useWords(sandboxWords)
  const format = useFormat()
  return (
    <p className="text-13 text-ink-soft">
      {words.advanced}
      <span className="figures block text-28 font-strong text-ink">
        {seconds === undefined ? '–' : seconds === 0 ? words.notAdvanced : format.span(seconds * 1_000)}
      </span>
    </p>
  )
}

const presets = ['PT1H', 'P1D', 'P3D', 'P1W', 'P4W'] as const
const units = ['M', 'H', 'D', 'W'] as const
type Unit = (typeof units)[number]

/** ISO 8601: minutes and hours stand behind a T. */
function durationOf(amount: string, unit: Unit): string | undefined {
  if (!/^[1-9]\d{0,5}$/.test(amount.trim())) return undefined
  return `P${unit === 'M' || unit === 'H' ? 'T' : ''}${amount.trim()}${unit}`
}

function AdvanceForm() {
  const words = useWords(sandboxWords)
  const act = useAct()
  const [preset, setPreset] = useState<string>('P1D')
  const [amount, setAmount] = useState('')
  const [unit, setUnit] = useState<Unit>('D')
  const [wasTried, setTried] = useState(false)
  const isOther = preset === ''
  const advance = isOther ? durationOf(amount, unit) : preset
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (advance !== undefined && (await act.send('advanceSandboxClock', { body: { advance } })))
      toast(words.advanceSent)
  }
  return (
    <Card>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1 basis-44">
            <SelectField
              label={words.advanceBy}
              value={preset}
              onChange={(event) => setPreset(event.target.value)}
              fault={isOther ? undefined : faultOf(act.error, 'advance')}
              options={[
                ...presets.map((value) => ({ value, label: words.presets[value] })),
                { value: '', label: words.other },
              ]}
            />
          </div>
          {isOther && (
            <>
              <div className="min-w-0 flex-1 basis-28">
                <TextField
                  label={words.amount}
                  inputMode="numeric"
                  value={amount}
                  onChange={(event) => setAmount(event.target.value)}
                  fault={
                    wasTried && advance === undefined ? words.amountWrong : faultOf(act.error, 'advance')
                  }
                />
              </div>
              <div className="min-w-0 flex-1 basis-32">
                <SelectField
                  label={words.unit}
                  value={unit}
                  onChange={(event) => setUnit(units.find((each) => each === event.target.value) ?? 'D')}
                  options={units.map((value) => ({ value, label: words.units[value] }))}
                />
              </div>
            </>
          )}
        </div>
        <FormFault error={act.error} />
        <Button type="submit" variant="primary" icon="clock" busy={act.isBusy} className="self-start">
          {words.advance}
        </Button>
      </form>
    </Card>
  )
}

function Advance({ advance }: { readonly advance: ClockAdvance }) {
  const words = useWords(sandboxWords)
  const format = useFormat()
  const { status, stillDue = [], providersBehind = [] } = advance
  const workNames: Readonly<Record<string, string>> = words.work
  return (
    <div className="flex flex-col gap-1 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono font-strong">{advance.advance}</span>
        <Badge tone={status === 'DONE' ? 'good' : 'wait'}>
          {status === 'DONE' ? words.done : words.advancing}
        </Badge>
        <span className="figures min-w-0 flex-1 text-ink-soft">
          {advance.advancedSeconds > 0 && format.span(advance.advancedSeconds * 1_000)}
        </span>
        <Time at={advance.createdAt} className="text-ink-soft" />
      </div>
      {stillDue.length > 0 && (
        <p className="text-wait">
          {words.stillDue}:{' '}
          {stillDue.map(({ work, count }) => `${format.count(count)} ${workNames[work] ?? work}`).join(', ')}
        </p>
      )}
      {providersBehind.length > 0 && (
        <p className="text-wait">
          {words.behind}: {providersBehind.join(', ')}
        </p>
      )}
    </div>
  )
}
