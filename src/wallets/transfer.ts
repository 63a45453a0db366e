// Transfers: a merchant moves money from one wallet to another of the same currency, at once and for good. Both wallets are the
// merchant's own, or one belongs to its sub-account (family.ts).
// Inspected by audit/wallets.ts and audit/transfers.ts.
import { given } from '#/kernel/given.ts'
import type { ApiKeyId, MerchantId, WalletId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountFromJson, roomIn, type Currency } from '#/kernel/money.ts'
import { walletAvailable } from '#/ledger/chart.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import { ownTransfer } from '#/ledger/recipes.ts'
import type { SubAccount } from '#/merchants/sub-account.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  allowFamily,
  familyAccounts,
  familyPostings,
  loadFamilies,
  namedSubAccount,
  ownSubAccount,
  type Families,
  type FamilyRefusal,
  type Purse,
} from './family.ts'
import {
  fingerprintOf,
  transferCompleted,
  type OwnTransfer,
  type OwnTransferId,
  type OwnTransferRequest,
} from './own-transfer.ts'
import { selectWalletsById } from './queries.ts'
import type { TransferGrant } from './transfer-grant.ts'
import { updateGrants } from './transfer-queries.ts'
import * as queries from './transfer-queries.ts'

export type OwnTransferItem = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly id: OwnTransferId
  readonly request: OwnTransferRequest
  readonly idempotencyKey?: string
  /** Whoever is not named takes nothing from a sub-account. */
  readonly requestedBy?: ApiKeyId
}

export type OwnTransferVerdict =
  | { readonly kind: 'created' | 'replayed'; readonly transfer: OwnTransfer }
  /** The key created this transfer before, with another request. */
  | { readonly kind: 'conflict'; readonly transfer: OwnTransfer }
  /** The merchant has no such sub-account. */
  | { readonly kind: 'unknown_sub_account'; readonly side: 'from' | 'to' }
  /** The merchant, or its sub-account, has no such wallet. */
  | { readonly kind: 'unknown_wallet'; readonly field: 'fromWalletId' | 'toWalletId' }
  /** No wallet was named, and the sub-account has none in the currency of the other side. */
  | { readonly kind: 'no_wallet'; readonly side: 'from' | 'to'; readonly currency: Currency }
  | { readonly kind: 'other_currency'; readonly from: Purse; readonly to: Purse }
  | FamilyRefusal
  /** The wallet that would pay is inactive. */
  | { readonly kind: 'not_spendable' }
  | { readonly kind: 'insufficient_funds' }
  /** The other wallet would hold more than an answer can express. */
  | { readonly kind: 'too_much'; readonly roomMinor: bigint }

export type OwnTransferKind = RunnableKind<OwnTransferItem, OwnTransferVerdict, EventDraft>

type Earlier = { readonly transfer: OwnTransfer; readonly fingerprint: Buffer }
type View = {
  readonly byKey: Map<string, Earlier>
  readonly wallets: ReadonlyMap<string, Purse>
  readonly families: Families
}

/** The transfer, the sub-account's own row of it, and the grant by which it was taken. */
type Change = { readonly rows: readonly queries.NewOwnTransfer[]; readonly grant?: TransferGrant }
type Decided = Ruling<Change, OwnTransferVerdict, EventDraft>

/** Moves money between wallets, as a kind of work for the ledger lane. One kind for the whole process. */
export const ownTransferKind: OwnTransferKind = runnable<
  OwnTransferItem,
  View,
  Change,
  OwnTransferVerdict,
  EventDraft
