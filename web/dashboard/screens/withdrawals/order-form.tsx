// The first step of a new withdrawal: to where, from which wallet, and how much.
import { useState, type FormEvent } from 'react'
import type { Locale } from '#/kernel/language.ts'
import type { Wallet } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { currencyOfType, type Destination } from '../../api/withdrawals.ts'
import { Button } from '../../kit/button.tsx'
import { AmountField, TextField } from '../../kit/field.tsx'
import { minorOf } from '../../kit/format.ts'
import { Card, Notice } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { DestinationFields, destinationOf, type DestinationDraft } from './destination.tsx'

type Change = (draft: OrderDraft) => void

export function OrderForm({
  wallets,
  draft,
  onDraft,
  error,
  onReview,
}: {
  readonly wallets: readonly Wallet[]
  readonly draft: OrderDraft
  readonly onDraft: Change
  readonly error: unknown
  readonly onReview: (order: Order) => void
}) {
  const words = useWords(withdrawalWords)
  const { locale } = useReader()
  const [wasTried, setTried] = useState(false)
  const { to, text, note } = draft
  const payers = payersOf(wallets, draft)
  const wallet = payerOf(payers, draft)
  const minor = wallet === undefined ? undefined : payableOf(text, locale, wallet)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const destination = destinationOf(to)
    if (wallet !== undefined && minor !== undefined && destination !== undefined)
      onReview({ destination, wallet, minor, note: note.trim() })
  }
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col gap-5 pt-1" noValidate>
        <DestinationFields
          draft={to}
          onChange={(next) => onDraft({ ...draft, to: next })}
          error={error}
          wasTried={wasTried}
        />
        {payers.length > 1 && <PayerField payers={payers} draft={draft} onDraft={onDraft} />}
        {wallet === undefined || !payers.some(isFilled) ? (
          <Notice tone="calm">{words.noWallet}</Notice>
        ) : (
          <PayableField
            wallet={wallet}
            draft={draft}
            onDraft={onDraft}
            isWrong={wasTried && minor === undefined}
          />
        )}
        <TextField
          label={words.note}
          value={note}
          maxLength={140}
          onChange={(event) => onDraft({ ...draft, note: event.target.value })}
          fault={faultOf(error, 'description')}
        />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" className="max-sm:w-full">
            {words.review}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Which wallet pays, each with what is in it. */
function PayerField({
  payers,
  draft,
  onDraft,
}: {
  readonly payers: readonly Wallet[]
  readonly draft: OrderDraft
  readonly onDraft: Change
}) {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  return (
    <SelectField
      label={words.wallet}
      value={payerOf(payers, draft)?.id ?? ''}
      onChange={(event) => onDraft({ ...draft, walletId: event.target.value })}
      options={payers.map(({ id, label, balance, currency }) => ({
        value: id,
        label: `${label} · ${format.money(balance, currency)}`,
      }))}
    />
  )
}

/** The amount. The most that the wallet can pay is named before something wrong is written, and after it. */
function PayableField({
  wallet,
  draft,
  onDraft,
  isWrong,
}: {
  readonly wallet: Wallet
  readonly draft: OrderDraft
  readonly onDraft: Change
  readonly isWrong: boolean
}) {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  const currency = currencyOfType[draft.to.type]
  const most = format.money(wallet.balance, currency)
  return (
    <AmountField
      label={words.amount}
      help={words.walletHelp(most)}
      currency={currency}
      value={draft.text}
      onChange={(event) => onDraft({ ...draft, text: event.target.value })}
      fault={isWrong ? words.amountWrong(most) : undefined}
    />
  )
}

// What a new withdrawal is while it is written, and once it can be reviewed. The form and the review share it.

/** What is reviewed, and then sent. */
export type Order = {
  readonly destination: Destination
  readonly wallet: Wallet
  readonly minor: bigint
  readonly note: string
}

/** What is written so far. It outlives the form, so that a way back from the review finds it again. */
export type OrderDraft = {
  readonly to: DestinationDraft
  readonly walletId: string
  readonly text: string
  readonly note: string
}

/** The wallets that can pay such a destination. */
export function payersOf(wallets: readonly Wallet[], { to }: Pick<OrderDraft, 'to'>): readonly Wallet[] {
  return wallets.filter(
    (each) => each.currency === currencyOfType[to.type] && each.walletType === 'SPENDABLE' && each.isActive,
  )
}

/** The chosen wallet. Until the user chooses: the first wallet with a balance, or any wallet when all are empty. */
function payerOf(payers: readonly Wallet[], { walletId }: OrderDraft): Wallet | undefined {
  return payers.find(({ id }) => id === walletId) ?? payers.find(isFilled) ?? payers[0]
}

/** The written amount; undefined when the wallet cannot pay it. */
function payableOf(text: string, locale: Locale, wallet: Wallet): bigint | undefined {
  const minor = minorOf(text, locale)
  return minor !== undefined && minor > 0n && minor <= BigInt(wallet.balance) ? minor : undefined
}

function isFilled({ balance }: Wallet): boolean {
  return BigInt(balance) > 0n
}
