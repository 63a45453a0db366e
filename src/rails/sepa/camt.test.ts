// Reading files of banks: both versions, prefixes, collected entries, and everything that makes a file not worth believing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { notificationFile, statementFile } from '../../../test/rails/sepa-files.ts'
import { parseCamt } from './camt.ts'
import type { AccountReport } from './movement.ts'
import { UnreadableFile } from './unreadable.ts'
import { fileBytesMax } from './xml.ts'

const iban = 'PT50000201231234567890154'
const transfers = [
  { ref: 'A', minor: 4_500, structured: 'RF18539007547034', day: '2026-01-02' },
  { ref: 'B', minor: 1_250, isDebit: true, endToEndId: 'OURS', day: '2026-01-02' },
  { ref: 'C', minor: 300, endToEndId: 'OURS', returned: 'AC04', day: '2026-01-02' },
]
const file = (version: '02' | '08' = '02') =>
  statementFile({ iban, id: 'S1', opening: -1_000, day: '2026-01-02', version, transfers })
const changed = (from: string | RegExp, to: string, bytes = file()) =>
  Buffer.from(bytes.toString('utf8').replace(from, to))

function reasonOf(bytes: Buffer): string {
  try {
    parseCamt(bytes)
  } catch (error) {
    assert.ok(error instanceof UnreadableFile, String(error))
    return error.message
  }
  return assert.fail('it was read')
}

for (const version of ['02', '08'] as const)
  test(`a statement of version ${version} is read, amounts as minor units`, () => {
    const { kind, message, reports } = parseCamt(file(version))
    assert.deepEqual([kind, message, reports.length], ['STATEMENT', `camt.053.001.${version}`, 1])
    const { movements, balances, ...report } = must(reports[0], 'a statement')
    assert.deepEqual(report, { id: 'S1', iban, currency: 'EUR', foreign: [], passedOver: 0 })
    assert.deepEqual(balances, {
      opening: { minor: -1_000n, on: '2026-01-02' },
      closing: { minor: 2_550n, on: '2026-01-02' },
    })
    const base = { part: 0, currency: 'EUR', bookedOn: '2026-01-02', names: [], party: { name: 'Ana & Rui' } }
    assert.deepEqual(movements, [
      {
        ...base,
        entry: 0,
        ids: { entry: 'A' },
        reference: 'A',
        isCredit: true,
        minor: 4_500n,
        remittance: ['RF18539007547034'],
      },
      {
        ...base,
        entry: 1,
        ids: { entry: 'B' },
        reference: 'B',
        isCredit: false,
        minor: 1_250n,
        remittance: [],
        endToEndId: 'OURS',
      },
      {
        ...base,
        entry: 2,
        ids: { entry: 'C' },
        reference: 'C',
        isCredit: true,
        minor: 300n,
        remittance: [],
        endToEndId: 'OURS',
        returned: { reason: 'AC04' },
      },
    ])
  })

test('a notification has no balances, and prefixes of the namespace do not matter', () => {
  const bytes = notificationFile({ iban, id: 'N1', transfers })
  const prefixed = Buffer.from(
    bytes
      .toString('utf8')
      .replace('xmlns=', 'xmlns:n=')
      .replaceAll(/<(\/?)([A-Z])/g, '<$1n:$2'),
  )
  const [plain, other] = [parseCamt(bytes), parseCamt(prefixed)]
  assert.equal(plain.kind, 'NOTIFICATION')
  assert.deepEqual(other, plain)
})

