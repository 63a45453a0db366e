// Money that is taken out of what a merchant has, told again: what of the payment was not released yet comes first, then the
// wallets, and what is missing is a debt. Pure.
import { minOf } from '#/kernel/money.ts'
import type { Family } from './family.ts'
import { takePot, takeStep, type Grounds, type Step, type Unexplained } from './transfer.ts'

/** What of a family is looked at here. */
type Ground = Pick<Family, 'refunds' | 'disputes' | 'transfersOf' | 'ownsWallet'> & {
  readonly payment: Pick<Family['payment'], 'id' | 'merchantId'>
}

/** What of a payment's money in one wallet was not released, over time: from every transfer that moved it. */
export type UnreleasedOverTime = {
  /** Before the transfer of this number. */
  before(number: bigint): bigint
  readonly now: bigint
}

/** Pending holds two things: what is on its way, which comes from and goes to what was seen, and this. */
export function unreleasedOf(
  { payment, refunds, disputes, transfersOf }: Ground,
  walletId: string | null,
): UnreleasedOverTime {
  const pending = `wallet:${walletId}:pending`
  const isSeen = (account: string | null) => account?.startsWith('seen:') === true
  const changes = [payment, ...refunds, ...disputes]
    .flatMap(({ id }) => transfersOf(id))
    .flatMap(({ number, minor, debit, credit }) => {
      if (credit === pending && !isSeen(debit)) return [{ number, minor }]
      return debit === pending && !isSeen(credit) ? [{ number, minor: -minor }] : []
    })
  const sum = (some: typeof changes) => some.reduce((total, { minor }) => total + minor, 0n)
  return {
    before: (number) => sum(changes.filter((change) => change.number < number)),
    now: sum(changes),
  }
}

/** Whose wallets and whose debt money was taken from. */
export type Owner = {
  readonly merchantId: string
  readonly ownsWallet: Family['ownsWallet']
}

export type Taking = {
  readonly ordinal: number
  readonly walletId: string
  readonly currency: string
  readonly kind: string
  /** What its steps are called, and the account that gets it. */
  readonly step: keyof typeof debts
  readonly to: string
}

/** The name of the step by which what is missing becomes a debt. */
const debts = { hold: 'owe', charge: 'charge-owe', take: 'owe', 'take-fee': 'owe-fee' } as const

/** Whether anything was taken as this. */
export function isTaken(unexplained: Unexplained, taking: Pick<Taking, 'ordinal' | 'step'>): boolean {
  return leadOf(unexplained, taking) !== undefined
}

/** Explains the transfers by which money was taken, and answers what is wrong with them. */
export function takeFrom(
  family: Ground,
  unexplained: Unexplained,
  taking: Taking,
  { minor, grounds }: { readonly minor: bigint; readonly grounds: Grounds },
): readonly string[] {
  const { ordinal, walletId, kind, step, to } = taking
  const lead = leadOf(unexplained, taking)
  const own = lead === undefined ? 0n : minOf(unreleasedOf(family, walletId).before(lead), minor)
  const first = { name: `${step}-unreleased`, kind, debit: `wallet:${walletId}:pending`, credit: to }
  const { what } = takeStep(unexplained, ordinal, first, { minor: own, grounds })
  const owner = { merchantId: family.payment.merchantId, ownsWallet: family.ownsWallet }
  return [
    ...(what === undefined ? [] : [what]),
    ...takeFromWallets(owner, unexplained, taking, { minor: minor - own, grounds }),
  ]
}

/** The same of what no payment brought: from the wallets alone, and what is missing is a debt. */
export function takeFromWallets(
  owner: Owner,
  unexplained: Unexplained,
  taking: Taking,
  amount: { readonly minor: bigint; readonly grounds: Grounds },
): readonly string[] {
  return takePot(unexplained, taking.ordinal, stepsOf(owner, unexplained, taking), amount)
}

function leadOf(
  unexplained: Unexplained,
  { ordinal, step }: Pick<Taking, 'ordinal' | 'step'>,
): bigint | undefined {
  const names = [step, `${step}-unreleased`, debts[step]].map((name) => `${ordinal}.${name}`)
  const others = otherWallets(ordinal, step)
  const isOwn = (name: string) => names.includes(name) || others.test(name)
  const numbers = [...unexplained].filter(([name]) => isOwn(name)).map(([, { number }]) => number)
  return numbers.length === 0 ? undefined : numbers.reduce(minOf)
}

/** The names of the steps that take from a currency's other wallets. */
function otherWallets(ordinal: number, step: string): RegExp {
  return new RegExp(String.raw`^${ordinal}\.${step}-\d+$`)
}

/**
 * The wallet that was credited, the currency's others, and what is missing as a debt. Others are as many as were taken
 * from; each must be another one of the merchant.
 */
function stepsOf(
  { merchantId, ownsWallet }: Owner,
  unexplained: Unexplained,
  { ordinal, walletId, currency, kind, step, to }: Taking,
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
