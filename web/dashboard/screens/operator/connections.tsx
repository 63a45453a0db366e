// Connections to providers, each with what its last test said.
import { useMayOperate, useOperatorPages } from '../../api/operator.ts'
import type { Connection, Job } from '../../api/operator-records.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FilterBar, useFilters, type Filter } from '../../kit/filters.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { operatorConnectionWords } from '../../words/operator-connections.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'
import { Health, useTests } from './connection-health.tsx'
import { ModeBadge, useMethodName } from './parts.tsx'

const methods = ['PIX', 'PIX_PAYOUT', 'CREDIT_CARD', 'PARTNER_PAY', 'CRYPTO', 'SEPA_TRANSFER'] as const

export function ConnectionList() {
  const words = useWords(operatorConnectionWords)
  const nameOf = useMethodName()
  const may = useMayOperate()
  const tests = useTests()
  const [{ q = '', method, mode, shared: of }] = useFilters()
  const merchant = q === '' ? of : q
  const list = useOperatorPages<Connection>('connections', merchant === undefined ? {} : { merchant })
  const rows = list.rows?.filter(
    (each) => (method === undefined || each.method === method) && (mode === undefined || each.mode === mode),
  )
  const isFiltered = [merchant, method, mode].some((each) => each !== undefined)
  const add = may('write') && (
    <ButtonLink look="primary" icon="plus" to="/operator/connections/new">
      {words.add}
    </ButtonLink>
  )
  return (
    <>
      <PageHeader title={words.title} actions={add} />
      <Card flush>
        <FilterBar search={words.merchantId} filters={useFilterList()} />
        <Table
          label={words.title}
          columns={useColumns(tests)}
          rows={rows}
          rowId={({ id }) => id}
          href={({ id }) => `/operator/connections/${id}`}
          phone={(connection) => (
            <>
              <span className="flex items-baseline justify-between gap-3">
                <span className="text-15 font-strong">{nameOf(connection.method)}</span>
                <span className="text-ink-soft">{connection.provider}</span>
              </span>
              <span className="truncate">{connection.merchantName ?? words.shared}</span>
              <span className="flex flex-wrap gap-1">
                <ConnectionState connection={connection} />
                {connection.hasType && <Health tests={tests} id={connection.id} />}
              </span>
            </>
          )}
          error={list.error}
          isFetching={list.isFetching}
          hasMore={list.hasMore}
          onMore={list.more}
          onRetry={list.retry}
          empty={
            <Empty
              icon="link"
              title={isFiltered ? words.noneFound : words.none}
              action={isFiltered ? undefined : add}
            >
              {isFiltered ? words.noneFoundLead : words.noneLead}
            </Empty>
          }
        />
      </Card>
    </>
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

function useColumns(tests: readonly Job[]): readonly Column<Connection>[] {
  const words = useWords(operatorConnectionWords)
  const shared = useWords(operatorWords)
  const nameOf = useMethodName()
  return [
    {
      id: 'method',
      header: shared.method,
      cell: ({ method, provider }) => (
        <span className="whitespace-nowrap">
          <span className="font-strong">{nameOf(method)}</span>{' '}
          <span className="text-ink-soft">{provider}</span>
        </span>
      ),
    },
    {
      id: 'merchant',
      header: words.forWhom,
      grow: true,
      cell: ({ merchantName }) => <span className="block truncate">{merchantName ?? words.shared}</span>,
    },
    { id: 'mode', header: shared.mode, from: 'md', cell: ({ mode }) => <ModeBadge mode={mode} /> },
    {
      id: 'state',
      header: shared.state,
      cell: (connection) => <ConnectionState connection={connection} />,
    },
    {
      id: 'health',
      header: words.health,
      cell: ({ id, hasType }) => (hasType ? <Health tests={tests} id={id} /> : null),
    },
  ]
}

function useFilterList(): readonly Filter[] {
  const words = useWords(operatorConnectionWords)
  const shared = useWords(operatorWords)
  const nameOf = useMethodName()
  return [
    {
      name: 'method',
      label: shared.method,
      options: methods.map((value) => ({ value, label: nameOf(value) })),
    },
    {
      name: 'mode',
      label: shared.mode,
      options: [
        { value: 'LIVE', label: shared.modes.LIVE },
        { value: 'SANDBOX', label: shared.modes.SANDBOX },
      ],
    },
    {
      name: 'shared',
      label: words.forWhom,
      options: [{ value: 'shared', label: words.sharedOnly }],
    },
  ]
}
