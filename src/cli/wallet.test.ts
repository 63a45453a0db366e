import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { readConfig } from '#/config.ts'
import { connect, type Sql } from '#/db/client.ts'
import { newId, type WalletId } from '#/kernel/id.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { insertWallets, selectWallets } from '#/wallets/queries.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { walletCommand } from './wallet.ts'

let database: TestDatabase
let sql: Sql
let merchantId: Awaited<ReturnType<typeof createMerchant>>['merchant']['id']
const others: Record<'spendable' | 'reserve' | 'inactive', WalletId> = {
  spendable: newId(),
  reserve: newId(),
  inactive: newId(),
}

before(async () => {
  database = await testDatabase()
  sql = connect(database.appUrl, { max: 2 })
  const deps = { sql, clock: systemClock, sealKey: randomBytes(32), openWallets: openStartingWallets }
  merchantId = (await createMerchant(deps, { mode: 'SANDBOX', name: 'Padaria' })).merchant.id
  await insertWallets(
    sql,
    Object.entries(others).map(([label, id]) => ({
      merchantId,
      id,
      currency: 'BRL',
      label,
      walletType: label === 'reserve' ? 'RESERVE' : 'SPENDABLE',
      isDefault: false,
      isActive: label !== 'inactive',
      version: 1,
      createdAt: systemClock.now(),
      idempotencyKey: undefined,
      fingerprint: undefined,
    })),
  )
})
after(async () => {
  await sql.end()
  await database[Symbol.asyncDispose]()
})

async function run(...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const code = await walletCommand(args, terminal, {
    config: () => readConfig({}),
    open: async () => {
      const ownSql = connect(database.appUrl, { max: 2 })
      const close = () => ownSql.end()
      const secret = randomBytes(32)
      return {
        sql: ownSql,
        clock: systemClock,
        sealKey: secret,
        pepper: secret,
        cell: 'a1',
        openWallets: openStartingWallets,
        close,
      }
    },
  })
  return { code, ...printed }
}

const defaultOf = async (currency: string) =>
  (await selectWallets(sql, merchantId, { currency }))
    .filter(({ isDefault }) => isDefault)
    .map(({ id }) => id)

test("a merchant's wallets are listed with their balances", async () => {
  const { code, out } = await run('list', merchantId)
  assert.equal(code, 0)
  assert.equal(out.split('\n').length, 8)
  assert.match(out, /^Id +Currency +Type +Default +Active +Balance +Pending +Held +Label\n/)
  assert.match(
    out,
    new RegExp(`${others.inactive}  BRL +SPENDABLE +inactive +0\\.00 +0\\.00 +0\\.00  inactive\\n`),
  )
  const rows = JSON.parse((await run('list', merchantId, '--json')).out) as { id: string; balance: number }[]
  assert.deepEqual([rows.length, rows[0]?.balance], [6, 0])
})

test('the operator chooses the default wallet: another currency keeps its own, and there is always one', async () => {
  const [usdt] = await defaultOf('USDT')
  const [before] = await defaultOf('BRL')
  const first = await run('default', others.spendable.toUpperCase())
  assert.equal(first.code, 0)
  assert.match(first.out, /Default +true\n/)
  assert.deepEqual(await defaultOf('BRL'), [others.spendable])
  assert.deepEqual(await defaultOf('USDT'), [usdt])
  const again = JSON.parse((await run('default', others.spendable, '--json')).out) as { changed: boolean }
  assert.equal(again.changed, false)
  assert.equal((await run('default', before ?? '')).code, 0)
  assert.deepEqual(await defaultOf('BRL'), [before])
})

test('a wallet that cannot be the default is refused in one line, and nothing changes', async () => {
  const before = await defaultOf('BRL')
  for (const [id, expected] of [
    [others.reserve, /^x Wallet \S+ is a RESERVE\. A default wallet is an active SPENDABLE one/],
    [others.inactive, /^x Wallet \S+ is inactive\. A default wallet is an active SPENDABLE one/],
    [newId(), /^x There is no wallet \S+ See \.\/vintem wallet list/],
    ['x', /^x There is no wallet x\./],
  ] as const) {
    const { code, out, err } = await run('default', id)
    assert.equal(code, 2)
    assert.match(err, expected)
    assert.equal(out, '')
  }
  assert.deepEqual(await defaultOf('BRL'), before)
  await assert.rejects(
    sql`update wallet set is_active = false where id = ${before[0] ?? ''}`,
    /wallet_default_active/,
  )
})
