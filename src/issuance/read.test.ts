// What is read of a folder of issuance logs: whole lines in pages, each other text counted, and nothing of other books.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { bareId } from '../../test/bare-rows.ts'
import { headerOf, lineOf } from './line.ts'
import { readLogs } from './read.ts'

const place = mkdtempSync(path.join(tmpdir(), 'vintem-issued-'))
after(() => rmSync(place, { recursive: true, force: true }))

const books = { cell: 'a1', first: bareId(1) as MerchantId }
const header = headerOf(books)
const line = lineOf({
  at: new Date('2026-11-22T10:00:00Z'),
  attempt: {
    id: bareId(2) as AttemptId,
    merchantId: books.first,
    paymentId: bareId(3) as PaymentId,
    method: 'PIX',
    connection: `a1-${bareId(4)}` as ConnectionId,
    amount: { minor: 5n, currency: 'BRL' },
  },
})

/** The lengths of the pages, and the counts, of a folder with these files. */
async function read(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(path.join(place, 'f'))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const counts = { files: 0, lines: 0, torn: 0, damaged: 0 }
  const pages: number[] = []
  for await (const page of readLogs([folder], books, counts)) pages.push(page.length)
  return { pages, ...counts }
}

test('lines come in pages of a thousand, and no page is empty', async () => {
  for (const [lines, pages] of [
    [0, []],
    [1, [1]],
    [1_000, [1_000]],
    [1_001, [1_000, 1]],
  ] as const)
    assert.deepEqual(await read({ 'a.issued': header + line.repeat(lines) }), {
      pages: [...pages],
      files: 1,
      lines,
      torn: 0,
      damaged: 0,
    })
})

test('each log is read; what is torn at its end and what is damaged amid it is counted', async () => {
  const cases: readonly (readonly [text: string, found: Partial<Awaited<ReturnType<typeof read>>>])[] = [
    ['', {}],
    [header.slice(0, 20), { torn: 1 }],
    [header + line + line.slice(0, 20), { pages: [1], lines: 1, torn: 1 }],
    [header + line + line.slice(0, -1), { pages: [1], lines: 1, torn: 1 }],
    [`${header}${line}no line\n${line}\n`, { pages: [2], lines: 2, damaged: 2 }],
    [`${header}${'x'.repeat(200_000)}\n${line}`, { pages: [1], lines: 1, damaged: 1 }],
    [`${header}${line}${'x'.repeat(200_000)}`, { pages: [1], lines: 1, torn: 1 }],
    [header + header + line, { pages: [1], lines: 1, damaged: 1 }],
  ]
  const none = { pages: [], files: 1, lines: 0, torn: 0, damaged: 0 }
  for (const [text, found] of cases)
    assert.deepEqual(await read({ 'a.issued': text }), { ...none, ...found }, text.slice(0, 99))
  const two = { 'a.issued': header + line, 'b.issued': `${header}no line\nnone\n${line}to`, 'notes.txt': 'x' }
  assert.deepEqual(await read(two), { pages: [1, 1], files: 2, lines: 2, torn: 1, damaged: 2 })
})

test('a folder without a log, and a log of other books, is refused before a line of it is read', async () => {
  const [cell, first] = [
    headerOf({ ...books, cell: 'b2' }),
    headerOf({ ...books, first: bareId(9) as MerchantId }),
  ]
  await assert.rejects(read({ 'notes.txt': header }), {
    name: 'UnreadableLog',
    message: /has no issuance log/,
    remedy: /\.issued/,
  })
  await assert.rejects(read({ 'a.issued': cell + line }), /a\.issued is the log of other books, of cell b2/)
  await assert.rejects(read({ 'a.issued': first + line }), /is the log of other books, of cell a1/)
  await assert.rejects(read({ 'a.issued': line }), /does not begin as an issuance log/)
  await assert.rejects(async () => {
    for await (const page of readLogs([path.join(place, 'none')], books, {
      files: 0,
      lines: 0,
      torn: 0,
      damaged: 0,
    }))
      assert.fail(String(page.length))
  }, /none cannot be read \(ENOENT/)
})
