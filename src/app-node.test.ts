// A process whose cell lies on a node of a Citus cluster: what it does after it has found that node.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deposit, move } from '../test/books.ts'
import { testDatabase } from '../test/postgres.ts'
import { pretendCitus } from '../test/pretend-citus.ts'
import { startTcpProxy } from '../test/tcp-proxy.ts'
import { openCore } from '#/app.ts'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { silentLog } from '#/kernel/log.ts'
import { sha256 } from '#/kernel/secret.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { openStartingWallets } from '#/wallets/create.ts'

test('a process that looks its node up starts there, and works there when the coordinator is gone', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-node-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const database = stack.use(await testDatabase())
  const owner = connect(database.ownerUrl, { max: 1 })
  stack.defer(() => owner.end({ timeout: 1 }))
  const { port, username } = new URL(database.appUrl)
  await pretendCitus(owner, { head: 1, entry: 1, merchant: 1 }, port)
  // As Citus does it for all roles.
  for (const table of ['pg_dist_node', 'pg_dist_shard', 'pg_dist_placement'])
    await owner`grant select on ${owner(table)} to ${owner(username)}`
  const coordinator = stack.use(await startTcpProxy(database.appUrl))

  const config = readConfig({
    DATABASE_URL: coordinator.url,
    VINTEM_CELL_NODE: 'find',
    VINTEM_DATA_DIR: folder,
    VINTEM_SANDBOX: 'off',
  })
  const core = await openCore({
    config,
    databaseUrl: config.DATABASE_URL,
    masterKey: sha256('a master key'),
    auditKey: sha256('an audit key'),
    log: silentLog,
  })
  stack.defer(core.close)
  assert.deepEqual([coordinator.opened, coordinator.connections], [1, 0], 'it was asked once')
  coordinator.greet('by closing')

  const { clock, sql } = core
  const deps = { sql, clock, sealKey: sha256('a seal'), openWallets: openStartingWallets }
  const { merchant } = await createMerchant(deps, { name: 'Ana', mode: 'LIVE' })
  assert.ok((await core.lane.submit(move, deposit(1, 100))).ok)
  assert.deepEqual([...(await owner`select id from merchant`)], [{ id: merchant.id }])
  assert.deepEqual([...(await owner`select batch from head`)], [{ batch: 1n }])
  assert.equal(coordinator.opened, 1)
})
