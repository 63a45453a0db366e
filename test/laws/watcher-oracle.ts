// What the books must show when nothing is under way: exactly what is on the chain. This file queries the chain with code of its own and
// computes the rules anew, so that it does not repeat a mistake of the rail.
import assert from 'node:assert/strict'
import type { Hex } from 'viem'
import { hexOf, type Address } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import { finalizedBehind, transferEvent, type TestChain } from './watcher-chain.ts'
import type { Payment, Scene, World } from './watcher-world.ts'

/** What is compared. */
export type AtRest = {
  readonly world: World
  readonly chain: TestChain
  readonly scene: Scene
  readonly payments: readonly Payment[]
  /** Blocks up to this one do not count. */
  readonly firstBlock: bigint
  /** What the watchers logged at level error. */
  readonly alarms: readonly string[]
}

/** The deepest reorganisation that a watcher must survive: final blocks lie below it. */
export function depthMax(confirmations: number): number {
  return Math.max(finalizedBehind, confirmations - 1)
}

/** The block up to which transfers are final, by the rule and not by the watcher. */
export async function finalNumber({ chain, scene }: Pick<AtRest, 'chain' | 'scene'>): Promise<bigint> {
  const head = Number(await chain.head())
  return BigInt(head - depthMax(scene.chain.confirmationsMin))
}

type ChainTransfer = {
  readonly tx: Hex
  readonly to: Address
  readonly value: bigint
  readonly block: bigint
  readonly blockHash: Hex
  readonly logIndex: number
}

/** From the chain itself: every movement of the token to our addresses that it contains now. */
async function transfersOnChain({ chain, payments, firstBlock }: AtRest): Promise<readonly ChainTransfer[]> {
  const range = { fromBlock: `0x${(firstBlock + 1n).toString(16)}`, toBlock: 'latest' }
  const logs = (await chain.rpc.call('eth_getLogs', [
    { ...range, address: chain.contracts.token, topics: [transferEvent] },
  ])) as (Record<'transactionHash' | 'blockNumber' | 'blockHash' | 'logIndex' | 'data', Hex> & {
    topics: Hex[]
  })[]
  const ours = new Set(payments.map(({ address }) => address))
  return logs
    .map((log) => ({
      tx: log.transactionHash,
      to: `0x${must(log.topics[2], 'a receiver').slice(26)}` as const,
      value: BigInt(log.data),
      block: BigInt(log.blockNumber),
      blockHash: log.blockHash,
      logIndex: Number(log.logIndex),
    }))
    .filter(({ to, value }) => ours.has(to) && value > 0n)
}

/** The law. Returns how many transfers were credited. */
export async function compareWithChain(stage: AtRest): Promise<number> {
  const { world, scene, payments } = stage
  const final = await finalNumber(stage)
  const onChain = await transfersOnChain(stage)
  const finals = onChain.filter(({ block }) => block <= final)
  const open = onChain.filter(({ block }) => block > final)

  const rows = await world.sql<
    { state: string; tx: Buffer; to: Buffer; value: string; block: Buffer; index: number }[]
  >`
    select state, tx_hash as tx, address as to, value::text, block_hash as block, log_index as index
      from chain_transfer where chain = ${scene.chain.key} and state <> 'ORPHANED'`
  const inBooks = (state: string) =>
    rows
      .filter((row) => row.state === state)
      .map((row) => [hexOf(row.block), row.index, hexOf(row.tx), hexOf(row.to), row.value].join())
  const asText = ({ blockHash, logIndex, tx, to, value }: ChainTransfer) =>
    [blockHash, logIndex, tx, to, value].join()
  assert.deepEqual(
    inBooks('FINAL').toSorted(),
    finals.map(asText).toSorted(),
    'credited is what is final on the chain',
  )
  assert.deepEqual(
    inBooks('SEEN').toSorted(),
    open.map(asText).toSorted(),
    'pending is what is on the chain and not final',
  )

  const receipts = await world.sql<{ ref: string }[]>`
    select provider_ref as ref from receipt where connection = ${scene.chain.connection} and outcome = 'paid'`
  const credits = receipts.map(({ ref }) => ref.slice(0, ref.indexOf(':'))).toSorted()
  assert.deepEqual(credits, finals.map(({ tx }) => tx).toSorted(), 'each final transfer was settled once')

  const cents = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n) / 10n ** 16n
  const expected = payments.map(({ address }) => ({
    received: cents(finals.filter(({ to }) => to === address).map(({ value }) => value)),
    pending: open.filter(({ to }) => to === address).reduce((sum, { value }) => sum + value / 10n ** 16n, 0n),
  }))
  const shown = await Promise.all(payments.map((payment) => scene.show(payment)))
  assert.deepEqual(
    shown.map((each) => BigInt(String(each['amountReceived']))),
    expected.map(({ received }) => received),
    'each payment got the whole cents of its address',
  )
  const sum = (of: 'received' | 'pending') => expected.reduce((total, each) => total + each[of], 0n)
  assert.deepEqual(await scene.balance(), { available: sum('received'), pending: sum('pending') })
  const [left] = await world.sql`select 1 from inbox where connection = ${scene.chain.connection}`
  assert.equal(left, undefined, 'nothing is left in the inbox')
  assert.deepEqual(
    stage.alarms,
    [],
    'the first reading missed nothing that the second would have had to find',
  )
  return finals.length
}
