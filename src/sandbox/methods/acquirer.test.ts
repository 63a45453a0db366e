// How the sandbox becomes a customer of its acquirer and stays one, and the payer that a developer plays there.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { connectionKeys, openConnectionBook, type OpenConnectionBook } from '#/merchants/connections.ts'
import type { Payment } from '#/payments/payment.ts'
import { card } from '#/rails/acquirer/method.ts'
import { createCardRail, type CardRail } from '#/rails/acquirer/rail.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import { eventually } from '../../../test/eventually.ts'
import { testDatabase, type TestDatabase } from '../../../test/postgres.ts'
import { outcomes } from '../../../test/rails/acquirer/acquirer.ts'
import { all } from '../../../test/rails/rail.ts'
import { acquirer } from './acquirer.ts'
import { createCardPayer } from './pay-card.ts'
import type { RunningProvider } from './provider.ts'

const keys = connectionKeys(Buffer.alloc(32, 0xab), Buffer.alloc(32, 0xef))
const folder = mkdtempSync(join(tmpdir(), 'vintem-acquirer-'))
const calls: {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}[] = []
const vintem = createHttpServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    calls.push({ path: String(request.url), headers: request.headers, body: Buffer.concat(parts) })
    response.end()
  })
})
let database: TestDatabase
let sql: Sql
let book: OpenConnectionBook
let rail: CardRail
let running: RunningProvider

before(async () => {
  vintem.listen(0, '127.0.0.1')
  ;[database, running] = await Promise.all([testDatabase(), start('first'), once(vintem, 'listening')])
  sql = connect(database.appUrl, { max: 1 })
  book = await openConnectionBook({ sql, keys, log: silentLog })
  rail = createCardRail({ connections: book, clock: systemClock, log: silentLog })
})
after(async () => {
  await rail.stop()
  book.close()
  await sql.end()
  vintem.closeAllConnections()
  vintem.close()
  await Promise.all([running.stop(), database[Symbol.asyncDispose]()])
  rmSync(folder, { recursive: true, force: true })
})

async function start(data: string): Promise<RunningProvider> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return acquirer.start({ dataDir: join(folder, data), port, log: silentLog })
}

const connectIt = () =>
  acquirer.connect(running, {
    sql,
    cell: 'a1',
    keys,
    connections: book,
    rails: new Map(),
    apiUrl: `http://127.0.0.1:${(vintem.address() as AddressInfo).port}`,
    callbackUrl: '',
    log: silentLog,
  })

const merchantId = newId<'merchant'>()
const newPayment = () =>
  ({ id: newId<'payment'>(), merchantId, amountMinor: 700n, currency: 'BRL' }) as Payment

async function openAt(connection: ConnectionId, payment: Payment): Promise<OpenedAttempt> {
  const attempt = {
    id: newId<'attempt'>(),
    merchantId,
    paymentId: payment.id,
    method: 'CREDIT_CARD' as const,
    connection,
    amount: { minor: payment.amountMinor, currency: 'BRL' as const },
  }
  const opened = await rail.opens.open({
    ...attempt,
    expiresAt: addMs(systemClock.now(), hourMs),
    pageUrl: 'http://localhost:4001/c/token',
  })
  assert.ok(opened.ok, JSON.stringify(opened))
  return { ...attempt, artifacts: opened.artifacts }
}

/** A developer's payer with a payment whose page opens it once and was not open before. */
function payerOf(connection: ConnectionId, payment = newPayment()) {
  let opening: Promise<OpenedAttempt> | undefined
  const openPage = async () => {
    opening ??= openAt(connection, payment)
    return { payment, attempt: await opening }
  }
  const find = async (_: unknown, id: unknown) => (id === payment.id ? payment : undefined)
  const payer = createCardPayer({ provider: running, find, openPage })
  const check = async () => rail.opens.check((await openPage()).attempt)
  return { payer, check, ref: { merchantId, paymentId: payment.id } }
}

