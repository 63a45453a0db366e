// START HERE. A merchant asks for a payment: the request is checked, a route chosen, and payment, attempt and what the
// payer needs are written in one transaction, together with whatever else arrived meanwhile. Where a provider makes what
// the payer needs, it is asked after that commit, never within it.
import type { Sql, Tx } from '#/db/client.ts'
import { createLane, type Lane, type Settled } from '#/db/lane.ts'
import { commitPersistently } from '#/db/persist.ts'
import { must } from '#/kernel/check.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Log } from '#/kernel/log.ts'
import { sha256 } from '#/kernel/secret.ts'
import { addMs, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Attempt, Mode, Rail, Rails } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { insertAttempts } from './attempt-queries.ts'
import { routeOf } from './offer.ts'
import { createPaymentOpener, openKind } from './open.ts'
import { newPageLink, type PageHosts } from './page-link.ts'
import { ledgerCurrency, type Payment, type PaymentRequest } from './payment.ts'
import * as queries from './queries.ts'
import type { RailFields } from './record.ts'

export type Merchant = { readonly id: MerchantId; readonly mode: Mode }

export type Created = { readonly payment: Payment; readonly replayed: boolean }

/** A creation as it is answered: with what the payer needs, where the answer carries it. */
export type Answered = Created & { readonly fields: RailFields }

export type PaymentCreator = {
  /**
   * Makes the payment, or answers the one that this key made before with the same body. 409 when the body was another;
   * a refusal leaves no record, so the key is still free. 503 when a provider has to open it and does not answer.
   */
  create(merchant: Merchant, idempotencyKey: string, request: PaymentRequest): Promise<Answered>
  close(): Promise<void>
}

export type CreatorOptions = {
  readonly sql: Sql
  readonly rails: Rails
  /** What an opening changed is written through it. */
  readonly ledger: LedgerLane<EventDraft>
  readonly clock: Clock
  readonly log: Log
  readonly pages: PageHosts
  readonly itemsMax?: number
  readonly queueMax?: number
}

type Item = { readonly payment: queries.NewPayment; readonly attempt: Attempt; readonly rail: Rail }

export function createPaymentCreator(options: CreatorOptions): PaymentCreator {
  const { sql, rails, log } = options
  const opener = createPaymentOpener({ sql, rails, lane: options.ledger, kind: openKind(), log })
  const lane: Lane<Item, Created> = createLane({
    name: 'creation',
    itemsMax: options.itemsMax ?? 500,
    bytesMax: 1_048_576,
    queueMax: options.queueMax ?? 20_000,
    bytesOf: () => 1_024,
    commitsMax: 2,
    commit: (items) => commitPersistently(persistence, items),
  })
  const persistence = {
    commit: (items: readonly Item[]) => commitBatch(sql, items),
    log,
    patienceMs: 10_000,
    nameOf: () => 'payment',
  }

  async function answer(created: Created): Promise<Answered> {
    const { payment, attempt } = await opener.open(created.payment)
    const rail = attempt === undefined || payment.method === undefined ? undefined : rails.get(payment.method)
    const fields = attempt === undefined ? {} : rail?.show?.([{ ...attempt, paidRefs: [] }], 'full')
    return { payment, replayed: created.replayed, fields: fields ?? {} }
  }

  return {
    async create(merchant, idempotencyKey, request) {
      const fingerprint = sha256(canonicalJson(request))
      const item = newOr(() => newPayment(options, merchant, idempotencyKey, fingerprint, request))
      if ('payment' in item) return answer(await lane.submit(item))
      // The key is compared before anything else is resolved: a refusal counts only for a key that is free.
      const [stored] = await queries.selectByKeys(sql, [{ merchantId: merchant.id, idempotencyKey }])
      if (stored !== undefined) return answer(replay(stored, fingerprint, request))
      throw item.refusal
    },
    close: lane.close,
  }
}

/** What `make` makes, or why it refused. */
function newOr(make: () => Item): Item | { readonly refusal: unknown } {
  try {
    return make()
  } catch (refusal) {
    return { refusal }
  }
}

