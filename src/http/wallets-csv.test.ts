// The statement as a file: its content, and that its length costs no memory.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { connect } from '#/db/client.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { openApiWorld, paymentBody, type Api, type ApiWorld, type Tenant } from '../../test/contract/world.ts'
import { count } from '../../test/counts.ts'
import { eventually } from '../../test/eventually.ts'
import { plantMany } from '../../test/movements.ts'

type Row = Readonly<Record<string, unknown>>

let base: ApiWorld
let api: Api
let long: Tenant
const rowsOfLong = count({ quick: 25_000, soak: 2_000_000 })

before(async () => {
  base = await openApiWorld()
  api = await base.openApi()
  long = await base.openTenant()
  const walletId = await walletOf(long, 'USDT')
  const span = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-02-01T00:00:00Z') }
  // Two million rows take longer than our transactions may.
  const sql = connect(base.appUrl, { max: 1, transactionSeconds: 600 })
  await plantMany(sql, { mode: long.mode, walletId, currency: 'USDT' }, { count: rowsOfLong, ...span })
  await sql`analyze`
  await sql.end()
})
after(() => base.close())

async function walletOf({ key }: Tenant, currency: string): Promise<string> {
  const { body } = await api.ask('GET', '/v1/wallets', { key })
  return String((body['data'] as readonly Row[]).find((row) => row['currency'] === currency)?.['id'])
}

/** The records of a file by RFC 4180, read by other code than the one that wrote it. */
function recordsOf(text: string): readonly (readonly string[])[] {
  const records: string[][] = [[]]
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') records.push([])
  }
  assert.deepEqual(records.pop(), [])
  return records
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

test('the file holds exactly what the pages hold, and nothing in it is a formula', async () => {
  const shop = await base.openTenant()
  const created = await api.ask('POST', '/v1/payments', { key: shop.key, body: paymentBody() })
  await base.settlePayment(shop.id, String(created.body['id']) as PaymentId, 123_456n)
  const other = await api.ask('POST', '/v1/wallets', {
    key: shop.key,
    body: { currency: 'USDT', walletType: 'RESERVE', label: 'Taxes' },
  })
  // The text that is sent, and the text in the file: no text that a spreadsheet would read as a formula, with any separator.
  const descriptions = new Map([
    ...['a "b", c', 'two\nlines', "it's fine", 'é😀', 'a-b = c@d', 'x; y'].map(
      (same) => [same, same] as const,
    ),
    ...[
      '=1+2',
      '+A1',
      '-2',
      '@x',
      '\tx',
      '＝1+2',
      '＠x',
      '\u00a0=1',
      '\u3000 -1',
      '\ufeff=1',
      '\u200b\u2060+1',
      '\u00ad@x',
    ].map((text) => [text, `'${text}`] as const),
    ['a;=1', "a;'=1"],
    ['a\t \u200b＝1', "a\t' \u200b＝1"],
    ['a\n@x;;-1', "a\n'@x;;'-1"],
    ['\n=1', "'\n'=1"],
  ])
  for (const description of descriptions.keys()) {
    const body = {
      fromWalletId: await walletOf(shop, 'USDT'),
      toWalletId: other.body['id'],
      amount: 1 + description.length,
      description,
    }
    assert.equal((await api.ask('POST', '/v1/transfers', { key: shop.key, body })).status, 201)
  }
  const answer = await api.ask('GET', '/v1/wallets/statement?format=csv', { key: shop.key })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(answer.headers.get('content-disposition') ?? '', /filename="statement\.csv"/)
  const [head = [], ...records] = recordsOf(answer.text)
  const { body } = await api.ask('GET', '/v1/wallets/statement?limit=100', { key: shop.key })
  const expected = (body['data'] as readonly Row[]).map((row) => ({
    ...Object.fromEntries(head.map((name) => [name, textOf(row[name])])),
    amountDecimal: (Number(row['amount']) / 100).toFixed(2),
    balanceDecimal: (Number(row['balance']) / 100).toFixed(2),
    description: descriptions.get(String(row['description'])) ?? row['description'],
  }))
  const found = records.map((fields) => Object.fromEntries(head.map((name, nth) => [name, fields[nth]])))
  assert.deepEqual(found, expected)
  assert.equal(found.length, 1 + 2 * descriptions.size)
  const numbers = new Set(
    ['amount', 'balance', 'amountDecimal', 'balanceDecimal'].map((name) => head.indexOf(name)),
  )
  const [, line = ''] = answer.text.split('\r\n')
  for (const [nth, field] of line.split(',').entries())
    assert.match(field, numbers.has(nth) ? /^-?\d+(?:\.\d\d)?$/ : /^"[^"]*"$/)
})

