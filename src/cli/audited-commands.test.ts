// Every command is tried: one that changes rows writes into the audit log who did it, one that only reads changes nothing.
// A command that is on none of these lists fails.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { insertProposal } from '#/operator/proposal-queries.ts'
import * as bank from '../../test/audit-bank.ts'
import * as made from '../../test/audit-world.ts'
import { others } from '../../test/commands-without-entries.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { statementFile } from '../../test/rails/sepa-files.ts'
import { commandNames, findCommand } from './commands.ts'

const world = openForTests(() => made.openAuditWorld())

function fileOf(name: string, content: object): string {
  const file = join(world.folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

const connectionFile = () =>
  fileOf('connection.json', {
    provider: 'binance',
    settings: {},
    secrets: { apiKey: 'a'.repeat(64), apiSecret: 'b'.repeat(64) },
  })

async function newConnection(): Promise<string> {
  const { out } = await run('connection', await changes['connection add']?.())
  return /a1-[0-9a-f-]{36}/.exec(out)?.[0] ?? assert.fail(out)
}

/** What another person requested about money in suspense. */
async function newRequest(): Promise<string> {
  const stray = await made.newStray(world)
  const id = newId<'operator-proposal'>()
  const proposal = {
    id,
    kind: 'suspense.return' as const,
    subject: `unmatched:${stray}`,
    arguments: { id: stray },
    reason: 'it went back',
    byKind: 'OPERATOR' as const,
    byId: 'bea@office',
    byName: 'bea@office',
  }
  assert.ok(await world.core.sql.begin((tx) => insertProposal(tx, proposal)))
  return id
}

/** An account that is known from files. Returns its connection. */
async function newAccount(iban: string): Promise<string> {
  const file = fileOf('account.json', {
    provider: 'camt',
    settings: { iban, beneficiary: 'Vintem Lda' },
    secrets: {},
  })
  const { out } = await run('connection', ['add', 'sepa-transfer', ...ofMerchant(), '--file', file])
  return /a1-[0-9a-f-]{36}/.exec(out)?.[0] ?? assert.fail(out)
}

/** What waits for a person on a new account: its connection, and the names of the movements. */
const newTypo = async () => bank.insertTypo(world, await newAccount(bank.newIban()))
const newRecall = async () => bank.insertRecall(world, await newAccount(bank.newIban()))
const newHeld = async () => bank.insertHeld(world, await newAccount(bank.newIban()))
const newForeign = async () => bank.insertForeign(world, await newAccount(bank.newIban()))

/** An account on which a payout waits for a file. */
const newQueued = async () => bank.insertQueued(world, await newAccount(bank.newIban()))

const template = () => fileOf('template.json', { name: `Shop ${newId()}` })
const ofMerchant = () => ['--merchant', world.merchantId]
/** Nobody's here: a destination of ours is refused. */
const stranger = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const addressOnList = () => [world.merchantId, stranger, '--type', 'crypto']
const why = ['--reason', 'a test']

/** Commands that change something: each creates what it needs, and returns the arguments after the first word. */
const changes: Readonly<Record<string, () => Promise<readonly string[]> | readonly string[]>> = {
  'merchant create': () => ['create', 'Bea'],
  'user account': async () => ['account', await newUser(), `${newId().slice(-12)}@host`],
  'user create': () => ['create', `${newId()}@example.com`, '--name', 'Ana'],
  'user invite': () => ['invite', `${newId()}@example.com`, ...ofMerchant(), '--role', 'viewer'],
  'user reset': async () => ['reset', await newUser()],
  'user factors': async () => ['factors', await withPasskey(await newUser())],
  'user promote': async () => ['promote', await newUser()],
  'user demote': async () => ['demote', await newUser('--operator')],
  'user remove': async () => ['remove', await asMember(await newUser()), ...ofMerchant()],
  'user disable': async () => ['disable', await newUser()],
  'user enable': async () => {
    const email = await newUser()
    await run('user', ['disable', email])
    return ['enable', email]
  },
  'sandbox archive': async () => ['archive', await made.newSandbox(world)],
  'merchant fee': () => ['fee', world.merchantId, '--method', 'PIX', '--currency', 'BRL', '--rate', '1'],
  'merchant rotate-webhook-secret': () => ['rotate-webhook-secret', world.merchantId],
  'key create': () => ['create', world.merchantId],
  'key revoke': async () => ['revoke', world.merchantId, await made.newKey(world)],
  'key rotate': async () => ['rotate', world.merchantId, await made.newKey(world)],
  'wallet default': async () => ['default', await made.newWallet(world)],
  'connection publish-key': () => ['publish-key'],
  'connection add': () => ['add', 'partner-pay', '--shared', '--mode', 'sandbox', '--file', connectionFile()],
  'connection replace': async () => ['replace', await newConnection(), '--file', connectionFile()],
  'connection disable': async () => ['disable', await newConnection()],
  'connection enable': async () => ['enable', await newConnection()],
  'chain lift': () => ['lift', 'bsc', '--yes'],
  'inbox retry': async () => ['retry', await made.newSignal(world)],
  'inbox drop': async () => ['drop', await made.newSignal(world), '--reason', 'a test'],
  'suspense credit': async () => ['credit', await made.newStray(world), ...ofMerchant()],
  'suspense return': async () => ['return', await made.newStray(world)],
  'suspense charge': async () => ['charge', await made.newUnrecorded(world), ...ofMerchant(), ...why],
  'suspense write-off': async () => ['write-off', await made.newUnrecorded(world), ...why],
  'suspense came-back': async () => ['came-back', await made.newUnrecorded(world), ...why],
  'suspense approve': async () => ['approve', await newRequest()],
  'suspense refuse': async () => ['refuse', await newRequest(), ...why],
  'template set': () => ['set', 'shop', ...ofMerchant(), '--file', template()],
  'template activate': () => ['activate', 'shop', ...ofMerchant()],
  'template deactivate': () => ['deactivate', 'shop', ...ofMerchant()],
  'refund end': async () => ['end', await made.newRefund(world), '--reason', 'the provider is gone'],
  'withdrawal resolve': async () => ['resolve', await made.newWithdrawal(world), 'sent', '--reason', 'seen'],
  'withdrawal stop': async () => ['stop', await made.newPayout(world), '--reason', 'wrong'],
  'withdrawal limit': () => ['limit', world.merchantId, '--type', 'pix', '--day', '1000.00'],
  'withdrawal destination add': () => ['destination', 'add', ...addressOnList()],
  'withdrawal destination remove': () => ['destination', 'remove', ...addressOnList()],
  'coins refill': () => ['refill', '--amount', '10'],
  'coins forget-refill': () => ['forget-refill'],
  'coins lift': async () => ['lift', await made.stoppedWallet(world), '--reason', 'over', '--rpc', world.rpc],
  'rescue make': async () => ['make', await made.newDeposit(world), '--token', 'native', '--rpc', world.rpc],
  'rescue propose': async () => ['propose', await made.newMove(world), ...ofMerchant(), '--by', 'Bea'],
  'rescue confirm': async () => {
    const id = await made.newMove(world)
    await run('rescue', ['propose', id, ...ofMerchant(), '--by', 'Bea'])
    return ['confirm', id, '--by', 'Caio']
  },
  'statement import': async () => {
    const iban = bank.newIban()
    await newAccount(iban)
    const file = join(world.folder, 'statement.xml')
    writeFileSync(file, statementFile({ iban, id: 'S1', opening: 0, transfers: [] }))
    return ['import', file]
  },
  'statement correct': async () => {
    const iban = bank.newIban()
    const account = await newAccount(iban)
    const file = join(world.folder, 'corrected.xml')
    const wrote = (minors: readonly number[]) => {
      const day = '2026-01-02'
      const transfers = minors.flatMap((minor) => [
        { ref: `IN${minor}`, minor, day },
        { ref: `OUT${minor}`, minor, isDebit: true, day },
      ])
      const bytes = statementFile({ iban, id: 'S1', opening: 0, transfers, day })
      writeFileSync(file, bytes)
      return bytes
    }
    wrote([5])
    await run('statement', ['import', file])
    const bytes = wrote([6])
    await run('statement', ['import', file])
    return ['correct', account, createHash('sha256').update(bytes).digest('hex'), ...why]
  },
  'payment-file make': async () => ['make', await newQueued()],
  'payment-file take': async () => {
    const { out } = await run('payment-file', ['make', await newQueued(), '--json'])
    const { id } = JSON.parse(out) as { id: string }
    return ['take', id, '--out', join(world.folder, `${id}.xml`)]
  },
  'statement accept': async () => ['accept', ...(await newTypo())],
  'statement refuse': async () => ['refuse', ...(await newTypo()), ...why],
  'statement recall': async () => ['recall', ...(await newRecall())],
  'statement held-new': async () => ['held-new', ...(await newHeld()), ...why],
  'statement held-same': async () => ['held-same', ...(await newHeld()), ...why],
  'statement foreign-done': async () => ['foreign-done', await newForeign(), ...why],
  'statement no-recall': async () => ['no-recall', ...(await newRecall()).slice(0, 2), ...why],
  'freeze all': () => ['all', ...why],
  'unfreeze all': () => ['all', ...why],
  'freeze merchant': () => ['merchant', world.merchantId, ...why],
  'unfreeze merchant': () => ['merchant', world.merchantId, ...why],
  'freeze rail': () => ['rail', 'PIX', ...why],
  'unfreeze rail': () => ['rail', 'PIX', ...why],
  'merchant suspend': () => ['suspend', world.merchantId, ...why],
  'merchant resume': () => ['resume', world.merchantId, ...why],
  'backup drill': () => ['drill', '--batch', '0'],
  'merchant activate': async () => ['activate', await made.newSubAccount(world), ...why],
  'merchant close': async () => ['close', await made.newSubAccount(world), ...why],
  'merchant pass-on': async () => ['pass-on', await made.newKept(world), ...why],
}

/** Commands that only read, with arguments where they need no provider. */
const reads: Readonly<Record<string, (() => readonly string[]) | undefined>> = {
  'merchant list': () => ['list'],
  'sandbox list': () => ['list'],
  'merchant show': () => ['show', world.merchantId],
  'key list': () => ['list', world.merchantId],
  'wallet list': () => ['list', world.merchantId],
  'user list': () => ['list'],
  'connection list': () => ['list'],
  // It calls a provider.
  'connection test': undefined,
  // Its own test has credentials that were sealed before.
  'connection reseal': undefined,
  'backup list': () => ['list'],
  // It reads settings alone.
  'chain contracts': undefined,
  'chain list': () => ['list'],
  'inbox list': () => ['list'],
  'suspense list': () => ['list', '--all'],
  'suspense waiting': () => ['waiting'],
  'suspense sent': () => ['sent'],
  'statement list': () => ['list'],
  'payment-file list': () => ['list'],
  'statement proposals': () => ['proposals'],
  'statement recalls': () => ['recalls'],
  'statement foreign': () => ['foreign'],
  'statement held': () => ['held'],
  'template list': () => ['list', ...ofMerchant()],
  'template show': () => ['show', 'default', ...ofMerchant()],
  'template revisions': () => ['revisions', 'default', ...ofMerchant()],
  'refund list': () => ['list'],
  // The test of `refund end` creates its own refund.
  'refund show': undefined,
  'withdrawal list': () => ['list', '--all'],
  'withdrawal review': () => ['review'],
  'withdrawal show': undefined,
  'withdrawal destination list': () => ['destination', 'list', world.merchantId],
  'coins wallets': () => ['wallets'],
  'rescue list': undefined,
  'freeze list': () => ['list'],
}

async function run(name: string, args: readonly string[] = [], config = world.config) {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const code = await findCommand(name)(args, { terminal, config })
  return { code, ...printed }
}

/** Gives the user a passkey, which no browser has. */
async function withPasskey(email: string): Promise<string> {
  await world.core.sql`
    insert into passkey (user_id, id, credential_id, public_key, counter, transports, name, created_at)
    select app_user.id, ${newId()}::uuid, ${randomBytes(16)}, ${randomBytes(32)}, 0, '{}', 'Phone', now()
      from app_user where email = ${email}`
  return email
}

/** Makes the user a member, as an accepted invitation does. */
async function asMember(email: string): Promise<string> {
  await world.core.sql`
    insert into membership (user_id, merchant_id, role, created_at)
    select app_user.id, ${world.merchantId}::uuid, 'VIEWER', now() from app_user where email = ${email}`
  return email
}

/** The email of a new user. */
async function newUser(...options: readonly string[]): Promise<string> {
  const email = `${newId()}@example.com`
  const { code, err } = await run('user', ['create', email, '--name', 'Ana', ...options])
  assert.equal(code, 0, err)
  return email
}

/** A digest of each table except the log's and that of its entries without a seal. */
async function rowsOfAll(): Promise<ReadonlyMap<string, string>> {
  const tables = await world.core.sql<{ name: string }[]>`
    select tablename as name from pg_tables
     where schemaname = current_schema() and tablename not in ('audit_log', 'audit_unsealed') and tablename !~ '^migrat' order by 1`
  // One statement, because it runs many times.
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as name, (select md5(string_agg(t::text, ',' order by t::text)) from "${name}" as t) as digest`,
  )
  const rows = await world.core.sql.unsafe<{ name: string; digest: string | null }[]>(
    each.join(' union all '),
  )
  return new Map(rows.map(({ name, digest }) => [name, digest ?? '']))
}

const entries = () =>
  world.core.sql<{ action: string; actorKind: string; actorId: string; subject: string }[]>`
    select action, actor_kind as "actorKind", actor_id as "actorId", subject from audit_log order by id`

async function effectOf(name: string, args: readonly string[]) {
  const [rows, log] = [await rowsOfAll(), await entries()]
  const { code, err } = await run(name, args)
  const after = await rowsOfAll()
  const changed = [...after].filter(([table, digest]) => rows.get(table) !== digest).map(([table]) => table)
  return { code, err, changed, logged: (await entries()).slice(log.length) }
}

/** The commands of a group, as its help lists them. */
async function wordsOf(group: string): Promise<readonly string[]> {
  const [first = '', ...rest] = group.split(' ')
  const { out } = await run(first, [...rest, '--help'])
  return out.split('\n').flatMap((line) => /^ {2}([a-z][a-z-]*)/.exec(line)?.[1] ?? [])
}

test('every command is on one of the lists, and only once', async () => {
  const listed = [...Object.keys(changes), ...Object.keys(reads)]
  const groups = new Set(listed.map((each) => each.split(' ')[0]))
  const found: string[] = []
  for (const name of commandNames) {
    if (others[name] !== undefined) continue
    assert.ok(groups.has(name), `./vintem ${name} is on no list: does it change something?`)
    for (const word of await wordsOf(name)) {
      const isGroup = `${name} ${word}` === 'withdrawal destination'
      if (!isGroup) found.push(`${name} ${word}`)
      else for (const third of await wordsOf(`${name} ${word}`)) found.push(`${name} ${word} ${third}`)
    }
  }
  const here = Object.keys(others).filter((each) => each.includes(' '))
  assert.deepEqual(found.toSorted(), [...listed, ...here].toSorted())
})

for (const [name, argumentsOf] of Object.entries(changes))
  test(`${name} writes who did it, with what it changes`, async () => {
    const args = await argumentsOf()
    const [first = ''] = name.split(' ')
    const { code, err, changed, logged } = await effectOf(first, args)
    assert.equal(code, 0, err)
    assert.notDeepEqual(changed, [], 'it changed nothing: the test proves nothing')
    assert.notDeepEqual(logged, [], `it changed ${changed.join(', ')} and wrote nothing`)
    for (const { action, actorKind, actorId, subject } of logged) {
      assert.equal(actorKind, 'OPERATOR')
      assert.match(actorId, /^.+@.+$/)
      assert.match(action, new RegExp(`^[a-z-]+\\.[a-z-]+$`))
      assert.match(subject, /^[a-z-]+:.+$/)
    }
  })

for (const [name, argumentsOf] of Object.entries(reads))
  if (argumentsOf !== undefined)
    test(`${name} changes nothing`, async () => {
      const [first = ''] = name.split(' ')
      const { code, err, changed, logged } = await effectOf(first, argumentsOf())
      assert.deepEqual([code, changed, [...logged]], [0, [], []], err)
    })

test('a refused command writes nothing', async () => {
  for (const [first, args] of [
    ['key', ['revoke', world.merchantId, newId()]],
    ['withdrawal', ['stop', newId(), '--reason', 'x']],
    ['refund', ['end', newId(), '--reason', 'x']],
    ['suspense', ['return', newId()]],
  ] as const) {
    const { code, changed, logged } = await effectOf(first, args)
    assert.notEqual(code, 0)
    assert.deepEqual([changed, [...logged]], [[], []], first)
  }
})

test('above the limit a decision at the command line is a request, which this person cannot approve, and another can', async () => {
  const [refund, withdrawal, stray] = [
    await made.newRefund(world),
    await made.newWithdrawal(world),
    await made.newStray(world),
  ]
  const config = () => ({ ...world.config(), VINTEM_SUSPENSE_ALONE_MAX: 0 })
  const statusOf = async () => {
    const [row] = await world.core.sql`
      select (select status from refund where id = ${refund}) as refund,
             (select status from withdrawal where id = ${withdrawal}) as withdrawal,
             (select resolution from unmatched where id = ${stray}) as stray`
    return { ...row }
  }
  const before = await statusOf()
  for (const [name, args, subject] of [
    ['refund', ['end', refund, ...why], `refund:${refund}`],
    ['withdrawal', ['resolve', withdrawal, 'sent', ...why], `withdrawal:${withdrawal}`],
    ['suspense', ['return', stray, '--note', 'a test'], `unmatched:${stray}`],
  ] as const) {
    const proposed = await run(name, args, config)
    assert.deepEqual([proposed.code, proposed.err], [0, ''])
    const id = /suspense approve ([0-9a-f-]{36})/.exec(proposed.out)?.[1] ?? assert.fail(proposed.out)
    const own = await run('suspense', ['approve', id], config)
    assert.notEqual(own.code, 0, own.out)
    assert.deepEqual(await statusOf(), before, 'nothing was changed')
    const [kept] = await world.core.sql`
      update operator_proposal set by_id = 'bea@office', by_name = 'bea@office' where id = ${id} returning subject`
    assert.equal(kept?.['subject'], subject)
    const approved = await run('suspense', ['approve', id], config)
    assert.deepEqual([approved.code, approved.err], [0, ''], name)
    assert.equal((await run('suspense', ['approve', id], config)).code === 0, false, 'once')
    Object.assign(before, await statusOf())
  }
  assert.deepEqual(before, { refund: 'FAILED', withdrawal: 'COMPLETED', stray: 'RETURNED' })
})
