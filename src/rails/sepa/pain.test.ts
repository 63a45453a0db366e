// Files of payments (EPC132-08) and what banks report about them (pain.002): who is refused, and what a person has to ask.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { isPaymentReport, painFile, parsePaymentReport } from './pain.ts'
import { UnreadableFile } from './unreadable.ts'
import { all, find, parseXml, textAt } from './xml.ts'

const account = { iban: 'PT50000201231234567890154', beneficiary: 'Loja Açaí & Irmãos' }
const payment = { reference: 'P1', minor: 4_500n, iban: 'FI2112345600000785', beneficiary: 'Ana', note: null }
const order = { messageId: 'M1', at: new Date('2026-11-22T23:59:58.987Z') }

function written(payments: readonly (typeof payment | { note: string | null })[], bic?: string) {
  const whole = payments.map((each) => ({ ...payment, ...each }))
  const bytes = painFile({ ...account, ...given({ bic }) }, { ...order, payments: whole })
  const top = find(parseXml(bytes).root, 'CstmrCdtTrfInitn')
  return { head: find(top, 'GrpHdr'), info: find(top, 'PmtInf') }
}

test('the head and the payments of a file have the number and the sum of its payments, its moment and its day', () => {
  const { head, info } = written([payment, { ...payment, minor: 1n }])
  for (const part of [head, info])
    assert.deepEqual([textAt(part, 'NbOfTxs'), textAt(part, 'CtrlSum')], ['2', '45.01'])
  assert.equal(textAt(head, 'CreDtTm'), '2026-11-22T23:59:58')
  assert.equal(textAt(info, 'ReqdExctnDt/Dt'), '2026-11-22')
  assert.deepEqual(
    all(info, 'CdtTrfTxInf').map((each) => textAt(each, 'Amt/InstdAmt')),
    ['45.00', '0.01'],
  )
  assert.equal(textAt(info, 'DbtrAgt/FinInstnId/Othr/Id'), 'NOTPROVIDED')
  const named = written([payment], 'CGDIPTPL').info
  assert.equal(textAt(named, 'DbtrAgt/FinInstnId/BICFI'), 'CGDIPTPL')
})

test('a name has at most 70 signs and a text 140, in the letters of SEPA, and an empty text is left out', () => {
  const long = { beneficiary: 'N'.repeat(71), note: 't'.repeat(141) }
  const [cut, full, none, odd] = all(
    written([
      long,
      { beneficiary: 'N'.repeat(70), note: 't'.repeat(140) },
      { note: '' },
      { beneficiary: 'Zoë O’Neil', note: '日本' },
    ] as { note: string }[]).info,
    'CdtTrfTxInf',
  )
  for (const each of [cut, full]) {
    assert.equal(textAt(each, 'Cdtr/Nm'), 'N'.repeat(70))
    assert.equal(textAt(each, 'RmtInf/Ustrd'), 't'.repeat(140))
  }
  assert.equal(find(none, 'RmtInf'), undefined)
  assert.equal(textAt(odd, 'Cdtr/Nm'), "Zoe O'Neil")
  assert.equal(find(odd, 'RmtInf'), undefined)
})

type Said = {
  readonly group?: string
  readonly info?: string
  readonly single?: readonly string[]
  readonly version?: string
  readonly name?: string
}

const single = (status: string, at: number) =>
  `<TxInfAndSts><OrgnlEndToEndId>E${at}</OrgnlEndToEndId><TxSts>${status}</TxSts><StsRsnInf><Rsn><Cd>AC0${at}</Cd></Rsn></StsRsnInf></TxInfAndSts>`

/** A report with a state of the whole file, of its part, and of single payments. */
function report({ group, info, single: transfers = [], version = '10', name = 'Document' }: Said): Buffer {
  const [whole, part] = [group && `<GrpSts>${group}</GrpSts>`, info && `<PmtInfSts>${info}</PmtInfSts>`]
  return Buffer.from(
    `<${name} xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId>${whole ?? ''}</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>${part ?? ''}${transfers.map(single).join('')}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></${name}>`,
  )
}

for (const [said, isWhole, refused, doubt] of [
  [{ group: 'RJCT' }, true, [], undefined],
  [{ info: 'RJCT' }, true, [], undefined],
  [{ group: 'ACCP' }, false, [], undefined],
  [{ single: ['RJCT', 'ACSC', 'RJCT'] }, false, ['E0', 'E2'], undefined],
  [
    { group: 'RJCT', single: ['RJCT'] },
    false,
    ['E0'],
    /refuses the whole file, and tells of single payments/,
  ],
  [{ group: 'PART', single: ['RJCT'] }, false, ['E0'], undefined],
  [{ group: 'CANC' }, false, [], /the file was canceled/],
  [{ single: ['CANC', 'ACSC'] }, false, [], /payments were canceled \(CANC\): E0$/],
  [{ single: Array.from({ length: 6 }, () => 'CANC') }, false, [], /E0, E1, E2, E3, E4$/],
] as const)
  test(`a report of ${JSON.stringify(said)} refuses ${isWhole ? 'the whole file' : JSON.stringify(refused)}`, () => {
    const read = parsePaymentReport(report(said))
    assert.deepEqual([read.message, read.messageId], ['pain.002.001.10', 'M1'])
    assert.deepEqual([read.isWhole, read.refused], [isWhole, refused])
    assert.match(read.doubt ?? 'none', doubt ?? /^none$/)
  })

test('the reason is the first that the report gives, and NARR where it gives none', () => {
  const reasonOf = (bytes: Buffer) => parsePaymentReport(bytes).reason
  assert.equal(reasonOf(report({ single: ['ACSC', 'RJCT'] })), 'AC01')
  assert.equal(reasonOf(report({ group: 'RJCT' })), 'NARR')
  const long = report({ group: 'RJCT' })
    .toString()
    .replace('<GrpSts>', `<StsRsnInf><Rsn><Prtry>${'x'.repeat(36)}</Prtry></Rsn></StsRsnInf><GrpSts>`)
  assert.equal(reasonOf(Buffer.from(long)), 'x'.repeat(35))
})

test('reports of version 03 to 14 are read, of one root and with the name of a file', () => {
  for (const version of ['03', '09', '10', '14'])
    assert.equal(parsePaymentReport(report({ version })).message, `pain.002.001.${version}`)
  const unread = [
    [report({ version: '02' }), /of version 03 to 14/],
    [report({ version: '15' }), /of version 03 to 14/],
    [report({ name: 'Other' }), /of version 03 to 14/],
    [Buffer.from('<Document/>'), /of version 03 to 14/],
    [Buffer.from(report({}).toString().replaceAll('OrgnlMsgId', 'MsgId')), /names no file/],
  ] as const
  for (const [bytes, reason] of unread)
    assert.throws(
      () => parsePaymentReport(bytes),
      (error) => error instanceof UnreadableFile && reason.test(error.message),
    )
  assert.equal(isPaymentReport(report({ version: '99' })), true)
  assert.equal(
    isPaymentReport(Buffer.from('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"/>')),
    false,
  )
})
