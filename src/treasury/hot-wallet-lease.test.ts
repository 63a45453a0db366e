// The right to send from a wallet: one process has it, and what it remembers begins empty.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { FencedOff } from '#/evm/fence.ts'
import { must } from '#/kernel/check.ts'
import { bareAddress } from '../../test/bare-coins.ts'
import { bareSender } from '../../test/bare-sender.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { beginSending, endSending, renew, underFence } from './hot-wallet-lease.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

/** A wallet that is new here: its account has sent eight transactions, and a ninth is under way. */
async function newWallet() {
  const { deps: bare } = await bareSender(sql, {
    said: { call: async (_method, [, at]) => (at === 'pending' ? '0x9' : '0x8') },
  })
  const deps = { ...bare, wallet: { address: bareAddress(70), purpose: 'gas' as const } }
  const row = async () => {
    const [found] = await sql`
      select purpose, next_nonce, fence, lease_until > now() as leased from hot_wallet
       where chain = ${deps.chain.key} and address = decode(${deps.wallet.address.slice(2)}, 'hex')`
    return must(found, 'the wallet is known')
  }
  return { deps, row }
}

test('a new wallet begins at its account’s next nonce; one process has it until it gives it back', async () => {
  const { deps, row } = await newWallet()
  const { fence, broadcasts, renewAt, pollAt, alarmAt } = must(await beginSending(deps), 'it is free')
  assert.deepEqual({ ...(await row()) }, { purpose: 'gas', next_nonce: 9n, fence, leased: true })
  assert.deepEqual([broadcasts.size, renewAt, pollAt, alarmAt], [0, 0, 0, 0], 'all is due')
  assert.equal(await beginSending(deps), undefined)
  await endSending(deps, fence)
  assert.equal((await row())['leased'], null)
  const next = must(await beginSending(deps), 'it is free again')
  assert.ok(next.fence > fence)
})

test('the lease is renewed, and work is done, under the newest fence alone', async () => {
  const { deps, row } = await newWallet()
  const { fence } = must(await beginSending(deps), 'it is free')
  await endSending(deps, fence)
  await renew(deps, fence)
  assert.equal((await row())['leased'], true)
  assert.equal(await underFence(deps, fence, async () => 'done'), 'done')
  await assert.rejects(renew(deps, fence + 1n), FencedOff)
  await assert.rejects(
    underFence(deps, fence - 1n, async () => assert.fail('it works under an old fence')),
    FencedOff,
  )
})
