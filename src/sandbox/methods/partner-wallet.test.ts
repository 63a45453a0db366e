// How the sandbox becomes a merchant of its wallet app and stays one, and the payer that a developer plays there.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
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
import { createPartnerPayRail, type PartnerPayRail } from '#/rails/partner-pay/rail.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import { eventually } from '../../../test/eventually.ts'
import { testDatabase, type TestDatabase } from '../../../test/postgres.ts'
import { startTestProvider, type TestProvider } from '../../../test/rails/provider.ts'
import { partnerWallet } from './partner-wallet.ts'
import { createPartnerPayer } from './pay-partner.ts'
import type { RunningProvider } from './provider.ts'

const keys = connectionKeys(Buffer.alloc(32, 0xab), Buffer.alloc(32, 0xef))
const folder = mkdtempSync(join(tmpdir(), 'vintem-partner-'))
let database: TestDatabase
let sql: Sql
let book: OpenConnectionBook
let rail: PartnerPayRail
let vintem: TestProvider
let wallet: RunningProvider

before(async () => {
  ;[database, vintem, wallet] = await Promise.all([
    testDatabase(),
    startTestProvider(() => ({ status: 200, body: { returnCode: 'SUCCESS', returnMessage: null } })),
    start('first'),
  ])
  sql = connect(database.appUrl, { max: 1 })
  book = await openConnectionBook({ sql, keys, log: silentLog })
  rail = createPartnerPayRail({ connections: book, clock: systemClock, log: silentLog })
})
after(async () => {
  await rail.stop()
  book.close()
  await sql.end()
  await Promise.all([wallet.stop(), vintem.stop(), database[Symbol.asyncDispose]()])
  rmSync(folder, { recursive: true, force: true })
})

async function start(data: string): Promise<RunningProvider> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return partnerWallet.start({ dataDir: join(folder, data), port, log: silentLog })
}

const connectIt = () =>
  partnerWallet.connect(wallet, {
    sql,
    cell: 'a1',
    keys,
    connections: book,
    rails: new Map(),
    apiUrl: vintem.url,
    callbackUrl: '',
    log: silentLog,
  })

const merchantId = newId<'merchant'>()
const paymentOf = (more: object = {}) =>
  ({ id: newId<'payment'>(), merchantId, amountMinor: 700n, currency: 'USDT', ...more }) as Payment

async function openAt(connection: ConnectionId, payment: Payment): Promise<OpenedAttempt> {
  const attempt = {
    id: newId<'attempt'>(),
    merchantId,
    paymentId: payment.id,
    method: 'PARTNER_PAY' as const,
    connection,
    amount: { minor: payment.amountMinor, currency: 'USDT' as const },
  }
  const opened = await rail.opens.open({ ...attempt, expiresAt: addMs(systemClock.now(), hourMs) })
  assert.ok(opened.ok, JSON.stringify(opened))
  return { ...attempt, artifacts: opened.artifacts }
}

/** A developer's payer with a payment whose page opens it now and was not open before. */
function payerOf(connection: ConnectionId, payment: Payment) {
  const attempts: OpenedAttempt[] = []
  const payer = createPartnerPayer({
    provider: wallet,
    find: async (_, id) => (id === payment.id ? payment : undefined),
    async openPage() {
      const attempt = await openAt(connection, payment)
      attempts.push(attempt)
      return { payment, attempt }
    },
  })
  return { payer, attempts, ref: { merchantId, paymentId: payment.id } }
}

test('the first start makes it a merchant; a later start uses the same merchant and connection', async () => {
  const id = await connectIt()
  const added = must(book.find(id), 'it was added')
  assert.deepEqual([added.mode, added.method, added.merchantId], ['SANDBOX', 'PARTNER_PAY', undefined])
  assert.notDeepEqual(added.secrets, added.refundSecrets)
  assert.equal(await connectIt(), id)
  assert.deepEqual(must(book.find(id), 'it is there').secrets, added.secrets)
  const routing = rail.route({ mode: 'SANDBOX', merchantId })
  assert.deepEqual(routing, { ok: true, connection: id, currency: 'USDT' })
})

test('a confirmed order is paid even if the page was never open, and the callback arrives at the connection', async () => {
  const id = await connectIt()
  const { payer, attempts, ref } = payerOf(id, paymentOf())
  assert.deepEqual(await payer.pay(ref, { minor: 700n, scenario: 'confirm' }), {})
  const [attempt] = attempts
  assert.ok(attempt !== undefined)
  const { receipts } = await rail.opens.check(attempt)
  assert.deepEqual(
    receipts.map(({ outcome, amount }) => [outcome, amount.minor]),
    [['paid', 700n]],
  )
  const call = await eventually('the callback of the payment', () =>
    vintem.calls.find(({ body }) => body.includes('"PAY_SUCCESS"')),
  )
  assert.equal(call.path, `/callbacks/partner-pay/${id}`)
  const { headers, body } = call
  const signed = { connection: id, headers, body, receivedAt: systemClock.now() }
  assert.equal((await must(rail.callbacks, 'they are signed').verify(signed)).ok, true)
})

test('a refused order is not paid', async () => {
  const id = await connectIt()
  const { payer, attempts, ref } = payerOf(id, paymentOf())
  await payer.pay(ref, { minor: 700n, scenario: 'refuse' })
  const [attempt] = attempts
  assert.ok(attempt !== undefined)
  const { receipts, isOver } = await rail.opens.check(attempt)
  assert.deepEqual([receipts.map(({ outcome }) => outcome), isOver], [['declined'], true])
})

test('another amount, another payment, and a payment that is over cannot be paid', async () => {
  const id = await connectIt()
  const payment = paymentOf()
  const { payer, ref } = payerOf(id, payment)
  await assert.rejects(payer.pay(ref, { minor: 1n, scenario: 'confirm' }), { code: 'invalid_request' })
  const nobodys = { merchantId, paymentId: newId<'payment'>() }
  await assert.rejects(payer.pay(nobodys, { minor: 700n, scenario: 'confirm' }), { code: 'not_found' })
  const over = createPartnerPayer({
    provider: wallet,
    find: async () => payment,
    openPage: async () => ({ payment }),
  })
  await assert.rejects(over.pay(ref, { minor: 700n, scenario: 'confirm' }), { code: 'invalid_state' })
})

test('a wallet app whose data was removed gets a new merchant at the same connection', async () => {
  const id = await connectIt()
  const before = must(book.find(id), 'it is there').secrets
  await wallet.stop()
  wallet = await start('second')
  assert.equal(await connectIt(), id)
  const now = must(book.find(id), 'it is there')
  assert.notDeepEqual(now.secrets, before)
  assert.equal(now.settings['apiUrl'], wallet.apiUrl)
  const { payer, ref } = payerOf(id, paymentOf())
  await payer.pay(ref, { minor: 700n, scenario: 'confirm' })
})

test('while the wallet app is away the payer gets 503', async () => {
  const payment = paymentOf()
  const { payer, ref } = payerOf(await connectIt(), payment)
  await wallet.stop()
  await assert.rejects(wallet.control('GET', '/_sim/state'), { code: 'provider_unavailable' })
  await assert.rejects(payer.pay(ref, { minor: 700n, scenario: 'confirm' }))
  wallet = await start('third')
})
