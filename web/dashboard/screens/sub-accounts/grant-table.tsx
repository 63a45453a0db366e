// Transfer grants in a table: in the settings of the sub-account that gave them, and on its page at the parent.
import type { ReactNode } from 'react'
import type { TransferGrant } from '../../api/generated.ts'
import { Badge } from '../../kit/badge.tsx'
import { Money } from '../../kit/money.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { useWords } from '../../words/reader.ts'
import { grantWords } from '../../words/transfer-grants.ts'

const badges = {
  ACTIVE: { tone: 'good', icon: 'checkCircle' },
  USED_UP: { tone: 'calm', icon: 'dash' },
  EXPIRED: { tone: 'calm', icon: 'clock' },
  REVOKED: { tone: 'bad', icon: 'cross' },
} as const

export function GrantList({
  subAccountId,
  lead,
  none,
  action,
  actionOf,
}: {
  readonly subAccountId?: string
  readonly lead: string
  readonly none: string
  readonly action?: ReactNode
  /** What can be done with one; undefined for nothing. */
  readonly actionOf: (grant: TransferGrant) => ReactNode
}) {
  const words = useWords(grantWords)
  return (
    <RecordList
      records={useRecords('listTransferGrants', { query: { subAccountId } })}
      words={{ title: words.title, none: words.none, noneLead: none }}
      icon="key"
      title={words.title}
      action={action}
      columns={[
        { header: words.allowed, grow: true, cell: (grant) => <Allowed grant={grant} /> },
        { header: words.taken, money: 'amountTaken', phone: 'none' },
        { header: words.until, time: 'expiresAt', from: 'md', phone: 'none' },
        { header: words.status, cell: (grant) => <GrantBadge grant={grant} /> },
        { header: words.action, align: 'end', phone: 'note', cell: actionOf },
      ]}
    >
      <p className="px-4 pb-3 text-13 text-ink-soft">{lead}</p>
    </RecordList>
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
