// Reading files of banks: both versions, prefixes, collected entries, and everything that makes a file not worth believing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { notificationFile, statementFile } from '../../../test/rails/sepa-files.ts'
import { parseCamt, type AccountReport } from './camt.ts'
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
    assert.deepEqual(report, { id: 'S1', iban, currency: 'EUR', passedOver: 0 })
    assert.deepEqual(balances, {
      opening: { minor: -1_000n, on: '2026-01-02' },
      closing: { minor: 2_550n, on: '2026-01-02' },
    })
    const base = { part: 0, currency: 'EUR', bookedOn: '2026-01-02', names: [], party: { name: 'Ana & Rui' } }
    assert.deepEqual(movements, [
      { ...base, reference: 'A', isCredit: true, minor: 4_500n, remittance: ['RF18539007547034'] },
      { ...base, reference: 'B', isCredit: false, minor: 1_250n, remittance: [], endToEndId: 'OURS' },
      {
        ...base,
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
  assert.deepEqual(of(details('40.00', '6.00')), [[0, 4_500n, '']])
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

test('other currencies of the same account number are passed over, as statements and as entries', () => {
  const dollars = statementFile({ iban, id: 'S1-USD', opening: 0, transfers })
    .toString('utf8')
    .replaceAll('EUR', 'USD')
  const [alone] = parseCamt(Buffer.from(dollars)).reports as [AccountReport]
  assert.deepEqual([alone.currency, alone.movements.length, alone.balances], ['USD', 0, undefined])
  const stmt = /<Stmt>.*<\/Stmt>/s
  const both = changed('</BkToCstmrStmt>', `${stmt.exec(dollars)?.[0] ?? ''}</BkToCstmrStmt>`)
  assert.deepEqual(
    parseCamt(both).reports.map(({ currency, movements }) => [currency, movements.length]),
    [
      ['EUR', 3],
      ['USD', 0],
    ],
  )
  // One statement with a balance of each currency.
  const balances = [...dollars.matchAll(/<Bal>.*?<\/Bal>/gs)].map(([each]) => each).join('')
  const entry = /<Ntry>.*?<\/Ntry>/s.exec(dollars)?.[0] ?? ''
  const mixed = changed(
    '<Ccy>EUR</Ccy>',
    '',
    changed(/<Bal>/, `${balances}<Bal>`, changed('<Ntry>', `${entry}<Ntry>`)),
  )
  const [report] = parseCamt(mixed).reports as [AccountReport]
  assert.deepEqual([report.currency, report.movements.length, report.passedOver], ['EUR', 3, 1])
  assert.equal(report.balances?.closing.minor, 2_550n)
})

for (const [name, bytes, reason] of [
  ['that does not add up', changed('>45.00<', '>45.01<'), /does not add up/],
  ['without the bank’s name of an entry', changed('<AcctSvcrRef>A</AcctSvcrRef>', ''), /no AcctSvcrRef/],
  [
    'that only numbers an entry (NtryRef)',
    changed('<AcctSvcrRef>A</AcctSvcrRef>', '', changed('<Ntry><Amt', '<Ntry><NtryRef>1</NtryRef><Amt')),
    /no AcctSvcrRef/,
  ],
  ['with one entry twice', changed('<AcctSvcrRef>B<', '<AcctSvcrRef>A<'), /the entry A twice/],
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
  ['of another message', changed('camt.053.001.02', 'camt.052.001.02'), /no camt.053 or camt.054/],
  [
    'of a version that is not known',
    changed('camt.053.001.02', 'camt.053.001.13'),
    /no camt.053 or camt.054/,
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
  ['in another encoding', changed('UTF-8', 'ISO-8859-1'), /encoding/],
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
