import assert from 'node:assert/strict'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { Entry } from './history.ts'
import {
  entryLine,
  firstLine,
  JournalError,
  markSlot,
  markSlotBytes,
  readJournal,
  readMarkFile,
  type Place,
} from './journal-lines.ts'
import { openJournal, type Journal } from './journal.ts'
import type { Keystore } from './keys.ts'

const root = mkdtempSync(join(tmpdir(), 'vintem-journal-'))
after(() => rmSync(root, { recursive: true, force: true }))
const key = Buffer.alloc(32, 9)

const entry = (number: number): Entry => ({
  at: 1_000 + number,
  tx: {
    key: `0x${'a'.repeat(40)}`,
    chainId: 31_337n,
    nonce: BigInt(number),
    to: `0x${'1'.repeat(40)}`,
    value: 0n,
    data: '0xa9059cbb',
    gas: 60_000n,
    fees: number % 2 === 0 ? { gasPrice: 1n } : { maxFeePerGas: 2n ** 80n, maxPriorityFeePerGas: 0n },
    reference: `payout-${number}`,
  },
})

/** A journal of this many entries, and the place after each of them; the first place is after the first line. */
function written(entries: number): { bytes: Buffer; places: readonly Place[] } {
  const first = firstLine(key)
  const lines = [first.line]
  const places = [first.end]
  for (let number = 0; number < entries; number++) {
    const { line, end } = entryLine(key, must(places.at(-1), 'a place'), entry(number))
    lines.push(line)
    places.push(end)
  }
  return { bytes: Buffer.from(lines.join('')), places }
}

test('cut at any byte, a journal starts with every whole line, unless an answered line is missing', () => {
  const { bytes, places } = written(4)
  for (let cut = 0; cut <= bytes.length; cut++) {
    const whole = bytes.subarray(0, cut).filter((byte) => byte === 0x0a).length - 1
    for (const mark of places) {
      const start = () => readJournal(bytes.subarray(0, cut), mark, key)
      if (mark.count > whole) {
        assert.throws(start, JournalError)
        continue
      }
      const { entries, end, length } = start()
      assert.deepEqual(
        entries,
        Array.from({ length: whole }, (_, number) => entry(number)),
      )
      assert.deepEqual(end, places[whole])
      assert.equal(length, bytes.lastIndexOf(0x0a, cut - 1) + 1)
    }
  }
})

test('a changed byte is a refusal when its line was answered, and the end of the journal when it was not', () => {
  const { bytes, places } = written(4)
  for (let index = 0; index < bytes.length; index += 3) {
    const changed = Buffer.from(bytes)
    changed[index] = must(changed[index], 'a byte') ^ 2
    const line = bytes.subarray(0, index).filter((byte) => byte === 0x0a).length
    for (const mark of places) {
      const start = () => readJournal(changed, mark, key)
      if (mark.count >= line) assert.throws(start, JournalError)
      else assert.ok(start().entries.length < line)
    }
  }
})

test('a journal with lines removed, repeated, swapped, or written with another key is refused', () => {
  const { bytes, places } = written(4)
  const lines = bytes.toString().split(/(?<=\n)/)
  const mark = must(places[4], 'a place')
  const other = [firstLine(Buffer.alloc(32, 8)).line, ...lines.slice(1)]
  for (const wrong of [
    lines.toSpliced(2, 1),
    lines.toSpliced(2, 0, must(lines[2], 'a line')),
    lines.toSpliced(2, 2, must(lines[3], 'a line'), must(lines[2], 'a line')),
    lines.slice(1),
    other,
    [],
  ])
    assert.throws(() => readJournal(Buffer.from(wrong.join('')), mark, key), JournalError)
})

test('a mark that was cut at any byte leaves the previous mark valid', () => {
  const { places } = written(3)
  const [first, second] = [must(places[1], 'a place'), must(places[2], 'a place')]
  const file = Buffer.alloc(markSlotBytes + 256)
  markSlot(key, first).copy(file, 0)
  assert.deepEqual(readMarkFile(file, key), { place: first, slot: 0 })
  const slot = markSlot(key, second)
  const needed = slot.indexOf(0x0a)
  for (let cut = 0; cut <= slot.length; cut++) {
    slot.copy(file, markSlotBytes, 0, cut)
    const expected = cut <= needed ? { place: first, slot: 0 } : { place: second, slot: 1 }
    assert.deepEqual(readMarkFile(file, key), expected)
  }
  assert.equal(readMarkFile(Buffer.alloc(0), key), undefined)
  assert.equal(readMarkFile(file, Buffer.alloc(32)), undefined)
})

