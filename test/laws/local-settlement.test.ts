// Laws of settlement for local methods. Payers act at the sandbox's acquirer, and the test keeps each state of an intent or a refund that
// the acquirer shows. Then the rail reads all these states again: late, twice, in any order, several at once. The money of an intent
// counts once, when it has come, and goes back once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Stripe } from 'stripe'
import type { Inquiry } from '#/jobs/claim.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type AttemptId, type ConnectionId, type RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { checkDue } from '#/payments/check.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { createPageOpener } from '#/payments/open.ts'
import type { Payment } from '#/payments/payment.ts'
import { selectPayments } from '#/payments/queries.ts'
import { localMethods } from '#/rails/acquirer/methods/all.ts'
import { acquirerModule } from '#/rails/acquirer/module.ts'
import { receiptsOfIntent, receiptsOfRefund, type Source } from '#/rails/acquirer/receipts.ts'
import { parseIntent, parseRefund } from '#/rails/acquirer/wire.ts'
import { listRails } from '#/rails/all.ts'
import type { Method } from '#/rails/method.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { refundKind } from '#/refunds/request.ts'
import { sendDueRefunds } from '#/refunds/send.ts'
import { settleKind } from '#/settlement/settle.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { assertPaymentExplained } from '../explained.ts'
import { inquireNow } from '../inquiry.ts'
import { openLine, type Line } from '../line.ts'
import { pages } from '../page-hosts.ts'
import { connectionOf, startTestAcquirer, type TestAcquirer } from '../rails/acquirer/acquirer.ts'
import { brazil, europe, payer } from '../rails/acquirer/local.ts'
import { bookOf } from '../rails/rail.ts'
import { sumsOfAccounts } from '../sums-of-accounts.ts'

const amount = 1_000

// ---- What happens

/** How a try ends: `success` of the last one alone. */
const failures = ['declines', 'money never comes', 'is canceled'] as const
const refundEnds = ['pending', 'succeeds', 'fails', 'fails later'] as const

const life = fc.record({
  method: fc.constantFrom(...localMethods.map(({ method }) => method)),
  failed: fc.array(fc.constantFrom(...failures), { maxLength: 2 }),
  end: fc.constantFrom('open', 'on its way', 'paid', 'paid', 'paid'),
  refunds: fc.array(
    fc.record({ minor: fc.integer({ min: 1, max: amount }), end: fc.constantFrom(...refundEnds) }),
    {
      maxLength: 3,
    },
  ),
  /** The order in which what was seen is read, and what is read twice. */
  orders: fc.array(fc.nat(1_000), { minLength: 8, maxLength: 24 }),
  twice: fc.array(fc.nat(100), { maxLength: 8 }),
})
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never

// ---- The world

let acquirer: TestAcquirer
let line: Line
let world: Awaited<ReturnType<typeof openWorld>>
before(async () => {
  ;[acquirer, line] = await Promise.all([startTestAcquirer(), openLine()])
  world = await openWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await Promise.all([acquirer.stop(), line[Symbol.asyncDispose]()])
})