test('a collected entry is read transfer by transfer, unless its details do not add up', () => {
  const details = (first: string, second: string) =>
    `<TxDtls><Amt Ccy="EUR">${first}</Amt><RmtInf><Ustrd>one</Ustrd></RmtInf></TxDtls>
     <TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">${second}</Amt></TxAmt></AmtDtls><RmtInf><Ustrd>two</Ustrd></RmtInf></TxDtls>`
  const of = (inner: string) => {
    const bytes = statementFile({ iban, id: 'S1', opening: 0, transfers: [{ ref: 'A', minor: 4_500 }] })
    const { reports } = parseCamt(changed(/<TxDtls>.*<\/TxDtls>/s, inner, bytes))
    return must(reports[0], 'a statement').movements.map(({ part, minor, remittance }) => [
      part,
      minor,
      remittance.join(),
    ])
  }
  assert.deepEqual(of(details('40.00', '5.00')), [
    [1, 4_000n, 'one'],
    [2, 500n, 'two'],
  ])
  assert.deepEqual(of(details('40.00', '6.00')), [[0, 4_500n, 'one,two']])
})

test('the transfers of a collected entry are added with their signs, and a stated charge is one of them', () => {
  const detail = (amount: string, side?: string) =>
    `<TxDtls><Amt Ccy="EUR">${amount}</Amt>${side === undefined ? '' : `<CdtDbtInd>${side}</CdtDbtInd>`}<RmtInf><Ustrd>of ${amount}</Ustrd></RmtInf></TxDtls>`
  const of = (minor: number, details: string, more: { charges?: string; isDebit?: boolean } = {}) => {
    const transfers = [{ ref: 'A', minor, details, ...more }]
    const [report] = parseCamt(
      statementFile({ iban, id: 'S1', opening: 0, version: '08', transfers }),
    ).reports
    return must(report, 'a statement').movements.map(({ part, isCredit, minor: each, contradicts }) => [
      part,
      Number(isCredit ? each : -each),
      contradicts === true,
    ])
  }
  const two = detail('100.00', 'CRDT') + detail('45.00')
  const signed = [
    [1, 10_000, false],
    [2, 4_500, false],
    [3, -500, false],
  ]
  assert.deepEqual(of(14_000, two + detail('5.00', 'DBIT')), signed)
  assert.deepEqual(of(15_000, two + detail('5.00', 'DBIT')), [[0, 15_000, true]])
  // Without a sign the fee would be money that came.
  assert.deepEqual(of(15_000, two + detail('5.00')), [
    [1, 10_000, false],
    [2, 4_500, false],
    [3, 500, false],
  ])
  const total = '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">5.00</TtlChrgsAndTaxAmt></Chrgs>'
  const record = '<Chrgs><Rcrd><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs>'
  for (const charges of [total, record]) assert.deepEqual(of(14_000, two, { charges }), signed)
  for (const charges of ['', total.replace('5.00', '4.00'), record.replace('DBIT', 'CRDT')])
    assert.deepEqual(of(14_000, two, { charges }), [[0, 14_000, true]])
  // Some banks state it at the transfers: what was kept of each, together.
  const keptOfEach = two.replaceAll('<RmtInf>', `${total}<RmtInf>`)
  assert.deepEqual(of(13_500, keptOfEach), [
    [1, 10_000, false],
    [2, 4_500, false],
    [3, -1_000, false],
  ])
  assert.deepEqual(of(13_499, keptOfEach), [[0, 13_499, true]])
  // More than was sent came: no charge explains that.
  assert.deepEqual(of(15_000, two, { charges: total }), [[0, 15_000, true]])
  const sent = detail('100.00', 'DBIT') + detail('45.00', 'DBIT')
  assert.deepEqual(of(15_000, sent, { charges: total, isDebit: true }), [
    [1, -10_000, false],
    [2, -4_500, false],
    [3, -500, false],
  ])
})

test('pending entries, information and entries of nothing move nothing', () => {
  for (const status of ['PDNG', 'INFO'])
    assert.match(reasonOf(changed('<Sts>BOOK</Sts>', `<Sts>${status}</Sts>`)), /does not add up/)
})

