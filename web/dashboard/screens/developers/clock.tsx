// The clock of the sandbox: what is ahead comes closer by a span.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { ClockAdvance } from '../../api/generated.ts'
import { useRead, useWatch } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Fields, named, useDraft, type Item } from '../../kit/form.tsx'
import { Card } from '../../kit/page.tsx'
import { RecordList, recordsOf } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { sandboxWords } from '../../words/sandbox-tools.ts'
import { DevelopersFrame } from './frame.tsx'

export function ClockPage() {
  const words = useWords(sandboxWords)
  const read = useRead('getSandboxClock')
  const clock = read.data
  useWatch(clock?.data.some(({ status }) => status === 'ADVANCING') === true, () => void read.refetch())
  return (
    <DevelopersFrame lead={words.clockLead}>
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_360px] phone:gap-4">
        <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
          <AdvanceForm />
          <RecordList
            records={recordsOf(read, clock?.data)}
            words={{ title: words.history, none: words.historyNone }}
            title={words.history}
            line={(advance) => (
              <li className="border-b border-line px-4 py-3 last:border-0">
                <Advance advance={advance} />
              </li>
            )}
          />
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
  const draft = useDraft({ preset: 'P1D', amount: '', unit: 'D' as Unit })
  const { preset, amount, unit } = draft.values
  const [wasTried, setTried] = useState(false)
  const isOther = preset === ''
  const advance = isOther ? durationOf(amount, unit) : preset
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (advance !== undefined && (await act.send('advanceSandboxClock', { body: { advance } })))
      toast(words.advanceSent)
  }
  const field = (className: string, item: Item<typeof draft.values>) => (
    <div className={`min-w-0 flex-1 ${className}`}>
      <Fields draft={draft} error={act.error} wasTried={wasTried} items={[item]} />
    </div>
  )
  return (
    <Card>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <div className="flex flex-wrap items-start gap-3">
          {field('basis-44', {
            name: 'preset',
            at: isOther ? '' : 'advance',
            label: words.advanceBy,
            options: [...named(presets, words.presets), { value: '', label: words.other }],
          })}
          {isOther &&
            field('basis-28', {
              name: 'amount',
              at: 'advance',
              label: words.amount,
              inputMode: 'numeric',
              wrong: advance === undefined && words.amountWrong,
            })}
          {isOther &&
            field('basis-32', { name: 'unit', label: words.unit, options: named(units, words.units) })}
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