/** An account in Portugal and one in Brazil, and the program over both. */
async function openWorld() {
  const { sql, lane, merchant, owner } = line
  // It goes on: a payer by MB WAY has four minutes.
  const clock = line.clock.running
  const shops = await Promise.all([europe, brazil].map(async (place) => shopIn(place)))
  const module = acquirerModule.open({
    connections: bookOf(shops.map(({ connection }) => connection)),
    clock,
    log: silentLog,
  })
  const rails = listRails(module.rails)
  const kinds = { settle: settleKind(rails), refund: refundKind(rails) }
  const deps = { sql, rails, lane, clock, log: silentLog }
  const settle = (receipts: readonly Receipt[], inquiry?: Inquiry) =>
    lane.submit(kinds.settle, { receipts, ...given({ inquiry }) })
  const creator = createPaymentCreator({ pages, ...deps, ledger: lane })
  const opener = createPageOpener(deps)
  const payment = async (id: Payment['id']) => {
    const [found] = await selectPayments(sql, [{ merchantId: merchant.id, paymentId: id }])
    return must(found, 'the payment is there')
  }
  return {
    settle,
    payment,
    shopOf: (method: Method) => must(shops[method === 'BOLETO' ? 1 : 0], 'a shop'),
    async create(method: Method) {
      const currency = method === 'BOLETO' ? 'BRL' : 'EUR'
      const terms = { amount, currency, paymentMethods: [method], ...payer }
      return (await creator.create(merchant, newId(), terms)).payment
    },
    /** Opens the payer's page, and with it an attempt. */
    async open(id: Payment['id'], method: Method) {
      const { attempt } = await opener.openPage(await payment(id), { method, presentation: 'HOSTED' })
      const { artifacts, ...opened } = must(attempt, 'it can be paid')
      return { id: opened.id, intent: String(artifacts['intentId']) }
    },
    /** Queries the provider about the attempts, as a worker does. */
    async check() {
      await owner`update attempt_check set due_at = clock_timestamp() - interval '1 second'`
      await checkDue({ ...deps, settle })
    },
    async refund(id: Payment['id'], minor: number) {
      const item = { merchantId: merchant.id, mode: merchant.mode, paymentId: id, id: newId<'refund'>() }
      return lane.submit(kinds.refund, { ...item, request: { amount: minor } })
    },
    async sendRefunds() {
      await owner`update refund_due set due_at = clock_timestamp() - interval '1 second'`
      await sendDueRefunds({ ...deps, settle })
    },
    async [Symbol.asyncDispose]() {
      await creator.close()
      await module.stop()
    },
  }
}

async function shopIn(place: typeof europe | typeof brazil) {
  const { secretKey, refundKey, publishableKey } = await acquirer.control('accounts', {
    country: place.country,
  })
  const settings = { apiUrl: acquirer.apiUrl, publishableKey, ...place }
  const id = `t1-${newId()}` as ConnectionId
  const connection = connectionOf(settings, { secretKey }, { id, refundSecrets: { secretKey: refundKey } })
  await line.owner`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${id}, 'SANDBOX', 'CREDIT_CARD', 'stripe', '{}', clock_timestamp())`
  const { hostname, port } = new URL(acquirer.apiUrl)
  const stripe = new Stripe(String(secretKey), { host: hostname, port, protocol: 'http', telemetry: false })
  return { connection, stripe }
}

// ---- What the acquirer shows

type Report = {
  readonly receipts: readonly Receipt[]
  readonly inquiry: Inquiry
  /** Asks for it again. */
  readonly anew: () => Promise<Report>
}

/** Before the acquirer is asked. */
const inquire = () => inquireNow(line.sql)

function sourceOf(method: Method, sent: unknown): Source {
  const { id: connection } = world.shopOf(method).connection
  return {
    connection,
    mode: 'SANDBOX',
    evidence: Buffer.from(JSON.stringify(sent)),
    readAt: line.clock.running.now(),
  }
}

/** Reads the intent as it is now, and the receipts that the rail reads from it. */
async function reportOfIntent(method: Method, intent: string): Promise<Report> {
  const { stripe } = world.shopOf(method)
  const inquiry = await inquire()
  const sent: unknown = JSON.parse(
    JSON.stringify(await stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] })),
  )
  return {
    inquiry,
    anew: () => reportOfIntent(method, intent),
    receipts: receiptsOfIntent(sourceOf(method, sent), must(parseIntent(sent), 'it is ours')),
  }
}

async function reportOfRefund(
  method: Method,
  name: string,
  attempt: AttemptId,
  intent: string,
): Promise<Report> {
  const { stripe } = world.shopOf(method)
  const inquiry = await inquire()
  const sent: unknown = JSON.parse(JSON.stringify(await stripe.refunds.retrieve(name)))
  const about = { attempt, intent, method }
  return {
    inquiry,
    anew: () => reportOfRefund(method, name, attempt, intent),
    receipts: receiptsOfRefund(sourceOf(method, sent), must(parseRefund(sent), 'it is ours'), about),
  }
}

