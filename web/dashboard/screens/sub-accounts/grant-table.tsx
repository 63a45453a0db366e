// Transfer grants in a table: in the settings of the sub-account that gave them, and on its page at the parent.
import type { ReactNode } from 'react'
import type { TransferGrant } from '../../api/generated.ts'
import type { Pages } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Money } from '../../kit/money.tsx'
import { Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useWords } from '../../words/reader.ts'
import { grantWords } from '../../words/transfer-grants.ts'

const badges = {
  ACTIVE: { tone: 'good', icon: 'checkCircle' },
  USED_UP: { tone: 'calm', icon: 'dash' },
  EXPIRED: { tone: 'calm', icon: 'clock' },
  REVOKED: { tone: 'bad', icon: 'cross' },
} as const

export function GrantTable({
  list,
  empty,
  actionOf,
}: {
  readonly list: Pages<TransferGrant>
  readonly empty: string
  /** What can be done with one; undefined for nothing. */
  readonly actionOf: (grant: TransferGrant) => ReactNode
}) {
  const words = useWords(grantWords)
  return (
    <Table
      label={words.title}
      columns={[
        { id: 'allowed', header: words.allowed, grow: true, cell: (grant) => <Allowed grant={grant} /> },
        {
          id: 'taken',
          header: words.taken,
          align: 'end',
          cell: ({ amountTaken, currency }) => <Money minor={amountTaken} currency={currency} />,
        },
        {
          id: 'until',
          header: words.until,
          from: 'md',
          cell: ({ expiresAt }) =>
            expiresAt === undefined ? (
              <span className="text-ink-soft">–</span>
            ) : (
              <Time at={expiresAt} inRow />
            ),
        },
        { id: 'status', header: words.status, cell: (grant) => <GrantBadge grant={grant} /> },
        { id: 'action', header: words.action, align: 'end', cell: actionOf },
      ]}
      {...list}
      rowId={({ id }) => id}
      phone={(grant) => (
        <span className="flex flex-wrap items-center justify-between gap-3">
          <Allowed grant={grant} />
          <GrantBadge grant={grant} />
          {actionOf(grant)}
        </span>
      )}
      empty={
        <Empty icon="key" title={words.none}>
          {empty}
        </Empty>
      }
    />
  )
}

function Allowed({ grant: { maxAmount, currency, description } }: { readonly grant: TransferGrant }) {
  const words = useWords(grantWords)
  return (
    <span className="block min-w-0">
      {maxAmount === undefined ? (
        <span>
          {words.anyAmount} · {currency}
        </span>
      ) : (
        <Money minor={maxAmount} currency={currency} />
      )}
      {description !== undefined && (
        <span className="block truncate text-13 text-ink-soft">{description}</span>
      )}
    </span>
  )
}

function GrantBadge({ grant: { status } }: { readonly grant: TransferGrant }) {
  const { statuses } = useWords(grantWords)
  return <Badge {...badges[status]}>{statuses[status]}</Badge>
}