test('for a spreadsheet the file has its mark, separator, decimals and local times, and else the same', async () => {
  const shop = await base.openTenant()
  const created = await api.ask('POST', '/v1/payments', { key: shop.key, body: paymentBody() })
  await base.settlePayment(shop.id, String(created.body['id']) as PaymentId, 123_456n)
  const reserve = await api.ask('POST', '/v1/wallets', {
    key: shop.key,
    body: { currency: 'USDT', walletType: 'RESERVE', label: 'Taxes' },
  })
  const body = {
    fromWalletId: await walletOf(shop, 'USDT'),
    toWalletId: reserve.body['id'],
    amount: 100,
    description: '00012345670',
  }
  const moved = await api.ask('POST', '/v1/transfers', { key: shop.key, body })
  assert.equal(moved.status, 201, moved.text)
  const ask = (query: string) => api.ask('GET', `/v1/wallets/statement?${query}`, { key: shop.key })
  const bytes = async (query: string) =>
    Buffer.from(
      await (
        await fetch(`${api.url}/v1/wallets/statement?${query}`, { headers: { apikey: shop.key } })
      ).arrayBuffer(),
    ).toString()
  const programs = recordsOf(await bytes('format=csv'))
  const brazil = await bytes('format=csv&spreadsheet=semicolon&timeZone=America/Sao_Paulo')
  assert.match(brazil, /^\ufeffid;postedAt;walletId;/)
  assert.match(brazil, /;"=""00012345670""";/)
  const rows = brazil.slice(1).split('\r\n').slice(1, -1)
  assert.equal(rows.length, programs.length - 1)
  for (const [nth, row] of rows.entries()) {
    const [id = '', at = '', , , , amount, , decimal, balance] = row.split(';')
    const was = programs[nth + 1] ?? []
    assert.equal(id, `"${was[0]}"`)
    const local = new Date(`${at.slice(1, 11)}T${at.slice(12, 20)}-03:00`)
    assert.equal(local.toISOString().slice(0, 19), was[1]?.slice(0, 19))
    assert.deepEqual(
      [amount, decimal, balance],
      [was[5], was[7]?.replace('.', ','), was[8]?.replace('.', ',')],
    )
  }
  const english = recordsOf((await bytes('format=csv&spreadsheet=comma')).slice(1))
  assert.equal(english[1]?.[9], '="00012345670"')
  assert.deepEqual(
    english.map((row) => row[7]),
    programs.map((row) => row[7]),
  )
  for (const [query, at] of [
    ['spreadsheet=comma', '/spreadsheet'],
    ['timeZone=UTC', '/timeZone'],
    ['format=csv&spreadsheet=tab', '/spreadsheet'],
    ['format=csv&spreadsheet=comma&timeZone=Mars/Base', '/timeZone'],
  ] as const) {
    const refused = await ask(query)
    assert.equal(refused.status, 400, query)
    assert.ok(refused.text.includes(`"${at}"`), refused.text)
  }
})

