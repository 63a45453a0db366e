// Moves money between two wallets of the merchant in one currency. Shows the amount, both wallets, and the balance of each afterwards.
import { given } from '#/kernel/given.ts'
import type { Wallet } from '../../api/generated.ts'
import { useWallets } from '../../api/wallets.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { InsetFacts, sumsIn } from '../../kit/facts.tsx'
import { minorOf } from '../../kit/format.ts'
import { useKeptDraft } from '../../kit/kept-draft.ts'
import { Notice } from '../../kit/page.tsx'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'

/** `fromId`: the wallet that pays, where one is on the screen. */
export function TransferDialog({
  fromId = '',
  onClose,
}: {
  readonly fromId?: string
  readonly onClose: () => void
}) {
  const words = useWords(walletWords)
  const format = useFormat()
  const { locale } = useReader()
  const { data } = useWallets()
  const wallets = data ?? []
  const draft = useKeptDraft('transfer', { from: fromId, to: '', amount: '', note: '' })
  const { amount, note } = draft.values
  const payers = payersOf(wallets)
  const pair = pairOf(wallets, payers, draft.values)
  const about = { title: words.transferTitle, lead: words.transferLead, onClose }
  if (data === undefined) return null
  if (pair === undefined)
    return (
      <Dialog open {...about}>
        <Notice tone="calm">{words.transferNowhere}</Notice>
      </Dialog>
    )
  const { from, to, others } = pair
  const { currency } = from
  const minor = minorOf(amount, locale)
  const isGood = minor !== undefined && minor > 0n && minor <= BigInt(from.balance)
  const text = isGood ? format.money(minor, currency) : ''
  const optionOf = (each: Wallet) => ({
    value: each.id,
    label: `${each.label} · ${format.money(each.balance, each.currency)}`,
  })
  return (
    <ActionDialog
      {...about}
      call="createTransfer"
      act={text === '' ? words.transfer : words.transferDo(text)}
      draft={{ ...draft, values: { from: from.id, to: to.id, amount, note } }}
      fields={[
        {
          name: 'from',
          at: 'fromWalletId',
          label: words.from,
          options: payers.map(optionOf),
          // Another payer can have another currency, so the receiver is chosen anew.
          also: () => ({ to: '' }),
        },
        { name: 'to', at: 'toWalletId', label: words.to, options: others.map(optionOf) },
        {
          name: 'amount',
          label: words.amount,
          currency,
          autoFocus: true,
          wrong: !isGood && words.amountWrong(format.money(from.balance, currency)),
        },
        { name: 'note', label: words.note, maxLength: 200 },
        isGood && <Afterwards key="after" pair={pair} minor={minor} />,
      ]}
      body={() => (minor === undefined ? undefined : bodyOf(pair, minor, note.trim()))}
      done={words.transferDone(text, to.label)}
    />
  )
}

/** The ids that were chosen; empty, or of a wallet that is gone, where another is taken instead. */
type Chosen = { readonly from: string; readonly to: string }

/** The two wallets of a transfer, and all that could be the second. */
type Pair = { readonly from: Wallet; readonly to: Wallet; readonly others: readonly Wallet[] }

function bodyOf({ from, to }: Pair, amount: bigint, note: string) {
  return { fromWalletId: from.id, toWalletId: to.id, amount, ...given({ description: note || undefined }) }
}

/** What each wallet has after the transfer. */
function Afterwards({ pair: { from, to }, minor }: { readonly pair: Pair; readonly minor: bigint }) {
  const words = useWords(walletWords)
  const sum = sumsIn(from.currency)
  return (
    <section aria-label={words.sides}>
      <InsetFacts
        items={[
          [words.remains(from.label), sum(BigInt(from.balance) - minor)],
          [words.arrives(to.label), sum(BigInt(to.balance) + minor)],
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

function othersOf(wallets: readonly Wallet[], { id, currency }: Wallet): readonly Wallet[] {
  return wallets.filter((wallet) => wallet.id !== id && wallet.currency === currency)
}
