// The transfer grants that a sub-account gave its parent, on its page at the parent, which takes by them.
import type { ReactNode } from 'react'
import { given } from '#/kernel/given.ts'
import type { SubAccount, TransferGrant, Wallet } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { useWallets } from '../../api/wallets.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { DialogButton, Dialog } from '../../kit/dialog.tsx'
import { useDraft } from '../../kit/form.tsx'
import { minorOf } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { Notice } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { useWords, useFormat, useReader } from '../../words/reader.ts'
import { grantWords } from '../../words/transfer-grants.ts'

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
      <p className="px-4 py-3 text-13 text-ink-soft">{lead}</p>
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

// Moves money between a wallet of the platform and a sub-account's default wallet: to the sub-account at any time, from it only by its
// grant.

/** `grant`: the grant by which money is taken. Absent: money is given. */
export function SubAccountTransfer({
  account,
  grant,
  onClose,
}: {
  readonly account: SubAccount
  readonly grant?: TransferGrant
  readonly onClose: () => void
}) {
  const words = useWords(grantWords)
  const { data: all } = useWallets()
  if (all === undefined) return null
  const wallets = all.filter(({ isActive, currency }) =>
    grant === undefined ? isActive : currency === grant.currency,
  )
  const about = {
    title: grant === undefined ? words.pay : words.take,
    lead: grant === undefined ? words.payLead : words.takeLead,
    onClose,
  }
  const [first] = wallets
  if (first === undefined)
    return (
      <Dialog open {...about}>
        <Notice tone="calm">{words.nowhere}</Notice>
      </Dialog>
    )
  return <Transfer {...{ account, grant, about, first, wallets }} />
}

/** What can be moved at most, as far as this page knows; undefined where only the sub-account's balance says it. */
function mostOf(wallet: Wallet, grant: TransferGrant | undefined): bigint | undefined {
  if (grant === undefined) return BigInt(wallet.balance)
  return grant.maxAmount === undefined ? undefined : BigInt(grant.maxAmount) - BigInt(grant.amountTaken)
}

function sidesOf(account: SubAccount, wallet: Wallet, grant: TransferGrant | undefined) {
  return grant === undefined
    ? { fromWalletId: wallet.id, toSubAccountId: account.id }
    : { fromSubAccountId: account.id, toWalletId: wallet.id }
}

function Transfer({
  account,
  grant,
  about,
  first,
  wallets,
}: {
  readonly account: SubAccount
  readonly grant: TransferGrant | undefined
  readonly about: { readonly title: string; readonly lead: string; readonly onClose: () => void }
  readonly first: Wallet
  readonly wallets: readonly Wallet[]
}) {
  const words = useWords(grantWords)
  const format = useFormat()
  const { locale } = useReader()
  const richest = wallets.find(({ balance }) => BigInt(balance) > 0n) ?? first
  const draft = useDraft({ wallet: richest.id, amount: '', note: '' })
  const wallet = wallets.find(({ id }) => id === draft.values.wallet) ?? richest
  const { currency } = wallet
  const most = mostOf(wallet, grant)
  const minor = minorOf(draft.values.amount, locale)
  const isGood = minor !== undefined && minor > 0n && (most === undefined || minor <= most)
  const amount = isGood ? format.money(minor, currency) : ''
  const wrong = most === undefined ? words.amountMissing : words.amountWrong(format.money(most, currency))
  return (
    <ActionDialog
      {...about}
      call="createTransfer"
      act={amount === '' ? words.moveShort : words.move(amount)}
      draft={{ ...draft, values: { ...draft.values, wallet: wallet.id } }}
      fields={[
        {
          name: 'wallet',
          at: grant === undefined ? 'fromWalletId' : 'toWalletId',
          label: grant === undefined ? words.from : words.to,
          options: wallets.map((each) => ({
            value: each.id,
            label: `${each.label} · ${format.money(each.balance, each.currency)}`,
          })),
        },
        { name: 'amount', label: words.amount, currency, autoFocus: true, wrong: !isGood && wrong },
        { name: 'note', label: words.note, maxLength: 200 },
      ]}
      body={() =>
        minor === undefined
          ? undefined
          : {
              ...sidesOf(account, wallet, grant),
              amount: minor,
              ...given({ description: draft.values.note.trim() || undefined }),
            }
      }
      done={words.moved(amount)}
    />
  )
}
