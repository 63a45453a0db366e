// What is handed out is on the disk before it is: also when the process is killed, and when the disk takes nothing more.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import type { Attempt } from '#/rails/attempt.ts'
import { openLine, type Line } from '../../test/line.ts'
import { openPixWorld } from '../../test/pix-world.ts'
import { testDatabase } from '../../test/postgres.ts'
import { startPixBank } from '../../test/rails/pix/bank.ts'
import { headerOf, lineOf, parseHeader, parseLine, type Issued } from './line.ts'
import { createIssuanceLog } from './log.ts'
import { selectBooks } from './queries.ts'
import { readLogs } from './read.ts'

const place = mkdtempSync(path.join(tmpdir(), 'vintem-issuance-'))
const books = { cell: 'a1', first: newId<'merchant'>() }
let line: Line
const lineFolder = path.join(place, 'line')

before(async () => {
  line = await openLine(undefined, lineFolder)
})
after(async () => {
  await line[Symbol.asyncDispose]()
  rmSync(place, { recursive: true, force: true })
})

const newAttempt = (): Attempt => ({
  id: newId(),
  merchantId: newId(),
  paymentId: newId(),
  method: 'PIX',
  connection: `a1-${newId()}` as ConnectionId,
  amount: { minor: 123_456n, currency: 'BRL' },
})

async function read(folder: string, of = books) {
  const counts = { files: 0, lines: 0, torn: 0, damaged: 0 }
  const found: Issued[] = []
  for await (const page of readLogs([folder], of, counts)) found.push(...page)
  return { found, counts }
}

const logOf = (folder: string, clock = systemClock) =>
  createIssuanceLog({ folder, books: async () => books, clock, log: silentLog })

const isUnavailable = (error: unknown) => error instanceof AppError && error.code === 'unavailable'

test('a line says of an attempt what it was told, in about 130 bytes, and a changed one says nothing', () => {
  const issued = { at: new Date(1_790_000_000_123), attempt: newAttempt() }
  const text = lineOf(issued)
  assert.ok(text.length < 150, String(text.length))
  assert.deepEqual(parseLine(text.trimEnd()), issued)
  const named = { ...issued, name: 'cs_test 1/ü' }
  assert.deepEqual(parseLine(lineOf(named).trimEnd()), named)
  const other = { ...issued, attempt: { ...issued.attempt, connection: 'of a test' as ConnectionId } }
  assert.deepEqual(parseLine(lineOf(other).trimEnd()), other)
  for (let at = 0; at < text.length - 1; at += 1) {
    assert.equal(parseLine(text.slice(0, at)), undefined)
    assert.equal(parseLine(`${text.slice(0, at)}~${text.slice(at + 1).trimEnd()}`), undefined)
  }
  assert.deepEqual(parseHeader(headerOf(books).trimEnd()), books)
})

test('a thousand lines at the same time are on the disk when their callers go on, in one file of the day', async () => {
  const folder = path.join(place, 'many')
  const log = logOf(folder)
  const attempts = Array.from({ length: 1_000 }, newAttempt)
  await Promise.all(
    attempts.map(async (attempt) => {
      await log.write(attempt)
      const text = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
      assert.ok(text.join('').includes(lineOf({ at: new Date(0), attempt }).split(' ')[4] ?? '-'))
    }),
  )
  await log.close()
  const { found, counts } = await read(folder)
  assert.deepEqual(new Set(found.map(({ attempt }) => attempt.id)), new Set(attempts.map(({ id }) => id)))
  assert.deepEqual(counts, { files: 1, lines: 1_000, torn: 0, damaged: 0 })
  assert.equal(statSync(path.join(folder, readdirSync(folder)[0] ?? '')).mode & 0o077, 0)
})

test('each day has a file of its own', async () => {
  const folder = path.join(place, 'days')
  let now = new Date('2026-11-27T23:59:59.999Z')
  const log = logOf(folder, { now: () => now })
  await log.write(newAttempt())
  now = new Date('2026-11-28T00:00:00.000Z')
  await log.write(newAttempt())
  await log.close()
  assert.deepEqual(
    readdirSync(folder).map((name) => name.slice(0, 13)),
    ['2026-11-27-a1', '2026-11-28-a1'],
  )
  assert.equal((await read(folder)).counts.lines, 2)
})

test('while the folder is none, nothing is promised; afterwards a new file goes on', async () => {
  const folder = path.join(place, 'gone')
  const log = logOf(folder)
  await log.write(newAttempt())
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  await assert.rejects(log.write(newAttempt()), isUnavailable)
  // At once, and without a further look at the disk.
  await assert.rejects(log.write(newAttempt()), isUnavailable)
  await assert.rejects(log.prepare(), /VINTEM_ISSUANCE_LOG cannot be written to/)
  unlinkSync(folder)
  await sleep(1_100)
  const attempt = newAttempt()
  await log.write(attempt)
  await log.close()
  assert.deepEqual(
    (await read(folder)).found.map((each) => each.attempt),
    [attempt],
  )
})

