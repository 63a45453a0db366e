// Replays debits of a merchant: unreleased money of the payment first, then the wallets; what is missing becomes a debt. Pure.
import { minOf } from '#/kernel/money.ts'
import { type Family, type Grounds, type Step, type Unexplained, explainPot, explainStep } from './replay.ts'

/** The part of a family that is read here. */
type Ground = Pick<Family, 'refunds' | 'disputes' | 'transfersOf' | 'shareMoves' | 'ownsWallet'> & {
  readonly payment: Pick<Family['payment'], 'id' | 'merchantId'>
}

/** The unreleased sum of a payment in one wallet, over time: from every transfer that moved it, those of its shares too. */
export type UnreleasedOverTime = {
  /** Before the transfer of this number. */
  before(number: bigint): bigint
  readonly now: bigint
}

/** A pending account holds two sums: unreleased money, and money on its way, whose transfers have a `seen:` account. */
export function unreleasedOf(
  { payment, refunds, disputes, transfersOf, shareMoves }: Ground,
  walletId: string | null,
): UnreleasedOverTime {
  const pending = `wallet:${walletId}:pending`
  const isSeen = (account: string | null) => account?.startsWith('seen:') === true
  const own = [payment, ...refunds, ...disputes].flatMap(({ id }) => transfersOf(id))
  const changes = [...own, ...shareMoves].flatMap(({ number, minor, debit, credit }) => {
    if (credit === pending && !isSeen(debit)) return [{ number, minor }]
    return debit === pending && !isSeen(credit) ? [{ number, minor: -minor }] : []
  })
  const sum = (some: typeof changes) => some.reduce((total, { minor }) => total + minor, 0n)
  return {
    before: (number) => sum(changes.filter((change) => change.number < number)),
    now: sum(changes),
  }
}

/** The merchant whose wallets and debt were debited. */
export type Owner = {
  readonly merchantId: string
  readonly ownsWallet: Family['ownsWallet']
}

export type Debit = {
  readonly ordinal: number
  readonly walletId: string
  readonly currency: string
  readonly kind: string
  /** The name of its steps, and the credited account. */
  readonly step: keyof typeof debts
  readonly to: string
}

/** The name of the step that books what is missing as a debt. */
const debts = { hold: 'owe', charge: 'charge-owe', take: 'owe', 'take-fee': 'owe-fee' } as const

/** Whether anything was debited by these steps. */
export function hasDebit(unexplained: Unexplained, debit: Pick<Debit, 'ordinal' | 'step'>): boolean {
  return leadOf(unexplained, debit) !== undefined
}

/** Explains the transfers of a debit, and returns what is wrong with them. */
export function explainDebit(
  family: Ground,
  unexplained: Unexplained,
  debit: Debit,
  { minor, grounds }: { readonly minor: bigint; readonly grounds: Grounds },
): readonly string[] {
  const { ordinal, walletId, kind, step, to } = debit
  const lead = leadOf(unexplained, debit)
  const unreleased = lead === undefined ? 0n : minOf(unreleasedOf(family, walletId).before(lead), minor)
  const first = { name: `${step}-unreleased`, kind, debit: `wallet:${walletId}:pending`, credit: to }
  const { what } = explainStep(unexplained, ordinal, first, { minor: unreleased, grounds })
  const owner = { merchantId: family.payment.merchantId, ownsWallet: family.ownsWallet }
  return [
    ...(what === undefined ? [] : [what]),
    ...explainWalletDebit(owner, unexplained, debit, { minor: minor - unreleased, grounds }),
  ]
}

/** The same without a payment: from the wallets alone; what is missing becomes a debt. */
export function explainWalletDebit(
  owner: Owner,
  unexplained: Unexplained,
  debit: Debit,
  amount: { readonly minor: bigint; readonly grounds: Grounds },
): readonly string[] {
  return explainPot(unexplained, debit.ordinal, stepsOf(owner, unexplained, debit), amount)
}

function leadOf(
  unexplained: Unexplained,
  { ordinal, step }: Pick<Debit, 'ordinal' | 'step'>,
): bigint | undefined {
  const names = [step, `${step}-unreleased`, debts[step]].map((name) => `${ordinal}.${name}`)
  const others = otherWallets(ordinal, step)
  const isOfStep = (name: string) => names.includes(name) || others.test(name)
  const numbers = [...unexplained].filter(([name]) => isOfStep(name)).map(([, { number }]) => number)
  return numbers.length === 0 ? undefined : numbers.reduce(minOf)
}

/** Matches the names of the steps that debit the merchant's other wallets of the currency. */
function otherWallets(ordinal: number, step: string): RegExp {
  return new RegExp(String.raw`^${ordinal}\.${step}-\d+$`)
}

/**
 * The steps of a debit, in this order:
 * - the wallet that was credited;
 * - the merchant's other wallets of the currency that were debited, each a different wallet of the merchant;
 * - the debt.
 */
function stepsOf(
  { merchantId, ownsWallet }: Owner,
  unexplained: Unexplained,
  { ordinal, walletId, currency, kind, step, to }: Debit,
): readonly Step[] {
  const pattern = otherWallets(ordinal, step)
  const used = new Set([walletId])
  const others = [...unexplained.values()].flatMap((transfer): readonly Step[] => {
    if (!pattern.test(transfer.step)) return []
    const name = transfer.step.slice(`${ordinal}.`.length)
    const [, other = ''] = /^wallet:(.+):available$/.exec(transfer.debit ?? '') ?? []
    const isAnother = !used.has(other) && ownsWallet(other, currency)
    used.add(other)
    return [
      {
        name,
        kind,
        debit: isAnother ? `${transfer.debit}` : "another of the merchant's wallets",
        credit: to,
      },
    ]
  })
  return [
    { name: step, kind, debit: `wallet:${walletId}:available`, credit: to },
    ...others,
    {
      name: debts[step],
      kind: 'OWED',
      debit: `receivable:${merchantId}:${currency}`,
      credit: to,
    },
  ]
}
