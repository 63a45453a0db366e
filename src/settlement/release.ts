// A provider's settlement delay is over: what is still there of the money can be withdrawn.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { minOf } from '#/kernel/money.ts'
import * as chart from '#/ledger/chart.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import * as recipes from '#/ledger/recipes.ts'
import type { Payment } from '#/payments/payment.ts'
import { selectPayments, writePayments } from '#/payments/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { postAll } from './book.ts'
import * as queries from './release-queries.ts'
import type { OpenRelease, Released, ReleaseKey } from './release-queries.ts'

/** `released`: so much can be withdrawn now; perhaps nothing, when all of it was taken. `already`: it was before. */
export type ReleaseVerdict =
  | { readonly kind: 'released'; readonly minor: bigint }
  | { readonly kind: 'already' }

export type ReleaseKind = RunnableKind<ReleaseKey, ReleaseVerdict, EventDraft>

type View = {
  readonly releases: Map<string, OpenRelease>
  readonly payments: Map<PaymentId, Payment>
}

type Change = { readonly released: Released; readonly payment?: Payment }

/** Releases what one receipt brought, as a kind of work for the ledger lane. */
export function releaseKind(): ReleaseKind {
  return runnable<ReleaseKey, View, Change, ReleaseVerdict, EventDraft>({
    name: 'release what waited',
    load,
    decide,
    async write({ tx, at }, changes) {
      const payments = changes.flatMap(({ payment }) => payment ?? [])
      await Promise.all([
        queries.writeReleased(
          tx,
          changes.map(({ released }) => released),
          at,
        ),
        payments.length > 0 && writePayments(tx, payments),
      ])
    },
  })
}

async function load({ tx, books }: Batch, keys: readonly ReleaseKey[]): Promise<View> {
  const refs = [...new Map(keys.map((key) => [key.paymentId, key])).values()]
  const [releases, payments] = await Promise.all([
    queries.selectOpenReleases(tx, keys),
    selectPayments(tx, refs),
  ])
  const view: View = {
    releases: new Map(releases.map((release) => [keyOf(release), release])),
    payments: new Map(payments.map((payment) => [payment.id, payment])),
  }
  await books.load(releases.flatMap((release) => Object.values(accountsOf(view, release))))
  return view
}

function decide(
  view: View,
  key: ReleaseKey,
  batch: Pick<Batch, 'books'>,
): Ruling<Change, ReleaseVerdict, EventDraft> {
  const release = view.releases.get(keyOf(key))
  if (release === undefined) return { verdict: { kind: 'already' } }
  view.releases.delete(keyOf(key))
  const { merchantId, paymentId, ordinal, cause } = release
  const payment = paymentOf(view, release)
  // Refunds and disputes may have taken some of it, or all.
  const minor = minOf(release.minor, payment.unreleasedMinor)
  const occasion: recipes.Occasion = { subject: paymentId, ordinal, cause }
  postAll(batch, recipes.released(occasion, accountsOf(view, release), minor))
  const released = { merchantId, paymentId, ordinal, releasedMinor: minor }
  if (minor === 0n) return { verdict: { kind: 'released', minor }, change: { released } }
  const after: Payment = {
    ...payment,
    unreleasedMinor: payment.unreleasedMinor - minor,
    version: payment.version + 1,
  }
  view.payments.set(after.id, after)
  return { verdict: { kind: 'released', minor }, change: { released, payment: after } }
}

function accountsOf(view: View, release: OpenRelease) {
  const { mode, merchantId, walletId: credited } = paymentOf(view, release)
  const { currency } = release
  const walletId = must(credited, 'money that waits was credited to a wallet')
  return {
    pending: chart.walletPending(mode, walletId, currency),
    available: chart.walletAvailable(mode, walletId, currency),
    receivable: chart.receivable(mode, merchantId, currency),
  }
}

function paymentOf({ payments }: View, { paymentId }: OpenRelease): Payment {
  return must(payments.get(paymentId), 'money that waits is a payment’s')
}

function keyOf({ merchantId, paymentId, ordinal }: ReleaseKey): string {
  return `${merchantId}/${paymentId}/${ordinal}`
}

const dueMax = 500

/** One look for money whose delay is over. Answers how much of it there was, in receipts. */
export async function releaseDue(deps: {
  readonly sql: Sql
  readonly lane: LedgerLane<EventDraft>
  readonly kind: ReleaseKind
}): Promise<number> {
  const due = await queries.selectDueReleases(deps.sql, dueMax)
  const verdicts = await Promise.all(due.map((key) => deps.lane.submit(deps.kind, key)))
  return verdicts.filter(({ kind }) => kind === 'released').length
}