test('a limit of the disk amid a line refuses its callers; what was promised before is whole', async () => {
  const folder = path.join(place, 'full')
  const program = `
    import { createIssuanceLog } from '#/issuance/log.ts'
    import { newId } from '#/kernel/id.ts'
    import { silentLog } from '#/kernel/log.ts'
    import { systemClock } from '#/kernel/time.ts'
    const books = async () => ({ cell: 'a1', first: ${JSON.stringify(books.first)} })
    const log = createIssuanceLog({ folder: ${JSON.stringify(folder)}, books, clock: systemClock, log: silentLog })
    const ended = []
    for (let n = 0; n < 100; n += 1) {
      const attempt = { id: newId(), merchantId: newId(), paymentId: newId(), method: 'PIX', connection: 'a1-' + newId(), amount: { minor: 1n, currency: 'BRL' } }
      ended.push(await log.write(attempt).then(() => attempt.id, ({ code }) => code))
    }
    console.log(JSON.stringify(ended))`
  // The kernel refuses to let a file grow beyond 4 KiB (setrlimit(2), RLIMIT_FSIZE), and takes a part of the write that reaches it.
  const child = spawn(
    'bash',
    ['-c', 'ulimit -f 4; exec "$0" --input-type=module -e "$1"', process.execPath, program],
    { cwd: new URL('../..', import.meta.url).pathname, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let printed = ''
  child.stdout.on('data', (part: Buffer) => (printed += part.toString()))
  await once(child, 'close')
  const ended = JSON.parse(printed) as readonly string[]
  const promised = ended.filter((each) => each !== 'unavailable')
  assert.ok(promised.length > 20 && promised.length < 100, String(promised.length))
  const { found, counts } = await read(folder)
  assert.deepEqual(
    found.map(({ attempt }) => attempt.id),
    promised,
  )
  assert.deepEqual([counts.torn, counts.damaged], [1, 0])
})

test('a payment by CRYPTO is not committed before its line is on the disk', async () => {
  await line.owner`select 1`
  const locked = Promise.withResolvers<undefined>()
  const release = Promise.withResolvers<undefined>()
  const locking = line.owner.begin(async (tx) => {
    await tx`lock table payment in exclusive mode`
    locked.resolve(undefined)
    await release.promise
  })
  await locked.promise
  const creating = line.create()
  const own = must(await selectBooks(line.sql), 'there are books')
  let found: readonly Issued[] = []
  for (let tries = 0; found.length === 0 && tries < 100; tries += 1) {
    await sleep(20)
    found = await read(lineFolder, own).then(
      (each) => each.found,
      () => [],
    )
  }
  release.resolve(undefined)
  await locking
  const payment = await creating
  assert.deepEqual(
    found.map(({ attempt }) => [attempt.paymentId, attempt.method, attempt.amount.minor]),
    [[payment.id, 'CRYPTO', payment.amountMinor]],
  )
})

test('when nothing can be written down there is no payment by CRYPTO, and the key is free', async () => {
  const folder = path.join(place, 'blocked')
  writeFileSync(folder, '')
  await using blocked = await openLine(undefined, folder)
  const key = newId()
  await assert.rejects(blocked.create({}, key), isUnavailable)
  const [count] = await blocked.sql<{ count: bigint }[]>`select count(*) from payment`
  assert.equal(count?.count, 0n)
  unlinkSync(folder)
  await sleep(1_100)
  const payment = await blocked.create({}, key)
  const own = must(await selectBooks(blocked.sql), 'there are books')
  assert.deepEqual(
    (await read(folder, own)).found.map(({ attempt }) => attempt.paymentId),
    [payment.id],
  )
})

test('a bank is not asked for a charge that is not written down; with its line it is, also when it does not answer', async () => {
  const folder = path.join(place, 'pix')
  writeFileSync(folder, '')
  await using bank = await startPixBank()
  await using world = await openPixWorld(await bank.customer(), { VINTEM_ISSUANCE_LOG: folder })
  const key = newId()
  await assert.rejects(world.create({}, key), isUnavailable)
  const [kept] = await world.core.sql<{ id: string; attempt: string; status: string }[]>`
    select payment.id, attempt.id as attempt, status from payment join attempt on payment_id = payment.id`
  assert.equal(kept?.status, 'PENDING')
  assert.deepEqual(await bank.charges(kept.attempt.replaceAll('-', '')), [])
  unlinkSync(folder)
  await sleep(1_100)
  await bank.control('POST', '/down', { down: true })
  await assert.rejects(world.create({}, key), { code: 'provider_unavailable' })
  const own = must(await selectBooks(world.core.sql), 'there are books')
  const { found } = await read(folder, own)
  assert.deepEqual(
    found.map(({ attempt }) => [attempt.paymentId, attempt.id, attempt.method, attempt.connection]),
    [[kept.id, kept.attempt, 'PIX', world.connection]],
  )
  await bank.control('POST', '/down', { down: false })
  const { payment } = await world.create({}, key)
  assert.deepEqual([payment.id, payment.status], [kept.id, 'WAITING_PAYMENT'])
})

test('kill -9 at any moment: each committed payment has its line, and each that was answered', async (t) => {
  const program = new URL('../../test/issuing-process.ts', import.meta.url).pathname
  for (const ms of [0, 60, 170]) {
    await using database = await testDatabase()
    const folder = path.join(place, `killed-${ms}`)
    const { appUrl, ownerUrl } = database
    const child = spawn(process.execPath, [program, appUrl, ownerUrl, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    const started = Promise.withResolvers<undefined>()
    child.stdout.on('data', (part: Buffer) => {
      printed += part.toString()
      started.resolve(undefined)
    })
    await started.promise
    await sleep(ms)
    child.kill('SIGKILL')
    await once(child, 'close')
    const answered = printed.split('\n').slice(0, -1)
    const sql = connect(appUrl, { max: 1 })
    const committed = await sql<{ id: string }[]>`select id from payment`
    const { found, counts } = await read(folder, must(await selectBooks(sql), 'there are books'))
    await sql.end({ timeout: 1 })
    const logged = new Set<string>(found.map(({ attempt }) => attempt.paymentId))
    t.diagnostic(`${answered.length} answered, ${committed.length} committed, ${logged.size} written down`)
    assert.ok(answered.length > 0)
    assert.equal(counts.damaged, 0)
    for (const id of answered) assert.ok(logged.has(id), `${id} was answered`)
    for (const { id } of committed) assert.ok(logged.has(id), `${id} was committed`)
  }
})
