// The problems of the API by code: how often each came lately, what it means, and the page of docs that explains it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { problems, problemUrl, type ProblemCode } from '#/kernel/error.ts'
import { call } from '../../api/call.ts'
import { useMerchant } from '../../api/session.ts'
import { Fault } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { problemListWords } from '../../words/problem-list.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'
import { apiCodes } from './requests.tsx'

/** The API counts nothing: its log of calls is read as far as this, newest first. */
const pagesMax = 5
const pageMax = 100

type Tally = {
  readonly counts: ReadonlyMap<string, number>
  readonly calls: number
  /** The oldest call that was counted, where the log goes on behind it. */
  readonly since?: string
}

export function ProblemList() {
  const words = useWords(problemListWords)
  const format = useFormat()
  const { id } = useMerchant()
  const { data, error, refetch } = useQuery({
    queryKey: ['m', id, 'requests', 'tally'],
    queryFn: ({ signal }) => tallyOf(id, signal),
  })
  const countOf = (code: string) => data?.counts.get(code) ?? 0
  const rows = apiCodes.toSorted((one, other) => countOf(other) - countOf(one))
  return (
    <DevelopersFrame lead={words.lead}>
      <Card flush>
        <LoadingLine isOn={data === undefined && error === null} />
        {error !== null && data === undefined ? (
          <Fault error={error} onRetry={() => void refetch()} />
        ) : (
          <>
            <p className="border-b border-line px-4 py-3 text-13 text-ink-soft">
              {data === undefined || data.calls === 0
                ? words.countedNone
                : data.since === undefined
                  ? words.counted(format.count(data.calls))
                  : words.countedSince(format.count(data.calls), format.short(data.since))}
            </p>
            <ul aria-label={words.title}>
              {rows.map((code) => (
                <li key={code} className="border-b border-line last:border-0">
                  <ProblemRow code={code} count={countOf(code)} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Card>
    </DevelopersFrame>
  )
}

function ProblemRow({ code, count }: { readonly code: ProblemCode; readonly count: number }) {
  const words = useWords(problemListWords)
  const format = useFormat()
  const pathOf = useDevelopersPath()
  const { status, retry } = problems[code]
  const meanings: Readonly<Record<string, string>> = words.meanings
  return (
    <div className="grid min-h-12 grid-cols-[32px_minmax(0,1fr)] items-center gap-x-4 px-4 py-2.5 text-13 sm:grid-cols-[32px_minmax(0,1fr)_auto]">
      <span className="figures text-right">
        {count === 0 ? (
          <span className="text-ink-soft">0</span>
        ) : (
          <Link
            to={pathOf('requests')}
            search={{ code }}
            className="link font-strong"
            aria-label={words.calls(format.count(count), code)}
          >
            {format.count(count)}
          </Link>
        )}
      </span>
      <span className="min-w-0">
        <span className="font-mono font-strong break-all">{code}</span>{' '}
        <span className="figures whitespace-nowrap text-ink-soft">
          {status}
          {retry && ` · ${words.again}`}
        </span>
        <span className="block">{meanings[code] ?? problems[code].title}</span>
      </span>
      <a
        href={problemUrl(code)}
        target="_blank"
        rel="noreferrer"
        aria-label={words.docsOf(code)}
        className="link inline-flex min-h-8 items-center gap-1.5 max-sm:col-start-2 phone:min-h-11"
      >
        {words.docs}
        <Icon name="external" size={14} />
      </a>
    </div>
  )
}

/** Counts the refused calls of the log, newest first, up to a bound. */
async function tallyOf(merchantId: string, signal: AbortSignal): Promise<Tally> {
  const counts = new Map<string, number>()
  let calls = 0
  let since: string | undefined
  for (const statusClass of ['4XX', '5XX'] as const) {
    let cursor: string | undefined
    for (let page = 0; page < pagesMax; page += 1) {
      const query = { statusClass, limit: pageMax, cursor }
      const read = await call('listRequests', { merchant: merchantId, query }, { signal })
      for (const { code } of read.data) if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1)
      calls += read.data.length
      cursor = read.nextCursor
      if (cursor === undefined) break
      const oldest = read.data.at(-1)?.receivedAt
      if (page === pagesMax - 1 && oldest !== undefined && (since === undefined || oldest > since))
        since = oldest
    }
  }
  return { counts, calls, ...(since === undefined ? {} : { since }) }
}