>({
  name: 'transfer between wallets',
  bytesOf: ({ request }) => 1_024 + (request.metadata === undefined ? 0 : canonicalJson(request).length),
  load,
  decide(view, item, batch) {
    const { merchantId, request, idempotencyKey } = item
    const fingerprint = fingerprintOf(request)
    const key = idempotencyKey === undefined ? undefined : `${merchantId}/${idempotencyKey}`
    const earlier = key === undefined ? undefined : view.byKey.get(key)
    if (earlier !== undefined) {
      const kind = earlier.fingerprint.equals(fingerprint) ? 'replayed' : 'conflict'
      return { verdict: { kind, transfer: earlier.transfer } }
    }
    const sides = sidesOf(view, item)
    if ('kind' in sides) return { verdict: sides }
    const ruling = decide(view, item, { ...sides, fingerprint }, batch)
    const [made] = ruling.change?.rows ?? []
    if (key !== undefined && made !== undefined) view.byKey.set(key, { transfer: made, fingerprint })
    return ruling
  },
  async write({ tx }, changes) {
    const grants = changes.flatMap(({ grant }) => grant ?? [])
    await queries.insertOwnTransfers(
      tx,
      changes.flatMap(({ rows }) => rows),
    )
    if (grants.length > 0) await updateGrants(tx, grants)
  },
})

/** The two wallets, and the sub-account if one of them belongs to it. */
type Sides = {
  readonly from: Purse
  readonly to: Purse
  readonly sub?: { readonly account: SubAccount; readonly side: 'from' | 'to' }
}

function sidesOf(
  { wallets, families }: View,
  { merchantId, request }: Pick<OwnTransferItem, 'merchantId' | 'request'>,
): Sides | OwnTransferVerdict {
  const named = namedSubAccount(request)
  const account = named === undefined ? undefined : ownSubAccount(families, merchantId, named.id)
  if (named !== undefined && account === undefined) return { kind: 'unknown_sub_account', side: named.side }
  const walletOf = (side: 'from' | 'to', other?: Purse): Purse | OwnTransferVerdict => {
    const id = side === 'from' ? request.fromWalletId : request.toWalletId
    const owner = named?.side === side ? named.id : merchantId
    if (id === undefined && other !== undefined)
      return (
        families.defaults.get(`${owner}/${other.currency}`) ?? {
          kind: 'no_wallet',
          side,
          currency: other.currency,
        }
      )
    return wallets.get(`${owner}/${id}`) ?? { kind: 'unknown_wallet', field: `${side}WalletId` }
  }
  // The platform's own side first: it says the currency in which the sub-account's default is meant.
  const first = named?.side === 'from' ? 'to' : 'from'
  const firstWallet = walletOf(first)
  if ('kind' in firstWallet) return firstWallet
  const second = walletOf(first === 'from' ? 'to' : 'from', firstWallet)
  if ('kind' in second) return second
  const [from, to] = first === 'from' ? [firstWallet, second] : [second, firstWallet]
  if (from.currency !== to.currency) return { kind: 'other_currency', from, to }
  return {
    from,
    to,
    ...(named === undefined || account === undefined ? {} : { sub: { account, side: named.side } }),
  }
}