test('what the payer sent in another currency is what the bank credited', () => {
  const exchanged = `<AmtDtls><InstdAmt><Amt Ccy="USD">50.00</Amt></InstdAmt><CntrValAmt><Amt Ccy="EUR">45.00</Amt>
    <CcyXchg><SrcCcy>USD</SrcCcy><TrgtCcy>EUR</TrgtCcy><XchgRate>1.1111</XchgRate></CcyXchg></CntrValAmt></AmtDtls>`
  const bytes = changed('<TxDtls>', `<TxDtls>${exchanged}`)
  const [{ movements }] = parseCamt(bytes).reports as [AccountReport]
  assert.deepEqual([movements[0]?.minor, movements[0]?.currency], [4_500n, 'EUR'])
  // Of a collected entry each transfer says what it was exchanged to.
  const of = (cents: string) =>
    `<TxDtls><Amt Ccy="USD">9.00</Amt><AmtDtls><CntrValAmt><Amt Ccy="EUR">${cents}</Amt></CntrValAmt></AmtDtls></TxDtls>`
  const collected = changed(/<TxDtls>.*?<\/TxDtls>/s, of('20.00') + of('25.00'))
  const [report] = parseCamt(collected).reports as [AccountReport]
  assert.deepEqual(
    report.movements.filter(({ reference }) => reference === 'A').map(({ part, minor }) => [part, minor]),
    [
      [1, 2_000n],
      [2, 2_500n],
    ],
  )
})

/** The same statement in another currency. */
const inOther = (currency: string) =>
  statementFile({ iban, id: `S1-${currency}`, opening: 0, transfers: transfers.slice(0, 2) })
    .toString('utf8')
    .replaceAll('EUR', currency)

test('other currencies of the same account number are reports of their own, as statements and as entries', () => {
  const dollars = inOther('USD')
  const stmt = /<Stmt>.*<\/Stmt>/s
  const both = changed('</BkToCstmrStmt>', `${stmt.exec(dollars)?.[0] ?? ''}</BkToCstmrStmt>`)
  const read = (bytes: Buffer) =>
    parseCamt(bytes).reports.map(({ id, currency, movements, balances }) => [
      id,
      currency,
      movements.map(({ reference }) => reference),
      balances?.closing.minor,
    ])
  assert.deepEqual(read(both), [
    ['S1', 'EUR', ['A', 'B', 'C'], 2_550n],
    // An entry in dollars may have the bank's name of one in euro.
    ['S1-USD', 'USD', ['A-USD', 'B-USD'], 3_250n],
  ])
  // One statement with balances of each currency.
  const balances = [...dollars.matchAll(/<Bal>.*?<\/Bal>/gs)].map(([each]) => each).join('')
  const entries = [...dollars.matchAll(/<Ntry>.*?<\/Ntry>/gs)].map(([each]) => each).join('')
  const mixed = (more: string) =>
    changed('<Ccy>EUR</Ccy>', '', changed(/<Bal>/, `${balances}<Bal>`, changed('<Ntry>', `${more}<Ntry>`)))
  assert.deepEqual(read(mixed(entries)), [
    ['S1', 'EUR', ['A', 'B', 'C'], 2_550n],
    ['S1', 'USD', ['A-USD', 'B-USD'], 3_250n],
  ])
  // The dollars must add up as the euros must.
  assert.match(reasonOf(mixed('')), /does not add up/)
  // Nothing moved in dollars: they have a balance all the same.
  const still = statementFile({ iban, id: 'S1', opening: 77, transfers: [] })
    .toString('utf8')
    .replaceAll('EUR', 'USD')
  const idle = [...still.matchAll(/<Bal>.*?<\/Bal>/gs)].map(([each]) => each).join('')
  assert.deepEqual(read(changed('<Ccy>EUR</Ccy>', '', changed(/<Bal>/, `${idle}<Bal>`)))[1], [
    'S1',
    'USD',
    [],
    77n,
  ])
})

