// One pass of a wallet that sends: when it asks the chain, what it writes of the answer, and when it sends nothing. On a node whose blocks a
// case writes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Hex } from 'viem'
import { mainToken } from '#/coins/chain.ts'
import { haltText } from '#/coins/halt-reasons.ts'
import type { Sql } from '#/db/client.ts'
import { ProviderError } from '#/kernel/error.ts'
import { minuteMs, monotonicMs, secondMs } from '#/kernel/time.ts'
import { bareAddress } from '../../test/bare-coins.ts'
import { bareHash, bareNode, type BareMined, type BareNode } from '../../test/bare-node.ts'
import { bareAttempt, bareSender, type BareSender } from '../../test/bare-sender.ts'
import { eventually } from '../../test/eventually.ts'
import { fileDatabase } from '../../test/file-database.ts'
import type { Held, HotWalletDeps } from './hot-wallet-lease.ts'
import { createHotWallet, step } from './hot-wallet.ts'
import { insertAttempts } from './outgoing-queries.ts'
import type { ChainTxId } from './outgoing.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner), 4)

type Scene = {
  readonly node: BareNode
  readonly sender: BareSender
  readonly deps: HotWalletDeps
  /** The wallet's row. */
  row(): Promise<{
    readonly stopped: string | null
    readonly waiting: string | null
    readonly isFree: boolean
  }>
  set(column: 'stopped' | 'waiting', value: string): Promise<void>
  /** Transactions of the wallet in a block: the movement that each should make, or none. */
  ours(hash: Hex, moves?: boolean): BareMined
  /** A transaction that was sent under this nonce, and the hash of its attempt. */
  sentUnder(nonce: bigint): Promise<{ readonly id: ChainTxId; readonly hash: Hex }>
}

/** Each attempt has another hash. */
let hashes = 100
const strange = bareHash(60)

/** A wallet with enough of everything, on a node of its own. */
async function scene(more: Partial<HotWalletDeps> = {}): Promise<Scene> {
  const node = bareNode()
  const sender = await bareSender(sql, { rpc: node.rpc, strangerMs: 0, ...more })
  const { chain, wallet } = sender.deps
  node.units.set(wallet.address, 1_000n)
  node.wei.set(wallet.address, 10n ** 18n)
  return {
    node,
    sender,
    deps: sender.deps,
    async row() {
      const [row] = await sql`
        select stopped, waiting, lease_until is null as "isFree" from hot_wallet where chain = ${chain.key}`
      return row as Awaited<ReturnType<Scene['row']>>
    },
    async set(column, value) {
      await sql`update hot_wallet set ${sql(column)} = ${value} where chain = ${chain.key}`
    },
    ours(hash, moves = true) {
      const moved = { token: mainToken(chain).address, from: wallet.address, to: bareAddress(22), value: 7n }
      return { hash, from: wallet.address, moves: moves ? [moved] : [] }
    },
    async sentUnder(nonce) {
      const hash = bareHash((hashes += 1))
      const attempt = bareAttempt(0, { hash })
      const { id } = await sender.open({ nonce, state: 'BROADCAST', attempts: [attempt] })
      await sql.begin((tx) => insertAttempts(tx, [{ id, ...attempt }], new Date(0)))
      return { id, hash }
    },
  }
}

/** Idle until then: neither the lease nor the chain is due. */
const idle = (): Partial<Held> => ({ renewAt: monotonicMs() + minuteMs, pollAt: monotonicMs() + minuteMs })
const unreachable = () => {
  throw new ProviderError('unavailable', 'the node is not asked')
}

