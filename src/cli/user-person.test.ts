// Decisions of a person at the command line: to let a halted chain continue, to have a signal retried or dropped.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { claimSignals, insertSignals, postponeSignal } from '#/settlement/inbox-queries.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { chainCommand } from './chain.ts'
import { findCommand } from './commands.ts'
import { inboxCommand } from './inbox.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 1 }))

async function run(command: typeof chainCommand, ...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const logged: Readonly<Record<string, unknown>>[] = []
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    logged.push(JSON.parse(String(chunk)) as Readonly<Record<string, unknown>>)
    done()
  }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    { LANG: 'C' },
  )
  const deps = {
    config: () => readConfig({ DATABASE_URL: database.appUrl }),
    open: () => Promise.reject(new Error('no keys are needed')),
  }
  const code = await command(args, terminal, deps, pino({ base: null }, new Writable({ write })))
  return { code, ...printed, logged }
}

const halted = 'block 12 was final as 0xaa and is 0xbb now'

async function haltedNow(): Promise<string | null> {
  const [row] = await sql<{ halted: string | null }[]>`select halted from chain where key = 'bsc'`
  return row?.halted ?? null
}

beforeEach(async () => {
  await sql`delete from inbox`
  await sql`delete from chain`
  await sql`
    insert into chain (key, chain_id, factory, token, treasury, number, final_number, halted)
    values ('bsc', 56, '\\x01', '\\x02', '\\x03', 20, 12, ${halted}), ('other', 57, '\\x01', '\\x02', '\\x03', null, null, null)`
})

test('a halted chain is shown with its reason', async () => {
  const { code, out } = await run(chainCommand, 'list')
  assert.equal(code, 0)
  assert.match(out, new RegExp(`\\nbsc +56 +20 +12 +halted: ${halted}\\n`))
  assert.match(out, /\nother +57 +none +none +not halted\n/)
  const json = await run(chainCommand, 'list', '--json')
  assert.deepEqual(JSON.parse(json.out), [
    { key: 'bsc', chainId: 56, number: 20, finalNumber: 12, halted },
    { key: 'other', chainId: 57, number: null, finalNumber: null, halted: null },
  ])
})

test('a chain is lifted only with its reason repeated or --yes, and the log says who, what and why', async () => {
  for (const args of [[], ['--reason', 'whatever'], ['--why', 'I feel like it']]) {
    const { code, err, logged } = await run(chainCommand, 'lift', 'bsc', ...args)
    assert.equal(code, 2)
    assert.match(
      err,
      new RegExp(`^x The chain bsc is halted: ${halted}\\. [^\\n]+--reason[^\\n]+--yes\\.\\n$`),
    )
    assert.deepEqual([await haltedNow(), logged], [halted, []])
  }
  const { code, logged } = await run(
    chainCommand,
    'lift',
    'bsc',
    '--reason',
    halted,
    '--why',
    'the node was wrong',
  )
  assert.deepEqual([code, await haltedNow()], [0, null])
  const [line, ...more] = logged
  assert.deepEqual(
    [line?.['chain'], line?.['halted'], line?.['why'], more],
    ['bsc', halted, 'the node was wrong', []],
  )
  assert.match(String(line?.['by']), /^.+@.+$/)

  assert.match((await run(chainCommand, 'lift', 'bsc', '--yes')).err, /^x The chain bsc is not halted\. /)
  assert.match((await run(chainCommand, 'lift', 'none', '--yes')).err, /^x There is no chain none\. /)
  await sql`update chain set halted = ${halted} where key = 'bsc'`
  assert.deepEqual([(await run(chainCommand, 'lift', 'bsc', '--yes')).code, await haltedNow()], [0, null])
})

const at = new Date('2026-11-21T12:00:00.000Z')
const body = '{"outcome":"paid"}'

