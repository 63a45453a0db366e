// Money that comes for a closed sub-account goes on to its parent: to the parent's default wallet of the currency, in the same
// transaction, as a transfer that nobody requested. It has its row and its event for both, as every transfer has (own-transfer.ts).
// Decision 165. Inspected by audit/wallets.ts and audit/settlement/sums.ts.
import { newId, type MerchantId, type WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { minOf, toJsonInteger, type Currency } from '#/kernel/money.ts'
import type { Posting } from '#/ledger/apply.ts'
import type { AccountSpec } from '#/ledger/chart.ts'
import type { Kind, Ruling } from '#/ledger/kind.ts'
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

/** What goes on to parents by one decision. */
export type PassedOn = readonly { readonly mode: Mode; readonly rows: readonly NewOwnTransfer[] }[]

/** Postings, and what goes on to parents by them. */
export type Passed = { readonly postings: readonly Posting[]; readonly passed: PassedOn }

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

/** The postings with which it goes on, and the transfer. Without money there is no transfer. */
export function passOn(passing: Passing, freeMinor: bigint): Passed {
  const minor = minOf(freeMinor, most)
  if (minor <= 0n) return { postings: [], passed: [] }
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
  const rows = [
    row(to.merchantId, request, { merchantId: from.merchantId, is: 'SUB_ACCOUNT', sourceId }),
    row(from.merchantId, { amount }, { merchantId: to.merchantId, is: 'PARENT', sourceId }),
  ]
  const occasion = { subject: id, ordinal: 1, cause: fingerprint }
  const recipient = { available: from.available }
  const postings = takenFromSubAccount({ occasion, platform: to.accounts, recipient }, minor)
  return { postings, passed: [{ mode, rows }] }
}

type Change<Inner> = { readonly inner: Inner | undefined; readonly rows: readonly NewOwnTransfer[] }

/**
 * The kind of work with what its decisions pass on to parents: their rows are written, and their events announced, with those of the
 * decision that made the money available.
 */
export function passingOn<Item, View, Inner, Verdict, News>(
  kind: Omit<Kind<Item, View, Inner, Verdict, News>, 'decide'> & {
    decide(
      ...asked: Parameters<Kind<Item, View, Inner, Verdict, News>['decide']>
    ): Ruling<Inner, Verdict, News> & { readonly passed?: PassedOn }
  },
): Kind<Item, View, Change<Inner>, Verdict, News | EventDraft> {
  const { sealedBy, ...rest } = kind
  const innerOf = (changes: readonly Change<Inner>[]) =>
    changes.flatMap((change) => (change.inner === undefined ? [] : [change.inner]))
  return {
    ...rest,
    ...(sealedBy === undefined ? {} : { sealedBy: (changes) => sealedBy(innerOf(changes)) }),
    decide(view, item, batch) {
      const { change: inner, events = [], passed = [], ...ruling } = kind.decide(view, item, batch)
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