const isVoucher = (method: Method) => method === 'MULTIBANCO' || method === 'BOLETO'

/** A try that ends without money. Returns the reports that were read of it. */
async function failedTry(
  id: Payment['id'],
  method: Method,
  end: (typeof failures)[number],
): Promise<readonly Report[]> {
  const { intent } = await world.open(id, method)
  const act = (how: string) => acquirer.control('pay', { intent, act: how })
  const reports = [await reportOfIntent(method, intent)]
  if (end === 'is canceled') await world.shopOf(method).stripe.paymentIntents.cancel(intent)
  else if (end === 'money never comes' && isVoucher(method)) {
    await act('slow')
    reports.push(await reportOfIntent(method, intent))
    await act('fail')
  } else await act('decline')
  reports.push(await reportOfIntent(method, intent))
  // The next try is another attempt, which a page opens once this one is known to be over.
  await world.check()
  return reports
}

/** The last try. */
async function lastTry(id: Payment['id'], method: Method, end: Life['end']) {
  const opened = await world.open(id, method)
  const { intent } = opened
  const reports = [await reportOfIntent(method, intent)]
  const act = (how: string) => acquirer.control('pay', { intent, act: how })
  const isUnderWay = isVoucher(method) && end !== 'open'
  if (isUnderWay) {
    await act('slow')
    reports.push(await reportOfIntent(method, intent))
  }
  if (end === 'paid') {
    await act(isUnderWay ? 'arrive' : 'approve')
    reports.push(await reportOfIntent(method, intent))
  }
  return { ...opened, reports }
}

/** Reads everything at least once, some of it twice, in the given order, three at a time. */
async function hear(
  all: readonly Report[],
  { orders, twice }: Pick<Life, 'orders' | 'twice'>,
): Promise<void> {
  const again = twice.flatMap((nth) => all[nth % Math.max(all.length, 1)] ?? [])
  const shuffled = [...all, ...again]
    .map((report, index) => ({ report, place: orders[index % orders.length] ?? 0 }))
    .toSorted((a, b) => a.place - b.place)
  for (let at = 0; at < shuffled.length; at += 3)
    await Promise.all(shuffled.slice(at, at + 3).map(({ report }) => hearOne(report)))
}

/** As the inbox: what contradicts an earlier report is asked for again. */
async function hearOne({ receipts, inquiry, anew }: Report): Promise<void> {
  const verdicts = await world.settle(receipts, inquiry)
  if (verdicts.includes('undecided')) await hearOne(await anew())
}

// ---- What must be true

async function live(story: Life): Promise<void> {
  const { method, failed, end, orders, twice } = story
  const start = await sums()
  const { id } = await world.create(method)
  const reports: Report[] = []
  for (const each of failed) reports.push(...(await failedTry(id, method, each)))
  const last = await lastTry(id, method, end)
  await hear([...reports, ...last.reports], { orders, twice })
  const isPaid = end === 'paid'
  const paid = await world.payment(id)
  assert.deepEqual([paid.status, paid.receivedMinor], isPaid ? ['PAID', 1_000n] : ['WAITING_PAYMENT', 0n])
  assert.deepEqual(paid.exceptions, [])
  const gone = isPaid ? await goesBack(story, id, last) : { back: 0n, pending: 0n }
  // What was true long ago is heard once more.
  await hear([...last.reports, ...reports], { orders: orders.toReversed(), twice })
  const now = await world.payment(id)
  assert.deepEqual(
    [now.status, now.receivedMinor, now.refundedMinor],
    [isPaid ? 'PAID' : 'WAITING_PAYMENT', isPaid ? 1_000n : 0n, gone.back + gone.pending],
  )
  const after = await sums()
  const since = (name: keyof typeof after) => after[name] - start[name]
  assert.equal(
    since('provider'),
    (isPaid ? 1_000n : 0n) - gone.back,
    'the acquirer holds what came and did not go',
  )
  assert.equal(since('available'), (isPaid ? 1_000n : 0n) - gone.back - gone.pending - since('fees'))
  assert.deepEqual([since('held'), since('suspense'), since('owed')], [gone.pending, 0n, 0n])
  await assertNotifiedOnce(id, isPaid)
  await assertPaymentExplained(line.sql, { merchantId: line.merchant.id, id })
  await endRefunds()
}

