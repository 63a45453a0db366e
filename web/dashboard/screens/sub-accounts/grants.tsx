// The transfer grants that a sub-account gave its parent, on its page at the parent, which takes by them.
import type { ReactNode } from 'react'
import type { SubAccount, TransferGrant } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { Money } from '../../kit/money.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { useWords } from '../../words/reader.ts'
import { grantWords } from '../../words/transfer-grants.ts'
import { SubAccountTransfer } from './transfer.tsx'

export function SubAccountGrants({ account }: { readonly account: SubAccount }) {
  const words = useWords(grantWords)
  const { may } = useMerchant()
  const canTake = may('wallets:write') && account.state === 'ACTIVE'
  return (
    <GrantList
      subAccountId={account.id}
      lead={words.theirsLead}
      none={words.theirsNone}
      actionOf={(grant) =>
        canTake &&
        grant.status === 'ACTIVE' && (
          <DialogButton
            dialog={(onClose) => <SubAccountTransfer account={account} grant={grant} onClose={onClose} />}
          >
            {words.take}
          </DialogButton>
        )
      }
    />
  )
}

// Transfer grants in a table: in the settings of the sub-account that gave them, and on its page at the parent.

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
        { header: words.taken, money: 'amountTaken', phone: 'note', isNamed: true },
        { header: words.until, time: 'expiresAt', from: 'md', phone: 'end', isNamed: true },
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