/** Puts signals into the inbox, some of which wait for a person. Returns their ids. */
async function keepSignals(...parked: readonly boolean[]): Promise<readonly bigint[]> {
  const signal = { method: 'CRYPTO' as const, connection: 'a1-x' as ConnectionId, body: Buffer.from(body) }
  await insertSignals(
    sql,
    parked.map(() => signal),
    at,
  )
  const ids = (await sql<{ id: bigint }[]>`select id from inbox order by id`).map(({ id }) => id)
  const outcome = { tries: 5, waitMs: 0, parked: true, error: 'a signal names a payment that is not there' }
  for (const [index, id] of ids.entries()) {
    const claim = { id: String(id), connection: 'a1-x', number: 0 }
    if (parked[index]) await postponeSignal(sql, { id, claim }, outcome)
  }
  return ids
}

test('the signals that wait for a person are shown with the error, and with --json with their bodies', async () => {
  assert.equal((await run(inboxCommand, 'list')).out, 'No signal waits for a person.\n')
  const [, id] = await keepSignals(false, true)
  const { out } = await run(inboxCommand, 'list')
  assert.match(
    out,
    new RegExp(`^ *Id .*\\n *${id}  CRYPTO  a1-x +2026-11-21 12:00:00 UTC +5  a signal names [^\\n]+\\n$`),
  )
  const [row] = JSON.parse((await run(inboxCommand, 'list', '--json')).out) as { id: number; body: string }[]
  assert.deepEqual([row?.id, row?.body], [Number(id), body])
})

test('a retried signal is due at once with all its tries, and only one that waited', async () => {
  const [parked = 0n, busy = 0n] = await keepSignals(true, false)
  const { code, logged } = await run(
    inboxCommand,
    'retry',
    String(parked),
    '--why',
    'the merchant has its wallet now',
  )
  assert.equal(code, 0)
  assert.deepEqual(
    [logged[0]?.['signal'], logged[0]?.['why']],
    [Number(parked), 'the merchant has its wallet now'],
  )
  const claimed = await claimSignals(
    sql,
    { total: 10, each: 10, byConnection: [] },
    { leaseMs: 1, isCrowded: false },
  )
  assert.deepEqual(
    claimed.map(({ id, tries }) => [id, tries]),
    [
      [parked, 1],
      [busy, 1],
    ],
  )
  for (const id of [parked, busy, 999_999n, 'x']) {
    const { code, err } = await run(inboxCommand, 'retry', String(id))
    assert.equal(code, 2)
    assert.match(err, /^x [^\n]+ See \.\/vintem inbox list\.\n$/)
  }
})

test('a signal is dropped only with a reason; it is shown this last time, and the log keeps who, why and its hash', async () => {
  const [parked = 0n, busy = 0n] = await keepSignals(true, false)
  for (const args of [[], ['--reason', ' ']])
    assert.match((await run(inboxCommand, 'drop', String(parked), ...args)).err, /^x --reason is missing\. /)
  assert.equal((await run(inboxCommand, 'drop', String(busy), '--reason', 'none')).code, 2)
  assert.equal((await sql`select from inbox`).count, 2)

  const { code, out, logged } = await run(
    inboxCommand,
    'drop',
    String(parked),
    '--reason',
    'a test of the provider',
  )
  assert.equal(code, 0)
  assert.ok(out.includes(body))
  const [line] = logged
  assert.deepEqual(
    [line?.['signal'], line?.['why'], line?.['bodySha256']],
    [Number(parked), 'a test of the provider', sha256(body).toString('hex')],
  )
  assert.ok(!JSON.stringify(line).includes('outcome'))
  assert.deepEqual([...(await sql`select id from inbox`)], [{ id: busy }])
})

test('both are commands of the program', async () => {
  for (const [name, expected] of [
    ['chain', /lift <key>/],
    ['inbox', /drop <id>/],
  ] as const) {
    let out = ''
    const stdout = { write: (text: string) => (out += text) }
    const terminal = createTerminal({ stdout, stderr: stdout }, {})
    assert.equal(await findCommand(name)(['--help'], { terminal, config: () => readConfig({}) }), 0)
    assert.match(out, expected)
  }
})
