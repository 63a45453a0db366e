import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { parseApiKey, usualScopes } from '#/merchants/api-key.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { webhookSecretsOf } from '#/merchants/merchant.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import type { Office } from './command.ts'
import { keyCommand } from './key.ts'
import { merchantCommand } from './merchant.ts'
import { withdrawalCommand } from './withdrawal.ts'

type Env = Readonly<Record<string, string>>
const ownKeys: Env = { VINTEM_MASTER_KEY: 'ab'.repeat(32), VINTEM_AUDIT_KEY: 'cd'.repeat(32) }
const nobody = '019aa4c1-7f3e-7c52-9d0b-52a1c7e04b11'

const sealKey = randomBytes(32)
const pepper = randomBytes(32)
const database = openForTests(testDatabase)

function openOffice(): Office {
  const sql = connect(database.appUrl, { max: 1 })
  return {
    sql,
    clock: systemClock,
    sealKey,
    pepper,
    cell: 'a1',
    openWallets: openStartingWallets,
    close: () => sql.end(),
  }
}

async function run(command: typeof merchantCommand, args: readonly string[], env: Env = {}) {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const code = await command(args, terminal, {
    config: () => readConfig(env),
    open: async () => openOffice(),
  })
  return { code, ...printed }
}

async function json<Result>(
  command: typeof merchantCommand,
  args: readonly string[],
  env?: Env,
): Promise<Result> {
  const { code, out, err } = await run(command, [...args, '--json'], env)
  assert.equal(err, '')
  assert.equal(code, 0)
  return JSON.parse(out) as Result
}

type Created = { readonly id: MerchantId; readonly mode: string; readonly webhookSecret: string }

const createMerchant = (...more: readonly string[]) =>
  json<Created>(merchantCommand, ['create', 'Padaria', ...more])

test('a merchant is created with its wallets and the webhook secret that signs, and can be shown', async () => {
  const { id, mode, webhookSecret } = await createMerchant()
  assert.equal(mode, 'SANDBOX')
  const office = openOffice()
  const [secret] = await webhookSecretsOf(office, id)
  assert.equal(webhookSecret, `whsec_${secret?.toString('base64')}`)
  const wallets =
    await office.sql`select currency from wallet where merchant_id = ${id} and is_default order by 1`
  assert.deepEqual([...wallets], [{ currency: 'BRL' }, { currency: 'EUR' }, { currency: 'USDT' }])
  await office.close()

  const list = await run(merchantCommand, ['list'])
  assert.match(
    list.out,
    new RegExp(`^Id +Mode +Created +Name\\n(?:.*\\n)*${id}  SANDBOX  [\\d-]+ [\\d:]+ UTC  Padaria\\n$`),
  )
  const show = await run(merchantCommand, ['show', id.toUpperCase()])
  assert.match(show.out, /Name +Padaria\nMode +SANDBOX\n/)
  assert.ok(!show.out.includes(webhookSecret))
})

test('who pays out is chosen where a live merchant is made, and without a choice the suggestion is named', async () => {
  const args = ['create', 'Padaria', '--mode', 'live']
  const { out } = await run(merchantCommand, args, ownKeys)
  assert.match(
    out,
    /Suggested: .* above 5000\.00 BRL by PIX, 1000\.00 USDT by CRYPTO, 1000\.00 EUR by SEPA\.\n/,
  )
  assert.match(out, /\.\/vintem withdrawal limit \S+ --type pix --approval-above 2000\.00\n/)
  const chosen = ['--approval-above', 'pix=2000.00', '--approval-above', 'crypto=none']
  const { id } = await json<Created>(merchantCommand, [...args, ...chosen], ownKeys)
  const limits = await json<readonly object[]>(withdrawalCommand, ['limit', id])
  assert.deepEqual(
    limits.map((each) => ({ ...each, currency: undefined })),
    [
      { type: 'CRYPTO', currency: undefined, onePerson: true, listedOnly: false },
      { type: 'PIX', currency: undefined, approvalAbove: 200_000, listedOnly: false },
      { type: 'SEPA', currency: undefined, approvalAbove: 100_000, isSuggested: true, listedOnly: false },
    ],
  )
  for (const text of ['pix', 'pix=1,00', 'card=5.00', '=none']) {
    const wrong = await run(merchantCommand, [...args, '--approval-above', text], ownKeys)
    assert.deepEqual(
      [wrong.code, wrong.err.startsWith(`x --approval-above is "${text}".`)],
      [2, true],
      wrong.err,
    )
  }
})

