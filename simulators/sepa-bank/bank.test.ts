// The bank from the outside: what it books, the files in which it reports that, and the files of payments that it takes.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { isValidIBAN } from 'ibantools'
import { eventually } from '../../test/eventually.ts'
import { callControl, hearing, hosted, startProgram, type Json } from '../kit/harness.ts'
import { startBank } from './server.ts'

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string }
type Account = { readonly iban: string; readonly callbackKey: string }

const received: Received[] = []
const inbox = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    received.push({ headers: request.headers, body: Buffer.concat(parts).toString('utf8') })
    response.end()
  })
})
let url: string
let bank: Awaited<ReturnType<typeof openBank>>
let hearer: AsyncDisposable
const openBank = () => hosted(undefined, (dataDir) => startBank({ dataDir, port: 0, retrySeconds: [1] }))
before(async () => {
  bank = await openBank()
  const heard = await hearing(inbox)
  hearer = heard
  url = `http://127.0.0.1:${heard.port}/files`
})
after(async () => {
  await bank[Symbol.asyncDispose]()
  await hearer[Symbol.asyncDispose]()
})

const control = (path: string, body?: Json) =>
  callControl(bank.controlUrl, body === undefined ? 'GET' : 'POST', path, body)
const accountOf = (answer: Json): Account => ({
  iban: String(answer['iban']),
  callbackKey: String(answer['callbackKey']),
})
async function open(balance = '100.00'): Promise<Account> {
  const account = accountOf(await control('/accounts', { holder: 'Vintem', balance }))
  await control(`/accounts/${account.iban}/webhook`, { url })
  return account
}
/** The camt files of the account that came, in their order. */
const filesOf = ({ iban }: Account) => received.filter(({ body }) => body.includes(iban))
const untilFiles = (account: Account, count: number) =>
  eventually(`${count} files`, () => filesOf(account).length >= count && filesOf(account))
const recall = (reference: string) => control(`/entries/${reference}/recall`, {})
const send = ({ iban }: Account, scenario: string, more: Json = {}) =>
  control(`/accounts/${iban}/transfers`, {
    scenario,
    amount: '45.00',
    reference: 'RF18539007547034',
    ...more,
  })
/** Amounts of the balances in a statement: what it opens and closes with. */
const balancesIn = (text: string) =>
  [...text.matchAll(/<Bal>.*?<Amt Ccy="EUR">([\d.]+)<\/Amt>/gs)].map(([, amount]) => amount)
const amountsIn = (text: string) =>
  [...text.matchAll(/<Ntry><Amt Ccy="EUR">([\d.]+)<\/Amt><CdtDbtInd>(\w+)</g)].map(
    ([, amount, side]) => `${side} ${amount}`,
  )

test('an account has an IBAN whose check digits fit, and a first statement that is signed', async () => {
  const account = await open()
  assert.ok(isValidIBAN(account.iban))
  const [first] = await untilFiles(account, 1)
  assert.ok(first !== undefined)
  assert.match(first.body, /camt\.053\.001\.08/)
  assert.deepEqual(balancesIn(first.body), ['100.00', '100.00'])
  const timestamp = String(first.headers['vintem-timestamp'])
  const wanted = createHmac('sha256', account.callbackKey).update(`${timestamp}.${first.body}`).digest('hex')
  assert.equal(first.headers['vintem-signature'], wanted)
})

for (const [scenario, amounts, quotes] of [
  ['exact', ['CRDT 45.00'], true],
  ['under', ['CRDT 22.50'], true],
  ['over', ['CRDT 49.50'], true],
  ['no_reference', ['CRDT 45.00'], false],
  ['typo', ['CRDT 45.00'], false],
  ['twice', ['CRDT 45.00', 'CRDT 45.00'], true],
] as const)
  test(`a transfer ${scenario} is notified at once`, async () => {
    const account = await open()
    await send(account, scenario)
    const files = (await untilFiles(account, 1 + amounts.length)).slice(1)
    assert.deepEqual(
      files.flatMap(({ body }) => amountsIn(body)),
      amounts,
    )
    assert.ok(files.every(({ body }) => body.includes('camt.054.001.08')))
    assert.ok(files.every(({ body }) => body.includes('<Ref>RF18539007547034</Ref>') === quotes))
    const names = files.map(({ body }) => /<AcctSvcrRef>(\w+)</.exec(body)?.[1])
    assert.equal(new Set(names).size, amounts.length)
  })

