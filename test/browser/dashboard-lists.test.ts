// Lists that the dashboard makes itself: the audit log as differences, lists as CSV, and what is found by what is in hand.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { findInPayments, findRecords } from '../../web/dashboard/api/find.ts'
import { readPaymentCsv } from '../../web/dashboard/screens/payments/csv.ts'
import { differencesOf, readAuditCsv } from '../../web/dashboard/screens/settings/audit-records.ts'

const { signal } = new AbortController()
const style = { timeZone: 'America/Sao_Paulo' }

/** Answers each call from its path and query, and counts the calls. */
function serve(t: TestContext, answer: (query: URLSearchParams) => unknown): { calls: number } {
  const count = { calls: 0 }
  t.mock.method(globalThis, 'fetch', (address: string) => {
    count.calls += 1
    return Promise.resolve(Response.json(answer(new URL(address, 'http://localhost').searchParams)))
  })
  return count
}

test('an entry of the audit log shows the fields that differ', () => {
  const before = { role: 'VIEWER', limits: { day: 1, each: 2 } }
  assert.deepEqual(
    differencesOf({ before, after: { role: 'ADMIN', limits: { day: 1, each: 3 }, scopes: ['a', 'b'] } }),
    [
      { field: 'role', before: 'VIEWER', after: 'ADMIN' },
      { field: 'limits.each', before: '2', after: '3' },
      { field: 'scopes', before: undefined, after: 'a, b' },
    ],
  )
  assert.deepEqual(differencesOf({ before: null, after: null }), [])
})

test('the CSV of the audit log has every page, and no text of it is a formula', async (t) => {
  serve(t, (query) => {
    const page = Number(query.get('cursor') ?? 0)
    const entry = { id: `i${page}`, at: 't', actorName: '@x', before: null }
    return { data: [entry], ...(page < 2 ? { nextCursor: String(page + 1) } : {}) }
  })
  const heard: number[] = []
  const csv = await readAuditCsv('m', {}, { signal, onRows: (rows) => heard.push(rows), style })
  assert.deepEqual([csv.rows, csv.isCut, heard], [3, false, [1, 2, 3]])
  assert.equal(csv.text.split('\r\n').length, 5)
  assert.match(csv.text, /,"'@x",/)
})

test('the CSV of payments has every page of what is filtered, amounts also as decimals, and no text of a payer is a formula', async (t) => {
  const queries: string[] = []
  serve(t, (query) => {
    queries.push(`${query.get('checkout')} ${query.get('limit')}`)
    const page = Number(query.get('cursor') ?? 0)
    const payment = {
      id: `p${page}`,
      status: 'PAID',
      amount: 123_456,
      currency: 'BRL',
      amountReceived: 123_456,
      amountRefunded: 0,
      fee: 0,
      netAmount: 123_456,
      exceptions: ['LATE', 'OVERPAID'],
      customerName: '=HYPERLINK("http://x")',
      customerTaxId: '00001234567890',
      metadata: { orderId: 'A-1' },
      createdAt: '2026-11-24T00:00:00.000Z',
    }
    return { data: [payment], ...(page < 2 ? { nextCursor: String(page + 1) } : {}) }
  })
  const csv = await readPaymentCsv('m', { checkout: 'shop' }, { signal, onRows: () => undefined, style })
  const [head = '', first = '', ...rest] = csv.text.split('\r\n')
  assert.deepEqual([csv.rows, csv.isCut, rest.length, queries], [3, false, 3, Array(3).fill('shop 100')])
  assert.equal(head.split(',').length, 22)
  assert.match(
    first,
    /^"p0","2026-11-24T00:00:00\.000Z","PAID",,,"BRL",123456,1234\.56,123456,0,0,123456,"LATE OVERPAID",/,
  )
  assert.ok(first.includes(`"'=HYPERLINK(""http://x"")"`))
  const excel = { signal, onRows: () => undefined, style: { ...style, spreadsheet: 'semicolon' as const } }
  const [names = '', cells = ''] = (await readPaymentCsv('m', { checkout: 'shop' }, excel)).text.split('\r\n')
  assert.ok(names.startsWith('\ufeffid;createdAt;'))
  // The tax id keeps its zeros, the amount has a comma, and the instant is that of the reader's time zone.
  assert.match(cells, /^"p0";"2026-11-23 21:00:00";"PAID";;;"BRL";123456;1234,56;/)
  assert.ok(cells.includes(';"=""00001234567890""";'))
  assert.ok(cells.endsWith(';1234,56;0,00;0,00;1234,56'))
  t.mock.restoreAll()
  serve(t, () => ({ data: Array.from({ length: 100 }, () => ({ exceptions: [] })), nextCursor: 'more' }))
  const cut = await readPaymentCsv('m', {}, { signal, onRows: () => undefined, style })
  assert.deepEqual([cut.rows, cut.isCut], [20_000, true])
})

