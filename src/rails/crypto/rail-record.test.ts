// What a payment's record shows of its deposits, what signals become, and which chain takes a payment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chain } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import { baseUnitsPerCent } from '#/coins/units.ts'
import type { Sql } from '#/db/client.ts'
import { factoryAddress, implementationAddress, toChecksum, type Address } from '#/evm/address.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { RoutingRequest } from '#/rails/routing.ts'
import { bareId, onRows } from '../../../test/bare-rows.ts'
import { rowsDatabase } from '../../../test/file-database.ts'
import { merchantId } from '../../../test/rails/rail.ts'
import { createCryptoRail } from './rail.ts'
import type { TransferSignal } from './signal.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const treasury: Address = `0x${'aa'.repeat(20)}`
const chainOf = (key: string, network: string): Chain => ({
  key,
  mode: 'SANDBOX',
  connection: `a1-${key}` as ConnectionId,
  chainId: 56n,
  network,
  tokens: [usdtAt(treasury)],
  treasury,
  factory: factoryAddress(treasury),
  implementation: implementationAddress(treasury),
  confirmationsMin: 12,
})
const bsc = chainOf('bsc', 'BSC')
// The usual network is not the first.
const rail = createCryptoRail(() => [chainOf('other', 'POLYGON'), bsc])

const hash = (number: number) => `0x${String(number).padStart(64, '0')}`
const stored = (hex: string) => `\\x${hex.slice(2)}`
const ref = { merchantId: bareId(1) as MerchantId, paymentId: bareId(11) as PaymentId }
const deposit = {
  chain: 'bsc',
  address: stored(treasury),
  merchant_id: ref.merchantId,
  payment_id: ref.paymentId,
  asked: 12_340_000_000_000_000_000n.toString(),
  received: 0,
  held: 0,
}

/** Transaction 1 is the oldest. In a block a second apart from the next. */
const transfer = (number: number, more: object = {}) => ({
  chain: 'bsc',
  address: deposit.address,
  tx_hash: stored(hash(number)),
  ordinal: 0,
  block_number: number,
  block_at: new Date(1_794_000_000_000 + 1_000 * number).toISOString(),
  log_index: 0,
  value: number,
  state: 'FINAL',
  ...more,
})
const tables = (count: number, more: object = {}) => ({
  chain: [{ key: 'bsc', network: 'BSC', chain_id: 56, number: 100 }],
  chain_token: [{ chain: 'bsc', symbol: 'USDT', address: stored(treasury), decimals: 6 }],
  deposit_address: [{ ...deposit, ...more }],
  deposit_count: [{ chain: 'bsc', address: deposit.address, transfers: count }],
  chain_transfer: [
    ...Array.from({ length: count - 1 }, (_, index) => transfer(index + 2)),
    // The oldest of all, of the transaction that has the newest one too.
    transfer(1, { tx_hash: stored(hash(count)), ordinal: 1 }),
  ],
})

async function shown(count: number, completing?: string, more: object = {}) {
  const fields = await onRows(sql, tables(count, more), async (tx) =>
    (await rail.record.describe(tx, [{ ...ref, ...given({ completing }) }])).get(ref.paymentId),
  )
  return fields as Readonly<Record<string, unknown>> & { readonly deposits: readonly { amount: string }[] }
}
const amounts = async (count: number, completing?: string) =>
  (await shown(count, completing)).deposits.map(({ amount }) => Number(amount))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('a record shows the ten newest deposits, the oldest first, and always the one that completed the sum', async () => {
  for (const [count, completing, values] of [
    [1, undefined, [1]],
    [10, undefined, range(1, 10)],
    [12, undefined, range(3, 12)],
    // It is among them: by its transaction, or by its place in it.
    [12, hash(5), range(3, 12)],
    [12, `${hash(5)}:0`, range(3, 12)],
    [12, hash(12), range(3, 12)],
    // It is older: it stands in place of the oldest.
    [12, `${hash(2)}:0`, [2, ...range(4, 12)]],
    [12, hash(2), [2, ...range(4, 12)]],
    [12, `${hash(12)}:1`, [1, ...range(4, 12)]],
    [11, `${hash(11)}:1`, [1, ...range(3, 11)]],
    // It is none of the chain.
    [12, 'a name of another rail', range(3, 12)],
    [12, hash(99), range(3, 12)],
  ] as const)
    assert.deepEqual(await amounts(count, completing), values, `${count} ${completing ?? ''}`)
})

