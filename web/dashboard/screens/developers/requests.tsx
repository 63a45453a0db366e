// The last calls with the merchant's keys, newest first: one line per call.
import { Link } from '@tanstack/react-router'
import { dashboardProblems, problems, type ProblemCode } from '#/kernel/error.ts'
import type { ApiKey, LoggedCall } from '../../api/generated.ts'
import { usePeople } from '../../api/members.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { choice, spanFilters } from '../../kit/filters.tsx'
import { RecordList, useRecords, type FiltersOf } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { developerWords } from '../../words/developers.ts'
import { keyWords } from '../../words/keys.ts'
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
        <Link to={pathOf('problems')} className="link font-mono whitespace-nowrap" title={words.explain}>
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