test('the output shows the next command, and that works', async () => {
  const { out } = await run(merchantCommand, ['create', 'Padaria'])
  const [, id = ''] = /Next: \.\/vintem key create (\S+)\n$/.exec(out) ?? []
  const { code, out: output } = await run(keyCommand, ['create', id])
  assert.equal(code, 0)
  assert.match(
    output,
    /Key +vtm_test_\w+\n.*cannot be shown again.*\n\nNext: curl -H 'apikey: vtm_test_\w+' http:/,
  )
})

test('the first call that is shown for a new key is one that it may make', async () => {
  const { id } = await createMerchant()
  const nextOf = async (...args: readonly string[]) => {
    const { code, out } = await run(keyCommand, args)
    assert.equal(code, 0)
    const [, keyId = ''] = /^Id +(\S+)/.exec(out) ?? []
    return { keyId, path: /Next: curl .*(\/v1\/\w+)\n$/.exec(out)?.[1] }
  }
  assert.equal((await nextOf('create', id)).path, '/v1/wallets')
  const shop = await nextOf('create', id, '--scopes', 'payments:write,payments:read')
  assert.equal(shop.path, '/v1/payments')
  assert.equal((await nextOf('rotate', id, shop.keyId)).path, '/v1/payments')
  assert.equal((await nextOf('create', id, '--scopes', 'webhooks:read')).path, '/v1/events')
  assert.equal((await nextOf('create', id, '--scopes', 'withdrawals:approve')).path, undefined)
})

test('a live merchant, and every key issued to one, requires keys of the operator', async () => {
  const args = ['create', 'Loja', '--mode', 'live']
  for (const name of ['VINTEM_MASTER_KEY', 'VINTEM_AUDIT_KEY']) {
    const without = Object.fromEntries(Object.entries(ownKeys).filter(([each]) => each !== name))
    const { code, err } = await run(merchantCommand, args, without)
    assert.equal(code, 1)
    assert.match(
      err,
      new RegExp(
        `^x A live merchant needs ${name}, which is not set\\. Make one with openssl rand -hex 32[^\\n]+\\n$`,
      ),
    )
  }
  const { id, mode } = await json<Created>(merchantCommand, args, ownKeys)
  assert.equal(mode, 'LIVE')
  assert.equal((await run(keyCommand, ['create', id])).code, 1)
  assert.equal((await run(merchantCommand, ['rotate-webhook-secret', id])).code, 1)
  const { key } = await json<{ key: string }>(keyCommand, ['create', id], ownKeys)
  assert.equal(parseApiKey(key)?.mode, 'LIVE')
})

test('where the sandbox is off, the mode of a new merchant is asked for, and nothing is made without it', async () => {
  const off = { ...ownKeys, VINTEM_SANDBOX: 'off' }
  const office = openOffice()
  const count = async () => (await office.sql`select from merchant`).length
  const before = await count()
  const { code, out, err } = await run(merchantCommand, ['create', 'Loja'], off)
  assert.deepEqual([code, out], [2, ''])
  assert.match(err, /^x --mode is missing, and VINTEM_SANDBOX is off\. Say --mode live [^\n]+\n$/)
  assert.equal(await count(), before)
  await office.close()
  for (const [mode, expected] of [
    ['live', 'LIVE'],
    ['sandbox', 'SANDBOX'],
  ] as const) {
    const made = await json<Created>(merchantCommand, ['create', 'Loja', '--mode', mode], off)
    assert.equal(made.mode, expected)
  }
  assert.equal((await json<Created>(merchantCommand, ['create', 'Loja'], ownKeys)).mode, 'SANDBOX')
})

