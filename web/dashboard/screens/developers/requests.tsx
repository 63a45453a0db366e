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
import { spanOf } from '../../kit/days.ts'
import { Empty } from '../../kit/empty.tsx'
import {
  FilterBar,
  hasFilter,
  spanFilters,
  useFilters,
  type Filter,
  type Values,
} from '../../kit/filters.tsx'
import { Card } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { developerWords } from '../../words/developers.ts'
import { keyWords } from '../../words/keys.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

/** The codes that a caller with a key can get. */
export const apiCodes = (Object.keys(problems) as ProblemCode[]).filter(
  (code) => !dashboardProblems.includes(code),
)

export function RequestLog() {
  const words = useWords(developerWords)
  const ofKeys = useWords(keyWords)
  const { timeZone } = useReader()
  const { id, may } = useMerchant()
  const [values] = useFilters()
  const query = queryOf(values, timeZone)
  const list = useList('listRequests', { query })
  const keys = useList('listApiKeys', { query: { limit: 100 }, enabled: may('keys:read') }).rows ?? []
  const isFiltered = hasFilter(query)
  return (
    <DevelopersFrame
      lead={words.requestsLead}
      actions={
        <Button icon="reload" busy={list.isFetching} onClick={list.retry}>
          {words.reload}
        </Button>
      }
    >
      <Card flush>
        <FilterBar filters={useFilterList(keys)} />
        <Table
          label={words.pages.requests}
          columns={useColumns(keys)}
          {...list}
          rowId={({ requestId, receivedAt }) => `${requestId} ${receivedAt}`}
          phone={(call) => <PhoneLines call={call} />}
          empty={
            <Empty
              icon="developers"
              title={isFiltered ? words.noneFound : words.requestsNone}
              action={!isFiltered && <ButtonLink to={`/m/${id}/developers/keys`}>{ofKeys.title}</ButtonLink>}
            >
              {isFiltered ? words.noneFoundLead : words.requestsNoneLead}
            </Empty>
          }
        />
      </Card>
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

function PhoneLines({ call }: { readonly call: LoggedCall }) {
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span className="font-mono break-all">
        <span className="font-strong">{call.method}</span> {call.path}
      </span>
      <span className="flex flex-wrap items-center justify-between gap-x-3 text-ink-soft">
        <Answer call={call} />
        <Time at={call.receivedAt} inRow />
      </span>
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
      id: 'call',
      header: words.call,
      grow: true,
      cell: ({ method, path }) => (
        <span className="block truncate font-mono" title={`${method} ${path}`}>
          <span className="inline-block w-14 font-strong">{method}</span> {path}
        </span>
      ),
    },
    { id: 'answer', header: words.status, cell: (call) => <Answer call={call} /> },
    {
      id: 'key',
      header: words.key,
      from: 'lg',
      cell: ({ keyId }) => <span className="block max-w-40 truncate">{keyName(keyId)}</span>,
    },
    {
      id: 'duration',
      header: words.duration,
      align: 'end',
      from: 'md',
      cell: ({ durationMs }) => (
        <span className="figures whitespace-nowrap text-ink-soft">{format.span(durationMs)}</span>
      ),
    },
    {
      id: 'at',
      header: words.at,
      align: 'end',
      cell: ({ receivedAt, requestId }) => (
        <span className="inline-flex items-center gap-1">
          <Time at={receivedAt} className="text-ink-soft" />
          <CopyButton value={requestId} what={words.requestId} />
        </span>
      ),
    },
  ]
}

function useFilterList(keys: readonly ApiKey[]): readonly Filter[] {
  const words = useWords(developerWords)
  return [
    {
      name: 'statusClass',
      label: words.status,
      options: [
        { value: '2XX', label: words.ok },
        { value: '4XX', label: words.refused },
        { value: '5XX', label: words.failed },
      ],
    },
    { name: 'code', label: words.code, options: apiCodes.map((value) => ({ value, label: value })) },
    { name: 'method', label: words.method, options: methods.map((value) => ({ value, label: value })) },
    ...(keys.length === 0
      ? []
      : [
          {
            name: 'keyId',
            label: words.key,
            options: keys.map(({ id, name, lastFour }) => ({ value: id, label: `${name} …${lastFour}` })),
          },
        ]),
    ...spanFilters(words),
  ]
}

function queryOf(values: Values, timeZone: string): Values {
  const { statusClass, code, method, keyId } = values
  return {
    statusClass,
    code,
    method,
    keyId,
    ...spanOf(values, timeZone),
  }
}