describe('when a wallet works', () => {
  test('idle, it renews its lease and does not ask the chain until that is due', async () => {
    const { node, deps, sender, row } = await scene()
    node.instead = unreachable
    const held = sender.hold({ ...idle(), renewAt: 0 })
    assert.equal(await step(deps, held), false)
    assert.equal((await row()).isFree, false)
    held.pollAt = 0
    await assert.rejects(step(deps, held), /not asked/)
  })

  test('idle, it looks at the chain when that is due, and not again right after', async () => {
    const { node, deps, sender, row } = await scene()
    const held = sender.hold({ ...idle(), pollAt: 0 })
    assert.equal(await step(deps, held), false)
    assert.equal((await row()).isFree, true, 'its lease was not due')
    node.instead = unreachable
    assert.equal(await step(deps, held), false)
  })

  test('what is queued gets its nonce, its signature, and goes to the node, in one pass', async () => {
    const { node, deps, sender } = await scene()
    await sender.queue()
    assert.equal(await step(deps, sender.hold(idle())), true)
    assert.deepEqual(await sender.states(), [['BROADCAST', null]])
    assert.equal(node.sent.length, 1)
  })

  test('what is under way is followed though nothing is queued', async () => {
    const { node, deps, sender, sentUnder } = await scene()
    await sentUnder(0n)
    assert.equal(await step(deps, sender.hold(idle())), true)
    assert.equal(node.sent.length, 1)
  })

  test('a nonce that a stranger has is not sent with', async () => {
    const { node, deps, sender, sentUnder } = await scene()
    await sentUnder(0n)
    await sql`update chain_tx set taken = true where chain = ${deps.chain.key}`
    assert.equal(await step(deps, sender.hold(idle())), true)
    assert.deepEqual(node.sent, [])
  })

  test('a reason to wait is written and logged once, and taken back when nothing waits any more', async () => {
    const { deps, sender, row } = await scene()
    const id = await sender.queue({ units: 1_001n })
    const held = sender.hold(idle())
    for (const _pass of [1, 2]) {
      assert.equal(await step(deps, held), true)
      assert.equal((await row()).waiting, 'TOKENS')
    }
    const about = 'the queue of the wallet has to wait'
    assert.deepEqual(
      sender.logged.filter((line) => line === about),
      [about],
    )
    await sql`delete from chain_tx where id = ${id}`
    Object.assign(held, idle())
    assert.equal(await step(deps, held), true)
    assert.equal((await row()).waiting, null)
    assert.equal(await step(deps, held), false)
  })

  test('a stopped wallet that waits for something is not busy with that', async () => {
    const { deps, sender, set } = await scene()
    await set('waiting', 'GAS')
    await set('stopped', 'a person looks')
    assert.equal(await step(deps, sender.hold(idle())), false)
  })

  test('nothing is sent to a chain that is not ours any more, or that is halted, or under an outdated fence', async () => {
    const lost = await scene({ isLost: async () => true })
    await lost.sender.queue()
    assert.equal(await step(lost.deps, lost.sender.hold()), true)
    assert.deepEqual(await lost.sender.states(), [['QUEUED', null]])
    await assert.rejects(step(lost.deps, lost.sender.hold({ ...idle(), fence: 9n })), /another process/)
    await sql`
      insert into chain (key, chain_id, factory, token, treasury, halted)
      values (${lost.deps.chain.key}, 1, '', '', '', 'reorganised')`
    await assert.rejects(step(lost.deps, lost.sender.hold()), /is halted: reorganised/)
  })
})

describe('what the chain shows', () => {
  test('what a block has is MINED, and final it is FINAL: its end is told and its sending forgotten', async () => {
    let ends = 0
    const { node, deps, sender, ours, sentUnder } = await scene({ onEnded: () => void (ends += 1) })
    const { hash } = await sentUnder(0n)
    const other = [strange, { first: 1n, last: 1n, isCheap: false }] as const
    const broadcasts = new Map([[hash, other[1]], other])
    const held = sender.hold({ ...idle(), broadcasts })
    node.mine(ours(hash))
    await step(deps, held)
    assert.deepEqual([await sender.states(), ends], [[['MINED', null]], 0])
    node.final = 2n
    await step(deps, held)
    assert.deepEqual([await sender.states(), ends], [[['FINAL', null]], 1])
    assert.deepEqual([...broadcasts], [other])
  })

  test('success without a movement stops the wallet, whatever stopped it before stays', async () => {
    for (const before of [undefined, 'a person looks']) {
      const { node, deps, sender, ours, row, set, sentUnder } = await scene()
      if (before !== undefined) await set('stopped', before)
      const { hash } = await sentUnder(0n)
      await sender.queue()
      node.mine(ours(hash, false))
      node.final = 2n
      assert.equal(await step(deps, sender.hold()), true)
      assert.equal((await row()).stopped, before ?? haltText('transfer_missing', { transaction: hash }))
      assert.deepEqual(sender.logged, before === undefined ? ['the wallet is stopped'] : [])
      assert.deepEqual(node.sent, [])
    }
  })

  test('while it is not proven who used a nonce nothing is sent; that is told once, and the chain asked soon', async () => {
    const { node, deps, sender, ours, row, sentUnder } = await scene()
    await sentUnder(0n)
    await sender.queue()
    node.hidden.add(node.mine(ours(strange)).hash)
    node.final = 2n
    const held = sender.hold()
    for (const _pass of [1, 2, 3, 4]) {
      assert.equal(await step(deps, held), true)
      assert.ok(held.pollAt < monotonicMs())
    }
    assert.equal((await row()).stopped, null)
    assert.deepEqual(sender.logged, [
      'the node does not prove who used a nonce: nothing is sent until it does',
    ])
    assert.deepEqual(node.sent, [])
  })
})