test('fees are set exactly, shown, and changed', async () => {
  const { id } = await createMerchant()
  const rule = ['--method', 'CRYPTO', '--currency', 'USDT']
  assert.equal((await run(merchantCommand, ['fee', id])).out, 'This merchant pays no fees.\n')
  const set = await run(merchantCommand, ['fee', id, ...rule, '--fixed', '0.30', '--rate', '1.5%'])
  assert.equal(set.out, 'Method  Currency  Fixed  Rate\nCRYPTO  USDT        0.3  1.5%\n')
  const changed = await json(merchantCommand, ['fee', id, ...rule, '--rate', '2.9999'])
  assert.deepEqual(changed, [{ method: 'CRYPTO', currency: 'USDT', fixed: 0, rate: '2.9999' }])
  const office = openOffice()
  const stored = await office.sql`select fixed_minor, rate_ppm from fee_rule where merchant_id = ${id}`
  assert.deepEqual([...stored], [{ fixed_minor: 0n, rate_ppm: 29_999n }])
  await office.close()
  assert.match((await run(merchantCommand, ['show', id])).out, /Fees +CRYPTO USDT 0 \+ 2\.9999%\n/)
  for (const wrong of [
    ['--rate', '100.1'],
    ['--rate', '-1'],
    ['--fixed', '0.301'],
    ['--fixed', '1', '--currency', 'BNB'],
  ]) {
    assert.equal((await run(merchantCommand, ['fee', id, ...rule, ...wrong])).code, 2, wrong.join(' '))
  }
  assert.equal((await run(merchantCommand, ['fee', id, '--rate', '1'])).code, 2)
})

test('a new webhook secret signs in front of the old one', async () => {
  const before = await createMerchant()
  const { webhookSecret } = await json<Created>(merchantCommand, ['rotate-webhook-secret', before.id])
  const office = openOffice()
  const secrets = await webhookSecretsOf(office, before.id)
  await office.close()
  assert.deepEqual(
    secrets.map((secret) => `whsec_${secret.toString('base64')}`),
    [webhookSecret, before.webhookSecret],
  )
})

test('a key has the usual scopes, and the person and networks that it was given, also when it is rotated', async () => {
  const { id } = await createMerchant()
  const made = await json<{ id: string }>(keyCommand, [
    'create',
    id,
    '--person',
    'Ana@example.com',
    '--cidrs',
    '203.0.113.7, 2001:DB8::/32',
  ])
  await json(keyCommand, ['rotate', id, made.id])
  type Listed = { readonly lineage: string } & Readonly<Record<string, unknown>>
  const [first, second] = await json<readonly [Listed, Listed]>(keyCommand, ['list', id])
  for (const key of [first, second]) {
    assert.deepEqual(
      [key['person'], key['allowedCidrs'], key.lineage, key['scopes']],
      ['ana@example.com', ['203.0.113.7/32', '2001:db8::/32'], made.id, usualScopes],
    )
    assert.match(String(key['madeBy']), /.@./)
  }
  assert.match((await run(keyCommand, ['list', id])).out, / never +api +all but keys:write\n/)
})

test('a key works until it is revoked, with the scopes it was given', async () => {
  const { id } = await createMerchant()
  const issued = await json<{ id: string; key: string }>(keyCommand, [
    'create',
    id,
    '--scopes',
    'payments:read, wallets:read',
    '--name',
    'read',
  ])
  assert.deepEqual(await scopesOf(issued.key), ['payments:read', 'wallets:read'])
  const list = await run(keyCommand, ['list', id])
  assert.match(
    list.out,
    new RegExp(
      `${issued.id}  ${issued.key.slice(-4)} +in force +not limited +never +read +payments:read wallets:read\\n`,
    ),
  )
  assert.equal((await run(keyCommand, ['revoke', id, issued.id])).out, '+ The key is revoked.\n')
  assert.equal(await scopesOf(issued.key), undefined)
  const [key] = await json<{ state: string; revokedAt: string }[]>(keyCommand, ['list', id])
  assert.equal(key?.state, 'revoked')
  assert.ok(key?.revokedAt)
})

