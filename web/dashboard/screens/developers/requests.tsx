// The last calls with the merchant's keys, newest first: one line per call.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dashboardProblems, problems, type ProblemCode, problemUrl } from '#/kernel/error.ts'
import { call } from '../../api/call.ts'
import type { ApiKey, LoggedCall } from '../../api/generated.ts'
import { usePeople } from '../../api/members.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { Fault } from '../../kit/fault.tsx'
import { choice, spanFilters } from '../../kit/filters.tsx'
import { Icon } from '../../kit/icons.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { RecordList, useRecords, type FiltersOf } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { developerWords } from '../../words/developers.ts'
import { keyWords } from '../../words/keys.ts'
import { problemListWords } from '../../words/problem-list.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

/** The codes that a caller with a key can get. */
export const apiCodes = (Object.keys(problems) as ProblemCode[]).filter(
  (code) => !dashboardProblems.includes(code),
)

export function RequestLog() {
  const words = useWords(developerWords)
  const ofKeys = useWords(keyWords)
  const { id, may } = useMerchant()
  const keys = useList('listApiKeys', { query: { limit: 100 }, enabled: may('keys:read') }).rows ?? []
  const records = useRecords('listRequests', { filters: useFilterList(keys) })
  return (
    <DevelopersFrame
      lead={words.requestsLead}
      actions={
        <Button icon="reload" busy={records.isFetching} onClick={records.retry}>
          {words.reload}
        </Button>
      }
    >
      <RecordList
        records={records}
        words={{
          ...words,
          title: words.pages.requests,
          none: words.requestsNone,
          noneLead: words.requestsNoneLead,
        }}
        icon="developers"
        rowId={({ requestId, receivedAt }) => `${requestId} ${receivedAt}`}
        columns={useColumns(keys)}
        first={<ButtonLink to={`/m/${id}/developers/keys`}>{ofKeys.title}</ButtonLink>}
      />
    </DevelopersFrame>
  )
}

function Answer({ call: { status, code } }: { readonly call: LoggedCall }) {
  const words = useWords(developerWords)
  const pathOf = useDevelopersPath()
  const tone = status === undefined ? 'calm' : status < 400 ? 'good' : status < 500 ? 'wait' : 'bad'
  return (
    <span className="inline-flex items-center gap-2">
      <Badge tone={tone} {...(tone === 'wait' ? { icon: 'alert' } : {})}>
        {status ?? '–'}
        {status === undefined && <span className="aside">{words.gone}</span>}
      </Badge>
      {code !== undefined && (
        <Link to={pathOf('logs/problems')} className="link font-mono whitespace-nowrap" title={words.explain}>
          {code}
        </Link>
      )}
    </span>
  )
}

function useColumns(keys: readonly ApiKey[]): readonly Column<LoggedCall>[] {
  const words = useWords(developerWords)
  const format = useFormat()
  const memberOf = usePeople()
  const keyName = (keyId: string) => {
    const member = memberOf(keyId)
    if (member !== undefined) return `${member} (${words.member})`
    return keys.find(({ id }) => id === keyId)?.name ?? words.keyUnknown(keyId.slice(-6))
  }
  return [
    {
      header: words.call,
      grow: true,
      cell: ({ method, path }) => (
        <span
          className="block truncate font-mono phone:break-all phone:whitespace-normal"
          title={`${method} ${path}`}
        >
          <span className="inline-block font-strong sm:w-14">{method}</span> {path}
        </span>
      ),
    },
    { header: words.status, cell: (call) => <Answer call={call} /> },
    { header: words.key, from: 'lg', cell: ({ keyId }) => keyName(keyId) },
    {
      header: words.duration,
      align: 'end',
      from: 'md',
      className: 'figures text-ink-soft',
      cell: ({ durationMs }) => format.span(durationMs),
    },
    {
      header: words.at,
      align: 'end',
      phone: 'end',
      cell: ({ receivedAt, requestId }) => (
        <span className="inline-flex items-center gap-1">
          <Time at={receivedAt} className="text-ink-soft" />
          <CopyButton value={requestId} what={words.requestId} />
        </span>
      ),
    },
  ]
}

function useFilterList(keys: readonly ApiKey[]): FiltersOf<'listRequests'> {
  const words = useWords(developerWords)
  const ofKey = keys.map(({ id, name, lastFour }) => ({ value: id, label: `${name} …${lastFour}` }))
  return [
    choice('statusClass', words.status, ['2XX', '4XX', '5XX'], {
      '2XX': words.ok,
      '4XX': words.refused,
      '5XX': words.failed,
    }),
    choice('code', words.code, apiCodes),
    choice('method', words.method, methods),
    ...(keys.length === 0 ? [] : [{ name: 'keyId', label: words.key, options: ofKey } as const]),
    ...spanFilters(words),
  ]
}

// The problems of the API by code: how often each came lately, what it means, and the page of docs that explains it.

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
            to={pathOf('logs')}
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
