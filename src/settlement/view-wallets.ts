// The wallets that a batch of receipts may touch: each merchant's default one of a currency, those that are opened because money
// comes in a currency that the merchant has none of, and all others, from which money may be taken back.
import { must } from '#/kernel/check.ts'
import type { MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Batch } from '#/ledger/kind.ts'
import { moneyIn } from '#/payments/money.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/words.ts'
import { walletForMoney, type WalletForMoney } from '#/wallets/create.ts'
import { selectDefaultWallets, selectWalletIds } from '#/wallets/queries.ts'
import type { Placed } from './placed.ts'

/** All by merchant and currency. */
export type Wallets = {
  /** Default wallets, those that the batch may open included. */
  readonly defaults: ReadonlyMap<string, WalletId>
  /** What the batch opens when it needs them. */
  readonly unopened: Map<string, WalletForMoney>
  /** All wallets, from the oldest on, of those whose money may be taken back. */
  readonly all: ReadonlyMap<string, readonly WalletId[]>
}

/** Whose wallets. */
type Owner = { readonly merchantId: MerchantId; readonly currency: Currency }

/** `takenBack`: whose money a receipt of the batch may take back. */
export async function loadWallets(
  { tx, at }: Pick<Batch, 'tx' | 'at'>,
  placed: readonly Placed[],
  takenBack: readonly Owner[],
  loadingPayments: Promise<ReadonlyMap<PaymentId, Payment>>,
): Promise<Wallets> {
  const owners = new Map(placed.map(ownerOf).map((owner) => [walletKey(owner), owner]))
  const [found, all, payments] = await Promise.all([
    selectDefaultWallets(tx, [...owners.values()]),
    takenBack.length === 0 ? [] : selectWalletIds(tx, takenBack),
    loadingPayments,
  ])
  const defaults = new Map(found.map((wallet) => [walletKey(wallet), wallet.id]))
  const unopened = missingWallets(placed, { at, payments, defaults })
  for (const [key, { wallet }] of unopened) defaults.set(key, wallet.id)
  const groups = Map.groupBy(all, walletKey)
  return {
    defaults,
    unopened,
    all: new Map([...groups].map(([key, group]) => [key, group.map(({ id }) => id)])),
  }
}

/** For currencies in which a merchant has no default wallet, and money may come. */
function missingWallets(
  placed: readonly Placed[],
  {
    at,
    payments,
    defaults,
  }: {
    readonly at: Date
    readonly payments: ReadonlyMap<PaymentId, Payment>
    readonly defaults: ReadonlyMap<string, WalletId>
  },
): Map<string, WalletForMoney> {
  const missing = new Map<string, WalletForMoney>()
  for (const receipt of placed) {
    const owner = ownerOf(receipt)
    const key = walletKey(owner)
    if (defaults.has(key) || missing.has(key)) continue
    const payment = payments.get(receipt.attempt.paymentId)
    if (payment === undefined || moneyIn(payment, owner.currency) !== undefined) continue
    missing.set(key, walletForMoney({ ...owner, mode: payment.mode, at }))
  }
  return missing
}

/** All money of one payment in one currency is credited to one wallet: the default one when the first word of it came. */
export function walletOf(
  { defaults }: Wallets,
  { amount: { currency } }: Receipt,
  { merchantId, money }: Pick<Payment, 'merchantId' | 'money'>,
): WalletId {
  const walletId = moneyIn({ money }, currency)?.walletId ?? defaults.get(walletKey({ merchantId, currency }))
  return must(walletId, 'a currency without a default wallet gets one when the batch is loaded')
}

/** The wallet that was credited, and then the currency's others from the oldest on. */
export function walletsToTakeFrom(
  wallets: Wallets,
  receipt: Receipt,
  payment: Pick<Payment, 'merchantId' | 'money'>,
): readonly WalletId[] {
  const credited = walletOf(wallets, receipt, payment)
  const { merchantId } = payment
  const all = wallets.all.get(walletKey({ merchantId, currency: receipt.amount.currency })) ?? []
  return [credited, ...all.filter((walletId) => walletId !== credited)]
}

/** The wallet that the batch opens for the receipt's currency, if this names it; it is opened once. */
export function takeUnopened(
  { unopened }: Wallets,
  receipt: Placed,
  named: readonly (WalletId | undefined)[],
): WalletForMoney | undefined {
  const key = walletKey(ownerOf(receipt))
  const opened = unopened.get(key)
  if (opened === undefined || !named.includes(opened.wallet.id)) return undefined
  unopened.delete(key)
  return opened
}

/** Whose money a receipt is about. */
export function ownerOf({ attempt: { merchantId }, amount: { currency } }: Placed): Owner {
  return { merchantId, currency }
}

function walletKey({ merchantId, currency }: Owner): string {
  return `${merchantId}/${currency}`
}