test('an order number of digits is found under each declared key, before the amount that it may be too, and a failing list hides no other', async (t) => {
  const queries: string[] = []
  const payment = (id: string) => ({ id, amount: 1, currency: 'BRL', createdAt: 't' })
  const answers: Readonly<Record<string, readonly object[]>> = {
    'metadata[orderId]=5021': [payment('order')],
    'amount=502100': [payment('sum'), payment('order')],
    'customerEmail=ana@example.com': [payment('mail')],
  }
  t.mock.method(globalThis, 'fetch', (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://localhost')
    searchParams.delete('limit')
    const query = decodeURIComponent(searchParams.toString())
    queries.push(`${pathname.split('/').at(-1)} ${query}`)
    if (pathname.endsWith('/metadata-keys')) {
      const keys = ['orderId', 'invoice', 'old'] as const
      return Promise.resolve(
        Response.json({ data: keys.map((key) => ({ key, status: key === 'old' ? 'FILLING' : 'READY' })) }),
      )
    }
    if (query.startsWith('metadata[invoice]')) return Promise.resolve(new Response('{}', { status: 409 }))
    return Promise.resolve(Response.json({ data: answers[query] ?? [] }))
  })
  const search = { merchantId: 'm', may: () => true, locale: 'en', signal } as const
  const found = await findRecords('5021', search)
  assert.deepEqual(
    found.map(({ kind, id }) => [kind, id]),
    [
      ['PAYMENT', 'order'],
      ['PAYMENT', 'sum'],
    ],
  )
  assert.deepEqual(queries.toSorted(), [
    'metadata-keys ',
    'payments amount=502100',
    'payments cardLast4=5021',
    'payments metadata[invoice]=5021',
    'payments metadata[orderId]=5021',
    'records name=5021',
  ])
  assert.deepEqual(await findInPayments('5021', search), { query: { 'metadata[orderId]': '5021' } })
  assert.deepEqual(await findInPayments('9999', search), undefined)
  assert.deepEqual(await findInPayments('ana@example.com', search), {
    query: { customerEmail: 'ana@example.com' },
  })
})

test('what begins with a text comes after what is the text; the list shows the payments, and opens another record if there is none', async (t) => {
  const payment = (id: string) => ({ id, amount: 1, currency: 'BRL', createdAt: 't', refundStatus: 'NONE' })
  const answers: Readonly<Record<string, readonly object[]>> = {
    'payments customerName=Ana': [payment('exact')],
    'records name=Ana': [
      { kind: 'PAYMENT', id: 'exact', by: 'NAME' },
      { kind: 'PAYMENT', id: 'longer', by: 'NAME' },
    ],
    'payments ids=exact,longer': [payment('longer'), payment('exact')],
    'records name=An': [
      { kind: 'PAYMENT', id: 'exact', by: 'NAME' },
      { kind: 'PAYMENT', id: 'longer', by: 'NAME' },
      { kind: 'WALLET', id: 'wallet', by: 'ID' },
    ],
    'records name=019a': [{ kind: 'WALLET', id: 'wallet', by: 'ID' }],
  }
  t.mock.method(globalThis, 'fetch', (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://localhost')
    searchParams.delete('limit')
    const query = decodeURIComponent(searchParams.toString())
    return Promise.resolve(
      Response.json({ data: answers[`${pathname.split('/').at(-1)} ${query}`.trim()] ?? [] }),
    )
  })
  const search = { merchantId: 'm', may: () => true, locale: 'en', signal } as const
  const found = async (text: string) => (await findRecords(text, search)).map(({ kind, id }) => [kind, id])
  assert.deepEqual(await found('Ana'), [
    ['PAYMENT', 'exact'],
    ['PAYMENT', 'longer'],
  ])
  assert.deepEqual(await found('An'), [
    ['PAYMENT', 'exact'],
    ['PAYMENT', 'longer'],
    ['WALLET', 'wallet'],
  ])
  assert.deepEqual(await findInPayments('Ana', search), { query: { customerName: 'Ana' } })
  assert.deepEqual(await findInPayments('An', search), { query: { ids: 'exact,longer' } })
  assert.deepEqual(await findInPayments('019a', search), { record: { kind: 'WALLET', id: 'wallet' } })
})