test('statements follow on one another, in both versions, and a late transfer is of the next day', async () => {
  const account = await open()
  await send(account, 'exact')
  await control(`/accounts/${account.iban}`, { version: '02' })
  await send(account, 'late')
  await control(`/accounts/${account.iban}/close`, {})
  const files = (await untilFiles(account, 5)).map(({ body }) => body)
  const statements = files.filter((body) => body.includes('camt.053'))
  assert.deepEqual(statements.map(balancesIn), [
    ['100.00', '100.00'],
    ['100.00', '145.00'],
    ['145.00', '190.00'],
  ])
  assert.match(statements[2] ?? '', /camt\.053\.001\.02/)
  const days = statements.map((body) => /<BookgDt><Dt>([\d-]+)</.exec(body)?.[1])
  assert.ok(days[1] !== undefined && days[2] !== undefined && days[1] < days[2])
  await control(`/accounts/${account.iban}/forge`, {})
  await control(`/accounts/${account.iban}/close`, {})
  const more = (await untilFiles(account, 7)).map(({ body }) => balancesIn(body))
  assert.deepEqual(more.slice(5), [
    ['190.01', '190.01'],
    ['190.00', '190.00'],
  ])
})

/** A file of payments, written from the definition and by no code of ours. */
function paymentsOf(
  { iban }: Account,
  id: string,
  orders: readonly (readonly [name: string, amount: string, to: string])[],
  sum = '30.00',
): string {
  const transfers = orders.map(
    ([name, amount, to]) =>
      `<CdtTrfTxInf><PmtId><EndToEndId>${name}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt><Cdtr><Nm>Ana Muller</Nm></Cdtr><CdtrAcct><Id><IBAN>${to}</IBAN></Id></CdtrAcct></CdtTrfTxInf>`,
  )
  const count = `<NbOfTxs>${orders.length}</NbOfTxs><CtrlSum>${sum}</CtrlSum>`
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
    <GrpHdr><MsgId>${id}</MsgId><CreDtTm>2026-11-24T10:00:00</CreDtTm>${count}<InitgPty><Nm>Vintem</Nm></InitgPty></GrpHdr>
    <PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>${count}<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
    <ReqdExctnDt><Dt>2026-11-24</Dt></ReqdExctnDt><Dbtr><Nm>Vintem</Nm></Dbtr><DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct>
    <DbtrAgt><FinInstnId><BICFI>SIMBPTPL</BICFI></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>${transfers.join('')}</PmtInf></CstmrCdtTrfInitn></Document>`
}
/** The example of the registry of IBANs (ISO 13616). */
const to = 'DE89370400440532013000'
const handIn = ({ iban }: Account, file: string) => control(`/accounts/${iban}/payment-files`, { file })
const balanceOf = async ({ iban }: Account) => {
  const { accounts } = (await control('/state')) as { accounts: (Account & { balance: string })[] }
  return accounts.find((each) => each.iban === iban)?.balance
}

test('a file of payments is carried out once, and a payment comes back when it is returned', async () => {
  const account = await open()
  const file = paymentsOf(account, 'M1', [
    ['P1', '10.00', to],
    ['P2', '20.00', 'DE88370400440532013000'],
  ])
  const { report } = await handIn(account, file)
  assert.match(String(report), /<OrgnlMsgId>M1<.*<GrpSts>PART</s)
  assert.match(String(report), /<OrgnlEndToEndId>P2<\/OrgnlEndToEndId><TxSts>RJCT<.*<Cd>AC01</s)
  assert.deepEqual(await handIn(account, file), { report })
  await assert.rejects(handIn(account, paymentsOf(account, 'M1', [['P3', '30.00', to]])), /409 duplicate/)
  assert.equal(await balanceOf(account), '90.00')
  await send(account, 'return', { reference: 'P1' })
  assert.equal(await balanceOf(account), '100.00')
  await assert.rejects(send(account, 'return', { reference: 'P1' }), /409 invalid_state/)
  const bodies = (await untilFiles(account, 3)).map(({ body }) => body)
  assert.deepEqual(bodies.flatMap(amountsIn), ['DBIT 10.00', 'CRDT 10.00'])
  assert.ok(received.some(({ body }) => body === report))
  assert.match(bodies[2] ?? '', /<EndToEndId>P1<.*<RtrInf><Rsn><Cd>AC04</s)
})

test('a file that does not add up, or has too much, is refused, and what waits is decided later', async () => {
  const account = await open()
  const wrong = await handIn(account, paymentsOf(account, 'W1', [['W', '30.00', to]], '31.00'))
  assert.match(String(wrong['report']), /<GrpSts>RJCT<.*<Cd>AM10</s)
  const much = await handIn(account, paymentsOf(account, 'W2', [['W', '130.00', to]], '130.00'))
  assert.match(String(much['report']), /<TxSts>RJCT<.*<Cd>AM04</s)
  await assert.rejects(handIn(account, '<a/>'), /422 no_payments/)
  await control(`/accounts/${account.iban}`, { payouts: 'hold' })
  await handIn(
    account,
    paymentsOf(account, 'W3', [
      ['X', '10.00', to],
      ['Y', '20.00', to],
    ]),
  )
  assert.equal(await balanceOf(account), '100.00')
  await control('/payouts/X', { act: 'reject' })
  await control('/payouts/Y', { act: 'pay' })
  assert.equal(await balanceOf(account), '80.00')
  await assert.rejects(control('/payouts/X', { act: 'pay' }), /409 invalid_state/)
})

test('what it has survives kill -9, and its page answers', async () => {
  await using program = await startProgram('sepa-bank', { args: ['--retry-seconds', '0,0,1'] })
  const account = accountOf(await program.control('POST', '/accounts', { holder: 'Shop' }))
  await program.control('POST', `/accounts/${account.iban}/transfers`, {
    scenario: 'exact',
    amount: '1.00',
    reference: 'RF18539007547034',
  })
  await program.kill('SIGKILL')
  await program.start()
  const { accounts, files } = (await program.control('GET', '/state')) as {
    accounts: (Account & { balance: string })[]
    files: { id: string }[]
  }
  assert.deepEqual([accounts[0]?.iban, accounts[0]?.balance], [account.iban, '1.00'])
  const file = await fetch(`${program.controlUrl}/_sim/files/${files[0]?.id}`)
  assert.match(await file.text(), /camt\.054/)
  assert.match(await (await fetch(program.controlUrl)).text(), new RegExp(account.iban))
})

for (const version of ['02', '08'])
  test(`a credit is taken back once, by a debit that names it, in version ${version}`, async () => {
    const account = await open()
    await control(`/accounts/${account.iban}`, { version })
    const { entries } = (await send(account, 'exact')) as { entries: { reference: string }[] }
    const reference = String(entries[0]?.reference)
    await recall(reference)
    const [, credit, debit] = (await untilFiles(account, 3)).map(({ body }) => body)
    const name = /<TxId>(\w+)</.exec(credit ?? '')?.[1]
    assert.ok(name !== undefined)
    assert.match(
      debit ?? '',
      new RegExp(`<CdtDbtInd>DBIT<.*<SubFmlyCd>RPCR<.*<TxId>${name}<.*<Cd>FRAD<`, 's'),
    )
    await assert.rejects(recall(reference), /409/)
    await assert.rejects(recall('NOTHING'), /404/)
  })
