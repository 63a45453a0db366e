// The parts that work on chains: watching them, sending from our wallets, collecting, refilling, and booking the movements
// of our own coins.
import type { ConnectedChain, Core } from '#/app/core.ts'
import { pollingPart, watchedPart, type Part } from '#/app/work.ts'
import { baseUnitsPerCent } from '#/coins/units.ts'
import type { Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import { isUuid, type ConnectionId } from '#/kernel/id.ts'
import { minuteMs, monotonicMs, secondMs } from '#/kernel/time.ts'
import { crowdedOf, supersededBy, waitOf } from '#/rails/crypto/crowd.ts'
import type { TransferSignal } from '#/rails/crypto/signal.ts'
import { createWatcher } from '#/rails/crypto/watch.ts'
import { hastenDue as hastenRefunds } from '#/refunds/due-queries.ts'
import { bookCoins, coinKind } from '#/settlement/book-coins.ts'
import { insertSignals, withdrawSignals } from '#/settlement/inbox-queries.ts'
import { areCoinsDue, coinMovements } from '#/treasury/coin-movements.ts'
import { bscFees } from '#/treasury/fees.ts'
import { gasFills, findFills, forecastGas } from '#/treasury/gas.ts'
import { createHotWallet } from '#/treasury/hot-wallet.ts'
import type { WalletPurpose } from '#/treasury/outgoing.ts'
import { endedPayouts } from '#/treasury/payout.ts'
import { refillDue, type Watermarks } from '#/treasury/refill.ts'
import { isSweepDue, sweepDue } from '#/treasury/sweep.ts'
import { hastenDue } from '#/withdrawals/due-queries.ts'
import { signerAt } from './signer-client.ts'

/** One watcher for each chain. Others on the same chain stand by. */
export function watcherParts(core: Core): readonly Part[] {
  return core.chains.map(({ chain, rpc, pollMs, onViolation }) => {
    const watcher = createWatcher({
      ...watchDeps(core),
      chain,
      rpc,
      log: core.log,
      pollMs,
      onLag: (blocks) => core.metrics?.watcherLag(chain.key, blocks),
      onSignals: () => core.wakeUps.signals.forEach((wake) => wake()),
      ...given({ onViolation }),
    })
    return { name: `watcher of ${chain.key}`, run: (signal: AbortSignal) => watcher.run(signal) }
  })
}

/** The dependencies of everything that moves a chain's cursor. */
export function watchDeps(core: Pick<Core, 'sql' | 'clock'>) {
  const keep = async (tx: Tx, connection: ConnectionId, signals: readonly TransferSignal[], at: Date) => {
    const superseded = supersededBy(signals)
    if (superseded.length > 0) await withdrawSignals(tx, connection, superseded)
    const crowded = crowdedOf(signals)
    await insertSignals(
      tx,
      signals.map((signal) => {
        const isCrowded = crowded.has(signal)
        return {
          method: 'CRYPTO' as const,
          connection,
          body: Buffer.from(JSON.stringify(signal)),
          isCrowded,
          waitMs: waitOf(signal, isCrowded),
        }
      }),
      at,
    )
  }
  return { sql: core.sql, clock: core.clock, keep }
}

/** The worker's part for our own coins on all chains: books what is final. */
export function coinParts(core: Core): readonly Part[] {
  const { sql, lane, log } = core
  const kind = coinKind(coinMovements)
  return [
    pollingPart(core, 'coins', () => bookCoins({ sql, lane, book: coinMovements, kind, log }), {
      isDue: areCoinsDue,
    }),
  ]
}

/** The worker's parts for the wallets of a chain: sending from each, collecting, refilling, and checking their gas. */
export function walletParts(core: Core, connected: ConnectedChain): readonly Part[] {
  const { chain, wallets } = connected
  if (wallets === undefined) return []
  const { sql, clock, log, config, wakeUps } = core
  const onQueued = () => wakeUps.wallets.forEach((wake) => wake())
  const common = { sql, chain, clock, log, onQueued }
  const unitsMin = BigInt(config.VINTEM_SWEEP_MIN) * baseUnitsPerCent
  const watermarks = watermarksOf(core)
  return [
    sender(core, connected, 'hot'),
    sender(core, connected, 'gas'),
    pollingPart(core, `collecting on ${chain.key}`, () => sweepDue({ ...common, unitsMin }), {
      isDue: isSweepDue(chain.key, unitsMin),
    }),
    ...(wallets.holdsTreasury
      ? [
          sender(core, connected, 'treasury'),
          pollingPart(
            core,
            `refills on ${chain.key}`,
            () => refillDue({ ...common, hot: wallets.hot, watermarks }),
            { wakeUp: wakeUps.wallets, everyMs: refillEveryMs },
          ),
        ]
      : []),
    pollingPart(
      core,
      `gas on ${chain.key}`,
      slowly(connected.pollMs * gasCheckPolls, createGasCheck(core, connected)),
    ),
  ]
}

/** A refill takes blocks; a payout that is queued in this process asks for it at once. */
const refillEveryMs = 5 * secondMs

/** The watermarks of the wallet that pays out. */
function watermarksOf({ config }: Pick<Core, 'config'>): Watermarks {
  return {
    low: BigInt(config.VINTEM_HOT_LOW) * baseUnitsPerCent,
    high: BigInt(config.VINTEM_HOT_HIGH) * baseUnitsPerCent,
  }
}

function sender(
  core: Core,
  { chain, rpc, pollMs, wallets, isLost }: ConnectedChain,
  purpose: WalletPurpose,
): Part {
  const { sql, clock, log, wakeUps, config } = core
  const addresses = { hot: wallets?.hot, gas: wallets?.gas, treasury: chain.treasury }
  const address = addresses[purpose] ?? chain.treasury
  const wallet = createHotWallet({
    sql,
    chain,
    clock,
    log,
    rpc,
    pollMs,
    wallet: { address, purpose },
    signer: signerAt(config.signer, core.metrics?.signerRequests()),
    fees: bscFees,
    ...given({ isLost }),
    stillLeaving: core.stillLeaving,
    onEnded: () => void (purpose === 'hot' && hastenPayouts(core).catch(() => {})),
  })
  wakeUps.wallets.add(() => wallet.wake())
  return watchedPart(core, `${purpose} wallet of ${chain.key}`, wallet)
}

/** Makes ended payouts due now, before their next scheduled check. */
async function hastenPayouts({ sql, wakeUps }: Core): Promise<void> {
  const references = await endedPayouts(sql)
  if (references.length === 0) return
  await hastenDue(sql, 'CRYPTO', references)
  wakeUps.withdrawals.forEach((wake) => wake())
  if ((await hastenRefunds(sql, references.filter(isUuid))) > 0) wakeUps.refunds.forEach((wake) => wake())
}

/** In polls of the chain. */
const gasCheckPolls = 40

/** The pause between two alarms about the same wallet. */
const alarmEveryMs = 10 * minuteMs

/** Detects native coin that arrived at our wallets, and logs when a wallet was short of it at two checks in a row: one that is being filled is not. */
function createGasCheck(core: Core, { chain, rpc, isLost }: ConnectedChain): () => Promise<number> {
  const { sql, lane, log } = core
  const alarmAt = new Map<string, number>()
  let lowBefore: ReadonlySet<string> = new Set()
  return async () => {
    if (await isLost?.()) return 0
    const fills = await findFills(sql, rpc, chain)
    const book = gasFills(new Map(fills.map((fill) => [fill.id, fill])))
    await bookCoins({ sql, lane, book, kind: coinKind(book), log })
    const low = (await forecastGas(sql, rpc, chain, bscFees)).filter(({ isLow }) => isLow)
    const stillLow = low.filter(({ address }) => lowBefore.has(address))
    lowBefore = new Set(low.map(({ address }) => address))
    for (const { address, purpose, transactions } of stillLow) {
      if (monotonicMs() < (alarmAt.get(address) ?? 0)) continue
      alarmAt.set(address, monotonicMs() + alarmEveryMs)
      const about = { chain: chain.key, wallet: address, purpose, transactions: transactions.toString() }
      log.error(about, 'a wallet is short of native coin for gas')
    }
    return 0
  }
}

/** Runs the check at most once in `everyMs`. */
function slowly(everyMs: number, check: () => Promise<number>): () => Promise<number> {
  let nextAt = 0
  return async () => {
    if (monotonicMs() < nextAt) return 0
    nextAt = monotonicMs() + Math.min(everyMs, minuteMs)
    return check()
  }
}
