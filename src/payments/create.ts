// START HERE. A merchant asks for a payment: the request is checked, a route chosen, and payment, attempt and what the
// payer needs are written in one transaction, together with whatever else arrived meanwhile. Where a provider makes what
// the payer needs, it is asked after that commit, never within it.
// Inspected by audit/payments.ts.
import type { Attempt } from '#/rails/words.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { createLane, type Lane, type Settled } from '#/db/lane.ts'
import { commitPersistently } from '#/db/persist.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { newId, newIdAt, type MerchantId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Log } from '#/kernel/log.ts'
import { amountFromJson } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { addMs, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { type Rail, type Rails, shownBy, writeOpened } from '#/rails/rail.ts'
import { defaultTemplates, type CheckoutPlan, type TemplateFinder } from '#/templates/store.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { insertAttempts } from './attempt-queries.ts'
import { checkoutRouteOf, routeOf } from './routing.ts'
import { createPaymentOpener } from './open.ts'
import { openKind } from './open-kind.ts'
import { newPageLink, type PageHosts } from './page-link.ts'
import { checkoutEnd, ledgerCurrency, type Payment, type PaymentRequest, unpaid } from './payment.ts'
import * as queries from './queries.ts'
import type { RailFields } from './record.ts'

export type Merchant = { readonly id: MerchantId; readonly mode: Mode }

export type Created = { readonly payment: Payment; readonly replayed: boolean }

/** A creation as it is answered: with what the payer needs, where the answer carries it. */
export type Answered = Created & { readonly fields: RailFields }

export type PaymentCreator = {
  /**
   * Makes the payment, or answers the one that this key made before with the same body. 409 when the body was another;
   * a refusal leaves no record, so the key is still free. 403 when the merchant is suspended and the key is new. 503 when a provider has to open it and does not answer.
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
  /** Throws when no end may be counted from now. */
  readonly mayCreate?: () => void
  readonly log: Log
  readonly pages: PageHosts
  /** Absent: there are no checkouts but the default one. */
  readonly templates?: TemplateFinder
  readonly itemsMax?: number
  readonly queueMax?: number
}

type Item = {
  readonly payment: queries.NewPayment
  /** Absent: the payer of a checkout has yet to choose. */
  readonly first?: { readonly attempt: Attempt; readonly rail: Rail }
}

export function createPaymentCreator(options: CreatorOptions): PaymentCreator {
  const { sql, rails, log } = options
  const opener = createPaymentOpener({ sql, rails, lane: options.ledger, kind: openKind(rails), log })
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

  /** `own`: the attempt that was made with it just now. */
  async function answer(created: Created, own?: Attempt): Promise<Answered> {
    const { payment, attempt } = await opener.open(created.payment, own)
    const rail = attempt === undefined || payment.method === undefined ? undefined : rails.get(payment.method)
    const fields = attempt === undefined ? {} : shownBy(rail, [{ ...attempt, paidRefs: [] }], 'full')
    return { payment, replayed: created.replayed, fields }
  }

  async function submit(item: Item): Promise<Answered> {
    const created = await lane.submit(item)
    return answer(created, created.replayed ? undefined : item.first?.attempt)
  }

  return {
    async create(merchant, idempotencyKey, request) {
      options.mayCreate?.()
      const fingerprint = sha256(canonicalJson(request))
      const asked: CreationRequest = { merchant, idempotencyKey, fingerprint, request }
      const item = newOr(() => newPayment(options, asked))
      if ('payment' in item) return submit(item)
      // The key is compared before anything else is resolved: a refusal counts only for a key that is free.
      const [stored] = await queries.selectByKeys(sql, [{ merchantId: merchant.id, idempotencyKey }])
      if (stored !== undefined) return answer(replay(stored, fingerprint, request))
      if (!isUnknownCheckout(item.refusal)) throw item.refusal
      // Another process may have made the template since we looked.
      await options.templates?.refresh()
      return submit(newPayment(options, asked))
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

function isUnknownCheckout(refusal: unknown): boolean {
  return refusal instanceof AppError && refusal.code === 'checkout_not_found'
}

type CreationRequest = {
  readonly merchant: Merchant
  readonly idempotencyKey: string
  readonly fingerprint: Buffer
  readonly request: PaymentRequest
}

type Making = Pick<CreatorOptions, 'rails' | 'clock' | 'pages' | 'templates'>

function newPayment(making: Making, asked: CreationRequest): Item {
  const { checkout } = asked.request
  if (checkout === undefined) return newDirectPayment(making, asked)
  const key = { merchantId: asked.merchant.id, slug: checkout }
  const plan = (making.templates ?? defaultTemplates).find(key)
  if (plan === undefined) {
    const faults = [{ pointer: '/checkout', code: 'not_available', message: 'is not available' }]
    throw new AppError('checkout_not_found', `There is no checkout ${checkout}.`, { faults })
  }
  return newCheckoutPayment(making, asked, plan)
}

/** The payer chooses on the page: until then there is no method, and nothing to pay with. */
function newCheckoutPayment(
  { rails, clock, pages }: Making,
  asked: CreationRequest,
  plan: CheckoutPlan,
): Item {
  const { currency, methods } = checkoutRouteOf(rails, asked.merchant, asked.request, plan)
  const createdAt = clock.now()
  const payment: queries.NewPayment = {
    ...newlyRequested(asked, createdAt),
    status: 'PENDING',
    currency,
    methods,
    page: newPageLink(pages, 'CHECKOUT'),
    templateRevision: plan.revision,
    expiresAt: checkoutEnd(createdAt, asked.request),
  }
  return { payment }
}

function newDirectPayment({ rails, clock, pages }: Making, asked: CreationRequest): Item {
  const { merchant, request } = asked
  const { rail, method, currency, connection } = routeOf(rails, merchant, request)
  const createdAt = clock.now()
  const payment: queries.NewPayment = {
    ...newlyRequested(asked, createdAt),
    status: rail.opens.at === 'REQUEST' ? 'PENDING' : 'WAITING_PAYMENT',
    currency,
    methods: [method],
    method,
    ...(rail.opens.at === 'PAGE' ? { page: newPageLink(pages, rail.opens.page) } : {}),
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
    amount: { minor: payment.amountMinor, currency: ledgerCurrency(currency, method) },
  }
  return { payment, first: { attempt, rail } }
}

/** What is the same for every payment that was just asked for. */
function newlyRequested(
  { merchant, idempotencyKey, fingerprint, request }: CreationRequest,
  createdAt: Date,
) {
  return {
    merchantId: merchant.id,
    id: newIdAt<'payment'>(createdAt),
    createdAt,
    mode: merchant.mode,
    idempotencyKey,
    fingerprint,
    request,
    amountMinor: amountFromJson(request.amount),
    ...unpaid,
    version: 1,
  }
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
    const earlier = stored.get(keyOf(item))
    return earlier === undefined ? { ok: false, error: suspended() } : verdictOn(item, earlier)
  })
}

async function insertAll(tx: Tx, items: readonly Item[]): Promise<ReadonlySet<string>> {
  const inserted = await queries.insertPayments(
    tx,
    items.map((item) => item.payment),
  )
  const fresh = items.flatMap(({ payment, first }) =>
    first !== undefined && inserted.has(payment.id) ? [{ ...first, createdAt: payment.createdAt }] : [],
  )
  if (fresh.length === 0) return inserted
  await Promise.all([
    insertAttempts(
      tx,
      fresh.map((each) => each.attempt),
      fresh.map((each) => each.createdAt),
    ),
    ...[...Map.groupBy(fresh, (each) => each.rail)].map(([{ opens }, group]) =>
      writeOpened(
        tx,
        opens,
        group.map((each) => each.attempt),
      ),
    ),
  ])
  return inserted
}

/** Its key is free and yet nothing was inserted: the statement itself left out the payments of suspended merchants. */
function suspended(): AppError {
  return new AppError('merchant_suspended', 'The operator takes no new payments of this merchant now.')
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
  throw new AppError('idempotency_conflict', detail, { faults: differences(stored.payment.request, request) })
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
