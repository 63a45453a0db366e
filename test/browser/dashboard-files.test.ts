// The files that the dashboard's pages read and write: a table of withdrawals, a statement for accounting, a month's report.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWithdrawalCsv } from '#/http/withdrawal-csv.ts'
import { csvWriter } from '#/kernel/csv.ts'
import { given } from '#/kernel/given.ts'
import { statementEntryKinds, type StatementEntry } from '../../web/dashboard/api/generated.ts'
import { netOf, netPartsOf } from '../../web/dashboard/kit/net.ts'
import {
  figuresByMethod,
  figuresOf,
  lastDayOf,
  methodLines,
  otherMonth,
  reportCsv,
  type WalletMonth,
} from '../../web/dashboard/screens/reports/lines.ts'
import { ofxOf } from '../../web/dashboard/screens/wallets/ofx.ts'
import { readTable } from '../../web/dashboard/screens/withdrawals/csv.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer

test('a table of withdrawals is read as the API reads it', () => {
  const tables = [
    'type,amount,currency,pixKey,pixKeyType,metadata.invoice\nPIX,5000,BRL,ana@example.com,EMAIL,A-1\n',
    '\ufefftype,amount\r\nPIX,5000\r\n\r\nPIX,7\r\n',
    'type, description ,amount\nPIX,"Rent, ""May""\nand June",100',
    'type,amount,pixKey\nPIX,5.00,\nPIX,007,x\n',
    'type\tname,amount\n"PIX",1',
    'type;amount;description\nPIX;5000;"a; b, c"\n',
    'type,amount,description\nPIX,5000,"a; b"\n',
    '"a;b",amount\nx,1\n',
    'type;amountDecimal\nPIX;1.234,56\nPIX;50,00\nPIX;50\nPIX;1,234.56\n',
    'type,amountDecimal,amount\nPIX,50.00,\nPIX,50.00,5000\nPIX,50.00,5001\nPIX,"1,234.56",\n',
  ]
  for (const text of tables) {
    const read = readTable(bytesOf(text))
    assert.ok(read.ok, text)
    assert.deepEqual(read.rows, readWithdrawalCsv(Buffer.from(text)).withdrawals, text)
  }
})

test('a table in the form of our exports is read back as it was, in each style', () => {
  const orders = [
    { type: 'PIX', amount: 5_000, currency: 'BRL', pixKey: '00012345678', pixKeyType: 'CPF' },
    { type: 'PIX', amount: 123_456_789, currency: 'BRL', pixKey: '+5511987654321', pixKeyType: 'PHONE' },
    {
      type: 'SEPA',
      amount: 1,
      currency: 'EUR',
      iban: 'DE89370400440532013000',
      beneficiary: 'João; "Ana", Müller',
    },
    {
      type: 'PIX',
      amount: 700,
      currency: 'BRL',
      pixKey: 'ana@example.com',
      pixKeyType: 'EMAIL',
      description: '-5% e +1',
    },
  ] as const
  const fields = ['type', 'currency', 'pixKey', 'pixKeyType', 'iban', 'beneficiary', 'description'] as const
  for (const spreadsheet of [undefined, 'comma', 'semicolon'] as const) {
    const csv = csvWriter({ spreadsheet, timeZone: 'UTC' })
    const lines = orders.map(
      (order: Readonly<Partial<Record<(typeof fields)[number], string>>> & { amount: number }) =>
        csv.line([
          ...fields.map((name) => order[name]),
          order.amount,
          { minor: order.amount, currency: order.currency ?? '' },
        ]),
    )
    const text = csv.head([...fields, 'amount', 'amountDecimal']) + lines.join('')
    const read = readTable(bytesOf(text))
    assert.deepEqual(read, { ok: true, rows: orders }, text)
    assert.deepEqual(readWithdrawalCsv(Buffer.from(text)).withdrawals, orders, text)
    const decimals = text.replace(/;amount;/, ';').replace(/,amount,/, ',')
    if (spreadsheet === 'semicolon') {
      const cut = decimals.replaceAll(/;\d+;(?=[\d.]+,\d\d\r)/g, ';')
      assert.deepEqual(readWithdrawalCsv(Buffer.from(cut)).withdrawals, orders, cut)
    }
  }
})

test('what is no table of withdrawals says why', () => {
  const many = `type\n${'PIX\n'.repeat(1_001)}`
  const cases = [
    ['', 'empty'],
    ['type,amount\n', 'empty'],
    ['type,type\nPIX,PIX', 'twice'],
    ['type,amount\nPIX', 'malformed'],
    ['type,amount\n"PIX,1', 'malformed'],
    [many, 'many'],
  ] as const
  for (const [text, reason] of cases) {
    const read = readTable(bytesOf(text))
    assert.equal(read.ok ? 'ok' : read.reason, reason, text.slice(0, 40))
  }
  assert.deepEqual(readTable(new Uint8Array([0x74, 0xff]).buffer), { ok: false, reason: 'malformed' })
})