function decide(
  view: View,
  { merchantId, mode, id, request, idempotencyKey, requestedBy }: OwnTransferItem,
  { from, to, sub, fingerprint }: Sides & { readonly fingerprint: Buffer },
  { books, at, now }: Pick<Batch, 'books' | 'at' | 'now'>,
): Decided {
  const { currency } = from
  const minor = amountFromJson(request.amount)
  const allowed =
    sub === undefined
      ? undefined
      : allowFamily(view.families, sub.account, { ...sub, currency, minor, requestedBy }, now)
  if (allowed !== undefined && allowed.kind !== 'allowed') return { verdict: allowed }
  if (!from.isActive) return { verdict: { kind: 'not_spendable' } }
  const accounts = { from: accountOf(mode, from), to: accountOf(mode, to) }
  const roomMinor = roomIn(books.balance(accounts.to))
  if (minor > roomMinor) return { verdict: { kind: 'too_much', roomMinor } }
  const occasion = { subject: id, ordinal: 1, cause: fingerprint }
  const postings =
    sub === undefined
      ? ownTransfer(occasion, accounts, minor)
      : familyPostings(
          { books },
          sub.side,
          { occasion, ...familyAccounts(mode, sub.account, pursesOf(sub.side, from, to)) },
          minor,
        )
  if (!books.post(postings).ok) return { verdict: { kind: 'insufficient_funds' } }
  const base = { id, fromWalletId: from.id, toWalletId: to.id, currency, createdAt: at }
  if (sub === undefined) {
    const transfer: OwnTransfer = { ...base, merchantId, request }
    return decided(mode, transfer, [{ ...transfer, fingerprint, idempotencyKey, requestedBy }])
  }
  const grant = allowed?.grant
  if (grant !== undefined) view.families.grants.set(`${grant.merchantId}/${currency}`, grant)
  const by = grant === undefined ? {} : { grantId: grant.id }
  const transfer: OwnTransfer = {
    ...base,
    merchantId,
    request,
    other: { merchantId: sub.account.id, is: 'SUB_ACCOUNT', ...by },
  }
  const { amount, description } = request
  const theirs: OwnTransfer = {
    ...base,
    merchantId: sub.account.id,
    // The platform's metadata is its own.
    request: { amount, ...given({ description }) },
    other: { merchantId, is: 'PARENT', ...by },
  }
  const rows = [
    { ...transfer, fingerprint, idempotencyKey, requestedBy },
    { ...theirs, fingerprint, idempotencyKey: undefined },
  ]
  return decided(mode, transfer, rows, grant)
}

function pursesOf(
  side: 'from' | 'to',
  from: Purse,
  to: Purse,
): { readonly platform: Purse; readonly recipient: Purse } {
  return side === 'from' ? { platform: to, recipient: from } : { platform: from, recipient: to }
}

function decided(
  mode: Mode,
  transfer: OwnTransfer,
  rows: readonly queries.NewOwnTransfer[],
  grant?: TransferGrant,
): Decided {
  return {
    verdict: { kind: 'created', transfer },
    change: { rows, ...given({ grant }) },
    events: rows.map((row) => transferCompleted(mode, row)),
  }
}

async function load(
  { tx, books }: Pick<Batch, 'tx' | 'books'>,
  items: readonly OwnTransferItem[],
): Promise<View> {
  const keys = items.flatMap(({ merchantId, idempotencyKey }) =>
    idempotencyKey === undefined ? [] : [{ merchantId, key: idempotencyKey }],
  )
  const walletRefs = items.flatMap(({ merchantId, request }) => {
    const { fromWalletId, fromSubAccountId = merchantId, toWalletId, toSubAccountId = merchantId } = request
    return [
      { merchantId: fromSubAccountId, id: fromWalletId },
      { merchantId: toSubAccountId, id: toWalletId },
    ].flatMap(({ id, ...owner }): readonly { readonly merchantId: MerchantId; readonly id: WalletId }[] =>
      id === undefined ? [] : [{ ...owner, id }],
    )
  })
  const [stored, found, families] = await Promise.all([
    keys.length === 0 ? [] : queries.selectOwnTransfersByKey(tx, keys),
    selectWalletsById(tx, walletRefs),
    loadFamilies(tx, items),
  ])
  const view: View = {
    byKey: new Map(stored.map((each) => [`${each.transfer.merchantId}/${each.key}`, each])),
    wallets: new Map(found.map((wallet) => [`${wallet.merchantId}/${wallet.id}`, wallet])),
    families,
  }
  await books.load(items.flatMap((item) => accountsOf(view, item)))
  return view
}

/** All accounts that the item may post to. None when its wallets are not there. */
function accountsOf(view: View, item: OwnTransferItem) {
  const sides = sidesOf(view, item)
  if ('kind' in sides) return []
  const { from, to, sub } = sides
  const between = [accountOf(item.mode, from), accountOf(item.mode, to)]
  if (sub === undefined) return between
  const { platform, recipient } = familyAccounts(item.mode, sub.account, pursesOf(sub.side, from, to))
  return [...Object.values(platform), ...Object.values(recipient)]
}

function accountOf(mode: Mode, { id, currency }: Purse) {
  return walletAvailable(mode, id, currency)
}