test('filters and faults are those of the pages', async () => {
  const walletId = await walletOf(long, 'USDT')
  const ask = (query: string, key = long.key) =>
    api.ask('GET', `/v1/wallets/statement?format=csv${query}`, { key })
  const some = recordsOf((await ask('&kind=FEE&from=2026-01-15&to=2026-01-15T06:00:00Z')).text).slice(1)
  // Six hours of 31 days, of which some movements are fees.
  assert.ok(some.length > rowsOfLong / 2_000 && some.length < rowsOfLong / 600, `${some.length} rows`)
  for (const fields of some) assert.equal(fields[4], 'FEE')
  assert.equal(recordsOf((await ask('&currency=BRL')).text).length, 1)
  assert.equal(recordsOf((await ask(`&walletId=${walletId}&currency=EUR`)).text).length, 1)
  assert.equal((await ask('&limit=10')).status, 400)
  assert.equal((await ask('&cursor=WyJhIl0')).status, 400)
  assert.equal((await ask(`&walletId=${newId()}`)).status, 404)
  assert.equal((await ask('&to=soon')).status, 400)
})

test('very many rows stream through a small heap, and add up', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heapOf = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const response = await fetch(`${api.url}/v1/wallets/statement?format=csv`, {
    headers: { apikey: long.key },
  })
  assert.equal(response.status, 200)
  const decoder = new TextDecoder()
  const before = heapOf()
  let [rest, rows, sum, newest, peak, size, nextCheck] = ['', 0, 0n, '', before, 0, 0]
  const body: AsyncIterable<Uint8Array> = response.body ?? assert.fail()
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\r\n')
    rest = lines.pop() ?? ''
    size += bytes.length
    for (const line of lines) {
      const fields = line.split(',')
      if (fields[0] === 'id') continue
      if (rows === 0) newest = fields[6] ?? ''
      rows += 1
      sum += BigInt(fields[5] ?? '')
    }
    if (rows < nextCheck) continue
    nextCheck = rows + rowsOfLong / 10
    peak = Math.max(peak, heapOf())
  }
  assert.equal(rest, '')
  assert.equal(rows, rowsOfLong)
  assert.equal(String(sum), newest)
  assert.ok(size > rowsOfLong * 150)
  assert.ok(peak - before < 15 * 2 ** 20, `the heap grew by ${Math.round((peak - before) / 2 ** 20)} MB`)
})

test('a movement posted while the file is read is not in it', async () => {
  const query = 'format=csv&from=2026-01-25&kind=PAYMENT'
  const response = await fetch(`${api.url}/v1/wallets/statement?${query}`, { headers: { apikey: long.key } })
  const reader = (response.body ?? assert.fail()).getReader()
  const first = await reader.read()
  const created = await api.ask('POST', '/v1/payments', { key: long.key, body: paymentBody() })
  const paymentId = String(created.body['id'])
  await base.settlePayment(long.id, paymentId as PaymentId, 5n)
  const parts = [first.value ?? new Uint8Array()]
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
  const before = Buffer.concat(parts).toString()
  assert.ok(!before.includes(paymentId))
  const { text } = await api.ask('GET', `/v1/wallets/statement?${query}`, { key: long.key })
  const [head = '', newest = '', ...older] = text.split(/(?<=\r\n)/)
  assert.ok(newest.includes(paymentId))
  assert.equal(before, [head, ...older].join(''))
})

test('when the reader disconnects, the reading ends, also where no row matches', async () => {
  let statements = 0
  const counting = new Proxy(base.sql, {
    apply: (target, self, args): unknown => {
      statements += 1
      return Reflect.apply(target, self, args)
    },
  })
  const countingApi = await base.openApi({ sql: counting })
  for (const kind of ['', '&kind=DISPUTE_WON']) {
    const leaving = new AbortController()
    statements = 0
    const response = await fetch(`${countingApi.url}/v1/wallets/statement?format=csv${kind}`, {
      headers: { apikey: long.key },
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
    await eventually('nothing more is read', async () => {
      const before = statements
      await wait(500)
      return statements === before
    })
    assert.ok(statements < rowsOfLong / 1_000, `${statements} statements`)
  }
})
