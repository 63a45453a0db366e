// START HERE. A merchant requests a payment: the request is checked, a route is chosen, and the payment, its attempt and what the payer
// needs are written in one transaction, together with other creations that arrived meanwhile. If a provider has to make
// what the payer needs, it is called after that commit, never within the transaction.
// Inspected by audit/payments.ts.
import type { RailFields } from '#/contract/payment-rail-fields.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { createLane, type EndedBatch, type Lane, type Settled } from '#/db/lane.ts'
import { commitPersistently } from '#/db/persist.ts'
import { awaitReplication } from '#/db/replication-queries.ts'
import { insertValues } from '#/finding/queries.ts'
import { currentContext } from '#/kernel/context.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, newIdAt, type MerchantId, type PaymentLinkId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Log } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountFromJson } from '#/kernel/money.ts'
import { differences } from '#/kernel/same-call.ts'
import { sha256 } from '#/kernel/secret.ts'
import { addMs, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { mayStart, notInState } from '#/merchants/account-state.ts'
import { selectStates } from '#/merchants/sub-account-queries.ts'
import type { Attempt, Issue } from '#/rails/attempt.ts'
import { type Rail, type Rails, shownBy, writeOpened } from '#/rails/rail.ts'
import { defaultTemplates, type TemplateFinder } from '#/templates/store.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { insertAttempts } from './attempt-queries.ts'
import { refusedByLinks } from './link-uses.ts'
import { openKind } from './open-kind.ts'
import { createPaymentOpener } from './open.ts'
import {
  newPageLink,
  type PageHosts,
  checkoutEnd,
  ledgerCurrency,
  type Payment,
  type PaymentRequest,
  unpaid,
} from './payment.ts'
import { planSplit } from './plan-split.ts'
import * as queries from './queries.ts'
import { checkoutRouteOf, routeOf } from './routing.ts'
import type { Split } from './shares.ts'
import { insertSplits } from './split-queries.ts'

export type Merchant = { readonly id: MerchantId; readonly mode: Mode }

export type Created = { readonly payment: Payment; readonly replayed: boolean }

/** A creation with what the payer needs, if that is part of the answer. */
export type CreationAnswer = Created & { readonly fields: RailFields }

/**
 * Writes what belongs to a new payment in the same transaction, such as an audit row. Only for actions of people, not for a
 * merchant's traffic.
 */
export type Beside = (tx: Tx, payment: Payment) => Promise<void>

/** What a creation has besides the request. */
export type CreationExtras = {
  readonly beside?: Beside
  /** The payment link that makes it: one more of its uses. */
  readonly linkId?: PaymentLinkId
}

export type PaymentCreator = {
  /**
   * Makes the payment, or returns the one that this key made before with the same body. A refusal leaves no record, so the key is still
   * free. Errors:
   * - 403: the merchant is suspended and the key is new
   * - 409: this key made a payment with another body, the payment link is over, or the sub-account is SUSPENDED or CLOSED
   * - 422: the payment link is used up
   * - 503: a provider has to open it and does not answer
   */
  create(
    merchant: Merchant,
    idempotencyKey: string,
    request: PaymentRequest,
    extras?: CreationExtras,
  ): Promise<CreationAnswer>
  /** Throws the refusal of a creation that would be refused now whatever its key is: 422. Writes nothing. */
  assertPossible(merchant: Merchant, request: PaymentRequest): Promise<void>
  close(): Promise<void>
}

export type CreatorOptions = {
  readonly sql: Sql
  readonly rails: Rails
  /** Writes the result of an opening. */
  readonly ledger: LedgerLane<EventDraft>
  readonly clock: Clock
  /** Throws while the database's clock is ahead of ours, because we count the expiry from our own clock. */
  readonly assertClock?: () => void
  readonly log: Log
  readonly pages: PageHosts
  /** Absent: there is only the default checkout. */
  readonly templates?: TemplateFinder
  readonly itemsMax?: number
  readonly queueMax?: number
  /** Called for each commit that ended, for metrics. */
  readonly onBatch?: ((batch: EndedBatch) => void) | undefined
  /** Writes down what is handed out, before it is. Absent: nothing is written down. */
  readonly issue?: Issue | undefined
}

/** A payment that is to be made. */
type Item = {
  readonly payment: queries.NewPayment
  /** Absent: the payer of a checkout has yet to choose. */
  readonly first?: { readonly attempt: Attempt; readonly createdAt: Date; readonly rail: Rail }
  /** Who gets shares of it. */
  readonly split?: Split
  readonly beside: Beside | undefined
}

/** What an item adds to a batch: mostly its name. */
const itemBytes = 160

export function createPaymentCreator(options: CreatorOptions): PaymentCreator {
  const { sql, rails, log, issue } = options
  const opener = createPaymentOpener({ ...options, lane: options.ledger, kind: openKind(rails) })
  const lane: Lane<Item, Created> = createLane({
    name: 'creation',
    itemsMax: options.itemsMax ?? 500,
    bytesMax: 1_048_576,
    queueMax: options.queueMax ?? 20_000,
    bytesOf: ({ payment }) => 1_024 + (payment.request.items?.length ?? 0) * itemBytes,
    commitsMax: 2,
    onBatch: options.onBatch,
    commit: (items) => commitPersistently(persistence, items),
  })
  const persistence = {
    commit: (items: readonly Item[]) => commitBatch(sql, items),
    log,
    patienceMs: 10_000,
    nameOf: () => 'payment',
  }

  /** `made`: the attempt that was made with the payment just now. */
  async function answer(created: Created, made?: Attempt): Promise<CreationAnswer> {
    const { payment, attempt } = await opener.open(created.payment, made)
    const rail = attempt === undefined || payment.method === undefined ? undefined : rails.get(payment.method)
    const fields = attempt === undefined ? {} : shownBy(rail, [{ ...attempt, paidRefs: [] }], 'full')
    return { payment, replayed: created.replayed, fields }
  }

  /** Chooses the route, and plans the shares. Throws the refusal. */
  async function plan(creation: CreationRequest): Promise<Item> {
    const item = newItem(options, creation)
    return creation.request.splits === undefined
      ? item
      : { ...item, split: await planSplit(sql, item.payment) }
  }

  /** If a template was not found, another process may have made it since the last read. Throws every other refusal. */
  async function readTemplatesAfter(refusal: unknown): Promise<void> {
    if (!(refusal instanceof AppError) || refusal.code !== 'checkout_not_found') throw refusal
    await options.templates?.refresh()
  }

  return {
    async create(merchant, idempotencyKey, request, extras) {
      options.assertClock?.()
      const fingerprint = sha256(canonicalJson(request))
      const creation: CreationRequest = { merchant, idempotencyKey, fingerprint, request, extras }
      let item: Item
      try {
        item = await plan(creation)
      } catch (refusal) {
        // If this key already made a payment, that payment is the answer, or a conflict if the body differs. Only a free key is refused.
        const [stored] = await queries.selectByKeys(sql, [{ merchantId: merchant.id, idempotencyKey }])
        if (stored !== undefined) return answer(replay(stored, fingerprint, request))
        await readTemplatesAfter(refusal)
        item = await plan(creation)
      }
      // Written down before the commit: as soon as the payment is committed, somebody can read it and pay.
      if (item.first?.rail.opens.at === 'CREATION') await issue?.(item.first.attempt)
      const created = await lane.submit(item)
      return answer(created, created.replayed ? undefined : item.first?.attempt)
    },
    async assertPossible(merchant, request) {
      const creation = { merchant, request, idempotencyKey: '', fingerprint: Buffer.alloc(0) }
      try {
        newItem(options, creation)
      } catch (refusal) {
        await readTemplatesAfter(refusal)
        newItem(options, creation)
      }
    },
    close: lane.close,
  }
}

type CreationRequest = {
  readonly merchant: Merchant
  readonly idempotencyKey: string
  readonly fingerprint: Buffer
  readonly request: PaymentRequest
  readonly extras?: CreationExtras | undefined
}

type Making = Pick<CreatorOptions, 'rails' | 'clock' | 'pages' | 'templates'>

function newItem(making: Making, creation: CreationRequest): Item {
  const { checkout } = creation.request
  return checkout === undefined
    ? newDirectPayment(making, creation)
    : newCheckoutPayment(making, creation, checkout)
}

/** The payer chooses on the page: until then there is no method and no attempt. */
function newCheckoutPayment(
  { rails, clock, pages, templates = defaultTemplates }: Making,
  creation: CreationRequest,
  slug: string,
): Item {
  const { merchant, request, extras } = creation
  const plan = templates.find({ merchantId: merchant.id, slug })
  if (plan === undefined) {
    const faults = [{ pointer: '/checkout', code: 'not_available', message: 'is not available' }]
    throw new AppError('checkout_not_found', `There is no checkout ${slug}.`, { faults })
  }
  const createdAt = clock.now()
  const payment: queries.NewPayment = {
    ...newlyRequested(creation, createdAt),
    status: 'PENDING',
    ...checkoutRouteOf(rails, merchant, request, plan),
    page: newPageLink(pages, 'CHECKOUT'),
    templateRevision: plan.revision,
    expiresAt: checkoutEnd(createdAt, request),
  }
  return { payment, beside: extras?.beside }
}

function newDirectPayment({ rails, clock, pages }: Making, creation: CreationRequest): Item {
  const { merchant, request, extras } = creation
  const { rail, method, currency, connection } = routeOf(rails, merchant, request)
  const createdAt = clock.now()
  const { expiresIn } = request
  const payment: queries.NewPayment = {
    ...newlyRequested(creation, createdAt),
    status: rail.opens.at === 'REQUEST' ? 'PENDING' : 'WAITING_PAYMENT',
    currency,
    methods: [method],
    method,
    ...(rail.opens.at === 'PAGE' ? { page: newPageLink(pages, rail.opens.page) } : {}),
    expiresAt: addMs(createdAt, expiresIn === undefined ? rail.lifetimeMs : expiresIn * 1_000),
  }
  const attempt: Attempt = {
    id: newId(),
    merchantId: merchant.id,
    paymentId: payment.id,
    method,
    connection,
    amount: { minor: payment.amountMinor, currency: ledgerCurrency(currency, method) },
  }
  return { payment, first: { attempt, createdAt, rail }, beside: extras?.beside }
}

/** The fields that all new payments have in common. */
function newlyRequested(
  { merchant, idempotencyKey, fingerprint, request, extras }: CreationRequest,
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
    ...given({ linkId: extras?.linkId }),
    trace: currentContext().trace,
    ...unpaid,
    version: 1,
  }
}

