// Keeps the hot wallet between two watermarks: low enough that losing it can be borne, high enough that payouts do not wait. The
// treasury supplies what is missing: by the signer if it holds that key, otherwise by the operator's signature.
import { mainToken, type Chain } from '#/coins/chain.ts'
import type { Token } from '#/coins/networks.ts'
import { baseUnitsPerCent, toTokenUnits } from '#/coins/units.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import { transferCall, transferGas } from '#/evm/erc20.ts'
import { newId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { maxOf, minOf } from '#/kernel/money.ts'
import { minuteMs, type Clock } from '#/kernel/time.ts'
import type { KnownChain } from './compare.ts'
import { insertQueued } from './payout-queries.ts'
import * as queries from './refill-queries.ts'

/** Base units. The wallet is filled up to `high` when it would fall below `low`. */
export type Watermarks = { readonly low: bigint; readonly high: bigint }

type RefillDeps = {
  readonly sql: Sql
  readonly chain: Chain
  readonly hot: Address
  readonly watermarks: Watermarks
  readonly clock: Clock
  readonly log: Log
  /** Called when a refill is queued. */
  readonly onQueued?: () => void
}

/**
 * How much the wallet should get now, in base units, as whole cents. Zero while the wallet has what it owes and the low watermark
 * besides. Payouts that have waited long count twice, so that payouts before the refill arrives leave enough for them. At most what
 * the treasury holds.
 */
export function refillOf(
  { units, owed, aged, treasuryUnits }: queries.HotState,
  { low, high }: Watermarks,
): bigint {
  if (units - owed >= low) return 0n
  const lacking = minOf(maxOf(high, low) + owed + aged - units, treasuryUnits)
  return lacking <= 0n ? 0n : lacking - (lacking % baseUnitsPerCent)
}

/** Queues a refill where one is due and the signer holds the treasury's key. Returns how many it handled. */
export async function refillDue(deps: RefillDeps): Promise<number> {
  const { sql, chain, hot, watermarks, clock, log } = deps
  const ended = await queries.endRefills(sql, chain.key, clock.now())
  if ((await queries.selectOpenRefill(sql, chain.key)) !== undefined) return ended
  const state = await queries.selectHotState(sql, chain.key, { hot, treasury: chain.treasury, agedMs })
  const units = refillOf(state, watermarks)
  if (units === 0n) return ended
  const id = newId<'chain-tx'>()
  const isQueued = await sql
    .begin(async (tx) => {
      const { to, data } = refillTransfer(mainToken(chain), hot, units)
      const movement = { recipient: hot, units }
      const sending = {
        id,
        chain: chain.key,
        purpose: 'REFILL' as const,
        subject: id,
        reference: `refill/${id}`,
      }
      await insertQueued(tx, { ...sending, to, value: 0n, data, gas: transferGas, movement }, clock.now())
      const isFirst = await queries.insertRefill(tx, chain.key, { id, units, tx: id, createdAt: clock.now() })
      if (!isFirst) throw new AlreadyOpen()
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof AlreadyOpen) return false
      throw error
    })
  if (!isQueued) return ended
  log.info({ chain: chain.key, hot, units: units.toString() }, 'the wallet that pays out is refilled')
  deps.onQueued?.()
  return ended + 1
}

/** A refill of the wallet that pays out. `tx` is null where the operator signs it, `endedAt` until it was booked or given up. */
export type ListedRefill = queries.ListedRefill

/** The last refills, newest first. */
export function lastRefills(sql: Sql, limit: number): Promise<readonly ListedRefill[]> {
  return queries.selectRefills(sql, limit)
}

/** How long a payout waits before it counts twice. */
const agedMs = 10 * minuteMs

class AlreadyOpen extends Error {}

/** The call that the treasury makes to fill the wallet: a plain transfer of the token. */
export function refillTransfer(
  token: Pick<Token, 'address' | 'decimals'>,
  hot: Address,
  units: bigint,
): { readonly to: Address; readonly data: `0x${string}` } {
  return { to: token.address, data: transferCall(hot, toTokenUnits(token, units)) }
}

// A refill that the operator signs, because the signer does not hold the treasury's key. It is prepared here, awaited, and booked
// from the chain.

/** A refill that is on its way. */
export type OpenRefill = queries.Refill

/** The refill that is on its way to the hot wallet of a chain, by the signer or by the operator. There is at most one. */
export function openRefill(sql: Sql, chain: string): Promise<OpenRefill | undefined> {
  return queries.selectOpenRefill(sql, chain)
}

/** Whether the signer has the treasury's key, so that no refill has to be signed by hand. */
export function refillsItself(sql: Sql, { key, treasury }: KnownChain): Promise<boolean> {
  return queries.holdsTreasury(sql, key, treasury)
}

/** The wallet of a chain that pays out, as it was last recorded; undefined where there was none. */
export function knownHotWallet(sql: Sql, chain: string): Promise<Address | undefined> {
  return queries.selectHotPlace(sql, chain)
}

/** Base units, whole cents; or why there is nothing to refill with: the hot wallet has enough, or the treasury has nothing. */
type UnitsToRefill =
  | { readonly ok: true; readonly units: bigint }
  | { readonly ok: false; readonly reason: 'enough' | 'treasury_empty' }

/** How much the hot wallet should get now to be between the watermarks again. */
export async function unitsToRefill(
  sql: Sql,
  { key, treasury }: KnownChain,
  { hot, watermarks }: { readonly hot: Address; readonly watermarks: Watermarks },
): Promise<UnitsToRefill> {
  const state = await queries.selectHotState(sql, key, { hot, treasury, agedMs })
  const units = refillOf(state, watermarks)
  if (units > 0n) return { ok: true, units }
  return { ok: false, reason: state.units - state.owed >= watermarks.low ? 'enough' : 'treasury_empty' }
}

/** Records a refill that the operator will sign, so that it is awaited. Returns its id; undefined while another is on its way. */
export async function prepareRefill(
  tx: Tx,
  chain: string,
  units: bigint,
  at: Date,
): Promise<string | undefined> {
  const id = newId<'refill'>()
  const isFirst = await queries.insertRefill(tx, chain, { id, units, tx: null, createdAt: at })
  return isFirst ? id : undefined
}

/** Stops waiting for a refill that the operator will not sign. Returns false when there is none. */
export function forgetRefill(tx: Tx, chain: string, at: Date): Promise<boolean> {
  return queries.cancelRefill(tx, chain, at)
}
