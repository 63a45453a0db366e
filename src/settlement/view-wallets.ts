// The wallets that a batch of receipts may change:
// - each merchant's default wallet of a currency;
// - a new wallet where money comes in a currency in which the merchant has none;
// - all other wallets, because they may be debited.
import type { Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Batch } from '#/ledger/kind.ts'
import { selectMerchant } from '#/merchants/queries.ts'
import { moneyIn } from '#/payments/money.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { walletForMoney, type WalletForMoney } from '#/wallets/create.ts'
import { selectDefaultWallets, selectWalletIds } from '#/wallets/queries.ts'
import type { OpenDraft } from './draft.ts'
import type { Placed } from './placed.ts'

/** All maps are by merchant and currency. */
export type Wallets = {
  /** Default wallets, including those that the batch may create. */
  readonly defaults: ReadonlyMap<string, WalletId>
  /** All wallets, the oldest first, of the owners that may be debited. */
  readonly all: ReadonlyMap<string, readonly WalletId[]>
}

type Owner = { readonly merchantId: MerchantId; readonly currency: Currency }

/** `debited`: the owners that a receipt of the batch may debit. */
export async function loadWallets(
  { tx, at }: Pick<Batch, 'tx' | 'at'>,
  placed: readonly Placed[],
  debited: readonly Owner[],
  loadingPayments: Promise<ReadonlyMap<PaymentId, Payment>>,
): Promise<Wallets & Pick<OpenDraft, 'missing'>> {
  const owners = new Map(placed.map(ownerOf).map((owner) => [walletKey(owner), owner]))
  const [found, all, payments] = await Promise.all([
    selectDefaultWallets(tx, [...owners.values()]),
    debited.length === 0 ? [] : selectWalletIds(tx, debited),
    loadingPayments,
  ])
  const defaults = new Map(found.map((wallet) => [walletKey(wallet), wallet.id]))
  const missing = missingWallets(placed, { at, payments, defaults })
  for (const [key, { wallet }] of missing) defaults.set(key, wallet.id)
  const groups = Map.groupBy(all, walletKey)
  return {
    defaults,
    missing,
    all: new Map([...groups].map(([key, group]) => [key, group.map(({ id }) => id)])),
  }
}

/** The wallets to create for currencies in which money may come and the merchant has no default wallet. */
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

/** All money of one payment in one currency is credited to one wallet: the default one when its first receipt came. */
export function walletOf(
  { defaults }: Wallets,
  { amount: { currency } }: Receipt,
  { merchantId, money }: Pick<Payment, 'merchantId' | 'money'>,
): WalletId {
  const walletId = moneyIn({ money }, currency)?.walletId ?? defaults.get(walletKey({ merchantId, currency }))
  return must(walletId, 'a currency without a default wallet gets one when the batch is loaded')
}

/** The wallet that was credited, and then the currency's others, the oldest first. */
export function walletsToDebit(
  wallets: Wallets,
  receipt: Receipt,
  payment: Pick<Payment, 'merchantId' | 'money'>,
): readonly WalletId[] {
  const credited = walletOf(wallets, receipt, payment)
  const { merchantId } = payment
  const all = wallets.all.get(walletKey({ merchantId, currency: receipt.amount.currency })) ?? []
  return [credited, ...all.filter((walletId) => walletId !== credited)]
}

/** The modes of merchants, and their default wallets of these currencies: of those to whom a person credits money. */
export async function loadOwners(
  tx: Tx,
  merchantIds: readonly MerchantId[],
  currencies: readonly Currency[],
) {
  const ids = [...new Set(merchantIds)]
  const [merchants, wallets] = await Promise.all([
    Promise.all(ids.map((id) => selectMerchant(tx, id))),
    selectDefaultWallets(
      tx,
      ids.flatMap((merchantId) => currencies.map((currency) => ({ merchantId, currency }))),
    ),
  ])
  return {
    modes: new Map(merchants.flatMap((each) => (each === undefined ? [] : [[each.id, each.mode] as const]))),
    defaults: new Map(wallets.map((each) => [walletKey(each), each.id])),
  }
}

export type Owners = Awaited<ReturnType<typeof loadOwners>>

/** The owner of a receipt's money. */
export function ownerOf({ attempt: { merchantId }, amount: { currency } }: Placed): Owner {
  return { merchantId, currency }
}

export function walletKey({ merchantId, currency }: Owner): string {
  return `${merchantId}/${currency}`
}
