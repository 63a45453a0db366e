// Creating wallets: those that every merchant starts with, and those that a merchant requests.
import type { Tx } from '#/db/client.ts'
import { newId, type MerchantId, type WalletId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { runnable, type Batch, type RunnableKind } from '#/ledger/kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './queries.ts'
import { noBalances, startingCurrencies, walletRecord, type Wallet, type WalletType } from './wallet.ts'

/** A merchant's request. */
export type WalletRequest = {
  readonly currency: Currency
  readonly walletType: WalletType
  readonly label: string
}

export type CreateWalletItem = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly id: WalletId
  readonly request: WalletRequest
  readonly idempotencyKey?: string
}

export type CreateWalletVerdict =
  | { readonly kind: 'created' | 'replayed'; readonly wallet: Wallet }
  /** The key made this wallet before, with another request. */
  | { readonly kind: 'conflict'; readonly wallet: Wallet }
  | { readonly kind: 'too_many' }

export type CreateWalletKind = RunnableKind<CreateWalletItem, CreateWalletVerdict, EventDraft>

/** The wallets that one request creates. */
type NewWallets = readonly queries.NewWallet[]

type Earlier = { readonly wallet: Wallet; readonly fingerprint: Buffer }
type View = {
  readonly byKey: Map<string, Earlier>
  /** Merchant and currency of the existing default wallets. */
  readonly defaults: Set<string>
  /** How many wallets each merchant has. */
  readonly counts: Map<MerchantId, number>
}

/** A merchant can have at most this many wallets: balances and disputes read all of them. */
export const walletsMax = 200

/**
 * Creates wallets, as a kind of work for the ledger lane. A currency's first SPENDABLE wallet is its default. If the first
 * wallet of a currency has another type, the default wallet is created with it, so that money in that currency has a place and
 * can be withdrawn.
 */
export function createWalletKind(): CreateWalletKind {
  return runnable<CreateWalletItem, View, NewWallets, CreateWalletVerdict, EventDraft>({
    name: 'create a wallet',
    load,
    decide(view, { merchantId, mode, id, request, idempotencyKey }, { at }) {
      const fingerprint = sha256(canonicalJson(request))
      const earlier =
        idempotencyKey === undefined ? undefined : view.byKey.get(`${merchantId}/${idempotencyKey}`)
      if (earlier !== undefined) {
        const kind = earlier.fingerprint.equals(fingerprint) ? 'replayed' : 'conflict'
        return { verdict: { kind, wallet: earlier.wallet } }
      }
      const { currency } = request
      const isFirst = !view.defaults.has(`${merchantId}/${currency}`)
      const isDefault = isFirst && request.walletType === 'SPENDABLE'
      const beside = isFirst && !isDefault ? [walletForMoney({ merchantId, mode, currency, at })] : []
      const count = (view.counts.get(merchantId) ?? 0) + 1 + beside.length
      if (count > walletsMax) return { verdict: { kind: 'too_many' } }
      view.counts.set(merchantId, count)
      view.defaults.add(`${merchantId}/${currency}`)
      const wallet: Wallet = {
        ...request,
        merchantId,
        id,
        isDefault,
        isActive: true,
        version: 1,
        createdAt: at,
      }
      if (idempotencyKey !== undefined)
        view.byKey.set(`${merchantId}/${idempotencyKey}`, { wallet, fingerprint })
      const kept = idempotencyKey === undefined ? undefined : fingerprint
      return {
        verdict: { kind: 'created', wallet },
        change: [...beside.map((each) => each.wallet), { ...wallet, idempotencyKey, fingerprint: kept }],
        events: [...beside.map((each) => each.event), walletCreated(mode, wallet)],
      }
    },
    write: ({ tx }, opened) => queries.insertWallets(tx, opened.flat()),
  })
}

function walletCreated(mode: Mode, wallet: Wallet): EventDraft {
  const { merchantId, id } = wallet
  const data = walletRecord(wallet, noBalances)
  return { merchantId, mode, type: 'wallet.created', resourceId: id, data }
}

/**
 * A wallet that was not requested: money arrived in a currency in which the merchant has no default wallet, or may arrive because
 * the merchant now has another wallet in it.
 */
export type WalletForMoney = { readonly wallet: queries.NewWallet; readonly event: EventDraft }

/** The default wallet of such a currency, and the event that reports it. For the lane's own batch. */
export function walletForMoney(owner: {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly currency: Currency
  readonly at: Date
}): WalletForMoney {
  const { merchantId, mode, currency, at } = owner
  const wallet: Wallet = {
    merchantId,
    id: newId<'wallet'>(),
    currency,
    label: currency,
    walletType: 'SPENDABLE',
    isDefault: true,
    isActive: true,
    version: 1,
    createdAt: at,
  }
  return {
    wallet: { ...wallet, idempotencyKey: undefined, fingerprint: undefined },
    event: walletCreated(mode, wallet),
  }
}

async function load({ tx }: Pick<Batch, 'tx'>, items: readonly CreateWalletItem[]): Promise<View> {
  const keys = items.flatMap(({ merchantId, idempotencyKey }) =>
    idempotencyKey === undefined ? [] : [{ merchantId, key: idempotencyKey }],
  )
  const currencies = items.map(({ merchantId, request }) => ({ merchantId, currency: request.currency }))
  const merchants = [...new Set(items.map(({ merchantId }) => merchantId))]
  const [stored, defaults, counts] = await Promise.all([
    keys.length === 0 ? [] : queries.selectByKeys(tx, keys),
    queries.selectDefaultWallets(tx, currencies),
    queries.countWallets(tx, merchants),
  ])
  return {
    byKey: new Map(stored.map((each) => [`${each.wallet.merchantId}/${each.key}`, each])),
    defaults: new Set(defaults.map((each) => `${each.merchantId}/${each.currency}`)),
    counts: new Map(counts.map(({ merchantId, count }) => [merchantId, count])),
  }
}

/** Creates the default wallets that every merchant has from its first day. For the transaction that creates the merchant. */
export async function openStartingWallets(tx: Tx, merchantId: MerchantId, at: Date): Promise<void> {
  // Sorted, so that lists show them in the order of the currencies although all ids are of one millisecond.
  const ids = startingCurrencies.map(() => newId<'wallet'>()).sort()
  const wallets = startingCurrencies.flatMap((currency, index): queries.NewWallet[] => {
    const id = ids[index]
    if (id === undefined) return []
    const kept = { idempotencyKey: undefined, fingerprint: undefined, createdAt: at }
    return [
      {
        ...kept,
        merchantId,
        id,
        currency,
        label: currency,
        walletType: 'SPENDABLE',
        isDefault: true,
        isActive: true,
        version: 1,
      },
    ]
  })
  await queries.insertWallets(tx, wallets)
}
