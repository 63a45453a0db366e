// How the sandbox becomes a customer of its bank, and stays one.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { createCallbackServer } from '#/http/callbacks.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { connectionKeys } from '#/merchants/connections.ts'
import { createPaymentCreator, type PaymentCreator } from '#/payments/create.ts'
import { payoutMethod } from '#/rails/pix/payout.ts'
import { eventually } from '../../../test/eventually.ts'
import { pages } from '../../../test/page-hosts.ts'
import { openPixWorld, type PixWorld } from '../../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../../test/rails/pix/bank.ts'
import { bank as sandboxBank } from './bank.ts'
import type { Owner, RunningProvider } from './provider.ts'

let world: PixWorld
let creator: PaymentCreator
let callbacks: FastifyInstance | undefined

before(async () => {
  world = await openPixWorld()
  // The world's own connection points at no bank; the sandbox makes its own.
  await world.core.sql`
    update connection set method = 'CREDIT_CARD', changed_at = now() where id = ${world.connection}`
  await world.core.connections.refresh()
  const { sql, rails, lane, log } = world.core
  creator = createPaymentCreator({ pages, sql, rails, ledger: lane, clock: systemClock, log })
})
after(async () => {
  await callbacks?.close()
  await creator.close()
  await world[Symbol.asyncDispose]()
})

function asSandboxBank({ apiUrl, controlUrl, control }: PixBank): RunningProvider {
  const plain = (path: string) => path.replace('/_sim', '')
  return {
    apiUrl,
    controlUrl,
    control: (method, path, body) => control(method, plain(path), body as Readonly<Record<string, unknown>>),
    stop: async () => {},
  }
}

/** A start: our callback server opens with the bank's certificate, and the address is registered at the bank. */
async function connect(bank: PixBank, owner?: Owner) {
  await callbacks?.close()
  const running = asSandboxBank(bank)
  const certify = must(sandboxBank.serverCertificate, 'the bank calls with certificates')
  const { sql, connections, rails } = world.core
  const deps = { sql, clock: systemClock, log: silentLog, connections, rails, onSignal: () => {} }
  callbacks = createCallbackServer(deps, await certify(running, '127.0.0.1'))
  await callbacks.listen({ host: '127.0.0.1', port: 0 })
  const { port } = callbacks.server.address() as AddressInfo
  return sandboxBank.connect(running, {
    sql,
    cell: 'a1',
    keys: connectionKeys(Buffer.alloc(32, 0xab), Buffer.alloc(32, 0xef)),
    connections,
    rails,
    apiUrl: '',
    callbackUrl: `https://127.0.0.1:${port}`,
    log: silentLog,
    ...given({ owner }),
  })
}

const create = async () => {
  const request = { amount: 500, paymentMethods: ['PIX'] as const }
  return (await creator.create(world.merchant, newId(), request)).payment
}
const kept = async () => {
  const [row] = await world.core.sql<{ count: number }[]>`
    select count(*)::integer as count from inbox where body::text <> ''`
  return Number(row?.count)
}

/** Creates a charge and pays it; its webhook arrives at the address registered last. */
async function assertWorks(bank: PixBank): Promise<void> {
  const payment = await create()
  const before = await kept()
  await bank.pay(await world.txidOf(payment))
  await eventually('the webhook comes', async () => (await kept()) !== before)
}

test('the first start makes it a customer, and charges and webhooks work', async () => {
  await using bank = await startPixBank()
  const id = await connect(bank)
  await assertWorks(bank)

  // A later start uses the same customer and connection.
  assert.equal(await connect(bank), id)
  const { counts } = (await bank.control('GET', '/health')) as { counts: { applications: number } }
  const before = counts.applications
  assert.equal(await connect(bank), id)
  const after = (await bank.control('GET', '/health')) as { counts: { applications: number } }
  assert.equal(after.counts.applications, before)
  await assertWorks(bank)
})

test('a bank whose data was removed gets the same customer again, at the same connection and key', async () => {
  const [connection] = world.core.connections.all('PIX')
  await using bank = await startPixBank()
  const id = await connect(bank)
  const now = world.core.connections.find(id)
  assert.ok(connection !== undefined && now !== undefined)
  assert.deepEqual([id, now.settings['pixKey']], [connection.id, connection.settings['pixKey']])
  assert.notEqual(now.settings['ca'], connection.settings['ca'])
  await assertWorks(bank)
})

test('payouts use another application than collections, with another secret', async () => {
  const [connection] = world.core.connections.all('PIX')
  assert.ok(connection?.refundSecrets !== undefined)
  assert.notEqual(connection.secrets['clientId'], connection.refundSecrets['clientId'])
  assert.notEqual(connection.secrets['privateKey'], connection.refundSecrets['privateKey'])
})

test('a sandbox with accounts of its own has another key than the shared one, and keeps it when the bank’s data was removed', async () => {
  const { connections } = world.core
  const owner = { merchantId: world.merchant.id, name: 'Ana' }
  const of = (method: string, merchantId?: string) =>
    must(
      connections.all(method).find((each) => each.merchantId === merchantId),
      `there is one of ${method}`,
    )
  const connectBoth = async (bank: PixBank) => [await connect(bank), await connect(bank, owner)]
  await using first = await startPixBank()
  const [shared, own] = await connectBoth(first)
  const before = of('PIX', owner.merchantId)
  assert.deepEqual([of('PIX').id, before.id], [shared, own])
  assert.notEqual(before.settings['pixKey'], of('PIX').settings['pixKey'])
  assert.equal(before.settings['receiverName'], 'Ana')
  const payouts = of(payoutMethod, owner.merchantId)
  assert.deepEqual(
    [payouts.settings['account'], payouts.settings['pixKey']],
    [own, before.settings['pixKey']],
  )
  await assertWorks(first)
  // Another bank, which knows neither of them.
  await using second = await startPixBank()
  assert.deepEqual(await connectBoth(second), [shared, own])
  const after = of('PIX', owner.merchantId)
  assert.equal(after.settings['pixKey'], before.settings['pixKey'])
  assert.notEqual(after.secrets['clientId'], before.secrets['clientId'])
  assert.equal(of(payoutMethod, owner.merchantId).id, payouts.id)
  await assertWorks(second)
})