test('a record says how many deposits there are, and what was received where that is no whole number of cents', async () => {
  const whole = await shown(12)
  assert.deepEqual(
    [whole['depositCount'], whole['cryptoNetwork'], whole['cryptoReceived']],
    [12, 'BSC', undefined],
  )
  const cent = 10n ** 16n
  for (const [received, is] of [
    [cent, undefined],
    [cent + 1n, String(cent + 1n)],
    [1n, '1'],
  ] as const)
    assert.equal((await shown(3, undefined, { received }))['cryptoReceived'], is, String(received))
})

test('a record says the amount in 18 decimals and in those of the token’s contract, also while the node is away', async () => {
  const away = createCryptoRail(() => [])
  const fields = await onRows(sql, tables(1), async (tx) =>
    (await away.record.describe(tx, [ref])).get(ref.paymentId),
  )
  assert.deepEqual(
    Object.entries(fields ?? {}).filter(([name]) => /^crypto(?!Address|Received)/.test(name)),
    [
      ['cryptoAmount', '12340000000000000000'],
      ['cryptoNetwork', 'BSC'],
      ['cryptoCurrency', 'USDT'],
      ['cryptoAmountToken', '12340000'],
      ['cryptoDecimals', 6],
      ['cryptoContract', toChecksum(treasury)],
      ['cryptoChainId', 56],
    ],
  )
})

test('all deposits are read page by page, the newest first, and a page names where the next one begins', async () => {
  const page = (limit: number, after?: readonly string[]) =>
    onRows(sql, tables(3), (tx) => rail.record.deposits?.(tx, ref, { limit, ...given({ after }) }))
  const valuesOf = (found: Awaited<ReturnType<typeof page>>) =>
    found?.data.map(({ amount }) => Number(amount))
  const first = await page(2)
  assert.deepEqual(valuesOf(first), [3, 2])
  assert.deepEqual(first?.next, [transfer(2).block_at, '2', '0'])
  const second = await page(2, first.next)
  assert.deepEqual([valuesOf(second), second?.next], [[1], undefined])
  const all = await page(3)
  assert.deepEqual([valuesOf(all), all?.next], [[3, 2, 1], undefined])
  const [at, block, log] = first.next
  for (const wrong of [
    [],
    ['yesterday', block, log],
    [at, '-1', log],
    [at, '1'.repeat(19), log],
    [at, block, '1'.repeat(10)],
    [at, block, 'x'],
    [at, block, log, 'more'],
  ] as string[][])
    assert.equal(await page(2, wrong), undefined, wrong.join())
})

test('a payment is credited the whole cents by which its address grew, exactly', async () => {
  const cent = baseUnitsPerCent
  const { units } = rail.coins
  const values = [cent / 2n, cent / 4n]
  const receipts = (
    await Promise.all(values.map((value) => read(signal({ outcome: 'paid', value: String(value) }))))
  ).flat()
  await onRows(sql, tables(1, { received: String(cent / 2n), held: 0 }), async (tx) => {
    const view = await units.load(tx, receipts)
    assert.deepEqual(
      receipts.map((receipt) => view.credit(receipt)),
      [1n, 0n],
    )
    await view.save(tx)
    const [row] = await tx`select received::text, held::text from deposit_address`
    assert.deepEqual({ ...row }, { received: String(cent + cent / 4n), held: String((3n * cent) / 4n) })
  })
})

const signal = (more: Partial<TransferSignal>): TransferSignal => ({
  chain: 'bsc',
  outcome: 'seen',
  occurrence: 2,
  merchantId: ref.merchantId,
  paymentId: ref.paymentId,
  attemptId: bareId(21),
  blockHash: hash(7),
  blockAt: '2026-11-22T00:00:00Z',
  logIndex: 3,
  txHash: hash(50),
  ordinal: 1,
  address: treasury,
  value: String(baseUnitsPerCent * 5n),
  log: {},
  ...more,
})
const read = (sent: TransferSignal, by = rail) =>
  Promise.resolve(
    by.read({ connection: bsc.connection, receivedAt: new Date(0), body: Buffer.from(JSON.stringify(sent)) }),
  )