test('of a currency that the books do not have, credits and what undoes them are read, and other debits passed over', () => {
  const undone = { ref: 'D', minor: 700, isDebit: true, returned: 'AC04' }
  const francs = statementFile({ iban, id: 'S1', opening: 0, transfers: [...transfers.slice(0, 2), undone] })
    .toString('utf8')
    .replaceAll('EUR', 'CHF')
  const [report] = parseCamt(Buffer.from(francs)).reports as [AccountReport]
  assert.deepEqual(
    [report.currency, report.movements, report.balances, report.passedOver],
    ['CHF', [], undefined, 1],
  )
  assert.deepEqual(
    report.foreign.map(({ reference, isCredit, amount, currency }) => [
      reference,
      isCredit,
      amount,
      currency,
    ]),
    [
      ['A', true, '45.00', 'CHF'],
      ['D', false, '7.00', 'CHF'],
    ],
  )
  // We do not know how many places a currency has: dinars have three, yen have none.
  const [other] = parseCamt(Buffer.from(francs.replace('>45.00<', '>45.1230<'))).reports as [AccountReport]
  assert.equal(other.foreign[0]?.amount, '45.123')
})

for (const [name, bytes, reason] of [
  ['that does not add up', changed('>45.00<', '>45.01<'), /does not add up/],
  ['without a balance in EUR', changed(/Ccy="EUR"/, 'Ccy="SEK"'), /no balance OPBD or PRCD in EUR/],
  [
    'of an account in EUR with an entry in another currency',
    changed('<Ntry><Amt Ccy="EUR">45.00', '<Ntry><Amt Ccy="SEK">45.00'),
    /an entry in SEK, but is of an account in EUR/,
  ],
  ['whose entry has no currency', changed('<Ntry><Amt Ccy="EUR">45.00', '<Ntry><Amt>45.00'), /has no amount/],
  ['with a fraction of a cent', changed('>45.00<', '>45.001<'), /fraction of a cent/],
  ['with an amount that is no decimal', changed('>45.00<', '>4.5e1<'), /has no amount/],
  ['with a negative amount', changed('>45.00<', '>-45.00<'), /has no amount/],
  ['without a closing balance', changed('<Cd>CLBD</Cd>', '<Cd>CLAV</Cd>'), /no balance CLBD/],
  ['without an IBAN', changed(/<IBAN>.*?<\/IBAN>/, '<Othr><Id>1</Id></Othr>'), /names no IBAN/],
  ['without a booking day', changed(/<BookgDt>.*?<\/BookgDt>/, ''), /has no day/],
  [
    'of another message',
    changed('camt.053.001.02', 'camt.060.001.02'),
    /it is camt\.060\.001\.02, another message/,
  ],
  [
    'of a version that is not known',
    changed('camt.053.001.02', 'camt.053.001.14'),
    /camt\.053\.001\.14, of a version that is not known/,
  ],
  [
    'that is one page of several',
    changed('<Acct>', '<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn><Acct>'),
    /page/,
  ],
  [
    'with a document type',
    changed('<Document', '<!DOCTYPE x [<!ENTITY a "aaaa">]><Document'),
    /document type/,
  ],
  ['that is cut', file().subarray(0, 900), /no XML/],
  ['that is no XML', Buffer.from('hello'), /no XML/],
  ['that is empty', Buffer.alloc(0), /no XML/],
  ['in another encoding', changed('UTF-8', 'EBCDIC-INT'), /encoding is EBCDIC-INT/],
  [
    'that is not UTF-8',
    Buffer.concat([Buffer.from('<a>'), Buffer.of(0xff), Buffer.from('</a>')]),
    /not UTF-8/,
  ],
  ['nested without end', Buffer.from('<a>'.repeat(5_000) + '</a>'.repeat(5_000)), /no XML/],
  ['too large', Buffer.alloc(fileBytesMax + 1, ' '), /larger/],
] as const)
  test(`a file ${name} is refused`, () => {
    assert.match(reasonOf(bytes), reason)
  })