function newPayment(
  { rails, clock, pages }: Pick<CreatorOptions, 'rails' | 'clock' | 'pages'>,
  merchant: Merchant,
  idempotencyKey: string,
  fingerprint: Buffer,
  request: PaymentRequest,
): Item {
  const { rail, method, currency, connection } = routeOf(rails, merchant, request)
  const createdAt = clock.now()
  const amountMinor = BigInt(request.amount)
  const payment: queries.NewPayment = {
    merchantId: merchant.id,
    id: newId(),
    mode: merchant.mode,
    idempotencyKey,
    fingerprint,
    request,
    status: rail.opens === 'IN_REQUEST' ? 'PENDING' : 'WAITING_PAYMENT',
    amountMinor,
    currency,
    methods: [method],
    method,
    ...(rail.opens === 'WITH_PAGE' ? { page: newPageLink(pages, rail.page ?? 'CHECKOUT') } : {}),
    receivedMinor: 0n,
    refundedMinor: 0n,
    disputedMinor: 0n,
    seenMinor: 0n,
    unreleasedMinor: 0n,
    feeMinor: 0n,
    exceptions: [],
    receipts: 0,
    version: 1,
    createdAt,
    expiresAt: addMs(
      createdAt,
      request.expiresIn === undefined ? rail.lifetimeMs : request.expiresIn * 1_000,
    ),
  }
  const attempt: Attempt = {
    id: newId(),
    merchantId: merchant.id,
    paymentId: payment.id,
    method,
    connection,
    amount: { minor: amountMinor, currency: ledgerCurrency(currency, method) },
  }
  return { payment, attempt, rail }
}

/** One transaction for all items. Of several with one key the first is the payment and the others replay it. */
async function commitBatch(sql: Sql, items: readonly Item[]): Promise<readonly Settled<Created>[]> {
  const firsts = new Map<string, Item>()
  for (const item of items) if (!firsts.has(keyOf(item))) firsts.set(keyOf(item), item)
  // Sorted, so that two processes with overlapping batches take their keys in one order and never wait in a circle.
  const fresh = [...firsts.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)

  const inserted = await sql.begin((tx) => insertAll(tx, fresh))
  const taken = items.filter((item) => !inserted.has(item.payment.id))
  const stored = new Map<string, queries.StoredKey>()
  if (taken.length > 0) {
    const keys = taken.map(({ payment }) => ({
      merchantId: payment.merchantId,
      idempotencyKey: payment.idempotencyKey,
    }))
    for (const each of await queries.selectByKeys(sql, keys))
      stored.set(`${each.payment.merchantId}/${each.key}`, each)
  }
  return items.map((item) => {
    if (inserted.has(item.payment.id))
      return { ok: true, verdict: { payment: item.payment, replayed: false } }
    return verdictOn(item, must(stored.get(keyOf(item)), 'a taken key has a payment'))
  })
}

async function insertAll(tx: Tx, items: readonly Item[]): Promise<ReadonlySet<string>> {
  const inserted = await queries.insertPayments(
    tx,
    items.map((item) => item.payment),
  )
  const fresh = items.filter((item) => inserted.has(item.payment.id))
  if (fresh.length === 0) return inserted
  await Promise.all([
    insertAttempts(
      tx,
      fresh.map((item) => item.attempt),
      fresh.map((item) => item.payment.createdAt),
    ),
    ...[...Map.groupBy(fresh, (item) => item.rail)].map(([rail, group]) =>
      rail.openLocally?.(
        tx,
        group.map((item) => item.attempt),
      ),
    ),
  ])
  return inserted
}

function verdictOn(item: Item, stored: queries.StoredKey): Settled<Created> {
  // Our own row: the commit went through although its answer was lost.
  if (stored.payment.id === item.payment.id)
    return { ok: true, verdict: { payment: stored.payment, replayed: false } }
  try {
    return { ok: true, verdict: replay(stored, item.payment.fingerprint, item.payment.request) }
  } catch (error) {
    return { ok: false, error }
  }
}

function replay(stored: queries.StoredKey, fingerprint: Buffer, request: PaymentRequest): Created {
  if (stored.fingerprint.equals(fingerprint)) return { payment: stored.payment, replayed: true }
  const detail = `The key ${stored.key} made payment ${stored.payment.id} with another body.`
  throw new AppError('idempotency_conflict', detail, { errors: differences(stored.payment.request, request) })
}

/** Which fields of the body differ from the first call's. */
export function differences(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): readonly FieldFault[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names]
    .filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(now[name] ?? null))
    .map((name) => ({ pointer: `/${name}`, code: 'differs', message: wasMessage(before[name]) }))
}

function wasMessage(value: unknown): string {
  if (value === undefined) return 'was absent'
  return `was ${canonicalJson(value).slice(0, 200)}`
}

function keyOf({ payment }: Item): string {
  return `${payment.merchantId}/${payment.idempotencyKey}`
}
