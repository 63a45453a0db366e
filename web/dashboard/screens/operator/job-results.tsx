// What a job found, in words.
import { fill } from '#/kernel/dictionary.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { CodeBlock } from '../../kit/copy.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Details } from '../../kit/reason.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { operatorJobWords } from '../../words/operator-jobs.ts'
import { operatorProbeWords } from '../../words/operator-probes.ts'
import { useFormat, useWords } from '../../words/reader.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a job found. `isShort`: without the whole of it. */
export function JobResult({
  kind,
  result,
  isShort,
}: {
  readonly kind: string
  readonly result: Fields
  readonly isShort: boolean
}) {
  switch (kind) {
    case 'verify':
      return <Verified result={result as Verify} isShort={isShort} />
    case 'balances':
      return <Balances result={result as BalanceResult} />
    case 'connection.test':
      return <Probes result={result as TestResult} />
    case 'statement.import':
      return <ImportedFiles result={result as unknown as ImportResult} />
    case 'connection.register':
      return <Registered result={result as RegisterResult} />
    default:
      return <Whole result={result} />
  }
}

function Whole({ result }: { readonly result: Fields }) {
  const words = useWords(operatorJobWords)
  return <CodeBlock label={words.whole} code={JSON.stringify(result, null, 2)} />
}

type Verify = Fields & { readonly summary: string; readonly ok: boolean; readonly faultCount: number }

/** The line of the command, as it is: those who compare it with a terminal or a log find the same words. */
function Verified({ result, isShort }: { readonly result: Verify; readonly isShort: boolean }) {
  const words = useWords(operatorJobWords)
  const format = useFormat()
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="flex flex-wrap items-center gap-2 text-28 font-strong tracking-tight">
          <Icon
            name={result.ok ? 'checkCircle' : 'alert'}
            size={24}
            className={result.ok ? 'text-good' : 'text-bad'}
          />
          <span className="figures min-w-0 break-words">{result.summary}</span>
        </p>
        <p className={`mt-1 text-13 ${result.ok ? 'text-ink-soft' : 'text-bad'}`}>
          {result.ok ? words.verifyGood : words.verifyBad(format.count(result.faultCount))}
        </p>
      </div>
      {!isShort && <Whole result={result} />}
    </div>
  )
}

type Verdict = 'agrees' | 'explained' | 'differs' | 'silent' | 'not_reported'
type BalanceRow = {
  readonly connection: string
  readonly currency: string
  readonly booked: string
  readonly held?: string
  readonly own: string
  readonly difference?: string
  readonly why?: string
  readonly verdict: Verdict
}
type BalanceResult = Fields & { readonly differences: number; readonly rows: readonly BalanceRow[] }

const verdictTones: Readonly<Record<Verdict, Tone>> = {
  agrees: 'good',
  explained: 'calm',
  differs: 'bad',
  silent: 'wait',
  not_reported: 'calm',
}

