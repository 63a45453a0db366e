// All wallets with their balances, below the sums of each currency.
import { useState } from 'react'
import type { CurrencyBalance, Wallet } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useWallets } from '../../api/wallets.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Loaded } from '../../kit/fault.tsx'
import { Money } from '../../kit/money.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, recordsOf } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'
import { CreateWalletDialog } from './change.tsx'
import { TransferDialog } from './transfer.tsx'

export function WalletList() {
  const words = useWords(walletWords)
  const { id, may } = useMerchant()
  const wallets = useWallets()
  const [action, setAction] = useState<'create' | 'transfer'>()
  const close = () => setAction(undefined)
  const actions = may('wallets:write') && (
    <>
      {(wallets.data?.length ?? 0) > 1 && (
        <Button icon="send" onClick={() => setAction('transfer')}>
          {words.transfer}
        </Button>
      )}
      <Button variant="primary" icon="plus" onClick={() => setAction('create')}>
        {words.create}
      </Button>
    </>
  )
  return (
    <>
      <PageHeader title={words.title} actions={actions} />
      <div className="flex flex-col gap-6 phone:gap-4">
        <Sums />
        <RecordList
          records={recordsOf(wallets, wallets.data)}
          words={words}
          icon="wallets"
          columns={useColumns()}
          isTable
          href={(wallet) => `/m/${id}/wallets/${wallet.id}`}
        />
      </div>
      {action === 'create' && <CreateWalletDialog onClose={close} />}
      {action === 'transfer' && <TransferDialog onClose={close} />}
    </>
  )
}

/** What each currency has in all: the figures that the statement of every wallet adds up to. */
function Sums() {
  const words = useWords(walletWords)
  const read = useRead('getBalance')
  return (
    <Loaded of={read} isPart>
      {({ data }) =>
        data.length > 0 && (
          <section
            aria-label={words.sums}
            className="grid grid-cols-[repeat(auto-fit,minmax(220px,1fr))] gap-3"
          >
            {data.map((sum) => (
              <Sum key={sum.currency} sum={sum} />
            ))}
          </section>
        )
      }
    </Loaded>
  )
}

function Sum({ sum }: { readonly sum: CurrencyBalance }) {
  const words = useWords(walletWords)
  const { currency, balance, pendingBalance, heldBalance, owed } = sum
  const owes = BigInt(owed) > 0n
  const parts = [
    [words.pending, pendingBalance],
    [words.held, heldBalance],
    ...(owes ? ([[words.owed, owed]] as const) : []),
  ] as const
  return (
    <div className="rounded-card border border-line bg-card p-4">
      <p className="text-13 text-ink-soft">
        {words.available} · {currency}
      </p>
      <Money
        minor={balance}
        currency={currency}
        className="mt-0.5 block text-28 font-strong tracking-tight phone:text-20"
      />
      <dl className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-13 text-ink-soft">
        {parts.map(([name, minor]) => (
          <div key={name} className={`flex gap-1 ${name === words.owed ? 'text-bad' : ''}`}>
            <dt>{name}</dt>
            <dd>
              <Money minor={minor} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

export function WalletBadges({ wallet: { isDefault, isActive, walletType } }: { readonly wallet: Wallet }) {
  const words = useWords(walletWords)
  return (
    <>
      {isDefault && (
        <Badge tone="calm" icon="check">
          {words.isDefault}
        </Badge>
      )}
      {walletType === 'RESERVE' && (
        <Badge tone="calm" icon="shield">
          {words.types.RESERVE}
        </Badge>
      )}
      {!isActive && <Badge tone="wait">{words.inactive}</Badge>}
    </>
  )
}

function useColumns(): readonly Column<Wallet>[] {
  const words = useWords(walletWords)
  return [
    {
      header: words.name,
      grow: true,
      cell: (wallet) => (
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-strong">{wallet.label}</span>
          <span className="flex gap-1 max-sm:hidden">
            <WalletBadges wallet={wallet} />
          </span>
        </span>
      ),
    },
    { header: words.available, money: 'balance', className: 'font-strong' },
    { header: words.pending, money: 'pendingBalance', from: 'md', className: 'text-ink-soft' },
    { header: words.held, money: 'heldBalance', from: 'md', className: 'text-ink-soft' },
  ]
}
