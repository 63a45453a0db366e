// Moves money between two wallets of the merchant in one currency. Shows the amount, both wallets, and the balance of each afterwards.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { Wallet } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useWallets } from '../../api/wallets.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { AmountField, TextField } from '../../kit/field.tsx'
import { minorOf } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { Definitions, Notice } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'

/** `fromId`: the wallet that pays, where one is on the screen. */
export function TransferDialog({
  fromId,
  onClose,
}: {
  readonly fromId?: string
  readonly onClose: () => void
}) {
  const words = useWords(walletWords)
  const { data: wallets } = useWallets()
  return (
    <Dialog open onClose={onClose} title={words.transferTitle} lead={words.transferLead}>
      {wallets !== undefined && <TransferForm wallets={wallets} fromId={fromId} onClose={onClose} />}
    </Dialog>
  )
}

/** The ids that were chosen; empty, or of a wallet that is gone, where another is taken instead. */
type Chosen = { readonly from: string; readonly to: string }

/** The two wallets of a transfer, and all that could be the second. */
type Pair = { readonly from: Wallet; readonly to: Wallet; readonly others: readonly Wallet[] }

function TransferForm({
  wallets,
  fromId,
  onClose,
}: {
  readonly wallets: readonly Wallet[]
  readonly fromId: string | undefined
  readonly onClose: () => void
}) {
  const words = useWords(walletWords)
  const format = useFormat()
  const { locale } = useReader()
  const act = useAct()
  const [chosen, setChosen] = useState<Chosen>({ from: fromId ?? '', to: '' })
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [wasTried, setTried] = useState(false)
  const payers = payersOf(wallets)
  const pair = pairOf(wallets, payers, chosen)
  if (pair === undefined) return <Notice tone="calm">{words.transferNowhere}</Notice>
  const { from, to } = pair
  const { currency } = from
  const minor = minorOf(text, locale)
  const isGood = minor !== undefined && minor > 0n && minor <= BigInt(from.balance)
  const amount = isGood ? format.money(minor, currency) : ''
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isGood) return
    if (!(await act.send('createTransfer', { body: bodyOf(pair, minor, note.trim()) }))) return
    toast(words.transferDone(amount, to.label))
    onClose()
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
      <PairFields payers={payers} pair={pair} onChoose={setChosen} error={act.error} />
      <AmountField
        label={words.amount}
        currency={currency}
        value={text}
        autoFocus
        onChange={(event) => setText(event.target.value)}
        fault={
          wasTried && !isGood
            ? words.amountWrong(format.money(from.balance, currency))
            : faultOf(act.error, 'amount')
        }
      />
      <TextField
        label={words.note}
        value={note}
        maxLength={200}
        onChange={(event) => setNote(event.target.value)}
      />
      {isGood && <Afterwards pair={pair} minor={minor} />}
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button type="submit" variant="primary" busy={act.isBusy}>
          {amount === '' ? words.transfer : words.transferDo(amount)}
        </Button>
      </DialogActions>
    </form>
  )
}

function PairFields({
  payers,
  pair: { from, to, others },
  onChoose,
  error,
}: {
  readonly payers: readonly Wallet[]
  readonly pair: Pair
  readonly onChoose: (chosen: Chosen) => void
  readonly error: unknown
}) {
  const words = useWords(walletWords)
  const format = useFormat()
  const optionOf = ({ id, label, balance, currency }: Wallet) => ({
    value: id,
    label: `${label} · ${format.money(balance, currency)}`,
  })
  return (
    <>
      <SelectField
        label={words.from}
        value={from.id}
        // Another payer can have another currency, so the receiver is chosen anew.
        onChange={(event) => onChoose({ from: event.target.value, to: '' })}
        options={payers.map(optionOf)}
        fault={faultOf(error, 'fromWalletId')}
      />
      <SelectField
        label={words.to}
        value={to.id}
        onChange={(event) => onChoose({ from: from.id, to: event.target.value })}
        options={others.map(optionOf)}
        fault={faultOf(error, 'toWalletId')}
      />
    </>
  )
}

/** What each wallet has after the transfer. */
function Afterwards({ pair: { from, to }, minor }: { readonly pair: Pair; readonly minor: bigint }) {
  const words = useWords(walletWords)
  const { currency } = from
  return (
    <section aria-label={words.sides} className="rounded-control bg-inset px-3 py-1">
      <Definitions
        items={[
          [
            words.remains(from.label),
            <Money key="from" minor={BigInt(from.balance) - minor} currency={currency} />,
          ],
          [
            words.arrives(to.label),
            <Money key="to" minor={BigInt(to.balance) + minor} currency={currency} />,
          ],
        ]}
      />
    </section>
  )
}

/** The active wallets that have another wallet of the same currency to pay to. */
function payersOf(wallets: readonly Wallet[]): readonly Wallet[] {
  return wallets.filter((wallet) => wallet.isActive && othersOf(wallets, wallet).length > 0)
}

/**
 * Undefined when no wallet can pay another. Until the user chooses, the paying wallet is the first with a balance, else the first that can
 * pay.
 */
function pairOf(wallets: readonly Wallet[], payers: readonly Wallet[], chosen: Chosen): Pair | undefined {
  const from =
    wallets.find(({ id }) => id === chosen.from) ??
    payers.find(({ balance }) => BigInt(balance) > 0n) ??
    payers[0]
  if (from === undefined) return undefined
  const others = othersOf(wallets, from)
  const to = others.find(({ id }) => id === chosen.to) ?? others[0]
  return to === undefined ? undefined : { from, to, others }
}

function bodyOf({ from, to }: Pair, amount: bigint, note: string) {
  return {
    fromWalletId: from.id,
    toWalletId: to.id,
    amount,
    ...(note === '' ? {} : { description: note }),
  }
}

function othersOf(wallets: readonly Wallet[], { id, currency }: Wallet): readonly Wallet[] {
  return wallets.filter((wallet) => wallet.id !== id && wallet.currency === currency)
}
