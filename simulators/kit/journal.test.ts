import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openJournal } from './journal.ts'

const dir = mkdtempSync(join(tmpdir(), 'journal-'))
after(() => rmSync(dir, { recursive: true }))

async function linesOf(path: string): Promise<readonly string[]> {
  const lines: string[] = []
  const journal = await openJournal(path, (line) => void lines.push(line))
  await journal.close()
  return lines
}

test('every acknowledged line is in the file, in order, however it was appended', async () => {
  const path = join(dir, 'order')
  const journal = await openJournal(path, () => undefined)
  assert.equal(journal.kept(), undefined)
  const acknowledged: string[] = []
  const appendSome = async (name: string) => {
    for (let n = 0; n < 50; n++) {
      const line = `${name} ${n} é`
      acknowledged.push(line)
      journal.append(line)
      await journal.kept()
      assert.ok(readFileSync(path, 'utf8').includes(`${line}\n`))
    }
  }
  await Promise.all(['a', 'b', 'c', 'd'].map(appendSome))
  await journal.close()
  assert.deepEqual(await linesOf(path), acknowledged)
})

test('a torn line did not happen, and the next one is whole', async () => {
  const path = join(dir, 'torn')
  appendFileSync(path, 'one\ntwo\nthr')
  assert.deepEqual(await linesOf(path), ['one', 'two'])
  const journal = await openJournal(path, () => undefined)
  journal.append('three')
  await journal.close()
  assert.deepEqual(await linesOf(path), ['one', 'two', 'three'])
})

test('lines that are longer than one read are read whole', async () => {
  const path = join(dir, 'long')
  const long = ['x'.repeat(200_000), 'y', 'z'.repeat(70_000)]
  appendFileSync(path, `${long.join('\n')}\n`)
  assert.deepEqual(await linesOf(path), long)
})