/**
 * One transaction for all items. If several items have the same key, only the first is inserted; the others get its payment, or a conflict
 * if their body differs.
 */
async function commitBatch(sql: Sql, items: readonly Item[]): Promise<readonly Settled<Created>[]> {
  const firsts = new Map<string, Item>()
  for (const item of items) if (!firsts.has(keyOf(item))) firsts.set(keyOf(item), item)
  // Sorted, so that two processes with overlapping batches lock their keys in the same order and cannot deadlock.
  const fresh = [...firsts.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)

  const { inserted, refused } = await sql.begin((tx) => insertAll(tx, fresh))
  const notInserted = items.filter((item) => !inserted.has(item.payment.id))
  const stored = new Map<string, queries.StoredKey>()
  if (notInserted.length > 0) {
    for (const each of await queries.selectByKeys(sql, paymentsOf(notInserted)))
      stored.set(`${each.payment.merchantId}/${each.key}`, each)
    if (stored.size > 0) await awaitReplication(sql)
  }
  const unmade = notInserted.filter((item) => !stored.has(keyOf(item)) && !refused.has(item.payment.id))
  const why = await whyNotMade(sql, paymentsOf(unmade))
  return items.map((item) => {
    if (inserted.has(item.payment.id))
      return { ok: true, verdict: { payment: item.payment, replayed: false } }
    const earlier = stored.get(keyOf(item))
    if (earlier !== undefined) return verdictOn(item, earlier)
    const { id, merchantId } = item.payment
    return { ok: false, error: refused.get(id) ?? why.get(merchantId) }
  })
}

