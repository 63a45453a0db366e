// The parts of banks' statements one by one: which currencies a report is about, amounts, days, pages, shares, and what undoes another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCamt } from './camt.ts'
import type { AccountReport, Movement } from './movement.ts'
import { UnreadableFile } from './unreadable.ts'

type Parts = {
  readonly currency?: string
  readonly balances?: readonly string[]
  readonly entries?: readonly string[]
  readonly page?: string
  readonly root?: string
}

const space = 'urn:iso:std:iso:20022:tech:xsd'
const on = '2026-01-02'

function file(message: string, outer: string, inner: string, parts: Parts): Buffer {
  const { currency = '', balances = [], entries = [], page = '', root = 'Document' } = parts
  const named = currency === '' ? '' : `<Ccy>${currency}</Ccy>`
  return Buffer.from(
    `<${root} xmlns="${space}:${message}"><${outer}><${inner}><Id>S</Id>${page}<Acct><Id><IBAN>PT50</IBAN></Id>${named}</Acct>${balances.join('')}${entries.join('')}</${inner}></${outer}></${root}>`,
  )
}
const statement = (parts: Parts) => file('camt.053.001.08', 'BkToCstmrStmt', 'Stmt', parts)
const notification = (parts: Parts) => file('camt.054.001.08', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', parts)

/** A balance of nothing. */
const balance = (code: string, currency: string, amount = '0.00') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt${currency === '' ? '' : ` Ccy="${currency}"`}>${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${on}</Dt></Dt></Bal>`
const chain = (currency: string) => [balance('OPBD', currency), balance('CLBD', currency)]

type Entry = {
  readonly amount?: string
  readonly currency?: string
  readonly side?: string
  readonly day?: string
  readonly more?: string
  readonly details?: string
}
const entry = ({
  amount = '45.00',
  currency = 'EUR',
  side = 'CRDT',
  day = on,
  more = '',
  details = '',
}: Entry) =>
  `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>${more}${details === '' ? '' : `<NtryDtls>${details}</NtryDtls>`}</Ntry>`

const reportsOf = (bytes: Buffer): readonly AccountReport[] => parseCamt(bytes).reports
/** The currencies of its reports, each with the number of its movements. */
const currenciesIn = (bytes: Buffer) =>
  reportsOf(bytes).map(({ currency, movements }) => [currency, movements.length])
function movementsIn(...entries: readonly Entry[]): readonly Movement[] {
  return reportsOf(notification({ entries: entries.map(entry) })).flatMap(({ movements }) => movements)
}
function refuses(bytes: Buffer, reason: RegExp): void {
  assert.throws(
    () => parseCamt(bytes),
    (error) => error instanceof UnreadableFile && reason.test(error.message),
  )
}

test('a message is one document of a camt namespace, and has a report', () => {
  refuses(statement({ root: 'Other', balances: chain('EUR') }), /camt\.053\.001\.08/)
  refuses(Buffer.from('<Document/>'), /names no message of ISO 20022/)
  refuses(Buffer.from(`<Document xmlns="${space}:camt.053.001.08"/>`), /has no Stmt/)
})

test('a report of the day has no movements, and counts what it shows', () => {
  const seen = file('camt.052.001.08', 'BkToCstmrAcctRpt', 'Rpt', { entries: [entry({}), entry({})] })
  const base = { id: 'S', iban: 'PT50', currency: 'EUR', movements: [], foreign: [] }
  assert.deepEqual(reportsOf(seen), [{ ...base, passedOver: 0, seen: 2 }])
})

test('a report is about the currency of its account, or of its balances, or of each of its entries', () => {
  const [euro, dollar] = [entry({}), entry({ currency: 'USD' })]
  assert.deepEqual(currenciesIn(statement({ balances: chain('USD') })), [['USD', 0]])
  assert.deepEqual(currenciesIn(statement({ balances: [...chain('USD'), ...chain('EUR')] })), [
    ['EUR', 0],
    ['USD', 0],
  ])
  assert.deepEqual(currenciesIn(notification({})), [['EUR', 0]])
  assert.deepEqual(currenciesIn(notification({ entries: [dollar, dollar] })), [['USD', 2]])
  assert.deepEqual(currenciesIn(notification({ entries: [dollar, euro] })), [
    ['USD', 1],
    ['EUR', 1],
  ])
  assert.deepEqual(currenciesIn(notification({ currency: 'EUR', entries: [euro] })), [['EUR', 1]])
  const other = /has an entry in USD, but is of an account in EUR/
  refuses(notification({ currency: 'EUR', entries: [dollar] }), other)
  refuses(statement({ balances: chain('EUR'), entries: [dollar] }), other)
  // What is only available in another currency, or has none, is no chain of balances.
  const odd = [balance('CLAV', 'USD'), balance('CLBD', '')]
  assert.deepEqual(currenciesIn(statement({ balances: [...chain('EUR'), ...odd] })), [['EUR', 0]])
})

test('the opening balance is OPBD or PRCD, in the currency, and the closing one CLBD', () => {
  const sums = [
    balance('OPBD', 'USD', '7.00'),
    balance('PRCD', 'EUR', '1.00'),
    balance('CLBD', 'USD', '7.00'),
  ]
  const [report] = reportsOf(
    statement({ currency: 'EUR', balances: [...sums, balance('CLBD', 'EUR', '1.00')] }),
  )
  assert.deepEqual(report?.balances, { opening: { minor: 100n, on }, closing: { minor: 100n, on } })
})

test('an entry of nothing moves nothing, and one of a cent does', () => {
  assert.deepEqual(
    movementsIn({ amount: '0.00' }, { amount: '0.01' }, { amount: '45.5' }).map(({ minor }) => minor),
    [1n, 4_550n],
  )
  const francs = ['0', '0.00', '7'].map((amount) => entry({ currency: 'CHF', amount }))
  const [report] = reportsOf(notification({ entries: francs }))
  assert.deepEqual(
    report?.foreign.map(({ amount }) => amount),
    ['7.00'],
  )
})

test('an amount has a currency of three letters, 15 digits before the point and two behind it', () => {
  const nines = '9'.repeat(15)
  assert.equal(movementsIn({ amount: `${nines}.99` })[0]?.minor, BigInt(`${nines}99`))
  for (const [change, reason] of [
    [{ amount: `1${nines}` }, /an amount of 16 digits before the point/],
    [{ amount: '1.001' }, /fraction of a cent/],
    [{ amount: 'x' }, /has no amount/],
    // Also in a currency that the books do not have.
    [{ currency: 'EURO' }, /has no amount/],
    [{ currency: 'CHF', amount: `1${nines}` }, /an amount of 16 digits before the point/],
    [{ side: 'BOTH' }, /neither credit nor debit/],
    [{ day: `2026-02-30 ${'x'.repeat(30)}` }, /has the day 2026-02-30 x{19} in BookgDt/],
  ] as const)
    refuses(notification({ entries: [entry(change)] }), reason)
  assert.deepEqual(
    movementsIn({ side: 'CRDT' }, { side: 'DBIT' }).map(({ isCredit }) => isCredit),
    [true, false],
  )
})

test('a file is whole when it is the first page and the last', () => {
  const paged = (name: string, last: string, number: string) => {
    const page = `<${name}><PgNb>${number}</PgNb><LastPgInd>${last}</LastPgInd></${name}>`
    return name === 'StmtPgntn' ? statement({ page, balances: chain('EUR') }) : notification({ page })
  }
  for (const name of ['StmtPgntn', 'NtfctnPgntn']) {
    for (const number of ['1', '00001']) assert.equal(reportsOf(paged(name, 'true', number)).length, 1)
    for (const [last, number] of [
      ['false', '1'],
      ['true', '2'],
      ['false', '2'],
    ] as const)
      refuses(paged(name, last, number), /one page of several/)
  }
})

const detail = (inner: string) => `<TxDtls>${inner}</TxDtls>`
const amount = (decimal: string) => `<Amt Ccy="EUR">${decimal}</Amt>`
const sharesOf = (entryOf: Entry) =>
  movementsIn(entryOf).map(({ part, minor, contradicts = false }) => [part, minor, contradicts])

test('transfers of an entry are its parts when they make it, alone or with a charge that is stated', () => {
  const two = detail(amount('30.00')) + detail(amount('15.00'))
  const parts = [
    [1, 3_000n, false],
    [2, 1_500n, false],
  ]
  assert.deepEqual(sharesOf({ details: two }), parts)
  assert.deepEqual(sharesOf({ details: detail(amount('30.00')) }), [[0, 4_500n, false]])
  assert.deepEqual(sharesOf({ details: detail(amount('30.00')) + detail('') }), [[0, 4_500n, false]])
  assert.deepEqual(sharesOf({ amount: '44.99', details: two }), [[0, 4_499n, true]])
  const cent = [...parts, [3, 1n, false]]
  // Of version 02 each charge is a record; of version 08 there are records in it, or a total.
  for (const charge of [
    amount('0.01'),
    `<Rcrd>${amount('0.01')}</Rcrd>`,
    '<TtlChrgsAndTaxAmt Ccy="EUR">0.01</TtlChrgsAndTaxAmt>',
  ])
    assert.deepEqual(sharesOf({ amount: '44.99', details: two, more: `<Chrgs>${charge}</Chrgs>` }), cent)
  const dear = `<Chrgs>${amount('0.01').replace('EUR', 'USD')}</Chrgs>`
  assert.deepEqual(sharesOf({ amount: '44.99', details: two, more: dear }), [[0, 4_499n, true]])
  const ofOne = detail(`${amount('30.00')}<Chrgs><Rcrd>${amount('0.01')}</Rcrd></Chrgs>`)
  assert.deepEqual(sharesOf({ amount: '44.99', details: ofOne + detail(amount('15.00')) }), cent)
})

test('an entry without a name has that of its only, or its first transfer', () => {
  const named = (id: string) => detail(`<Refs><TxId>${id}</TxId></Refs>`)
  const [one, both] = movementsIn({ details: named('T1') }, { details: named('T1') + named('T2') })
  for (const each of [one, both]) assert.deepEqual([each?.reference, each?.ids], ['T1', { txId: 'T1' }])
  const [report] = reportsOf(
    notification({
      entries: [named('T1'), named('T1') + named('T2')].map((details) => entry({ currency: 'CHF', details })),
    }),
  )
  assert.deepEqual(
    report?.foreign.map(({ ids }) => ids),
    [{ txId: 'T1' }, {}],
  )
})

test('what undoes another says so by its return, its indicator or its code', () => {
  const code = (sub: string) => `<BkTxCd><Domn><Fmly><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn></BkTxCd>`
  const reasonsOf = (...entries: readonly Entry[]) =>
    movementsIn(...entries).map(({ returned }) => returned?.reason)
  assert.deepEqual(
    reasonsOf(
      { details: detail('<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>') },
      { more: '<RvslInd>true</RvslInd>' },
      { more: code('RRTN') },
      { details: detail(code('RPCR')) },
      { more: '<RvslInd>false</RvslInd>' },
      { more: code('ESCT'), details: detail(code('ESCT')) },
    ),
    ['AC04', 'no reason', 'no reason', 'no reason', undefined, undefined],
  )
})

test('the other side is known by its name or its account; texts elsewhere are of an only transfer', () => {
  const [name, iban] = [
    '<Dbtr><Pty><Nm>Ana</Nm></Pty></Dbtr>',
    '<DbtrAcct><Id><IBAN>FI 21</IBAN></Id></DbtrAcct>',
  ]
  const partyOf = (parties: string) =>
    movementsIn({ details: detail(`<RltdPties>${parties}</RltdPties>`) })[0]?.party
  assert.deepEqual(partyOf(name), { name: 'Ana' })
  assert.deepEqual(partyOf(iban), { iban: 'FI21' })
  assert.deepEqual(partyOf(name + iban), { name: 'Ana', iban: 'FI21' })
  assert.equal(partyOf(''), undefined)

  const more = '<AddtlNtryInf>of the entry</AddtlNtryInf>'
  const textsOf = (details: string) =>
    movementsIn({ more, details }).map(({ remittance, elsewhere }) => [remittance, elsewhere])
  assert.deepEqual(textsOf(detail('')), [[[], ['of the entry']]])
  assert.deepEqual(textsOf(''), [[['of the entry'], undefined]])
  const two = detail(amount('30.00')) + detail(amount('15.00'))
  assert.deepEqual(textsOf(two), [
    [[], undefined],
    [[], undefined],
  ])
})

test('a debit for a file of payments says which, and how many it had', () => {
  const batch = '<Btch><MsgId>M</MsgId><PmtInfId>P</PmtInfId><NbOfTxs>2</NbOfTxs></Btch>'
  const fileOf = (change: Entry) => movementsIn(change)[0]?.ofFile
  assert.deepEqual(fileOf({ side: 'DBIT', details: batch }), { ids: ['M', 'P'], count: '2' })
  assert.deepEqual(fileOf({ side: 'DBIT', details: '<Btch><MsgId>M</MsgId></Btch>' }), {
    ids: ['M'],
    count: '',
  })
  assert.equal(fileOf({ side: 'DBIT', details: '<Btch><NbOfTxs>2</NbOfTxs></Btch>' }), undefined)
  assert.equal(fileOf({ side: 'CRDT', details: batch }), undefined)
})