let homes = 0
function newHome(): { folder: string; store: Keystore; lines: string; mark: string } {
  homes += 1
  const folder = join(root, String(homes))
  mkdirSync(folder, { mode: 0o700 })
  const store = {
    folder: join(folder, 'keys'),
    passphrase: Buffer.from('a passphrase of some length'),
    scryptN: 1_024,
  }
  return { folder, store, lines: join(folder, 'journal.jsonl'), mark: join(folder, 'journal.mark') }
}

async function opened<Result>(
  { folder, store }: ReturnType<typeof newHome>,
  use: (journal: Journal) => Promise<Result> | Result,
): Promise<Result> {
  const journal = await openJournal(folder, store)
  try {
    return await use(journal)
  } finally {
    await journal.close()
  }
}

test('appended entries are there after every start, in their order', async () => {
  const home = newHome()
  for (let round = 0; round < 4; round++) {
    await opened(home, async (journal) => {
      assert.deepEqual(
        journal.entries,
        Array.from({ length: 3 * round }, (_, number) => entry(number)),
      )
      await journal.append([entry(3 * round), entry(3 * round + 1)])
      await journal.append([entry(3 * round + 2)])
    })
  }
  assert.equal(statSync(home.lines).mode & 0o777, 0o600)
  for (const line of readFileSync(home.lines, 'utf8').trim().split('\n')) JSON.parse(line)
})

test('an incomplete line is dropped, and the journal continues after the last whole one', async () => {
  const home = newHome()
  await opened(home, (journal) => journal.append([entry(0), entry(1)]))
  const { length } = readFileSync(home.lines)
  writeFileSync(home.lines, '["0123', { flag: 'a' })
  await opened(home, async (journal) => {
    assert.deepEqual([journal.entries.length, journal.dropped], [2, 6])
    assert.equal(statSync(home.lines).size, length)
    await journal.append([entry(2)])
  })
  await opened(home, (journal) => assert.equal(journal.entries.length, 3))
})

test('a journal from yesterday’s backup is refused, and so is one without its mark, its key or its first lines', async () => {
  const home = newHome()
  await opened(home, (journal) => journal.append([entry(0)]))
  copyFileSync(home.lines, `${home.lines}.old`)
  await opened(home, (journal) => journal.append([entry(1)]))
  const pristine = join(root, 'pristine')
  cpSync(home.folder, pristine, { recursive: true })
  const spoils: readonly (readonly [string, () => void, RegExp])[] = [
    ['an older one', () => copyFileSync(`${home.lines}.old`, home.lines), /line 2 of the journal lacks/],
    ['no mark', () => rmSync(home.mark), /journal\.mark is missing/],
    ['an empty mark', () => truncateSync(home.mark), /journal\.mark is not as it was written/],
    ['no lines', () => rmSync(home.lines), /journal\.jsonl is missing/],
    ['empty lines', () => truncateSync(home.lines), /line 0 of the journal lacks/],
    ['no key', () => rmSync(join(home.store.folder, 'journal.json')), /but not its key/],
  ]
  for (const [what, spoil, why] of spoils) {
    spoil()
    await assert.rejects(
      openJournal(home.folder, home.store),
      { name: 'SignerStartError', message: why },
      what,
    )
    rmSync(home.folder, { recursive: true })
    cpSync(pristine, home.folder, { recursive: true })
  }
  await opened(home, (journal) => assert.equal(journal.entries.length, 2))
})

test('a first start that was killed before it stored the key starts afresh', async () => {
  const home = newHome()
  await opened(home, () => {})
  rmSync(join(home.store.folder, 'journal.json'))
  await opened(home, (journal) => journal.append([entry(0)]))
  await opened(home, (journal) => assert.equal(journal.entries.length, 1))
  assert.ok(existsSync(join(home.store.folder, 'journal.json')))
})

test('after another process has written, the journal accepts nothing more', async () => {
  const home = newHome()
  await opened(home, async (journal) => {
    await journal.append([entry(0)])
    writeFileSync(home.lines, 'x', { flag: 'a' })
    await assert.rejects(journal.append([entry(1)]), /another process writes/)
    truncateSync(home.lines, statSync(home.lines).size - 1)
    await assert.rejects(journal.append([entry(1)]), /accepts no more/)
  })
})
