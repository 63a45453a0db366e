// Our own wallets on chains, as the operator sees them: how long their coins last, which transactions hang, and which stopped wallet may go
// on.
import type { Chain } from '#/coins/chain.ts'
import type { Sql } from '#/db/client.ts'
import { readAddress as readSpelled, type Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { consoleName } from '#/settlement/credit-found-coins.ts'
import { unexplainedPage, type StrangeMove } from '#/treasury/compare.ts'
import { bscFees } from '#/treasury/fees.ts'
import { forecastGas, type GasForecast } from '#/treasury/gas.ts'
import { pendingNonce } from '#/treasury/hot-wallet-follow.ts'
import { lastRefills, type ListedRefill } from '#/treasury/refill.ts'
import { waitingSweepPage, type WaitingSweep } from '#/treasury/sweep.ts'
import {
  hangingTransactions,
  sendingWallets,
  startAgain,
  type HangingTx,
  type SendingWallet,
} from '#/treasury/wallets.ts'
import type { Operator } from './deps.ts'

/** A chain, and the node that this process asks about it. */
export type ChainNode = { readonly chain: Chain; readonly rpc: Rpc }

export type ChainGas =
  | { readonly chain: string; readonly wallets: readonly GasForecast[] }
  /** The node does not answer, for this reason. */
  | { readonly chain: string; readonly error: string }

/** How long the native coin of the wallets of each chain lasts. Asks the nodes; a node that does not answer does not delay the others. */
export function gasForecasts(sql: Sql, nodes: readonly ChainNode[]): Promise<readonly ChainGas[]> {
  return Promise.all(
    nodes.map(async ({ chain, rpc }): Promise<ChainGas> => {
      try {
        return { chain: chain.key, wallets: await forecastGas(sql, rpc, chain, bscFees) }
      } catch (error) {
        return { chain: chain.key, error: messageOf(error) }
      }
    }),
  )
}

/**
 * Lets a stopped wallet send again, from the next nonce on the chain. `stopped` repeats the reason why it was stopped, so that no reason is
 * lifted that the person has not read. Returns that nonce. Rejects with ProviderError.
 */
export async function liftWallet(
  sql: Sql,
  { by }: Operator,
  { chain, rpc }: { readonly chain: string; readonly rpc: Rpc },
  wallet: { readonly address: Address; readonly stopped?: string; readonly reason: string },
): Promise<{ readonly stopped: string; readonly nextNonce: bigint }> {
  const { address, reason } = wallet
  const all = await sendingWallets(sql)
  const found = all.find((each) => each.chain === chain && each.address === address)
  const stopped = found?.stopped ?? undefined
  if (stopped === undefined) throw new AppError('invalid_state', 'No such wallet is stopped.')
  const nextNonce = await pendingNonce(rpc, address)
  const isRead = wallet.stopped === undefined || wallet.stopped === stopped
  await sql.begin(async (tx) => {
    if (!isRead || !(await startAgain(tx, { chain, address }, { reason: stopped, nextNonce })))
      throw new AppError('invalid_state', 'It was stopped for another reason meanwhile.')
    const before = { chain, wallet: address, stopped, nextNonce: nextNonce.toString() }
    await writeAudit(tx, [
      { ...by, action: 'coins.lift', subject: `coin-wallet:${chain}/${address}`, before, reason },
    ])
  })
  return { stopped, nextNonce }
}

/** All wallets that send, by chain and purpose. */
export function walletsOf(sql: Sql): Promise<readonly SendingWallet[]> {
  return sendingWallets(sql)
}

/** Transactions with a nonce and without an end for longer than `olderMs`, of each wallet up to `limit`. */
export async function hangingOf(
  sql: Sql,
  page: { readonly olderMs: number; readonly limit: number },
): Promise<readonly HangingTx[]> {
  const wallets = await sendingWallets(sql)
  const found = await Promise.all(wallets.map((wallet) => hangingTransactions(sql, wallet, page)))
  return found.flat()
}

/** One page of the addresses of a chain whose last collection failed. */
export function sweepsWaiting(
  sql: Sql,
  page: { readonly chain: string; readonly after?: Address; readonly limit: number },
): Promise<readonly WaitingSweep[]> {
  return waitingSweepPage(sql, page)
}

/** One page of unexplained coins of a chain. `isOwn`: this user of the console has proposed the owner. */
export async function foundCoins(
  sql: Sql,
  page: { readonly chain: string; readonly after?: string; readonly limit: number },
  userId: string,
) {
  const rows = await unexplainedPage(sql, page)
  return rows.map(({ proposal, ...row }) => ({ ...row, ...shownProposal(proposal, userId) }))
}

function shownProposal(proposal: StrangeMove['proposal'], userId: string) {
  if (proposal === undefined) return {}
  const { merchantId, note, proposedBy } = proposal
  const isOwn = proposedBy === consoleName(userId)
  return { proposal: { merchantId, proposedBy, isOwn, ...(note === null ? {} : { note }) } }
}

/** The address. 400 for what is none. */
export function readAddress(text: string): Address {
  const reading = readSpelled(text)
  if (!reading.ok) throw new AppError('invalid_request', `This ${reading.message}.`)
  return reading.address
}

/** The last refills of the wallets that pay out, newest first. */
export function refillsOf(sql: Sql, limit: number): Promise<readonly ListedRefill[]> {
  return lastRefills(sql, limit)
}