test('a rotated key works beside the new one', async () => {
  const { id } = await createMerchant()
  const old = await json<{ id: string; key: string }>(keyCommand, ['create', id, '--scopes', 'webhooks:read'])
  const fresh = await json<{ id: string; key: string }>(keyCommand, [
    'rotate',
    id,
    old.id,
    '--expires',
    '2999-12-31',
  ])
  assert.notEqual(fresh.key, old.key)
  for (const { key } of [old, fresh]) assert.deepEqual(await scopesOf(key), ['webhooks:read'])
})

test('a rotated key works a day more at most, and one that is over is rotated no more', async () => {
  const { id } = await json<Created>(merchantCommand, ['create', 'x'.repeat(200)])
  const made = (...more: readonly string[]) => json<{ id: string }>(keyCommand, ['create', id, ...more])
  const [endless, late, soon, over, revoked] = [
    await made(),
    await made('--expires', '2999-12-31'),
    await made(),
    await made(),
    await made(),
  ]
  const office = openOffice()
  await office.sql`update api_key set expires_at = now() + interval '23 hours' where id = ${soon.id}`
  await office.sql`update api_key set expires_at = now() - interval '1 second' where id = ${over.id}`
  await run(keyCommand, ['revoke', id, revoked.id])
  for (const each of [over, revoked])
    assert.match((await run(keyCommand, ['rotate', id, each.id])).err, /The key is over already/)
  for (const [old, hours] of [
    [endless, 24],
    [late, 24],
    [soon, 23],
  ] as const) {
    const fresh = await json<{ id: string }>(keyCommand, ['rotate', id, old.id])
    // Both were written with one instant; the third end was set by this test a moment before.
    const [row] = await office.sql<{ hours: number; digits: number }[]>`
      select round(extract(epoch from old.expires_at - fresh.created_at) / 3600)::integer as hours, length(fresh.last_four) as digits
        from api_key as old, api_key as fresh where old.id = ${old.id} and fresh.id = ${fresh.id}`
    assert.deepEqual(row, { hours, digits: 4 })
  }
  await office.close()
})

test('unknown or invalid arguments are reported in one line, and nothing is done', async () => {
  const { id } = await createMerchant()
  const cases: readonly (readonly [typeof merchantCommand, readonly string[], RegExp])[] = [
    [merchantCommand, ['show', nobody], /There is no merchant 019aa4c1-\S+ See \.\/vintem merchant list\./],
    [merchantCommand, ['show', 'x'], /There is no merchant x\./],
    [merchantCommand, ['create', ' '], /1 to 200 characters/],
    [merchantCommand, ['create', 'x'.repeat(201)], /1 to 200 characters/],
    [merchantCommand, ['create', 'x', '--mode', 'test'], /--mode is "test"\. It is live or sandbox\./],
    [keyCommand, ['create', nobody], /There is no merchant/],
    [keyCommand, ['create', id, '--scopes', 'all'], /There is no scope "all"\. There are payments:read/],
    [keyCommand, ['create', id, '--cidrs', '10.0.0.1/8'], /has bits beyond the length of its network/],
    [keyCommand, ['create', id, '--cidrs', '10.0.0.0/8,home'], /must be an address or a network/],
    [keyCommand, ['create', id, '--expires', 'soon'], /Write it as 2027-12-31/],
    [keyCommand, ['create', id, '--expires', '2020-01-01'], /is over already/],
    [keyCommand, ['revoke', id, nobody], /The merchant has no such key\./],
    [keyCommand, ['revoke', id, 'x'], /"x" is no key's id\. See \.\/vintem key list/],
  ]
  for (const [command, args, expected] of cases) {
    const { code, out, err } = await run(command, args)
    assert.ok(code === 1 || code === 2, args.join(' '))
    assert.match(err, expected)
    assert.equal(err.split('\n').length, 2)
    assert.equal(out, '')
  }
  assert.deepEqual(await json(keyCommand, ['list', id]), [])
})

async function scopesOf(key: string): Promise<readonly string[] | undefined> {
  const office = openOffice()
  const authenticator = createAuthenticator({ sql: office.sql, pepper, log: silentLog })
  try {
    const identity = await authenticator.authenticate(key)
    return identity && [...identity.scopes]
  } finally {
    await authenticator.close()
    await office.close()
  }
}
