// Collecting: moves the coins of deposit addresses to the treasury, many addresses in one transaction. The factory can send an
// address's balance only to the treasury, so a thief of the key that pays for sweeps can only waste its gas.
import type { Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { mainToken, type Chain } from '#/coins/chain.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { IsDue } from '#/db/due.ts'
import { createDepositAddresses, depositAddress, depositSalt, keccak, type Address } from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import { parseReceipt } from '#/evm/wire.ts'
import { newId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ChainTxId } from './outgoing.ts'
import { insertQueued } from './payout-queries.ts'
import * as queries from './sweep-queries.ts'

export type SweepDeps = {
  readonly sql: Sql
  readonly chain: Chain
  readonly clock: Clock
  readonly log: Log
  /** Base units from which an address is worth its gas. */
  readonly unitsMin: bigint
  /** Addresses in one transaction. Default: 200. */
  readonly batchMax?: number
  /** Called when a sweep is queued. */
  readonly onQueued?: () => void
}

/** An address whose last sweep failed, and when it is tried again. */
export type WaitingSweep = queries.WaitingSweep

/** The addresses of a chain whose last sweep failed. */
export function waitingSweeps(sql: Sql, chain: string): Promise<readonly WaitingSweep[]> {
  return queries.selectWaitingSweeps(sql, chain)
}

/** One page of them. `after`: the last one of the page before. */
export function waitingSweepPage(
  sql: Sql,
  page: { readonly chain: string; readonly after?: Address; readonly limit: number },
): Promise<readonly WaitingSweep[]> {
  return queries.selectWaitingPage(sql, page)
}

/** Whether `sweepDue` has something to do, or soon will: a sweep is under way, or an address holds enough. */
export function isSweepDue(chain: string, unitsMin: SweepDeps['unitsMin']): IsDue {
  return queries.isSweepDue(chain, unitsMin)
}

/** Handles the sweeps that ended, and queues the next. Returns how many addresses it handled. */
export async function sweepDue(deps: SweepDeps): Promise<number> {
  const ended = await handleEnds(deps)
  return ended + (await queueSweeps(deps))
}

/** The most that one transaction may use (EIP-7825). */
const txGasMax = 2n ** 24n
/** What the factory keeps back before each address, so that a refusal can only come from the token: see ForwarderFactory.sol. */
const reserveGas = 600_000n
/** A first sweep uses 51,000: it deploys the forwarder. A token that burns all the gas it gets uses half a million. */
const usualGas = 80_000n
/** The most sweeps that may be under way at once. Coins that arrive meanwhile are collected by the next sweep. */
const openMax = 4

/** The gas limit of a sweep of this many addresses. Unused gas costs nothing. */
export function sweepGas(addresses: number): bigint {
  const gas = 2n * reserveGas + usualGas * BigInt(addresses)
  return gas < txGasMax ? gas : txGasMax
}

/** The call of the factory that empties these addresses of a token; the zero address stands for the native coin. */
export function sweepCall(token: Address, salts: readonly Hex[]): Hex {
  return encodeFunctionData({
    abi: artifacts.ForwarderFactory.abi,
    functionName: 'sweep',
    args: [token, [...salts]],
  })
}

async function queueSweeps(deps: SweepDeps): Promise<number> {
  const { sql, chain, unitsMin, batchMax = 200 } = deps
  if ((await queries.countOpenSweeps(sql, chain.key)) >= openMax) return 0
  const found = await queries.selectSweepable(sql, chain.key, { unitsMin, limit: batchMax })
  const addressOf = createDepositAddresses(chain)
  // An address of an earlier treasury has another factory, and its own sweeper.
  const due = found.filter(({ address, paymentId }) => addressOf(paymentId) === address)
  if (due.length === 0) return 0
  const id = newId<'chain-tx'>()
  const isQueued = await sql
    .begin(async (tx) => {
      const addresses = due.map(({ address }) => address)
      await insertSweep(tx, deps, id, due)
      const bound = await queries.bindSweep(tx, chain.key, addresses, id)
      // Another worker has bound one of them already, so it handles them all.
      if (bound !== addresses.length) throw new AlreadyBound()
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof AlreadyBound) return false
      throw error
    })
  if (!isQueued) return 0
  deps.onQueued?.()
  return due.length
}

class AlreadyBound extends Error {}

async function insertSweep(
  tx: Tx,
  { chain, clock }: SweepDeps,
  id: ChainTxId,
  due: readonly queries.Sweepable[],
): Promise<void> {
  const salts = due.map(({ paymentId }) => depositSalt(chain.chainId, paymentId))
  const sweep = {
    id,
    chain: chain.key,
    purpose: 'SWEEP' as const,
    subject: id,
    reference: `sweep/${id}`,
    to: chain.factory,
    value: 0n,
    data: sweepCall(mainToken(chain).address, salts),
    gas: sweepGas(salts.length),
  }
  await insertQueued(tx, sweep, clock.now())
}

/** Handles the ends of sweeps. What moved is booked from the chain's log; this only decides which addresses are tried again. */
async function handleEnds(deps: SweepDeps): Promise<number> {
  const { sql, chain, log } = deps
  const ended = await queries.selectEndedSweeps(sql, chain.key, 20)
  for (const sweep of ended) {
    const failed = sweep.state === 'FAILED' ? new Set(sweep.addresses) : failedIn(chain, sweep)
    const reason = sweep.failure ?? 'the token refused the transfer'
    const kept = sweep.addresses.filter((address) => failed.has(address))
    const swept = sweep.addresses.filter((address) => !failed.has(address))
    await sql.begin(async (tx) => {
      if (swept.length > 0) await queries.deleteSwept(tx, sweep.id, swept)
      if (kept.length > 0) await queries.postponeSweeps(tx, sweep.id, kept, reason)
    })
    if (kept.length > 0)
      log.warn(
        { chain: chain.key, sweep: sweep.id, addresses: kept.length, reason },
        'a sweep did not empty all its addresses',
      )
  }
  return ended.reduce((sum, { addresses }) => sum + addresses.length, 0)
}

/** The addresses that the factory says it could not empty. */
function failedIn(chain: Chain, { evidence }: queries.EndedSweep): ReadonlySet<Address> {
  if (evidence === null) return new Set()
  const { logs } = parseReceipt(JSON.parse(evidence.toString('utf8')))
  return new Set(
    logs
      .filter(({ address, topics }) => address === chain.factory && topics[0] === sweepFailedTopic)
      .flatMap(({ topics: [, , salt] }) => (salt === undefined ? [] : [depositAddress({ ...chain, salt })])),
  )
}

/** `event SweepFailed(address indexed token, bytes32 indexed salt)` of contracts/ForwarderFactory.sol. */
const sweepFailedTopic = keccak(Buffer.from('SweepFailed(address,bytes32)'))