test('an OFX file has exact amounts, the newest balance, and no text that ends an element', () => {
  const entry = (more: Partial<StatementEntry>): StatementEntry => ({
    id: '01a20acf-1cc4-8053-bf15-9d8a96497c9b',
    walletId: '01a20acd-cd97-72f8-bbfb-d315614d0a76',
    currency: 'BRL',
    kind: 'PAYMENT',
    amount: 4_990,
    balance: 9_007_199_254_740_993n,
    postedAt: '2026-11-21T02:03:04.567Z',
    description: 'Payment',
    ...more,
  })
  const text = ofxOf({
    wallet: { id: '01a20acd-cd97-72f8-bbfb-d315614d0a76', currency: 'BRL' },
    entries: [
      entry({}),
      entry({ kind: 'TRANSFER', amount: -5, description: '</MEMO><b>&\u0000', transferId: 'x' }),
      entry({ kind: 'FEE', amount: -1_500 }),
    ],
    nameOf: (kind) => kind,
    at: '2026-11-30T00:00:00.000Z',
  })
  assert.match(
    text,
    /^<\?xml version="1.0" encoding="UTF-8" standalone="no"\?>\r\n<\?OFX OFXHEADER="200" VERSION="220"/,
  )
  assert.match(text, /<BALAMT>90071992547409.93<\/BALAMT><DTASOF>20261121020304.567\[0:GMT\]/)
  assert.match(
    text,
    /<TRNTYPE>XFER<\/TRNTYPE>.*<TRNAMT>-0.05<\/TRNAMT>.*<MEMO>&lt;\/MEMO&gt;&lt;b&gt;&amp;<\/MEMO>/,
  )
  assert.match(text, /<TRNTYPE>FEE<\/TRNTYPE>.*<TRNAMT>-15.00<\/TRNAMT>/)
  assert.match(text, /<ACCTID>[0-9a-f]{22}<\/ACCTID>/)
  assert.equal(text.match(/<STMTTRN>/g)?.length, 3)
})

test('every kind of the statement is in one line of the report, so the lines add up', () => {
  const wallet: WalletMonth = {
    walletId: 'w',
    label: '=HYPERLINK("x")',
    currency: 'BRL',
    openingBalance: 100,
    closingBalance: 100 + statementEntryKinds.reduce((sum, _kind, place) => sum + 2 ** place - 1, 0),
    byKind: statementEntryKinds.map((kind, place) => ({ kind, count: 1, inflow: 2 ** place, outflow: 1 })),
  }
  const figures = figuresOf([wallet])
  const { opening, received, fees, refunds, disputes, net, others, withdrawals, transfers, closing } = figures
  assert.equal(opening + net + others + withdrawals + transfers, closing)
  assert.equal(net, received + fees + refunds + disputes)
  assert.equal(figuresOf([wallet, wallet]).closing, 2n * closing)
  const [, first = ''] = reportCsv('2026-11', [wallet], { timeZone: 'UTC' }).text.split('\r\n')
  assert.equal(first, `"2026-11","w","'=HYPERLINK(""x"")","BRL","","opening",100,1.00`)
  const excel = reportCsv('2026-11', [wallet], { timeZone: 'UTC', spreadsheet: 'semicolon' }).text
  assert.equal(excel[0], '\ufeff')
  assert.equal(excel.split('\r\n')[1], `"=""2026-11""";"w";"'=HYPERLINK(""x"")";"BRL";"";"opening";100;1,00`)
  // Each method has the same lines, and they add up to the wallet's. Euro that leaves by SEPA is the method by which it came.
  const methods = ['PIX', 'SEPA', 'SEPA_TRANSFER', undefined] as const
  const byMethod = wallet.byKind.map((each, place) => {
    const method = methods[place % 4]
    return { ...each, ...given({ method }) }
  })
  const split = figuresByMethod({ byMethod })
  assert.deepEqual(
    split.map(({ method }) => method),
    ['PIX', 'SEPA_TRANSFER', undefined],
  )
  for (const line of methodLines)
    assert.equal(
      split.reduce((sum, each) => sum + each.figures[line], 0n),
      figures[line],
      line,
    )
  const csv = reportCsv('2026-11', [{ ...wallet, byMethod }], { timeZone: 'UTC' }).text
  assert.match(csv, /"BRL","PIX","received",-?\d+,/)
  assert.match(csv, /"BRL","NONE","net",-?\d+,/)
})

test('net of a payment is gross less fees, refunds and disputes that are open or lost', () => {
  const payment = { amountReceived: 10_000, amountRefunded: 1_000, fee: 100 }
  assert.equal(netOf(netPartsOf(payment, { disputes: [], shares: [] })), 8_900n)
  const disputes = (['OPEN', 'LOST', 'WON'] as const).map((status) => ({ status, amount: 500, fee: 15 }))
  assert.equal(netOf(netPartsOf(payment, { disputes, shares: [] })), 8_900n - 1_000n - 45n)
  // A sub-account has 4,000 after what went back, and paid 60 of the fee.
  const shares = [{ amountCredited: 4_000, fee: 60 }]
  assert.equal(netOf(netPartsOf(payment, { disputes: [], shares })), 8_900n - 4_000n + 60n)
})

test('months of the calendar', () => {
  assert.deepEqual([otherMonth('2026-01', -1), otherMonth('2026-12', 1)], ['2025-12', '2027-01'])
  assert.deepEqual([lastDayOf('2028-02'), lastDayOf('2026-11')], ['2028-02-29', '2026-11-30'])
})
