// What is done with the files of an issuance log: each line is synced before its caller goes on, also the name of its file, and no file is left open.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { AppError } from '#/kernel/error.ts'
import { asAttempt, ours } from '../../test/bare-attempts.ts'
import { fieldOf } from '../../test/bare-lane.ts'
import { headerOf, lineOf } from './line.ts'
import { createIssuanceLog } from './log.ts'

const place = mkdtempSync(path.join(tmpdir(), 'vintem-files-'))
after(() => rmSync(place, { recursive: true, force: true }))

const books = { cell: 'a1', first: ours }
const [noon, midnight] = [new Date('2026-11-27T12:00:00Z'), new Date('2026-11-28T00:00:00Z')]

/** How a call on a file goes: it is refused by the disk, or writes at most so many bytes. */
type Spoiled = 'fails' | number | undefined

type WriteBytes = (
  this: FileHandle,
  bytes: Buffer,
  from: number,
  length: number,
) => ReturnType<FileHandle['write']>

/** A log in a folder that is not there yet. Its process starts now; `pass` lets time go on. */
async function opened(t: TestContext) {
  const folder = path.join(mkdtempSync(path.join(place, 'f')), 'issued')
  const [calls, logged]: [string[], string[]] = [[], []]
  let [at, nowMs] = [noon, 0]
  t.mock.method(performance, 'now', () => nowMs)
  let spoil: (call: string, count: number) => Spoiled = () => undefined
  const probe = await open(import.meta.filename)
  const handles = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const { sync, datasync } = handles
  const write: WriteBytes = handles.write
  const seen = new WeakSet<FileHandle>()
  const note = (handle: FileHandle, call: string) => {
    if (!seen.has(handle) && handle instanceof EventEmitter) handle.once('close', () => calls.push('close'))
    seen.add(handle)
    calls.push(call)
    const how = spoil(call, calls.filter((each) => each === call).length)
    if (how === 'fails') throw new Error('the disk is full')
    return how
  }
  t.mock.method(handles, 'write', async function (this: FileHandle, bytes: Buffer, from: number) {
    return write.call(this, bytes, from, note(this, 'write') ?? bytes.length - from)
  })
  for (const [name, real] of Object.entries({ sync, datasync }))
    t.mock.method(handles, name as 'sync', async function (this: FileHandle) {
      note(this, name)
      await real.call(this)
    })
  const log = createIssuanceLog({
    folder,
    books: async () => books,
    clock: { now: () => at },
    log: pino({ level: 'error' }, { write: (line: string) => void logged.push(fieldOf(line, 'error')) }),
  })
  const line = lineOf({ at, attempt: asAttempt })
  return {
    folder,
    log,
    line,
    logged,
    write: () => log.write(asAttempt),
    /** The calls since the last question. */
    calls: () => calls.splice(0).join(' '),
    files: () => readdirSync(folder).map((name) => name.replace(/-[0-9a-f]{12}-/, '-*-')),
    texts: () => readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8')),
    nextDay: () => (at = midnight),
    pass: (ms: number) => (nowMs += ms),
    spoil: (how: typeof spoil) => void (spoil = how),
  }
}

const refused = (error: unknown) =>
  error instanceof AppError && error.code === 'unavailable' && error.retryAfterMs === 2_000

test('a line is synced, and before it the name of a new file; all are closed, and nobody else may read them', async (t) => {
  const { folder, log, line, write, calls, files, texts, nextDay } = await opened(t)
  const begins = 'write sync close'
  await write()
  assert.equal(calls(), `${begins} write datasync`)
  await write()
  assert.equal(calls(), 'write datasync')
  assert.deepEqual(texts(), [headerOf(books) + line + line])
  nextDay()
  await write()
  assert.equal(calls(), `close ${begins} write datasync`)
  await log.close()
  assert.equal(calls(), 'close')
  assert.deepEqual(files(), ['2026-11-27-a1-*-1.issued', '2026-11-28-a1-*-2.issued'])
  const modes = ['', ...readdirSync(folder)].map((name) => statSync(path.join(folder, name)).mode & 0o777)
  assert.deepEqual(modes, [0o700, 0o600, 0o600])
})

test('the folder is made before the first line, for this user alone', async (t) => {
  const { folder, log } = await opened(t)
  await log.prepare()
  assert.equal(statSync(folder).mode & 0o777, 0o700)
})

test('the end waits for lines that were given before it, and takes no more', async (t) => {
  const { log, write, texts, line } = await opened(t)
  const writing = write()
  await log.close()
  assert.deepEqual(texts(), [headerOf(books) + line])
  await writing
  await assert.rejects(write(), { code: 'unavailable', message: /is closing/ })
})

test('a write may take a part of a line at a time, but not nothing', async (t) => {
  const { spoil, write, texts, line, logged, calls } = await opened(t)
  spoil(() => 1)
  await write()
  assert.deepEqual(texts(), [headerOf(books) + line])
  calls()
  spoil(() => 0)
  await assert.rejects(write(), refused)
  assert.deepEqual(logged, ['nothing could be written'])
})

for (const { call, well, expected } of [
  // The call that fails, how often it goes well before, and what is done.
  { call: 'write', well: 0, expected: 'write close' },
  { call: 'sync', well: 0, expected: 'write sync close close' },
  { call: 'write', well: 1, expected: 'write sync close write close' },
  { call: 'datasync', well: 0, expected: 'write sync close write datasync close' },
])
  test(`a file in which no line was promised is closed and removed when ${call} ${well + 1} fails`, async (t) => {
    const { spoil, write, calls, files, logged } = await opened(t)
    spoil((each, count) => (each === call && count === well + 1 ? 'fails' : undefined))
    await assert.rejects(write(), refused)
    assert.equal(calls(), expected)
    assert.deepEqual([files(), logged], [[], ['the disk is full']])
  })

test('a file in which a line was promised stays; for a second nothing is tried, and then a new file goes on', async (t) => {
  const { folder, spoil, write, calls, files, pass } = await opened(t)
  await write()
  calls()
  spoil((each) => (each === 'datasync' ? 'fails' : undefined))
  await assert.rejects(write(), refused)
  assert.equal(calls(), 'write datasync close')
  assert.deepEqual(files(), ['2026-11-27-a1-*-1.issued'])
  spoil(() => undefined)
  pass(999)
  await assert.rejects(write(), refused)
  assert.equal(calls(), '')
  pass(1)
  await write()
  assert.deepEqual(files(), ['2026-11-27-a1-*-1.issued', '2026-11-27-a1-*-2.issued'])
  // A line in a file that somebody removed is in no file.
  for (const name of readdirSync(folder)) unlinkSync(path.join(folder, name))
  await assert.rejects(write(), refused)
})
