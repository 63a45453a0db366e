// Connections to providers, each with what its last test said.
import { descriptors } from '#/rails/methods.ts'
import type { Connection, OperatorJob } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useMayOperate } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { useFilters } from '../../kit/filter-values.ts'
import { choice, type Filter } from '../../kit/filters.tsx'
import { Notice, PageHeader } from '../../kit/page.tsx'
import { RecordList } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { operatorConnectionWords } from '../../words/operator-connections.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { isOpen } from './job-view.tsx'
import { ModeBadge, OnlyCommand, useMethodName } from './parts.tsx'

/** Of what a connection can be: a method, unless its connections are another's, and what only sends. */
const methods = [
  ...descriptors.filter(({ connectedAs }) => connectedAs === undefined).map(({ method }) => method),
  'PIX_PAYOUT',
] as const

export function ConnectionList() {
  const words = useWords(operatorConnectionWords)
  const may = useMayOperate()
  const tests = useTests()
  const [{ q = '', method, mode, shared: of }] = useFilters()
  const merchant = q === '' ? of : q
  const list = useList('listConnections', { query: merchant === undefined ? {} : { merchant } })
  const rows = list.rows?.filter(
    (each) => (method === undefined || each.method === method) && (mode === undefined || each.mode === mode),
  )
  const isFiltered = [merchant, method, mode].some((each) => each !== undefined)
  const add = may('write') && (
    <ButtonLink variant="primary" icon="plus" to="/operator/connections/new">
      {words.add}
    </ButtonLink>
  )
  return (
    <>
      <PageHeader title={words.title} actions={add} />
      <Expiring rows={list.rows ?? []} />
      <RecordList
        records={{ ...list, rows, query: {}, isFiltered, filters: useFilterList(), isSearchable: true }}
        words={{ ...words, search: words.merchantId }}
        icon="link"
        columns={useColumns(tests)}
        href={({ id }) => `/operator/connections/${id}`}
        first={add}
      />
      <div className="mt-6 phone:mt-4">
        <OnlyCommand why="workerKey" commands={['connection reseal', 'connection publish-key']} />
      </div>
    </>
  )
}

/** A bank may take weeks for a new certificate. */
const soonMs = 30 * 86_400_000

function isSoon({ endsAt, isActive, archivedAt }: Connection): boolean {
  return (
    isActive && archivedAt === undefined && endsAt !== undefined && Date.parse(endsAt) - Date.now() < soonMs
  )
}

/** Above the list, so that nobody misses it. */
function Expiring({ rows }: { readonly rows: readonly Connection[] }) {
  const words = useWords(operatorConnectionWords)
  const nameOf = useMethodName()
  const format = useFormat()
  const soon = rows.filter(isSoon)
  if (soon.length === 0) return null
  return (
    <div className="mb-6 phone:mb-4">
      <Notice tone="bad">
        <p>{words.expiring}</p>
        <ul>
          {soon.map(({ id, method, provider, merchantName, endsAt }) => (
            <li key={id}>
              {[nameOf(method), provider, merchantName ?? words.shared].join(' · ')}
              {endsAt !== undefined && `: ${format.short(endsAt)}`}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

/** When the certificate ends. */
function Expiry({ connection }: { readonly connection: Connection }) {
  const words = useWords(operatorConnectionWords)
  const format = useFormat()
  const { endsAt } = connection
  if (endsAt === undefined) return null
  if (isSoon(connection))
    return (
      <Badge tone={Date.parse(endsAt) < Date.now() ? 'bad' : 'wait'} icon="alert">
        {words.endsAt}: {format.short(endsAt)}
      </Badge>
    )
  return <span className="figures text-ink-soft">{format.short(endsAt)}</span>
}

/** Only while the last call failed. */
function LastCall({ connection: { lastGoodAt, lastBadAt, lastError } }: { readonly connection: Connection }) {
  const words = useWords(operatorConnectionWords)
  if (lastBadAt === undefined || (lastGoodAt !== undefined && lastGoodAt >= lastBadAt)) return null
  return (
    <span title={lastError}>
      <Badge tone="bad" icon="alert">
        {words.lastFailed}
      </Badge>
    </span>
  )
}

export function ConnectionState({ connection }: { readonly connection: Connection }) {
  const words = useWords(operatorConnectionWords)
  if (connection.archivedAt !== undefined) return <Badge tone="calm">{words.isArchived}</Badge>
  return connection.isActive ? (
    <Badge tone="good">{words.isActive}</Badge>
  ) : (
    <Badge tone="calm">{words.isOff}</Badge>
  )
}

function useColumns(tests: readonly OperatorJob[]): readonly Column<Connection>[] {
  const words = useWords(operatorConnectionWords)
  const shared = useWords(operatorWords)
  const nameOf = useMethodName()
  return [
    {
      header: shared.method,
      phone: 'title',
      cell: ({ method, provider }) => (
        <span className="whitespace-nowrap">
          <span className="font-strong">{nameOf(method)}</span>{' '}
          <span className="text-ink-soft">{provider}</span>
        </span>
      ),
    },
    {
      header: words.forWhom,
      grow: true,
      phone: 'line',
      cell: ({ merchantName }) => merchantName ?? words.shared,
    },
    { header: shared.mode, from: 'md', cell: ({ mode }) => <ModeBadge mode={mode} /> },
    { header: shared.state, cell: (connection) => <ConnectionState connection={connection} /> },
    {
      header: words.health,
      cell: (connection) =>
        connection.hasType && (
          <span className="flex flex-wrap gap-1">
            <Health tests={tests} id={connection.id} />
            <LastCall connection={connection} />
          </span>
        ),
    },
    {
      header: words.certificate,
      from: 'lg',
      phone: 'note',
      cell: (connection) => <Expiry connection={connection} />,
    },
  ]
}

function useFilterList(): readonly Filter[] {
  const words = useWords(operatorConnectionWords)
  const shared = useWords(operatorWords)
  return [
    choice('method', shared.method, methods, useMethodName()),
    choice('mode', shared.mode, ['LIVE', 'SANDBOX'], shared.modes),
    choice('shared', words.forWhom, ['shared'], { shared: words.sharedOnly }),
  ]
}

// What the last test of a connection said.

/** The tests that were requested last, newest first. Jobs are kept for 90 days. */
export function useTests(): readonly OperatorJob[] {
  return useList('listJobs', { query: { kind: 'connection.test', limit: 99 } }).rows ?? []
}

function Health({ tests, id }: { readonly tests: readonly OperatorJob[]; readonly id: string }) {
  const words = useWords(operatorConnectionWords)
  const last = tests.find((job) => job.arguments['connectionId'] === id)
  if (last === undefined || last.status === 'CANCELED') return <Badge tone="calm">{words.healthNone}</Badge>
  if (isOpen(last)) return <Badge tone="wait">{words.healthRuns}</Badge>
  return last.result?.['ok'] === true ? (
    <Badge tone="good">{words.healthGood}</Badge>
  ) : (
    <Badge tone="bad">{words.healthBad}</Badge>
  )
}
