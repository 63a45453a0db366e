// A call that repeats an earlier one with the address in other capitals is the same call, at every door that compares bodies; one with
// another address is not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { usdtAt } from '#/coins/networks.ts'
import { toChecksum } from '#/evm/address.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { insertDestination } from '#/money-out/queries.ts'
import { routePayout } from '#/treasury/payout.ts'
import { partly } from '../partly.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { openRefundWorld } from '../refund-world.ts'
import type { Answer, Api, Tenant } from './world.ts'

type Row = Readonly<Record<string, unknown>>

const lower = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const spellings = [lower, `0x${lower.slice(2).toUpperCase()}`, toChecksum(lower)]
const another = '0x8ba1f109551bd432803012645ac136ddd64dba72'
const of = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`

let world: Awaited<ReturnType<typeof openRefundWorld>>
let api: Api
let tenant: Tenant
before(async () => {
  world = await openRefundWorld()
  const chain = {
    key: 'sandbox',
    mode: 'SANDBOX' as const,
    connection: 'a1-chain' as ConnectionId,
    chainId: 31_337n,
    network: 'BSC',
    tokens: [usdtAt(of('1'))],
    treasury: of('2'),
    factory: of('3'),
    implementation: of('4'),
    confirmationsMin: 1,
  } as const
  const [pix] = testPayoutRails().values()
  assert.ok(pix)
  const rail = {
    ...pix,
    type: 'CRYPTO' as const,
    route: (request: Parameters<typeof routePayout>[1]) => routePayout([{ chain, hot: of('5') }], request),
  }
  const { withdrawals } = world.base.depsWith(partly({}))
  api = await world.base.openApi({
    withdrawals: { ...withdrawals, rails: new Map([['CRYPTO', rail]]) },
  })
  tenant = await world.base.openTenant()
  await world.base.fund(tenant, 100_000n, 'USDT')
  await insertDestination(world.base.sql, {
    merchantId: tenant.id,
    type: 'CRYPTO',
    destination: toChecksum(lower),
    note: null,
  })
})
after(() => world.base.close())

const order = (cryptoAddress: string): Row => ({
  amount: 100,
  currency: 'USDT',
  type: 'CRYPTO',
  cryptoAddress,
})

const post = (path: string, body: Row): Promise<Answer> => api.ask('POST', path, { key: tenant.key, body })

/** The first call is made; each other spelling is a replay of it, and another address is a conflict. */
async function repeats(call: (address: string, other: string) => Promise<Answer>): Promise<void> {
  for (const first of spellings) {
    const made = await call(first, first)
    assert.equal(made.status, 201, made.text)
    for (const again of spellings) {
      const replayed = await call(again, first)
      assert.deepEqual([replayed.status, replayed.body['id']], [201, made.body['id']], again)
      assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
    }
    const conflict = await call(another, first)
    assert.deepEqual([conflict.status, conflict.body['code']], [409, 'idempotency_conflict'])
  }
}

test('a withdrawal', () =>
  repeats((address, key) => post('/v1/withdrawals', { ...order(address), idempotencyKey: `one-${key}` })))

test('a withdrawal whose network and token are spelled in any capitals, or by an alias', async () => {
  const call = (cryptoNetwork: string, cryptoCurrency: string) =>
    post('/v1/withdrawals', { ...order(lower), cryptoNetwork, cryptoCurrency, idempotencyKey: 'spelled' })
  const made = await call('bep20', 'usdt')
  assert.equal(made.status, 201, made.text)
  assert.deepEqual([made.body['cryptoNetwork'], made.body['cryptoCurrency']], ['BSC', 'USDT'])
  for (const [network, token] of [
    ['BSC', 'USDT'],
    ['Bsc', 'uSDT'],
  ] as const) {
    const again = await call(network, token)
    assert.deepEqual([again.status, again.body['id']], [201, made.body['id']], network)
  }
  const unknown = await post('/v1/withdrawals', { ...order(lower), cryptoNetwork: 'erc20' })
  assert.deepEqual(
    [unknown.status, unknown.body['code'], unknown.body['detail']],
    [422, 'network_not_supported', 'The network can be BSC.'],
  )
})

test('a batch, each of whose addresses is spelled in its own way', () =>
  repeats((address, key) => {
    const withdrawals = [
      order(address),
      order(
        address === another ? lower : (spellings[spellings.length - 1 - spellings.indexOf(address)] ?? ''),
      ),
    ]
    return post('/v1/withdrawal-batches', { idempotencyKey: `all-${key}`, withdrawals })
  }))

test('a schedule', async () => {
  await insertDestination(world.base.sql, {
    merchantId: tenant.id,
    type: 'CRYPTO',
    destination: toChecksum(another),
    note: null,
  })
  const { body } = await api.ask('GET', '/v1/wallets', { key: tenant.key })
  const wallet = (body['data'] as readonly Row[]).find(({ currency }) => currency === 'USDT')
  const { amount: _amount, ...terms } = order(lower)
  const rule = { walletId: wallet?.['id'], rhythm: 'DAILY', time: '06:00', timeZone: 'America/Sao_Paulo' }
  await repeats((cryptoAddress, key) =>
    post('/v1/payout-schedules', { ...terms, ...rule, cryptoAddress, idempotencyKey: `plan-${key}` }),
  )
})

test('a refund', async () => {
  const shop = await world.base.openTenant()
  await repeats(async (cryptoAddress, key) => {
    const payment = payments.get(key) ?? (await paid(shop))
    payments.set(key, payment)
    return world.refund(shop, payment, { amount: 100, cryptoAddress, idempotencyKey: `back-${key}` })
  })
})

const payments = new Map<string, Awaited<ReturnType<typeof world.payment>>>()

async function paid(shop: Tenant) {
  const id = await world.payment(shop)
  await world.arrive(shop, id, { by: 'CRYPTO', minor: 1_000n })
  return id
}