test('a transfer counts once in each block while it is not final, and once as money; of a lost payment only money counts', async () => {
  const names = async (more: Partial<TransferSignal>) =>
    (await read(signal(more))).map(({ outcome, providerRef, occurrence }) => [
      outcome,
      providerRef,
      occurrence,
    ])
  const inBlock = `${hash(7)}:3`
  assert.deepEqual(await names({}), [['seen', inBlock, 2]])
  assert.deepEqual(await names({ outcome: 'orphaned' }), [['orphaned', inBlock, 2]])
  assert.deepEqual(await names({ outcome: 'paid' }), [['paid', `${hash(50)}:1`, 1]])
  const isLost = true as const
  assert.deepEqual(await names({ isLost }), [])
  assert.deepEqual(await names({ isLost, outcome: 'orphaned' }), [])
  assert.equal((await names({ isLost, outcome: 'paid' })).length, 1)
})

test('what a chain showed is settled there, also while its node is away', async () => {
  const away = createCryptoRail(() => [])
  await read(signal({}), away)
  assert.deepEqual(away.arrival(bsc.connection), { at: 'CHAIN', chain: 'bsc', token: 'USDT' })
})

test('a payment in USDT or USD goes to BSC, or to the network that is named in any capitals or by an alias', () => {
  const route = (more: Partial<RoutingRequest>) => {
    const routing = rail.route({ mode: 'SANDBOX', merchantId, currency: 'USDT', ...more })
    return routing.ok ? routing.connection : routing.code
  }
  for (const [more, then] of [
    [{}, 'a1-bsc'],
    [{ currency: 'USD' }, 'a1-bsc'],
    [{ currency: 'EUR' }, 'currency_not_supported'],
    [{ mode: 'LIVE' }, 'method_not_available'],
    [{ metadata: { cryptoNetwork: 'POLYGON' } }, 'a1-other'],
    [{ metadata: { cryptoNetwork: 'polygon' } }, 'a1-other'],
    [{ metadata: { cryptoNetwork: 'Matic' } }, 'a1-other'],
    [{ metadata: { cryptoNetwork: 'BEP20', cryptoCurrency: 'usdt' } }, 'a1-bsc'],
    [{ metadata: { cryptoNetwork: null, cryptoCurrency: null } }, 'a1-bsc'],
    [{ metadata: { cryptoNetwork: 'TRON' } }, 'network_not_supported'],
    // Known, and not connected.
    [{ metadata: { cryptoNetwork: 'ERC20' } }, 'network_not_supported'],
    [{ metadata: { cryptoNetwork: '' } }, 'network_not_supported'],
    [{ metadata: { cryptoNetwork: 56 } }, 'network_not_supported'],
    [{ metadata: { cryptoCurrency: 'USDC' } }, 'network_not_supported'],
    [{ metadata: { cryptoCurrency: ['USDT'] } }, 'network_not_supported'],
  ] as const)
    assert.equal(route(more), then, JSON.stringify(more))
  const refused = rail.route({
    mode: 'SANDBOX',
    merchantId,
    currency: 'USDT',
    metadata: { cryptoNetwork: 'TRON' },
  })
  assert.ok(!refused.ok)
  assert.deepEqual(
    [refused.detail, refused.pointer],
    ['The network can be POLYGON or BSC.', '/metadata/cryptoNetwork'],
  )
})

test('a payment that names no network never goes to another one than BSC', () => {
  const without = (isAwaited: boolean, metadata = {}) => {
    const polygon = createCryptoRail(
      () => [chainOf('other', 'POLYGON')],
      undefined,
      () => isAwaited,
    )
    const routing = polygon.route({ mode: 'SANDBOX', merchantId, currency: 'USDT', metadata })
    return routing.ok ? routing.connection : routing.code
  }
  assert.equal(without(true), 'provider_unavailable')
  assert.equal(without(false), 'method_not_available')
  assert.equal(without(true, { cryptoNetwork: 'POLYGON' }), 'a1-other')
  assert.equal(without(true, { cryptoNetwork: 'TRON' }), 'network_not_supported')
})