test('the first start makes it a customer; a later start uses the same customer and connection', async () => {
  const id = await connectIt()
  const added = must(book.find(id), 'it was added')
  assert.deepEqual([added.mode, added.method, added.merchantId], ['SANDBOX', 'CREDIT_CARD', undefined])
  assert.notEqual(added.secrets['secretKey'], added.refundSecrets?.['secretKey'])
  assert.equal(await connectIt(), id)
  assert.deepEqual(must(book.find(id), 'it is there').secrets, added.secrets)
  const routed = { mode: 'SANDBOX', merchantId } as const
  assert.deepEqual(rail.route(routed), { ok: true, connection: id, currency: 'BRL' })
  assert.deepEqual(rail.route({ ...routed, currency: 'EUR' }), { ok: true, connection: id, currency: 'EUR' })
  assert.equal(rail.route({ ...routed, currency: 'USD' }).ok, false)
  assert.equal(rail.settlementDelayMs?.(id), 0)
})

const expected = {
  success: ['paid'],
  decline: ['declined'],
  insufficient_funds: ['declined'],
  challenge: ['paid'],
  dispute: ['paid'],
} as const

for (const scenario of card.sandbox.scenarios) {
  test(`${scenario} happens at the acquirer, even if the page was never open`, async () => {
    const id = await connectIt()
    const { payer, check, ref } = payerOf(id)
    assert.deepEqual(await payer.pay(ref, { minor: 700n, scenario }), {})
    const { receipts, isOver } = await check()
    assert.deepEqual(outcomes(receipts), expected[scenario])
    assert.equal(isOver, expected[scenario][0] === 'paid')
    if (scenario === 'insufficient_funds') assert.equal(receipts[0]?.failure?.code, 'insufficient_funds')
    if (scenario === 'challenge') assert.equal(receipts[0]?.means?.['threeDSecure'], 'AUTHENTICATED')
    if (scenario !== 'dispute') return
    const now = systemClock.now()
    const span = { from: addMs(now, -hourMs), to: addMs(now, hourMs), onlyReturned: true }
    const disputed = await eventually('the dispute', async () => {
      const found = await all(must(rail.list, 'it lists')(id, span))
      return found.length > 0 && found
    })
    assert.deepEqual(outcomes(disputed), ['paid', 'dispute_opened', 'dispute_taken'])
  })
}

test('its callback arrives at the connection, and is accepted', async () => {
  const id = await connectIt()
  const { payer, ref } = payerOf(id)
  await payer.pay(ref, { minor: 700n, scenario: 'success' })
  const call = await eventually('the callback of the payment', () =>
    calls.findLast(({ body }) => body.includes('"payment_intent.succeeded"')),
  )
  assert.equal(call.path, `/callbacks/credit-card/${id}`)
  const verdict = await must(rail.callbacks, 'they are signed').verify({
    ...call,
    connection: id,
    receivedAt: systemClock.now(),
  })
  assert.equal(verdict.ok, true)
})

test('another amount, another payment, and a payment that is over cannot be paid', async () => {
  const id = await connectIt()
  const { payer, ref } = payerOf(id)
  await assert.rejects(payer.pay(ref, { minor: 1n, scenario: 'success' }), { code: 'invalid_request' })
  const nobodys = { merchantId, paymentId: newId<'payment'>() }
  await assert.rejects(payer.pay(nobodys, { minor: 700n, scenario: 'success' }), { code: 'not_found' })
  await payer.pay(ref, { minor: 700n, scenario: 'success' })
  await assert.rejects(payer.pay(ref, { minor: 700n, scenario: 'success' }), { code: 'invalid_state' })
  const payment = newPayment()
  const over = createCardPayer({
    provider: running,
    find: async () => payment,
    openPage: async () => ({ payment }),
  })
  await assert.rejects(over.pay(ref, { minor: 700n, scenario: 'success' }), { code: 'invalid_state' })
})

test('an acquirer whose data was removed gets a new customer at the same connection', async () => {
  const id = await connectIt()
  const before = must(book.find(id), 'it is there').secrets
  await running.stop()
  running = await start('second')
  assert.equal(await connectIt(), id)
  const now = must(book.find(id), 'it is there')
  assert.notDeepEqual(now.secrets, before)
  assert.equal(now.settings['apiUrl'], running.apiUrl)
  const { payer, ref } = payerOf(id)
  await payer.pay(ref, { minor: 700n, scenario: 'success' })
  await running.stop()
  const away = payerOf(id)
  await assert.rejects(away.payer.pay(away.ref, { minor: 700n, scenario: 'success' }))
  running = await start('third')
})
