// Random lives of senders, and what must be true of the chain and the books when they have come to rest.
import assert from 'node:assert/strict'
import type { Hex } from 'viem'
import { parseTransaction } from 'viem/utils'
import { mainToken } from '#/coins/chain.ts'
import { hexOf } from '#/evm/address.ts'
import { FencedOff } from '#/evm/fence.ts'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { oneAtATime, type Turns } from '#/rails/crypto/sandbox.ts'
import type { PayoutOrder } from '#/rails/payout-rail.ts'
import { beginSending, senderLeaseMs, type Held, type HotWalletDeps } from '#/treasury/hot-wallet-lease.ts'
import { step } from '#/treasury/hot-wallet.ts'
import { Crash, mortal, type Fate, type Mortal } from './payout-faults.ts'
import { bnb, cent, destinationOf, type PayoutWorld, type Till, type TillOptions } from './payout-world.ts'
import { transferEvent } from './watcher-chain.ts'

/** How much happened. */
export type Tally = Record<
  'payouts' | 'crashes' | 'reorgs' | 'wipes' | 'spikes' | 'faults' | 'attempts' | 'takeovers' | 'polls',
  number
>

export function newTally(): Tally {
  const chain = { reorgs: 0, wipes: 0, spikes: 0, faults: 0 }
  return { payouts: 0, crashes: 0, ...chain, attempts: 0, takeovers: 0, polls: 0 }
}

type Sender = { readonly mortal: Mortal; held: Held | undefined }

type Life = {
  readonly world: PayoutWorld
  readonly till: Till
  readonly orders: readonly PayoutOrder[]
  readonly tally: Tally
  /** A number from 0 up to but not including `below`. */
  readonly random: (below: number) => number
  /** Runs one change of the chain at a time, even while the calls of a dead sender are still coming to their end. */
  readonly inTurn: Turns
  /** Crashes that are still to come. */
  crashes: number
  isCalm: boolean
}

const pollsMax = 1_500

type Play = {
  readonly payouts: number
  readonly crashes: number
  readonly tally: Tally
  readonly till?: TillOptions
}

/** Lives until every order is paid, through the given number of crashes, and compares. */
export async function playPayouts(
  world: PayoutWorld,
  seed: number,
  { payouts, crashes, tally, till: options }: Play,
): Promise<void> {
  const till = await world.newTill(options)
  const random = randomFrom(seed)
  const orders = Array.from({ length: payouts }, () => till.order(BigInt(1 + random(5_000))))
  const life: Life = { world, till, orders, tally, random, crashes, inTurn: oneAtATime(), isCalm: false }
  const queued: PayoutOrder[] = []
  let sender = newSender(life)
  let zombie: Sender | undefined
  for (let polls = 0; ; polls++) {
    assert.ok(polls < pollsMax, `the payouts come to an end (${queued.length} of ${payouts} queued)`)
    life.isCalm = life.crashes === 0 && queued.length === payouts
    await queueSome(life, queued)
    await poll(life, sender)
    if (sender.mortal.isDead()) {
      tally.crashes += 1
      life.crashes -= 1
    }
    // A sender that died, or one that is wrongly thought dead.
    if (sender.mortal.isDead() || (!life.isCalm && random(12) === 0)) {
      tally.takeovers += 1
      zombie = sender
      sender = newSender(life)
      await world.clock.advance(senderLeaseMs + 1)
    } else if (zombie !== undefined && random(3) === 0) await poll(life, zombie)
    if (!life.isCalm && random(3) === 0) await life.inTurn(() => leaveBlocks(life))
    if (life.isCalm || random(2) === 0) await life.inTurn(() => world.node.mine(1 + random(2)))
    if (life.isCalm && (await isAtRest(life))) break
  }
  tally.payouts += payouts
  await compare(life)
}

function newSender(life: Life): Sender {
  const { till, random, tally } = life
  const fate: Fate = {
    late: random(2) === 0,
    fault() {
      if (life.isCalm || random(25) > 0) return 'none'
      tally.faults += 1
      return (['lost', 'unsent', 'absent', 'absent'] as const)[random(4)] ?? 'none'
    },
    before: () => disturb(life),
  }
  if (life.crashes > 0) fate.crashAt = random(150)
  // A node that lacks receipts must not be mistaken for a stranger that used the wallet.
  const deps: HotWalletDeps = till.sending({ strangerMs: 600_000, inFlightMax: 4 })
  return { mortal: mortal(deps, fate), held: undefined }
}

async function poll(life: Life, sender: Sender): Promise<void> {
  life.tally.polls += 1
  try {
    sender.held ??= await beginSending(sender.mortal.deps)
    if (sender.held !== undefined) await step(sender.mortal.deps, sender.held)
  } catch (error) {
    const isExpected = error instanceof Crash || error instanceof FencedOff || error instanceof ProviderError
    if (!isExpected && !(error instanceof Error && error.message.startsWith('the node'))) throw error
    sender.held = error instanceof FencedOff ? undefined : sender.held
  }
}

