// Money that comes for a closed sub-account goes on to its parent: to the parent's default wallet of the currency, in the same
// transaction, as a transfer that nobody requested. It has its row and its event for both, as every transfer has (own-transfer.ts).
// Decision 165. Inspected by audit/wallets.ts and audit/settlement/closed.ts.
import { newId, type MerchantId, type WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { minOf, toJsonInteger, type Currency } from '#/kernel/money.ts'
import type { Posting } from '#/ledger/apply.ts'
import type { AccountSpec } from '#/ledger/chart.ts'
import type { Kind } from '#/ledger/kind.ts'
import { takenFromSubAccount, type PlatformAccounts } from '#/ledger/share-recipes.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  fingerprintOf,
  transferCompleted,
  type OtherSide,
  type OwnTransfer,
  type OwnTransferRequest,
} from './own-transfer.ts'
import { insertOwnTransfers, type NewOwnTransfer } from './transfer-queries.ts'

/** What went on to parents in one batch of the lane, and is not written yet. */
export type PassedOn = { readonly mode: Mode; readonly rows: readonly NewOwnTransfer[] }[]

/** The money of a closed sub-account that goes on. `sourceId`: the record whose money it was. */
export type Passing = {
  readonly mode: Mode
  readonly currency: Currency
  readonly sourceId: string
  readonly from: {
    readonly merchantId: MerchantId
    readonly walletId: WalletId
    readonly available: AccountSpec
  }
  readonly to: {
    readonly merchantId: MerchantId
    readonly walletId: WalletId
    readonly accounts: PlatformAccounts
  }
  readonly at: Date
}

/** More than this does not fit the amount of a transfer. */
const most = BigInt(Number.MAX_SAFE_INTEGER)

/** The postings with which it goes on; notes the transfer in `passedOn`. Without money there is no transfer. */
export function passOn(passedOn: PassedOn, passing: Passing, freeMinor: bigint): readonly Posting[] {
  const minor = minOf(freeMinor, most)
  if (minor <= 0n) return []
  const { mode, currency, sourceId, from, to, at: createdAt } = passing
  const id = newId<'own-transfer'>()
  const amount = toJsonInteger(minor)
  const request = { fromSubAccountId: from.merchantId, toWalletId: to.walletId, amount }
  const fingerprint = fingerprintOf(request)
  const row = (merchantId: MerchantId, asked: OwnTransferRequest, other: OtherSide): NewOwnTransfer => {
    const wallets = { fromWalletId: from.walletId, toWalletId: to.walletId }
    const transfer: OwnTransfer = { merchantId, id, request: asked, ...wallets, currency, other, createdAt }
    return { ...transfer, fingerprint, idempotencyKey: undefined }
  }
  passedOn.push({
    mode,
    rows: [
      row(to.merchantId, request, { merchantId: from.merchantId, is: 'SUB_ACCOUNT', sourceId }),
      row(from.merchantId, { amount }, { merchantId: to.merchantId, is: 'PARENT', sourceId }),
    ],
  })
  const occasion = { subject: id, ordinal: 1, cause: fingerprint }
  const recipient = { available: from.available }
  return takenFromSubAccount({ occasion, platform: to.accounts, recipient }, minor)
}

type Change<Inner> = { readonly inner: Inner | undefined; readonly rows: readonly NewOwnTransfer[] }

/**
 * The kind of work with what its decisions pass on to parents: their rows are written, and their events announced, with those of the
 * decision that made the money available.
 */
export function passingOn<Item, View, Inner, Verdict, News>(
  parentsOf: (view: View) => { readonly passedOn: PassedOn },
  kind: Kind<Item, View, Inner, Verdict, News>,
): Kind<Item, View, Change<Inner>, Verdict, News | EventDraft> {
  const { sealedBy, ...rest } = kind
  const innerOf = (changes: readonly Change<Inner>[]) =>
    changes.flatMap((change) => (change.inner === undefined ? [] : [change.inner]))
  return {
    ...rest,
    ...(sealedBy === undefined ? {} : { sealedBy: (changes) => sealedBy(innerOf(changes)) }),
    decide(view, item, batch) {
      const { change: inner, events = [], ...ruling } = kind.decide(view, item, batch)
      const passed = parentsOf(view).passedOn.splice(0)
      if (inner === undefined && passed.length === 0) return { ...ruling, events }
      const rows = passed.flatMap((each) => each.rows)
      const announced = passed.flatMap(({ mode, rows: both }) =>
        both.map((row) => transferCompleted(mode, row)),
      )
      return { ...ruling, change: { inner, rows }, events: [...events, ...announced] }
    },
    async write(batch, changes) {
      const inner = innerOf(changes)
      const rows = changes.flatMap((change) => change.rows)
      await Promise.all([
        inner.length > 0 && kind.write(batch, inner),
        rows.length > 0 && insertOwnTransfers(batch.tx, rows),
      ])
    },
  }
}
