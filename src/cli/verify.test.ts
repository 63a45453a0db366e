import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { readConfig } from '#/config.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { auditKey, cell, cent, openLine, type Line } from '../../test/line.ts'
import { testDatabase } from '../../test/postgres.ts'
import { verifyCommand } from './verify.ts'

let line: Line

before(async () => {
  line = await openLine()
  const payment = await line.create({ webhookUrl: 'https://shop.example/hook' })
  await line.mine([{ to: await line.addressOf(payment), units: 1_000n * cent }])
  await line.finalize()
  await line.settleAll()
})

after(() => line[Symbol.asyncDispose]())

/** Runs the command as from a shell, on a terminal or into a pipe. */
async function run(args: readonly string[], isTTY = false, databaseUrl = line.appUrl) {
  const printed = { out: '', err: '' }
  const stdout = { isTTY, columns: 100, write: (text: string) => (printed.out += text) }
  const stderr = { write: (text: string) => (printed.err += text) }
  const config = () =>
    readConfig({
      DATABASE_URL: databaseUrl,
      VINTEM_CELL: cell,
      VINTEM_AUDIT_KEY: auditKey.toString('hex'),
      // Verification needs only the audit key.
      VINTEM_SANDBOX: 'off',
    })
  const code = await verifyCommand(args, createTerminal({ stdout, stderr }, { LANG: 'C' }), config)
  return { code, ...printed }
}

async function tamper(statement: string): Promise<void> {
  await line.owner.unsafe(
    `begin; alter table transfer disable trigger user; ${statement}; alter table transfer enable trigger user; commit`,
  )
}

async function anchor(): Promise<string> {
  const [head] = await line.sql<{ batch: bigint; hash: Buffer }[]>`select batch, hash from head`
  return `${head?.batch}:${head?.hash.toString('hex')}`
}

test('sound books: exit code 0, everything with its count, an anchor, and the limits of verify', async () => {
  const { code, out, err } = await run([])
  assert.equal(code, 0)
  assert.equal(err, '')
  assert.match(out, /^Verify up to batch \d+ of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n/)
  for (const expected of [
    /\+ chain +\d+ batches, \d+ accounts, \d+ transfers, \d+ events, \d+ seals\n/,
    /\+ deposits +1 transfers\n/,
  ])
    assert.match(out, expected)
  assert.ok(out.includes(`Anchor: ${await anchor()}\n`))
  assert.match(out, /Verify cannot find:\n(?: {2}- .+\n){6}$/)
  assert.match(out, /\nUnexplained: 0\.00\n/)
  assert.doesNotMatch(out, /Not inspected/)
})

test('a fault: exit code 1, the row by name, and where to read on', async () => {
  await tamper(`update transfer set minor = minor + 1 where number = 1`)
  try {
    const { code, out, err } = await run([])
    assert.equal(code, 1)
    assert.match(
      out,
      /\nx chain .*\n {4}batch \d+ has another hash than its accounts, transfers, events, seals and header make\n/,
    )
    assert.match(out, /\n {4}transfer 1 has an entry of \d+ on account \d+ instead of \d+\n/)
    // One cent, on each of its two accounts.
    assert.match(out, /\nUnexplained: 0\.02 USDT\n/)
    assert.match(err, /^x There are \d+ faults\. docs\/verify\.md says/)
    const json = await run(['--json'])
    assert.equal(json.code, 1)
    const report = JSON.parse(json.out) as { ok: boolean; faultCount: number; faults: { row: string }[] }
    assert.equal(report.ok, false)
    assert.equal(report.faults.length, report.faultCount)
    assert.ok(report.faults.some(({ row }) => row === 'transfer 1'))
  } finally {
    await tamper(`update transfer set minor = minor - 1 where number = 1`)
  }
  assert.equal((await run([])).code, 0)
})

test('only some inspections are made, by name, and what was left out is said; an unknown name is refused with all that there are', async () => {
  await tamper(`update transfer set minor = minor + 1 where number = 1`)
  try {
    const { inspections, leftOut, ok } = JSON.parse(
      (await run(['--only', 'chain, guards', '--json'])).out,
    ) as { inspections: string[]; leftOut: string[]; ok: boolean }
    assert.deepEqual([inspections, ok], [['chain', 'guards'], false])
    assert.ok(leftOut.includes('deposits') && !leftOut.includes('guards'))
    const { code, out } = await run(['--only', 'guards'])
    assert.equal(code, 0)
    assert.match(out, /\nNot inspected, because of --only: chain, .*deposits/)
    assert.doesNotMatch(out, /--only: .*guards|Unexplained/)
  } finally {
    await tamper(`update transfer set minor = minor - 1 where number = 1`)
  }
  const { code, err } = await run(['--only', 'everything'])
  assert.equal(code, 2)
  assert.match(err, /"everything" is no inspection\. There are: chain, /)
})

test('for programs: one JSON object with the whole report', async () => {
  const { code, out } = await run(['--json'])
  assert.equal(code, 0)
  const report = JSON.parse(out) as Record<string, unknown> & { checked: unknown[]; cannotFind: string[] }
  assert.deepEqual([report['ok'], report['faultCount'], report['anchor']], [true, 0, await anchor()])
  assert.ok(report.checked.length > 20 && report.cannotFind.length === 6)
})

test('an anchor of an earlier run must still be in the chain', async () => {
  const kept = await anchor()
  assert.equal((await run(['--anchor', kept])).code, 0)
  const [number] = kept.split(':')
  const other = await run(['--anchor', `${number}:${'0'.repeat(64)}`])
  assert.equal(other.code, 1)
  assert.match(other.out, /\n {4}batch \d+ is not the one of the anchor\n/)
  const longer = await run(['--anchor', `999:${'0'.repeat(64)}`])
  assert.match(longer.out, /\n {4}batch 999 is gone: the chain was longer once\n/)
})

test('the page about verify describes exactly the inspections that are made', async () => {
  const page = readFileSync(new URL('../../docs/verify.md', import.meta.url), 'utf8')
  const [, section = ''] = /## What it checks\n([^]*?)\n## /.exec(page) ?? []
  const described = [...section.matchAll(/^\| ([a-z][^|]*?) \|/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  )
  const { out } = await run(['--anchor', await anchor()])
  const made = [...out.matchAll(/^\+ ([a-z -]+?)  +\S/gm)].map(([, name = '']) => name)
  assert.ok(made.length > 10)
  assert.deepEqual(made.toSorted(), described.toSorted())
})

test('misused: exit code 2 and one line', async () => {
  for (const args of [['--up-to', 'x'], ['--anchor', '5'], ['--nonsense'], ['everything']]) {
    const { code, err } = await run(args)
    assert.equal(code, 2)
    assert.match(err, /^x [^\n]+\n$/)
  }
  assert.match((await run(['--help'])).out, /--anchor <batch:hash>/)
})

test('a batch that is not there, and a database without books, are one line each', async () => {
  const { code, err } = await run(['--up-to', '999999'])
  assert.equal(code, 1)
  assert.match(err, /There is no batch 999999\./)
  await using unused = await testDatabase()
  const empty = await run([], false, unused.appUrl)
  assert.equal(empty.code, 1)
  assert.match(empty.err, /There are no books in this database yet\./)
  assert.doesNotMatch(err + empty.err, /at \S+\.ts/, 'no stack')
})

test('on a terminal progress stays on one line, and leaves no trace', async () => {
  const { out } = await run([], true)
  const shown = out.split('\n').map((each) => each.split('\r').at(-1))
  assert.ok(shown.every((each) => !/^\w+: \d+ \w+$/.test(each ?? '')))
})
