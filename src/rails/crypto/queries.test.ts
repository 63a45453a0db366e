import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/postgres.ts'
import { connect } from '#/db/client.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { factoryAddress, implementationAddress, type Address } from '#/evm/address.ts'
import type { Chain } from '#/coins/chain.ts'
import { ensureChain } from './queries.ts'

const treasury: Address = '0x00000000000000000000000000000000000000aa'

function proposal(key: string): Chain {
  return {
    key,
    mode: 'LIVE',
    connection: `a1-${newId()}` as ConnectionId,
    chainId: 56n,
    network: 'BSC',
    currency: 'USDT',
    token: '0x00000000000000000000000000000000000000bb',
    treasury,
    factory: factoryAddress(treasury),
    implementation: implementationAddress(treasury),
    confirmationsMin: 12,
  }
}

test('processes that connect a chain for the first time at once share one connection, and so do later ones', async () => {
  await using database = await testDatabase()
  // Each is a process of its own for the database.
  const processes = Array.from({ length: 6 }, () => connect(database.appUrl, { max: 2 }))
  const [sql] = processes
  if (sql === undefined) return
  try {
    // Connected beforehand, so that all of them run at once.
    await Promise.all(processes.map((each) => each.begin((tx) => tx`select 1`)))
    const made = await Promise.all(processes.map((each) => ensureChain(each, proposal('bsc'))))
    const [first] = made
    assert.deepEqual(new Set(made.map(({ connection }) => connection)), new Set([first?.connection]))
    const again = await ensureChain(sql, proposal('bsc'))
    assert.equal(again.connection, first?.connection)
    const other = await ensureChain(sql, proposal('other'))
    assert.notEqual(other.connection, first?.connection)
    const rows = await sql<{ id: string }[]>`select id from connection order by created_at`
    assert.deepEqual(
      rows.map(({ id }) => id),
      [first?.connection, other.connection],
    )
  } finally {
    await Promise.all(processes.map((each) => each.end({ timeout: 1 })))
  }
})