type Last = Awaited<ReturnType<typeof lastTry>>

/** Requests the refunds of the story, lets each end as it says, and hears of all. A boleto has none. */
async function goesBack(
  { method, refunds, orders, twice }: Life,
  id: Payment['id'],
  { id: attempt, intent }: Last,
): Promise<{ readonly back: bigint; readonly pending: bigint }> {
  let [back, pending] = [0n, 0n]
  await acquirer.control('refunds', { mode: 'pending' })
  const reports: Report[] = []
  for (const { minor: wanted, end } of refunds) {
    const minor = BigInt(wanted)
    // A refund that failed leaves room for another once its failure was read.
    const left = 1_000n - (await world.payment(id)).refundedMinor
    const verdict = await world.refund(id, wanted)
    const isAccepted = method !== 'BOLETO' && minor <= left
    assert.equal(verdict.kind === 'created', isAccepted, verdict.kind)
    if (verdict.kind !== 'created') continue
    await world.sendRefunds()
    const name = await nameOf(verdict.refund.id)
    const see = () => reportOfRefund(method, name, attempt, intent)
    reports.push(await see())
    // Of Multibanco the payer is asked first; of the others this is refused.
    await acquirer.control(`refunds/${name}`, { outcome: 'answer' }).catch(() => undefined)
    reports.push(await see())
    if (end !== 'pending') {
      const outcome = end === 'fails' ? 'fail' : 'succeed'
      await acquirer.control(`refunds/${name}`, { outcome })
      reports.push(await see())
    }
    // Both ends are heard in any order, and what the acquirer shows last counts.
    if (end === 'fails later') {
      await acquirer.control(`refunds/${name}`, { outcome: 'fail' })
      reports.push(await see())
    }
    if (end === 'succeeds') back += minor
    if (end === 'pending') pending += minor
  }
  await hear(reports, { orders, twice })
  await hear(reports.toReversed(), { orders, twice })
  return { back, pending }
}

/** The acquirer's name of our refund. */
async function nameOf(id: RefundId): Promise<string> {
  const { refunds = [] } = await acquirer.state()
  const found = refunds.find(({ metadata }) => (metadata as Record<string, unknown>)['refund_id'] === id)
  return String(must(found, 'the acquirer has it')['id'])
}

/** The next life begins with nothing under way. */
async function endRefunds(): Promise<void> {
  const { refunds = [] } = await acquirer.state()
  for (const { id, status } of refunds)
    if (status === 'pending') await acquirer.control(`refunds/${String(id)}`, { outcome: 'succeed' })
  await world.sendRefunds()
}

async function sums() {
  const sum = await sumsOfAccounts(line.sql)
  return {
    available: sum(/:available$/),
    held: sum(/:held$/),
    provider: sum(/^provider:/),
    suspense: sum(/^suspense:/),
    owed: sum(/^receivable:/),
    fees: sum(/^fees:/),
  }
}

async function assertNotifiedOnce(id: Payment['id'], isPaid: boolean): Promise<void> {
  const rows = await line.sql<{ type: string }[]>`
    select type from event where resource_id = ${id} and type = 'payment.completed'`
  assert.equal(rows.length, isPaid ? 1 : 0)
}

test('what the acquirer shows of local payments, read late, twice and in any order, is booked once and as it ended', async () => {
  await fc.assert(fc.asyncProperty(life, live), {
    numRuns: count({ quick: 4, soak: 300 }),
    endOnFailure: true,
  })
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await line.verify()).faults, [])
})
