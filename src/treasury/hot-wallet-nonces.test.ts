// Which transactions a wallet gives a nonce now, by what it holds, what the signer allows, and what is under way. Without a chain.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mainToken } from '#/coins/chain.ts'
import type { Sql } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import type { Rpc } from '#/evm/client.ts'
import { ProviderError } from '#/kernel/error.ts'
import { minuteMs, monotonicMs, secondMs } from '#/kernel/time.ts'
import { bareAttempt, bareSender, feesOf, gwei, type BareSender } from '../../test/bare-sender.ts'
import { fileDatabase } from '../../test/file-database.ts'
import type { HotWalletDeps } from './hot-wallet-lease.ts'
import { assignNonces } from './hot-wallet-queue.ts'
import type { Done, Scene } from './hot-wallet-send.ts'
import type { OpenTx, SignerStatus } from './outgoing.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner), 3)

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}` as const
/** A node that says what the wallet has at the final block. */
const nodeWith = (units: bigint, wei: bigint): Partial<Rpc> => ({
  ethCall: async () => word(units),
  call: async () => `0x${wei.toString(16)}`,
})
const rich = nodeWith(1_000n, 10n ** 18n)

const view = { head: 100n, headNonce: 5n, final: 90n, finalNonce: 5n }
const usual = feesOf(2n)
/** What 100 gas cost at the usual fee. */
const fee = 200n * gwei

/** One pass of the queue with these transactions under way. */
function assign(
  sender: BareSender,
  open: readonly OpenTx[] = [],
  more: Partial<HotWalletDeps> = {},
): Promise<Done> {
  return assignNonces({ ...sender.deps, ...more }, sender.hold(), { view, open, usual } satisfies Scene)
}

/** The states of the wallet's transactions. */
async function stateOf(sender: BareSender): Promise<readonly string[]> {
  return (await sender.states()).map(([state]) => state)
}

/** A signer that has this to say about the wallet's key. */
function signerSaying(
  { deps }: BareSender,
  status: Partial<SignerStatus>,
  asked: { times: number } = { times: 0 },
) {
  const own = { key: deps.wallet.address, chainId: deps.chain.chainId, caps: [], ...status }
  return {
    ...deps.signer,
    status: async () => {
      asked.times += 1
      return [own]
    },
  }
}

describe('places', () => {
  const many = (sender: BareSender, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_each, index) =>
        sender.open({ nonce: 5n + BigInt(index), attempts: [bareAttempt(50 + index)], units: 1n }),
      ),
    )

  test('sixteen may be under way: one place more is given, and then nobody is asked', async () => {
    const sender = await bareSender(sql, { said: rich })
    const open = await many(sender, 15)
    await sender.queue()
    await sender.queue()
    const asked = { times: 0 }
    const signer = signerSaying(sender, {}, asked)
    assert.deepEqual(await assign(sender, open, { signer }), { count: 1 })
    assert.deepEqual((await stateOf(sender)).slice(-2), ['RESERVED', 'QUEUED'])
    const next = await sender.open({ nonce: 20n, attempts: [bareAttempt(70)] })
    assert.deepEqual(await assign(sender, [...open, next], { signer }), { count: 0 })
    assert.equal(asked.times, 1)
  })

  test('nothing gets a nonce while one before it has no signature', async () => {
    const sender = await bareSender(sql, { said: rich })
    await sender.queue()
    assert.deepEqual(await assign(sender, [await sender.open()]), { count: 0 })
    assert.deepEqual(await stateOf(sender), ['QUEUED', 'RESERVED'])
  })

  test('when the places are full, the rest waits for a place alone', async () => {
    const sender = await bareSender(sql, { said: rich })
    await sender.queue()
    await sender.queue({ units: 5_000n })
    assert.deepEqual(await assign(sender, [], { inFlightMax: 1 }), { count: 1 })
  })

  test('a signer that failed is left alone for its pause', async () => {
    const sender = await bareSender(sql, { said: rich })
    await sender.queue()
    const later = { retryAt: monotonicMs() + minuteMs, answer: { waiting: 'SIGNER: busy' } }
    const held = sender.hold({ signer: later })
    const scene = { view, open: [], usual }
    assert.deepEqual(await assignNonces(sender.deps, held, scene), { count: 0, waiting: 'SIGNER: busy' })
    held.signer = { ...later, retryAt: 0 }
    assert.deepEqual(await assignNonces(sender.deps, held, scene), { count: 1 })
  })
})

describe('room', () => {
  const short = 'TOKENS'
  for (const [name, units, wei, waiting] of [
    ['exactly as much as it needs', 14n, 2n * fee + 6n, undefined],
    ['one unit too little', 13n, 2n * fee + 6n, short],
    ['one wei too little', 14n, 2n * fee + 5n, 'GAS'],
  ] as const)
    test(`a wallet with ${name} for two ${waiting === undefined ? 'sends both' : 'sends one'}`, async () => {
      const sender = await bareSender(sql, { said: nodeWith(units, wei) })
      await sender.queue({ value: 3n })
      await sender.queue({ value: 3n })
      const count = waiting === undefined ? 2 : 1
      assert.deepEqual(await assign(sender), waiting === undefined ? { count } : { count, waiting })
    })

  test('what is under way is spent already, at the fees of its last attempt, unless the final block has it', async () => {
    const cost = 100n * 3n * gwei
    const sender = await bareSender(sql, { said: nodeWith(14n, fee + cost + 3n) })
    const attempts = [bareAttempt(50), bareAttempt(51, { fees: feesOf(3n) })]
    const open = [
      await sender.open({ nonce: 4n, units: 1_000n, attempts }),
      await sender.open({ nonce: 5n, value: 3n, attempts }),
    ]
    await sender.queue()
    assert.deepEqual(await assign(sender, open), { count: 1 })
    const poor = await bareSender(sql, { said: nodeWith(14n, fee + cost + 2n) })
    const under = await poor.open({ nonce: 5n, value: 3n, attempts })
    await poor.queue()
    assert.deepEqual(await assign(poor, [under]), { count: 0, waiting: 'GAS' })
    const few = await bareSender(sql, { said: nodeWith(13n, 10n ** 18n) })
    const moving = await few.open({ nonce: 5n, attempts })
    await few.queue()
    assert.deepEqual(await assign(few, [moving]), { count: 0, waiting: short })
  })

  test('what is smaller passes what does not fit, and an alarm is logged once about what has waited for ten minutes', async () => {
    const sender = await bareSender(sql, { said: nodeWith(7n, 10n ** 18n) })
    const since = (await readNow(sql)).getTime()
    const old = new Date(since - 10 * minuteMs - secondMs)
    await sender.queue({ units: 8n, at: old })
    await sender.queue()
    const held = sender.hold()
    const scene = { view, open: [], usual }
    assert.deepEqual(await assignNonces(sender.deps, held, scene), { count: 1, waiting: short })
    assert.deepEqual(await stateOf(sender), ['QUEUED', 'RESERVED'])
    assert.deepEqual(sender.logged, ['a transaction waits too long in the queue'])
    await assignNonces(sender.deps, held, scene)
    assert.equal(sender.logged.length, 1)
    const young = await bareSender(sql, { said: nodeWith(7n, 10n ** 18n) })
    await young.queue({ units: 8n, at: new Date(since - 9 * minuteMs) })
    assert.deepEqual(await assign(young), { count: 0, waiting: short })
    assert.deepEqual(young.logged, [])
  })
})

describe('the signer’s limits', () => {
  /** Two payouts of 7 units and 100 gas each, under this status of the signer. */
  async function under(status: (sender: BareSender) => Partial<SignerStatus>): Promise<Done> {
    const sender = await bareSender(sql, { said: rich })
    await sender.queue()
    await sender.queue()
    return assign(sender, [], { signer: signerSaying(sender, status(sender)) })
  }
  const token = ({ deps }: BareSender) => mainToken(deps.chain).address

  for (const [name, status, expected] of [
    [
      'units for both',
      (of: BareSender) => ({ caps: [{ what: token(of), spent: 6n, cap: 20n }] }),
      { count: 2 },
    ],
    [
      'units for one',
      (of: BareSender) => ({ caps: [{ what: token(of), spent: 7n, cap: 20n }] }),
      { count: 1, waiting: 'SIGNER: 7 is over what its daily cap leaves, 6' },
    ],
    ['fees for both', () => ({ caps: [{ what: 'fees', spent: fee, cap: 3n * fee }] }), { count: 2 }],
    [
      'fees for one',
      () => ({ caps: [{ what: 'fees', spent: fee + 1n, cap: 3n * fee }] }),
      { count: 1, waiting: `SIGNER: a fee of ${fee} wei is over what its daily cap leaves, ${fee - 1n}` },
    ],
    ['the usual fee', () => ({ maxFeePerGas: 2n * gwei }), { count: 2 }],
    [
      'less than the usual fee',
      () => ({ maxFeePerGas: 2n * gwei - 1n }),
      { count: 0, waiting: `SIGNER: the usual fee is over ${2n * gwei - 1n} wei for one gas` },
    ],
    [
      'nothing, with another key',
      () => ({ key: `0x${'9'.repeat(40)}`, maxFeePerGas: 1n }) as const,
      { count: 2 },
    ],
    ['nothing, on another chain', () => ({ chainId: 1n, maxFeePerGas: 1n }), { count: 2 }],
  ] as const)
    test(`a signer that allows ${name}: ${JSON.stringify(expected.count)}`, async () => {
      assert.deepEqual(await under(status), expected)
    })

  const each = ({ deps }: BareSender, most: bigint) =>
    ({ caps: [{ what: mainToken(deps.chain).address, spent: 0n, cap: 10n ** 6n, each: most }] }) as const

  test('a payout above the cap on one transfer fails, and its end is told; one at the cap goes', async () => {
    let ends = 0
    const onEnded = () => void (ends += 1)
    const sender = await bareSender(sql, { said: rich, onEnded })
    await sender.queue({ units: 8n })
    await sender.queue()
    const signer = signerSaying(sender, each(sender, 7n))
    assert.deepEqual(await assign(sender, [], { signer }), { count: 1 })
    assert.deepEqual(await sender.states(), [
      ['FAILED', 'amount_not_allowed'],
      ['RESERVED', null],
    ])
    assert.equal(ends, 1)
    await sender.queue()
    await assign(sender, [], { signer })
    assert.equal(ends, 1)
  })

  test('the cap on a transfer of a wallet that pays out nothing fails no payout', async () => {
    const sender = await bareSender(sql, { said: rich })
    const payout = await sender.queue({ units: 8n })
    const wallet = { ...sender.deps.wallet, purpose: 'treasury' as const }
    const signer = signerSaying(sender, each(sender, 7n))
    assert.deepEqual(await assign(sender, [], { wallet, signer }), { count: 0 })
    const [row] = await sql`select state from chain_tx where id = ${payout}`
    assert.deepEqual(row, { state: 'QUEUED' })
  })

  test('a signer that does not answer is a reason to wait and to pause; a fault of ours is not', async () => {
    const sender = await bareSender(sql, { said: rich })
    await sender.queue()
    const failing = (error: Error) => ({ ...sender.deps.signer, status: () => Promise.reject(error) })
    const held = sender.hold()
    const scene = { view, open: [], usual }
    const busy = { ...sender.deps, signer: failing(new ProviderError('unavailable', 'busy')) }
    assert.deepEqual(await assignNonces(busy, held, scene), { count: 0, waiting: 'SIGNER: busy' })
    assert.deepEqual(held.signer?.answer, { waiting: 'SIGNER: busy' })
    assert.deepEqual(sender.logged, ['the signer does not answer'])
    const broken = { ...sender.deps, signer: failing(new TypeError('ours')) }
    await assert.rejects(assignNonces(broken, sender.hold(), scene), TypeError)
  })
})

describe('the gate', () => {
  /** A gate that stops these payouts, and the lists that it was asked about. */
  function gate(...stopped: string[]) {
    const asked: (readonly string[])[] = []
    const stillLeaving = async (_tx: unknown, payouts: readonly string[]) => {
      asked.push(payouts)
      return new Set(payouts.filter((each) => !stopped.includes(each)))
    }
    return { stillLeaving, asked }
  }

  test('a payout that may not leave now waits on, is no reason to wait, and takes no other’s place', async () => {
    const sender = await bareSender(sql, { said: rich })
    const ids = [await sender.queue(), await sender.queue(), await sender.queue(), await sender.queue()]
    const { stillLeaving, asked } = gate(ids[0] ?? '', ids[1] ?? '')
    assert.deepEqual(await assign(sender, [], { stillLeaving, inFlightMax: 2 }), { count: 2 })
    assert.deepEqual(await stateOf(sender), ['QUEUED', 'QUEUED', 'RESERVED', 'RESERVED'])
    assert.deepEqual(asked, [ids.slice(0, 2), ids.slice(2)])
    const alone = gate(ids[0] ?? '', ids[1] ?? '')
    assert.deepEqual(await assign(sender, [], { ...alone }), { count: 0 })
    assert.deepEqual(alone.asked, [ids.slice(0, 2)])
    const poor = await bareSender(sql, { said: nodeWith(1_000n, 0n) })
    const { asked: _asked, ...stops } = gate(await poor.queue())
    assert.deepEqual(await assign(poor, [], stops), { count: 0 }, 'it does not wait for gas')
  })

  test('a page of which one is stopped is followed by the next, up to the places', async () => {
    const sender = await bareSender(sql, { said: rich })
    const ids = [await sender.queue(), await sender.queue(), await sender.queue(), await sender.queue()]
    const { stillLeaving } = gate(ids[0] ?? '')
    assert.deepEqual(await assign(sender, [], { stillLeaving, inFlightMax: 2 }), { count: 2 })
    assert.deepEqual(await stateOf(sender), ['QUEUED', 'RESERVED', 'RESERVED', 'QUEUED'])
  })

  test('it is asked about payouts, never about our own movements, and not about an empty queue', async () => {
    const { stillLeaving, asked } = gate()
    const own = await bareSender(sql, { said: rich })
    const mover = await bareSender(sql, { said: rich, purpose: 'treasury' })
    await mover.queue()
    assert.deepEqual(await assign(mover, [], { stillLeaving }), { count: 1 })
    assert.deepEqual(await assign(own, [], { stillLeaving }), { count: 0 })
    assert.deepEqual(asked, [])
  })
})