describe('strangers', () => {
  const unknown = haltText('nonce_unknown', { nonce: 0n })
  const taken = haltText('nonce_taken', { nonce: 0n })

  test('a nonce that we never assigned stops the wallet in the third pass, and until then nothing is sent', async () => {
    const { node, deps, sender, ours, row } = await scene()
    await sender.queue()
    node.mine(ours(strange))
    node.final = 2n
    const held = sender.hold()
    for (const stopped of [null, null, unknown, unknown, unknown, unknown]) {
      assert.equal(await step(deps, held), true)
      assert.equal((await row()).stopped, stopped)
    }
    assert.deepEqual(sender.logged, ['the wallet is stopped'])
    assert.deepEqual([await sender.states(), node.sent], [[['QUEUED', null]], []])
  })

  test('a nonce that is used in a block that can leave, and one that the wallet has assigned, are no strangers', async () => {
    const { node, deps, sender, ours, row } = await scene()
    node.mine(ours(strange))
    node.final = 2n
    await sql`update hot_wallet set next_nonce = 1 where chain = ${deps.chain.key}`
    await sender.queue()
    await step(deps, sender.hold())
    assert.equal((await row()).stopped, null)
    assert.equal(node.sent.length, 1)
  })

  test('it stops only when that lasts: a minute, unless said otherwise', async () => {
    const { node, sender, ours, row, deps } = await scene()
    const { strangerMs: _none, ...patient } = deps
    node.mine(ours(strange))
    node.final = 2n
    const seen = (ageMs: number) => ({ what: unknown, since: monotonicMs() - ageMs, passes: 5 })
    await step(patient, sender.hold({ suspicion: seen(minuteMs - 10 * secondMs) }))
    assert.equal((await row()).stopped, null)
    await step(patient, sender.hold({ suspicion: seen(minuteMs + 1) }))
    assert.equal((await row()).stopped, unknown)
  })

  test('another suspicion begins to count anew', async () => {
    const { node, deps, sender, ours, row } = await scene()
    node.mine(ours(strange))
    node.final = 2n
    const held = sender.hold({ suspicion: { what: 'another', since: 0, passes: 9 } })
    await step(deps, held)
    assert.equal((await row()).stopped, null)
    node.final = 1n
    await step(deps, held)
    assert.equal(held.suspicion, undefined)
  })

  test('a stranger’s transaction under our nonce stops the wallet and marks ours, also when it is stopped already', async () => {
    for (const before of [undefined, unknown]) {
      const { node, deps, sender, ours, row, set, sentUnder } = await scene()
      if (before !== undefined) await set('stopped', before)
      const tx = await sentUnder(0n)
      node.mine(ours(strange))
      node.final = 2n
      const held = sender.hold()
      for (const _pass of [1, 2, 3]) await step(deps, held)
      assert.equal((await row()).stopped, before ?? taken)
      const [isTaken] = await sql`select taken from chain_tx where id = ${tx.id}`
      assert.deepEqual(isTaken, { taken: true })
      assert.deepEqual(node.sent, [])
    }
  })

  /** A wallet that is stopped because of `nonce`, with two transactions: the first is final and ours after all. */
  async function wasOurs(
    nonce: bigint,
    second: { taken: boolean },
  ): Promise<{ stopped: string | null; at: Scene }> {
    const at = await scene()
    await at.set('stopped', haltText('nonce_taken', { nonce }))
    const first = await at.sentUnder(0n)
    const next = await at.sentUnder(1n)
    await sql`update hot_wallet set next_nonce = 2 where chain = ${at.deps.chain.key}`
    await sql`update chain_tx set taken = true where id = ${first.id} or (id = ${next.id} and ${second.taken})`
    at.node.mine(at.ours(first.hash))
    at.node.final = 2n
    await step(at.deps, at.sender.hold())
    return { stopped: (await at.row()).stopped, at }
  }

  test('a stop is over when the transaction proves to be ours, and the wallet sends on in the same pass', async () => {
    const { stopped, at } = await wasOurs(0n, { taken: false })
    assert.equal(stopped, null)
    assert.deepEqual(at.sender.logged, ['the stop of the wallet is over: the transaction was ours'])
    assert.equal(at.node.sent.length, 1)
  })

  test('a stop stays while another nonce is taken, or when it is about another nonce', async () => {
    for (const [nonce, isTaken] of [
      [0n, true],
      [1n, false],
      [7n, false],
    ] as const) {
      const { stopped, at } = await wasOurs(nonce, { taken: isTaken })
      assert.equal(stopped, haltText('nonce_taken', { nonce }))
      assert.deepEqual(at.node.sent, [])
    }
  })
})

describe('a sender that runs', () => {
  /** Runs until the fact holds, and ends it. */
  async function runUntil({ deps }: Scene, fact: () => Promise<boolean> | boolean): Promise<void> {
    const ending = new AbortController()
    const running = createHotWallet(deps).run(ending.signal)
    try {
      await eventually('the wallet did it', fact)
    } finally {
      ending.abort()
      await running
    }
  }

  test('it sends what is queued, and gives its lease back at the end', async () => {
    const at = await scene()
    await at.sender.queue()
    await runUntil(at, () => at.node.sent.length > 0)
    assert.equal((await at.row()).isFree, true)
    assert.deepEqual(at.sender.logged, [])
  })

  test('a pass that fails is told, and the lease is given back for another process', async () => {
    const at = await scene()
    await at.sender.queue()
    at.node.instead = unreachable
    await runUntil(at, async () => at.sender.logged.length > 0 && (await at.row()).isFree)
    assert.deepEqual(at.sender.logged, ['the wallet makes no progress'])
  })

  test('a chain that is halted is told as an error', async () => {
    const at = await scene()
    await sql`
      insert into chain (key, chain_id, factory, token, treasury, halted)
      values (${at.deps.chain.key}, 1, '', '', '', 'reorganised')`
    await runUntil(at, () => at.sender.logged.length > 0)
    assert.deepEqual(at.sender.logged, ['the wallet sends nothing'])
  })
})