/** Orders come one by one; some are repeated, as by a worker that lost its answer. */
async function queueSome({ till, orders, random }: Life, queued: PayoutOrder[]): Promise<void> {
  const next = orders[queued.length]
  if (next !== undefined && random(2) === 0) {
    await Promise.all(Array.from({ length: 1 + random(2) }, () => till.rail.send(next, random(2) === 0)))
    queued.push(next)
  }
  const old = queued[random(orders.length)]
  if (old !== undefined) await till.rail.send(old, true)
}

/** What the chain does between two calls of a sender. */
async function disturb(life: Life): Promise<void> {
  if (!life.isCalm) await life.inTurn(() => move(life))
}

async function move(life: Life): Promise<void> {
  const { world, random, tally } = life
  const chance = random(100)
  if (chance < 4) await world.node.mine(1)
  else if (chance < 9) {
    tally.wipes += 1
    await world.node.rpc.call('anvil_dropAllTransactions', [])
  } else if (chance < 14) {
    await leaveBlocks(life)
  } else if (chance < 16) {
    tally.spikes += 1
    await spike(world)
  }
}

/** Some blocks require higher fees than usual. */
async function spike({ node }: PayoutWorld): Promise<void> {
  for (let blocks = 0; blocks < 4; blocks++) {
    await node.rpc.call('anvil_setNextBlockBaseFeePerGas', ['0x5f5e100'])
    await node.mine()
  }
  await node.rpc.call('anvil_setNextBlockBaseFeePerGas', ['0x0'])
}

/**
 * Removes blocks. Some of the removed transactions come back in new blocks; the others are gone, from the mempool too. Only the first
 * transactions may come back, without gaps: the node accepts the transactions given here without checking nonces.
 */
async function leaveBlocks({ world: { node }, random, tally }: Life): Promise<void> {
  tally.reorgs += 1
  const depth = 1 + random(2)
  const head = await node.head()
  const raws: Hex[] = []
  for (let number = head - BigInt(depth) + 1n; number <= head; number++) {
    const block = must(await node.rpc.getBlockByNumber(number), 'a block')
    for (const hash of block.txHashes)
      raws.push((await node.rpc.call('eth_getRawTransactionByHash', [hash])) as Hex)
  }
  const kept = raws.slice(0, random(raws.length + 1))
  await node.reorg(
    depth,
    kept.map((raw) => ({ raw, offset: 0 })),
  )
}

async function isAtRest({ till, orders }: Life): Promise<boolean> {
  const results = await Promise.all(orders.map((order) => till.rail.send(order, true)))
  return results.every(({ state }) => state !== 'sent')
}

async function compare({ world, till, orders, tally }: Life): Promise<void> {
  const { node, sql } = world
  const { address, chain } = till
  // Straight from the chain: every movement of the token out of the wallet.
  const logs = (await node.rpc.call('eth_getLogs', [
    {
      fromBlock: '0x0',
      toBlock: 'latest',
      address: mainToken(chain).address,
      topics: [transferEvent, `0x${address.slice(2).padStart(64, '0')}`],
    },
  ])) as readonly { data: Hex; topics: [Hex, Hex, Hex] }[]
  const moved = logs.map(({ data, topics }) => `0x${topics[2].slice(26)} ${BigInt(data)}`)
  const wanted = orders.map((order) => `${destinationOf(order)} ${order.amount.minor * cent}`)
  assert.deepEqual(moved.toSorted(), wanted.toSorted(), 'each was paid once, and nothing else was paid')
  const used = Number(await node.rpc.call('eth_getTransactionCount', [address, 'latest']))
  assert.equal(used, orders.length, 'no nonce was spent on anything else')

  const rows = await sql<{ nonce: bigint; state: string }[]>`
    select nonce, state from chain_tx where chain = ${chain.key} order by nonce`
  assert.deepEqual(
    rows.map(({ nonce }) => Number(nonce)),
    orders.map((_, index) => index),
  )
  assert.ok(rows.every(({ state }) => state === 'FINAL'))
  const attempts = await sql<{ nonce: bigint; raw: Buffer }[]>`
    select nonce, raw from chain_tx join chain_tx_attempt on tx = id where chain = ${chain.key}`
  tally.attempts += attempts.length
  const payloads = new Set(
    attempts.map(({ nonce, raw }) => {
      const tx = parseTransaction(hexOf(raw))
      assert.equal(BigInt(tx.nonce ?? 0), nonce)
      return `${nonce} ${tx.to} ${tx.data}`
    }),
  )
  assert.equal(payloads.size, orders.length, 'transactions signed for one nonce differ in fees alone')

  const left = BigInt(String(await node.rpc.call('eth_getBalance', [address, 'latest'])))
  const [cost] = await sql<{ wei: string; gwei: bigint }[]>`
    select gas_wei::text as wei, (select sum(gas_gwei)::bigint from chain_tx where chain = ${chain.key}) as gwei
      from hot_wallet where chain = ${chain.key}`
  assert.equal(BigInt(cost?.wei ?? 0), bnb - left)
  assert.equal(cost?.gwei, (bnb - left) / 10n ** 9n)
  const wallet = await world.stateOf(till)
  assert.deepEqual([wallet.stopped, wallet.open, wallet.queued], [null, 0, 0])
}

/** Numbers that look random and follow from the seed (xorshift32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
