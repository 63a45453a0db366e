// The operator makes the first people, helps them in, and keeps them out.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { openLink } from '#/people/links.ts'
import { findUserByEmail } from '#/people/users.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { userCommand } from './user.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 2 }))

async function run(...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const stdout = { write: (text: string) => (printed.out += text) }
  const stderr = { write: (text: string) => (printed.err += text) }
  const config = () =>
    readConfig({ DATABASE_URL: database.appUrl, VINTEM_DATA_DIR: tmpdir(), VINTEM_CELL: 'a1' })
  const deps = { config, open: () => assert.fail('no key is needed') }
  const code = await userCommand(args, createTerminal({ stdout, stderr }, {}), deps)
  return { code, ...printed }
}

const tokenIn = (text: string) => /\/open#([\w-]+)/.exec(text)?.[1] ?? assert.fail(text)

test('a user is created with a link to a password; who is operator is said here', async () => {
  const created = await run('create', 'Ana@Example.com', '--name', 'Ana Souza', '--operator')
  assert.equal(created.code, 0, created.err)
  const link = await openLink({ sql }, tokenIn(created.out))
  assert.deepEqual([link.kind, link.email], ['RESET', 'ana@example.com'])
  assert.equal((await findUserByEmail({ sql }, 'ana@example.com'))?.isOperator, true)
  assert.equal((await run('demote', 'ana@example.com')).code, 0)
  assert.equal((await findUserByEmail({ sql }, 'ana@example.com'))?.isOperator, false)
  assert.match((await run('list')).out, /ana@example\.com +Ana Souza/)
  assert.equal((await run('create', 'ana@example.com', '--name', 'Another')).code, 1)
})

test('a person is invited to a merchant with a role', async () => {
  const deps = { sql, clock: systemClock, sealKey: Buffer.alloc(32), openWallets: async () => {} }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Padaria Ana' })
  const invited = await run(
    'invite',
    'joao@example.com',
    '--merchant',
    merchant.id,
    '--role',
    'owner',
    '--json',
  )
  assert.equal(invited.code, 0, invited.err)
  const { url } = JSON.parse(invited.out) as { readonly url: string }
  const link = await openLink({ sql }, tokenIn(url))
  assert.deepEqual([link.kind, link.merchantName, link.role], ['INVITATION', 'Padaria Ana', 'OWNER'])
  assert.equal((await run('invite', 'joao@example.com', '--merchant', merchant.id, '--role', 'king')).code, 2)
  assert.equal((await run('invite', 'joao@example.com', '--role', 'OWNER')).code, 2)
})

test('a disabled user has no links any more; each act is in the audit log with who did it', async () => {
  await run('create', 'eva@example.com', '--name', 'Eva')
  const token = tokenIn((await run('reset', 'eva@example.com')).out)
  assert.match((await run('disable', 'eva@example.com')).out, /disabled since/)
  await assert.rejects(openLink({ sql }, token), { code: 'link_used' })
  assert.equal((await run('reset', 'eva@example.com')).code, 1)
  assert.equal((await run('enable', 'eva@example.com')).code, 0)
  assert.equal((await run('factors', 'eva@example.com')).code, 0)
  assert.equal((await run('disable', 'nobody@example.com')).code, 2)
  const rows = await sql<{ action: string; kind: string }[]>`
    select action, actor_kind as kind from audit_log
     where subject = 'user:' || (select id from app_user where email = 'eva@example.com') order by id`
  assert.deepEqual(
    rows.map(({ action, kind }) => `${action} ${kind}`),
    [
      'user.create',
      'link.create-reset',
      'link.create-reset',
      'user.disable',
      'user.enable',
      'user.remove-factors',
    ].map((action) => `${action} OPERATOR`),
  )
})
