// All wallets with their balances, below the sums of each currency.
import { useState } from 'react'
import { type CurrencyBalance, type Wallet, walletTypes, type WalletType } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useWallets, walletCurrencies } from '../../api/wallets.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Loaded } from '../../kit/fault.tsx'
import { useDraft } from '../../kit/form.tsx'
import { Money } from '../../kit/money.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, recordsOf } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'
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

// Opens a wallet; renames one, or makes it inactive or active again.

export function ChangeWalletDialog({
  wallet,
  onClose,
}: {
  readonly wallet: Wallet
  readonly onClose: () => void
}) {
  const words = useWords(walletWords)
  const draft = useDraft({ label: wallet.label })
  const [isActive, setActive] = useState(wallet.isActive)
  const label = draft.values.label.trim()
  return (
    <ActionDialog
      call="changeWallet"
      id={wallet.id}
      title={words.changeTitle}
      act={words.changeDo}
      draft={draft}
      fields={[
        {
          name: 'label',
          label: words.name,
          help: words.nameHelp,
          maxLength: 100,
          autoFocus: true,
          autoComplete: 'off',
          fault: label === '' ? words.nameWrong : undefined,
        },
        wallet.isDefault ? (
          <p key="active" className="text-13 text-ink-soft">
            {words.activeDefault}
          </p>
        ) : (
          <label
            key="active"
            className="flex min-h-11 items-start gap-3 rounded-control border border-line px-3 py-2.5 text-13"
          >
            <input
              type="checkbox"
              className="mt-1 size-4 shrink-0 accent-accent"
              checked={isActive}
              onChange={(event) => setActive(event.target.checked)}
            />
            <span>
              <span className="block font-strong">{words.active}</span>
              <span className="block text-ink-soft">{words.activeHelp}</span>
            </span>
          </label>
        ),
      ]}
      body={() => (wallet.isDefault ? { label } : { label, isActive })}
      done={words.changed}
      onClose={onClose}
    />
  )
}

// Opens a wallet.

function CreateWalletDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(walletWords)
  const draft = useDraft({
    label: '',
    currency: 'BRL' as (typeof walletCurrencies)[number],
    walletType: 'SPENDABLE' as WalletType,
  })
  const label = draft.values.label.trim()
  return (
    <ActionDialog
      call="createWallet"
      title={words.create}
      lead={words.createLead}
      act={words.createDo}
      draft={draft}
      fields={[
        {
          name: 'label',
          label: words.name,
          help: words.nameHelp,
          maxLength: 100,
          autoFocus: true,
          autoComplete: 'off',
          wrong: label === '' && words.nameWrong,
        },
        { name: 'currency', label: words.currency, options: walletCurrencies },
        {
          name: 'walletType',
          label: words.type,
          cards: walletTypes.map((value) => ({
            value,
            label: words.types[value],
            help: words.typeHelp[value],
          })),
        },
      ]}
      body={() => ({ ...draft.values, label })}
      done={words.created(label)}
      onClose={onClose}
    />
  )
}
