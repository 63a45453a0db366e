// For tests: a chain of an installation with one deposit address, and what its watcher tells the inbox.
import { usdtAt } from '#/coins/networks.ts'
import type { Sql } from '#/db/client.ts'
import { bytesOf, factoryAddress, implementationAddress, type Address } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { testClock } from '#/kernel/time.ts'
import type { CursorDeps } from '#/rails/crypto/cursor.ts'
import { ensureChain, insertDepositAddresses } from '#/rails/crypto/queries.ts'
import type { TransferSignal } from '#/rails/crypto/signal.ts'
import { begin, type WatcherDeps } from '#/rails/crypto/watch.ts'
import type { MadeChain } from './made-chain.ts'

export const depositAddress: Address = `0x${'a1'.repeat(20)}`
export const someone: Address = `0x${'b2'.repeat(20)}`
export const token: Address = `0x${'70'.repeat(20)}`
export const treasury: Address = `0x${'aa'.repeat(20)}`

/** A chain of its own key. `told`: what the inbox was told since it was last asked, each time a list. */
export async function watchedChain(sql: Sql, confirmationsMin = 1) {
  const key = newId().slice(-12)
  const chain = await ensureChain(sql, {
    key,
    mode: 'LIVE',
    connection: `a1-${newId()}` as ConnectionId,
    chainId: 56n,
    network: 'BSC',
    tokens: [usdtAt(token)],
    treasury,
    factory: factoryAddress(treasury),
    implementation: implementationAddress(treasury),
    confirmationsMin,
  })
  const payment = {
    merchantId: newId<'merchant'>(),
    paymentId: newId<'payment'>(),
    attemptId: newId(),
  }
  await sql.begin((tx) =>
    insertDepositAddresses(tx, [
      { ...payment, chain: key, address: bytesOf(depositAddress), requestedUnits: 1n },
    ]),
  )
  const told: (readonly TransferSignal[])[] = []
  const deps: CursorDeps = {
    sql,
    chain,
    clock: testClock(new Date('2026-11-22T00:00:00Z')),
    keep: async (_tx, connection, signals) => {
      if (connection !== chain.connection) throw new Error(`signals of ${connection}`)
      told.push(signals)
    },
  }
  return { deps, payment, told: () => told.splice(0) }
}

/** A watcher of this chain; `lags` and `signals`: what it reported. */
export async function watchingChain(
  sql: Sql,
  made: MadeChain,
  more: Partial<WatcherDeps> = {},
  confirmationsMin = 1,
) {
  const { deps, told } = await watchedChain(sql, confirmationsMin)
  // The address was assigned before every block, so the watcher begins where the test lets it.
  await sql`update deposit_address set created_at = '2100-01-01' where chain = ${deps.chain.key}`
  const lags: number[] = []
  let signals = 0
  const all: WatcherDeps = {
    ...deps,
    rpc: made.rpc,
    log: silentLog,
    pollMs: 60_000,
    onSignals: () => void (signals += 1),
    onLag: (blocks) => void lags.push(blocks),
    ...more,
  }
  return {
    deps: all,
    key: deps.chain.key,
    lags,
    signals: () => signals,
    told: () => told().map((each) => each.map(({ outcome, ordinal }) => `${outcome} ${ordinal}`).join()),
    begin: async () => must(await begin(all), 'the lease is free'),
    row: async () => {
      const [row] = await sql`
        select halted, lease_until is not null as leased, number from chain where key = ${deps.chain.key}`
      return must(row, 'a chain')
    },
  }
}
