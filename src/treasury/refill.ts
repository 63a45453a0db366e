// Keeps the hot wallet between two watermarks: low enough that losing it can be borne, high enough that payouts do not wait. The
// treasury supplies what is missing: by the signer if it holds that key, otherwise by the operator's signature.
import { baseUnitsPerCent, type Chain } from '#/coins/chain.ts'
import type { Sql } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import { transferCall, transferGas } from '#/evm/erc20.ts'
import { newId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { maxOf, minOf } from '#/kernel/money.ts'
import { minuteMs, type Clock } from '#/kernel/time.ts'
import { insertQueued } from './payout-queries.ts'
import * as queries from './refill-queries.ts'

/** Base units. The wallet is filled up to `high` when it would fall below `low`. */
export type Watermarks = { readonly low: bigint; readonly high: bigint }

export type RefillDeps = {
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
      const { to, data } = refillTransfer(chain, hot, units)
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
export const agedMs = 10 * minuteMs

class AlreadyOpen extends Error {}

/** The call that the treasury makes to fill the wallet: a plain transfer of the token. */
export function refillTransfer(
  { token }: Pick<Chain, 'token'>,
  hot: Address,
  units: bigint,
): { readonly to: Address; readonly data: `0x${string}` } {
  return { to: token, data: transferCall(hot, units) }
}
