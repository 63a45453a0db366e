// Moves money between a wallet of the platform and a sub-account's default wallet: to the sub-account at any time, from it only by its
// grant.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { SubAccount, TransferGrant, Wallet } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useWallets } from '../../api/wallets.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { AmountField, TextField } from '../../kit/field.tsx'
import { minorOf } from '../../kit/format.ts'
import { Notice } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { grantWords } from '../../words/transfer-grants.ts'

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
  const wallets = all?.filter(({ isActive, currency }) =>
    grant === undefined ? isActive : currency === grant.currency,
  )
  const isTaking = grant !== undefined
  return (
    <Dialog
      open
      onClose={onClose}
      title={isTaking ? words.take : words.pay}
      lead={isTaking ? words.takeLead : words.payLead}
    >
      {wallets?.length === 0 && <Notice tone="calm">{words.nowhere}</Notice>}
      {wallets !== undefined && wallets.length > 0 && (
        <Form account={account} grant={grant} wallets={wallets} onClose={onClose} />
      )}
    </Dialog>
  )
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

function Form({
  account,
  grant,
  wallets,
  onClose,
}: {
  readonly account: SubAccount
  readonly grant: TransferGrant | undefined
  readonly wallets: readonly Wallet[]
  readonly onClose: () => void
}) {
  const words = useWords(grantWords)
  const format = useFormat()
  const { locale } = useReader()
  const act = useAct()
  const richest = wallets.find(({ balance }) => BigInt(balance) > 0n) ?? wallets[0]
  const [chosen, setChosen] = useState(richest?.id ?? '')
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [wasTried, setTried] = useState(false)
  const wallet = wallets.find(({ id }) => id === chosen) ?? richest
  if (wallet === undefined) return null
  const { currency } = wallet
  const most = mostOf(wallet, grant)
  const minor = minorOf(text, locale)
  const isGood = minor !== undefined && minor > 0n && (most === undefined || minor <= most)
  const amount = isGood ? format.money(minor, currency) : ''
  const wrong = most === undefined ? words.amountMissing : words.amountWrong(format.money(most, currency))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isGood) return
    const described = note.trim() === '' ? {} : { description: note.trim() }
    const body = { ...sidesOf(account, wallet, grant), amount: minor, ...described }
    if (!(await act.send('createTransfer', { body }))) return
    toast(words.moved(amount))
    onClose()
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
      <OwnWallet
        isPayer={grant === undefined}
        wallet={wallet}
        wallets={wallets}
        onChoose={setChosen}
        error={act.error}
      />
      <AmountField
        label={words.amount}
        currency={currency}
        value={text}
        autoFocus
        onChange={(event) => setText(event.target.value)}
        fault={wasTried && !isGood ? wrong : faultOf(act.error, 'amount')}
      />
      <TextField
        label={words.note}
        value={note}
        maxLength={200}
        onChange={(event) => setNote(event.target.value)}
      />
      <FormFault error={act.error} />
      <Actions amount={amount} isBusy={act.isBusy} onClose={onClose} />
    </form>
  )
}

/** `amount`: as it is shown; empty while there is none. */
function Actions({
  amount,
  isBusy,
  onClose,
}: {
  readonly amount: string
  readonly isBusy: boolean
  readonly onClose: () => void
}) {
  const words = useWords(grantWords)
  return (
    <DialogActions onCancel={onClose}>
      <Button type="submit" variant="primary" busy={isBusy}>
        {amount === '' ? words.moveShort : words.move(amount)}
      </Button>
    </DialogActions>
  )
}

/** The platform's side of the transfer. */
function OwnWallet({
  isPayer,
  wallet,
  wallets,
  onChoose,
  error,
}: {
  readonly isPayer: boolean
  readonly wallet: Wallet
  readonly wallets: readonly Wallet[]
  readonly onChoose: (id: string) => void
  readonly error: unknown
}) {
  const words = useWords(grantWords)
  const format = useFormat()
  return (
    <SelectField
      label={isPayer ? words.from : words.to}
      value={wallet.id}
      onChange={(event) => onChoose(event.target.value)}
      options={wallets.map(({ id, label, balance, currency }) => ({
        value: id,
        label: `${label} · ${format.money(balance, currency)}`,
      }))}
      fault={faultOf(error, isPayer ? 'fromWalletId' : 'toWalletId')}
    />
  )
}