function Balances({ result }: { readonly result: BalanceResult }) {
  const words = useWords(operatorJobWords)
  const format = useFormat()
  return (
    <div className="flex flex-col gap-3 text-13">
      <p className={result.differences === 0 ? '' : 'text-bad'}>
        {result.differences === 0 ? words.balancesGood : words.balancesBad(format.count(result.differences))}
      </p>
      <ul>
        {result.rows.map((row) => (
          <li
            key={`${row.connection} ${row.currency}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2"
          >
            <span className="min-w-0 flex-1 basis-48 truncate font-mono" title={row.connection}>
              {row.connection}
            </span>
            <span className="figures text-ink-soft">
              {words.booked} {row.booked} {row.currency}
            </span>
            {row.held !== undefined && (
              <span className="figures text-ink-soft">
                {words.held} {row.held} {row.currency}
              </span>
            )}
            {/^0[.]?0*$/.test(row.own) ? null : (
              <span className="figures text-ink-soft">
                {words.own} {row.own} {row.currency}
              </span>
            )}
            {row.difference !== undefined && row.verdict !== 'agrees' && (
              <span className="figures font-strong">
                {words.difference} {row.difference.replace('-', '\u2212')} {row.currency}
              </span>
            )}
            <Badge tone={verdictTones[row.verdict]}>{words.verdicts[row.verdict]}</Badge>
            {row.why !== undefined && (
              <span className="w-full text-ink-soft">
                <Details>{row.why}</Details>
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

type Probe = {
  readonly what: string
  readonly ok: boolean
  readonly said: string
  /** The same as a key, where it is a sentence of ours. */
  readonly key?: string
  readonly values?: Readonly<Record<string, string | number>>
}

/** In the reader's language; what a provider said itself, as it came. */
function useProbeTexts(): {
  readonly what: (probe: Probe) => string
  readonly said: (probe: Probe) => string | undefined
} {
  const { tested, said } = useWords(operatorProbeWords)
  const names: Readonly<Record<string, string>> = tested
  const sentences: Readonly<Record<string, string>> = said
  return {
    what: ({ what }) => names[what] ?? what,
    said: ({ key, values = {} }) => {
      const sentence = key === undefined ? undefined : sentences[key]
      return sentence === undefined ? undefined : fill(sentence, values)
    },
  }
}

type TestResult = Fields & {
  readonly ok: boolean
  readonly probes: readonly Probe[]
}

function Probes({ result }: { readonly result: TestResult }) {
  const words = useWords(operatorJobWords)
  const texts = useProbeTexts()
  return (
    <div className="text-13">
      <p className={`mb-2 font-strong ${result.ok ? 'text-good' : 'text-bad'}`}>
        {result.ok ? words.testGood : words.testBad}
      </p>
      <ul className="flex flex-col gap-2">
        {result.probes.map((probe) => (
          <li key={probe.what} className="flex items-start gap-2">
            <Icon
              name={probe.ok ? 'check' : 'cross'}
              className={`mt-0.5 ${probe.ok ? 'text-good' : 'text-bad'}`}
            />
            <span className="min-w-0 break-words">
              <span className="font-strong">{texts.what(probe)}</span>:{' '}
              {texts.said(probe) ?? <Details>{probe.said}</Details>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type RegisterResult = Fields & { readonly callbackUrl: string; readonly isRegistered: boolean }

function Registered({ result }: { readonly result: RegisterResult }) {
  const words = useWords(operatorJobWords)
  return (
    <div className="text-13">
      <p className="mb-2">{result.isRegistered ? words.registered : words.byHand}</p>
      <p className="font-mono break-all select-all">{result.callbackUrl}</p>
    </div>
  )
}

// What became of each file of an import.

type Imported = {
  readonly file: string
  readonly state: 'IMPORTED' | 'KNOWN' | 'REFUSED'
  readonly reason?: string
  readonly movements?: number
  readonly paid?: number
  readonly proposed?: number
  readonly seen?: number
}

type ImportResult = {
  readonly ok: boolean
  readonly files: readonly Imported[]
}

function ImportedFiles({ result }: { readonly result: ImportResult }) {
  const words = useWords(operatorFileWords)
  const format = useFormat()
  const textOf = ({ state, movements = 0, paid = 0, proposed = 0 }: Imported) =>
    state === 'REFUSED'
      ? words.refused
      : state === 'KNOWN'
        ? words.alreadyImported
        : words.imported(format.count(movements), format.count(paid), format.count(proposed))
  return (
    <div className="flex flex-col gap-3 text-13">
      <ul className="flex flex-col gap-2">
        {result.files.map((each, place) => (
          <li key={`${place} ${each.file}`} className="flex items-start gap-2">
            <Icon
              name={each.state === 'REFUSED' ? 'cross' : 'check'}
              className={`mt-0.5 ${each.state === 'REFUSED' ? 'text-bad' : 'text-good'}`}
            />
            <span className="min-w-0 break-words">
              <span className="font-strong">{each.file}</span>: {textOf(each)}
              {each.seen !== undefined && <Details>{words.seen(format.count(each.seen))}</Details>}
              <Details>{each.reason}</Details>
            </span>
          </li>
        ))}
      </ul>
      {!result.ok && <p>{words.refusedLead}</p>}
    </div>
  )
}
