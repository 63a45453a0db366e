// A refill that the operator signs, because the signer does not hold the treasury's key. It is prepared here, awaited, and booked
// from the chain. Refills by the signer are in refill.ts.
import type { Sql, Tx } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import { newId } from '#/kernel/id.ts'
import type { KnownChain } from './compare.ts'
import * as queries from './refill-queries.ts'
import { agedMs, refillOf, type Watermarks } from './refill.ts'

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
export type UnitsToRefill =
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