type Insertion = {
  /** The inserted payments, each with whether its merchant has declared keys of metadata. */
  readonly inserted: ReadonlyMap<string, boolean>
  readonly refused: ReadonlyMap<string, AppError>
}

/** All rows of one commit. What refuses a payment does so under a lock of its own. */
async function insertAll(tx: Tx, requested: readonly Item[]): Promise<Insertion> {
  const refused = await refusedByLinks(tx, paymentsOf(requested))
  const items = requested.filter(({ payment }) => !refused.has(payment.id))
  const inserted = await queries.insertPayments(tx, paymentsOf(items))
  const made = items.filter(({ payment }) => inserted.has(payment.id))
  const splits = made.flatMap(({ split }) => split ?? [])
  const indexed = made.flatMap(({ payment }) =>
    inserted.get(payment.id) === true && payment.request.metadata !== undefined ? [payment] : [],
  )
  const firsts = made.flatMap(({ first }) => first ?? [])
  await Promise.all([
    splits.length > 0 && insertSplits(tx, splits),
    indexed.length > 0 && insertValues(tx, 'PAYMENT', indexed),
    firsts.length > 0 && insertAttempts(tx, firsts),
    ...[...Map.groupBy(firsts, ({ rail }) => rail)].map(([{ opens }, group]) =>
      writeOpened(
        tx,
        opens,
        group.map(({ attempt }) => attempt),
      ),
    ),
  ])
  for (const { payment, beside } of made) await beside?.(tx, payment)
  return { inserted, refused }
}

function paymentsOf(items: readonly Item[]): readonly queries.NewPayment[] {
  return items.map(({ payment }) => payment)
}

/** Why no payment was made with a new key: 409 by the state of a sub-account, else 403. By merchant. */
async function whyNotMade(
  sql: Sql,
  payments: readonly queries.NewPayment[],
): Promise<ReadonlyMap<MerchantId, AppError>> {
  if (payments.length === 0) return new Map()
  const ids = [...new Set(payments.map(({ merchantId }) => merchantId))]
  const states = new Map((await selectStates(sql, ids)).map(({ id, state }) => [id, state]))
  return new Map(
    ids.map((id) => {
      const state = states.get(id)
      return [id, mayStart(state, 'payment') ? merchantSuspended() : notInState(state)]
    }),
  )
}

function merchantSuspended(): AppError {
  return new AppError('merchant_suspended', 'The operator accepts no new payments of this merchant now.')
}

function verdictOn(item: Item, stored: queries.StoredKey): Settled<Created> {
  // Our own row: the commit succeeded although its answer was lost.
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

function keyOf({ payment }: Item): string {
  return `${payment.merchantId}/${payment.idempotencyKey}`
}
