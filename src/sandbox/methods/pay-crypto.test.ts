import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mainToken } from '#/coins/chain.ts'
import type { Address } from '#/evm/address.ts'
import { transferCall } from '#/evm/erc20.ts'
import type { AppError } from '#/kernel/error.ts'
import { newId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { selectPayments } from '#/payments/queries.ts'
import { crypto } from '#/rails/crypto/method.ts'
import { createWatcher } from '#/rails/crypto/watch.ts'
import { eventually } from '../../../test/eventually.ts'
import { keepChain, type KeptChain } from '../../../test/laws/watcher-node.ts'
import { openWorld, type Payment, type Scene, type World } from '../../../test/laws/watcher-world.ts'
import { prepareSandboxChain, type ReadyChain } from '../chain.ts'
import { createSandboxPayer } from '../pay.ts'
import { createCryptoPayer } from './pay-crypto.ts'

let chain: KeptChain
let world: World
let ready: ReadyChain
let scene: Scene
let payer: ReturnType<typeof createSandboxPayer>
const stop = new AbortController()
let watching: Promise<void>
let settling: AsyncDisposable

const prepare = () =>
  prepareSandboxChain({
    ...world,
    log: silentLog,
    rpc: chain.rpc,
    cell: 'a1',
    announce: () => {},
  })

before(async () => {
  chain = await keepChain(300)
  world = await openWorld(() => assert.fail('there is no other chain'))
  ready = await prepare()
  scene = await world.sceneOn(ready.chain)
  const crypto = createCryptoPayer({
    sql: world.sql,
    rpc: chain.rpc,
    ready: () => ready,
    whileStill: chain.whileStill,
    expire: (_, id) => world.expire(scene, { id, address: '0x' }),
  })
  payer = createSandboxPayer({
    payers: new Map([['CRYPTO' as const, crypto]]),
    find: async (merchantId, paymentId) => (await selectPayments(world.sql, [{ merchantId, paymentId }]))[0],
    choose: async () => assert.fail('a payment by one method chooses nothing'),
    expire: async () => assert.fail('nothing expires without a payer'),
  })
  const onViolation = async () => void (await prepare())
  settling = world.keepSettling()
  watching = createWatcher(scene.watching(chain.rpc, { pollMs: 30, onViolation })).run(stop.signal)
})
after(async () => {
  stop.abort()
  await watching
  await settling[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const { scenarios } = crypto.sandbox
const pay = (payment: Payment, scenario: (typeof scenarios)[number] = 'exact') =>
  payer.pay(scene.merchantId, payment.id, { scenario })

const newPayments = (count: number) =>
  Promise.all(Array.from({ length: count }, () => scene.newPayment(1_000n)))

async function isSettled(payment: Payment, received: number): Promise<boolean> {
  return Number((await scene.show(payment))['amountReceived']) === received
}

test('many are paid at once while another caller uses the faucet, and none fails', async () => {
  const payments = await newPayments(16)
  const { faucet } = ready.accounts
  const someone = (async () => {
    for (let sent = 0; sent < 8; sent++) {
      await chain.rpc.sendTransaction({
        from: faucet,
        to: mainToken(ready.chain).address,
        data: transferCall(faucet, { raw: 1n }),
      })
    }
  })()
  const answers = await Promise.all(payments.map((payment) => pay(payment)))
  await someone
  assert.equal(new Set(answers.flatMap(({ txHashes = [] }) => txHashes)).size, 16)
  await Promise.all(payments.map((payment) => eventually('it is paid', () => isSettled(payment, 1_000))))
})

test('each scenario sends what it says, all of them at once', async () => {
  const sums = { exact: 1_000, under: 500, over: 1_100, twice: 2_000, late: 1_000, reorged: 1_000 }
  const payments = await newPayments(scenarios.length)
  const answers = await Promise.all(payments.map((payment, index) => pay(payment, scenarios[index])))
  for (const [index, scenario] of scenarios.entries()) {
    const payment = payments[index] ?? assert.fail()
    await eventually(`${scenario} is settled`, () => isSettled(payment, sums[scenario]))
    assert.equal(answers[index]?.txHashes?.length, scenario === 'twice' ? 2 : 1)
  }
})

test('a second part has gas enough even if the first is swept away before it is mined', async () => {
  const [payment, other] = await newPayments(2)
  assert.ok(payment && other)
  await pay(payment, 'under')
  await eventually('a part is there', () => isSettled(payment, 500))
  const { txHashes = [] } = await pay(payment, 'under')
  const sent = (await chain.rpc.call('eth_getTransactionByHash', txHashes)) as { readonly gas: string }
  // The gas of a transfer to an address without tokens.
  const address = (await scene.show(other))['cryptoAddress']
  const call = {
    from: ready.accounts.payer,
    to: mainToken(ready.chain).address,
    data: transferCall(String(address).toLowerCase() as Address, { raw: 1n }),
  }
  const needed = (await chain.rpc.call('eth_estimateGas', [call])) as string
  assert.ok(BigInt(sent.gas) >= BigInt(needed), `${sent.gas} of ${needed}`)
})

test('a reorganisation removes a payment and restores it once, and no other payment is lost', async (t) => {
  const isOrphaned = async (payment: Payment) =>
    (
      await world.sql`select 1 from chain_transfer join deposit_address using (chain, address)
                      where payment_id = ${payment.id} and state = 'ORPHANED'`
    ).length > 0
  // On a machine that stands still for too long the payment is final before it can be removed: then once more.
  for (let tries = 1; ; tries++) {
    const [through, ...others] = await newPayments(6)
    assert.ok(through)
    const bystanders = (async () => {
      for (const other of others) {
        await pay(other)
        await new Promise((resolve) => setTimeout(resolve, 150))
      }
    })()
    await Promise.all([pay(through, 'reorged'), bystanders])
    for (const payment of [through, ...others])
      await eventually('it is paid', () => isSettled(payment, 1_000))
    if (await isOrphaned(through)) return t.diagnostic(`${tries} tries`)
    assert.ok(tries < 10, 'there is a reorganisation')
  }
})

test('while the chain is away or incomplete the answer is 503, and then it works again', async () => {
  const [payment] = await newPayments(1)
  assert.ok(payment)
  await chain.kill()
  const isUnavailable = (error: AppError) =>
    error.code === 'provider_unavailable' && error.retryAfterMs !== undefined
  await assert.rejects(pay(payment), isUnavailable)
  await chain.back()
  await assert.rejects(pay(payment), isUnavailable)
  await eventually('it can be paid', () =>
    pay(payment).then(
      () => true,
      () => false,
    ),
  )
  await eventually('it is paid', () => isSettled(payment, 1_000))
})

test("a payment that does not exist, or is another merchant's, is not found", async () => {
  const [payment] = await newPayments(1)
  assert.ok(payment)
  const isNotFound = { code: 'not_found' }
  const exact = { scenario: 'exact' as const }
  await assert.rejects(payer.pay(newId<'merchant'>() satisfies MerchantId, payment.id, exact), isNotFound)
  await assert.rejects(payer.pay(scene.merchantId, newId<'payment'>() satisfies PaymentId, exact), isNotFound)
})
