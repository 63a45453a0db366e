import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTerminal } from '#/kernel/terminal.ts'
import { dateText, formatTable, printRecord, printRows, type Column } from './table.ts'

type Row = { readonly name: string; readonly amount: string; readonly about: string }
const rows: readonly Row[] = [
  { name: 'Ana', amount: '9.00', about: 'one two three four five six seven' },
  { name: '日本語', amount: '1234.00', about: 'x' },
]
const columns: readonly Column<Row>[] = [
  { name: 'Name', value: ({ name }) => name },
  { name: 'Amount', value: ({ amount }) => amount, align: 'right' },
  { name: 'About', value: ({ about }) => about },
]

function open(width?: number) {
  const printed: string[] = []
  const stdout = {
    write: (text: string) => printed.push(text),
    ...(width === undefined ? {} : { isTTY: true, columns: width }),
  }
  return { printed, terminal: createTerminal({ stdout, stderr: stdout }, {}) }
}

test('columns are aligned, numbers to the right, wide characters counted as two', () => {
  assert.deepEqual(formatTable(rows, columns), [
    'Name     Amount  About',
    'Ana        9.00  one two three four five six seven',
    '日本語  1234.00  x',
  ])
})

test('the last column is wrapped to the terminal between words, and put below where it has no room', () => {
  assert.deepEqual(formatTable(rows, columns, 42), [
    'Name     Amount  About',
    'Ana        9.00  one two three four five',
    '                 six seven',
    '日本語  1234.00  x',
  ])
  assert.deepEqual(formatTable(rows, columns, 30), [
    'Name     Amount',
    '    About',
    'Ana        9.00',
    '    one two three four five',
    '    six seven',
    '日本語  1234.00',
    '    x',
  ])
})

test('a cell from outside stays one line and cannot control the terminal', () => {
  const table = formatTable([{ name: 'a\u001B[2Jb\nc', amount: '', about: '' }], columns)
  assert.equal(table[1], 'ab c')
})

test('--json prints one JSON array with exact integers, also for an empty list', () => {
  const { printed, terminal } = open()
  const options = { columns: [{ name: 'N', value: () => '' }], json: true, empty: 'none' }
  printRows(terminal, [{ minor: 9_007_199_254_740_993n }], options)
  printRows(terminal, [], options)
  assert.deepEqual(printed, ['[{"minor":9007199254740993}]\n', '[]\n'])
})

test('an empty list is reported in words', () => {
  const { printed, terminal } = open()
  printRows(terminal, [], { columns, json: false, empty: 'There are none.' })
  assert.deepEqual(printed, ['There are none.\n'])
})

test('a record is labelled lines for people, without the fields that it does not have', () => {
  const { printed, terminal } = open()
  const record = { id: 'x', createdAt: new Date('2026-11-21T02:03:04.567Z'), note: undefined }
  const labels = { id: 'Id', createdAt: 'Created', note: 'Note' }
  printRecord(terminal, record, { labels, json: false })
  printRecord(terminal, record, { labels, json: true })
  assert.deepEqual(printed, [
    'Id       x\n',
    'Created  2026-11-21 02:03:04 UTC\n',
    '{"id":"x","createdAt":"2026-11-21T02:03:04.567Z"}\n',
  ])
  assert.equal(dateText(record.createdAt), '2026-11-21 02:03:04 UTC')
})
