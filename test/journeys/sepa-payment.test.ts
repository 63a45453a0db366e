// Euro by bank transfer, from the outside: the API, the simulated bank and its files, the operator's commands. It verifies the books of
// the installation that it shares.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../eventually.ts'
import type { Json } from './merchant.ts'
import { statementFolderOf } from './shared-installation.ts'
import { openShop, type Payment, type Shop } from './shop.ts'

let shop: Shop
let connection: string
let iban: string
before(async () => {
  shop = await openShop({ amount: 4500, currency: 'EUR', paymentMethods: ['SEPA_TRANSFER'] })
  ;[connection, iban] = await shop.asOperator(async (_, connectionOf) => {
    const { id, settings } = connectionOf('SEPA_TRANSFER')
    return [id, String(settings['iban'])] as const
  })
})
after(() => shop[Symbol.asyncDispose]())

const run = (...args: readonly string[]) => shop.installation.run(...args)
/** What a command lists. */
const rowsOf = async (...command: readonly string[]) => {
  const { code, output } = await run(...command, '--json')
  assert.equal(code, 0, output)
  return JSON.parse(output) as readonly Json[]
}
const balance = async () => (await shop.wallet('EUR')).balance
const atBank = (path: string, body?: Json) => shop.simulate('sepaBank', `/accounts/${iban}${path}`, body)

/** The last file of this message that the bank wrote about the account, kept where a command can read it. */
async function lastFile(message: RegExp): Promise<string> {
  const { files } = (await shop.stateOf('sepaBank')) as {
    files: { id: string; iban: string; message: string }[]
  }
  const found = files.findLast((each) => each.iban === iban && message.test(each.message))
  assert.ok(found !== undefined)
  const { controlUrl } = shop.installation.sandbox().simulators.sepaBank
  const answer = await fetch(`${controlUrl}/_sim/files/${found.id}`)
  const path = join(mkdtempSync(join(tmpdir(), 'vintem-sepa-')), `${found.id}.xml`)
  writeFileSync(path, await answer.text())
  return path
}
const imported = async (file: string) => {
  const { code, output } = await run('statement', 'import', file, '--json', '--connection', connection)
  return { code, output }
}

/** Asks for all that one refund can give back, and waits until the bank says that it left. */
async function refunds(payment: Payment, amount: number): Promise<void> {
  const made = await shop.api('POST', `/v1/payments/${payment.id}/refunds`, { amount })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  await shop.notified(made.body as Payment, 'refund.completed')
}

async function paid(): Promise<Payment> {
  const payment = await shop.create()
  await shop.pay(payment, 'exact')
  await shop.untilPaid(payment)
  return payment
}

test('an exact transfer pays, and the same file twice changes nothing', async () => {
  const before = await balance()
  const payment = await shop.create()
  assert.equal((payment['sepa'] as Json)['iban'], iban)
  await shop.pay(payment, 'exact')
  const { data } = await shop.notified(payment, 'payment.completed')
  assert.deepEqual([data['paymentMethod'], data['amountReceived']], ['SEPA_TRANSFER', 4500])
  assert.equal(await balance(), before + 4500)
  const again = await imported(await lastFile(/camt\.054/))
  assert.equal(again.code, 0, again.output)
  assert.match(again.output, /"state": ?"KNOWN"/)
  assert.equal(await balance(), before + 4500)
})

test('a checkout in euro offers the bank transfer, and shows where to pay when the payer chose it', async () => {
  const payment = await shop.create({ paymentMethods: undefined, checkout: 'default' })
  assert.ok((payment['paymentMethods'] as readonly string[]).includes('SEPA_TRANSFER'))
  const pay = { scenario: 'under', method: 'SEPA_TRANSFER' }
  const answer = await shop.api('POST', `/v1/sandbox/payments/${payment.id}/pay`, pay)
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  const half = await shop.until(payment, 'has a half', ({ amountReceived }) => amountReceived === 2250)
  assert.deepEqual([half['status'], half['exceptions']], ['WAITING_PAYMENT', ['UNDERPAID']])
  const page = String(payment['checkoutUrl'])
  assert.equal((await fetch(page)).status, 200)
  assert.match(await (await fetch(`${page}/state`)).text(), new RegExp(iban))
})

test('a typo is proposed and not booked, until a person accepts it', async () => {
  const payment = await shop.create()
  const before = await balance()
  await shop.pay(payment, 'typo')
  const proposal = await eventually('the proposal', async () => {
    const rows = await rowsOf('statement', 'proposals')
    return rows.find((each) => Object.values(each).includes(payment.id))
  })
  assert.equal((await shop.get(`/v1/payments/${payment.id}`))['status'], 'WAITING_PAYMENT')
  assert.equal(await balance(), before)
  const accepted = await run('statement', 'accept', connection, String(proposal['entry']))
  assert.equal(accepted.code, 0, accepted.output)
  await shop.untilPaid(payment)
  assert.equal(await balance(), before + 4500)
  await refunds(payment, 4500)
  assert.equal(await balance(), before)
})

test('two transfers for one payment are both credited', async () => {
  const payment = await shop.create()
  const before = await balance()
  await shop.pay(payment, 'twice')
  const current = await shop.until(payment, 'has both', ({ amountReceived }) => amountReceived === 9000)
  assert.equal(current['status'], 'PAID')
  assert.deepEqual(current['exceptions'], ['DUPLICATE'])
  assert.equal(await balance(), before + 9000)
  await refunds(payment, 4500)
  await refunds(payment, 4500)
  assert.equal(await balance(), before)
})

test('a tenth more is credited whole, and goes back whole', async () => {
  const payment = await shop.create()
  const before = await balance()
  await shop.pay(payment, 'over')
  const { data } = await shop.notified(payment, 'payment.completed')
  assert.deepEqual([data['amountReceived'], data['exceptions']], [4950, ['OVERPAID']])
  assert.equal(await balance(), before + 4950)
  await refunds(payment, 4950)
  assert.equal(await balance(), before)
})

test('a transfer of the day after the payment expired pays it, late, and goes back', async () => {
  const payment = await shop.create()
  const before = await balance()
  await shop.pay(payment, 'late')
  await shop.notified(payment, 'payment.expired')
  const { data } = await shop.notified(payment, 'payment.completed')
  assert.deepEqual([data['status'], data['amountReceived'], data['exceptions']], ['PAID', 4500, ['LATE']])
  assert.equal(await balance(), before + 4500)
  await refunds(payment, 4500)
  assert.equal(await balance(), before)
})

test('a transfer that quotes nothing is nobody’s, until a person says whose it is', async () => {
  const payment = await shop.create({ amount: 4321 })
  const before = await balance()
  await shop.pay(payment, 'no_reference')
  const money = await eventually('it is in suspense', async () => {
    const rows = await rowsOf('suspense', 'list')
    return rows.find((each) => each['connection'] === connection && Number(each['amount']) === 4321)
  })
  assert.equal(await balance(), before)
  assert.equal((await shop.get(`/v1/payments/${payment.id}`))['status'], 'WAITING_PAYMENT')
  const { merchantId } = shop.installation.sandbox()
  const credit = await run('suspense', 'credit', String(money['id']), '--merchant', merchantId)
  assert.equal(credit.code, 0, credit.output)
  assert.equal(await balance(), before + 4321)
  assert.equal((await shop.get(`/v1/payments/${payment.id}`))['status'], 'WAITING_PAYMENT')
})

test('a transfer that the bank takes back is a lost dispute, and the payment stays PAID', async () => {
  const payment = await paid()
  const before = await balance()
  const { entries } = (await shop.stateOf('sepaBank')) as {
    entries: { reference: string; structured?: string }[]
  }
  const { reference } = payment['sepa'] as { readonly reference: string }
  const credit = entries.find(({ structured }) => structured === reference)
  assert.ok(credit !== undefined)
  await shop.simulate('sepaBank', `/entries/${credit.reference}/recall`, {})
  const { data } = await shop.notified(payment, 'dispute.lost')
  assert.deepEqual([data['kind'], data['amount'], data['reason']], ['RECALL', 4500, 'FRAD'])
  assert.equal(await balance(), before - 4500)
  assert.equal((await shop.get(`/v1/payments/${payment.id}`))['status'], 'PAID')
})

test('a file in the watched folder pays, and a bad one before it is refused with its reason and stops nothing', async () => {
  const folder = statementFolderOf(shop.installation)
  const payment = await shop.create()
  const { reference } = payment['sepa'] as { readonly reference: string }
  const { accounts } = (await shop.stateOf('sepaBank')) as { accounts: { iban: string; url: string }[] }
  const url = accounts.find((each) => each.iban === iban)?.url
  assert.ok(url !== undefined)
  // The bank delivers this file to nobody.
  await atBank('/webhook', { url: 'http://127.0.0.1:9/nobody' })
  try {
    await atBank('/transfers', { scenario: 'exact', amount: '45.00', reference })
  } finally {
    await atBank('/webhook', { url })
  }
  const whole = readFileSync(await lastFile(/camt\.054/))
  const drop = (name: string, bytes: Buffer) => {
    writeFileSync(join(folder, `${name}.part`), bytes)
    renameSync(join(folder, `${name}.part`), join(folder, `${name}.xml`))
  }
  drop('1-cut', whole.subarray(0, 500))
  drop('2-whole', whole)
  await shop.untilPaid(payment)
  await eventually('both files are moved', () => !readdirSync(folder).some((name) => name.endsWith('.xml')))
  assert.deepEqual(readdirSync(join(folder, 'imported')), ['2-whole.xml'])
  assert.deepEqual(readdirSync(join(folder, 'refused')), ['1-cut.xml', '1-cut.xml.reason.txt'])
  assert.match(readFileSync(join(folder, 'refused', '1-cut.xml.reason.txt'), 'utf8'), /no XML/)
  assert.match(shop.installation.output(), /1-cut\.xml.*a bank's file was refused/)
  const files = await rowsOf('statement', 'list')
  const listed = files.find((each) => each['file'] === '2-whole.xml')
  assert.deepEqual([listed?.['state'], listed?.['handedInBy']], ['IMPORTED', 'folder'])
})

test('a forged balance is refused whole, and the day’s true statement is taken', async () => {
  await atBank('/forge')
  const forged = await imported(await lastFile(/camt\.053/))
  assert.notEqual(forged.code, 0)
  assert.match(forged.output, /opens with/)
  await atBank('/close')
  const file = await lastFile(/camt\.053/)
  await eventually('the true statement is known', async () => {
    const { code, output } = await imported(file)
    assert.equal(code, 0, output)
    return output.includes('KNOWN')
  })
})

/** Withdraws by bank transfer, waits until it left, has the bank send it back, and waits for that. Returns the withdrawal. */
async function outAndBack(amount: number): Promise<Json> {
  const before = await balance()
  const request = {
    type: 'SEPA',
    amount,
    currency: 'EUR',
    iban: 'DE89370400440532013000',
    beneficiary: 'Ana Müller',
    webhookUrl: shop.hooks.url,
    idempotencyKey: `sepa-out-${amount}`,
  }
  const made = await shop.api('POST', '/v1/withdrawals', request)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const withdrawal = made.body as Payment
  await shop.notified(withdrawal, 'withdrawal.completed')
  assert.equal(await balance(), before - Number(made.body['totalDebited']))
  const { payouts } = (await shop.stateOf('sepaBank')) as { payouts: { endToEndId: string; cents: string }[] }
  const sent = payouts.findLast(({ cents }) => cents === `${amount}`)
  assert.ok(sent !== undefined)
  await shop.simulate('sepaBank', `/payouts/${sent.endToEndId}`, { act: 'return' })
  await shop.notified(withdrawal, 'withdrawal.returned')
  assert.equal(await balance(), before - Number(made.body['fee']))
  return shop.get(`/v1/withdrawals/${withdrawal.id}`)
}

test('a withdrawal leaves in a file of payments, completes, and comes back when the bank returns it', async () => {
  await paid()
  const { status, amountReturned } = await outAndBack(1234)
  assert.deepEqual([status, amountReturned], ['COMPLETED', 1234])
})

test('euro that came by card leave by bank transfer, and are in the wallet again when the bank returns them', async () => {
  const other = await balance()
  await shop.paid({ amount: 7777, paymentMethods: ['CREDIT_CARD'] })
  assert.equal(await balance(), other + 7777)
  // More than the wallet had of anything else.
  const { amountReturned } = await outAndBack(other + 5000)
  assert.equal(amountReturned, other + 5000)
})

test('a part goes back to the account that paid, and comes back when the bank returns it', async () => {
  const payment = await paid()
  const before = await shop.wallet('EUR')
  for (const [to, fault] of [
    [{ iban: 'DE88370400440532013000', beneficiary: 'Rui' }, ['/iban', 'invalid']],
    [{ iban: 'DE89370400440532013000' }, ['/beneficiary', 'required']],
  ] as const) {
    const refused = await shop.api('POST', `/v1/payments/${payment.id}/refunds`, to)
    const [first] = refused.body['errors'] as Json[]
    assert.deepEqual([refused.status, first?.['pointer'], first?.['code']], [400, ...fault])
  }
  const request = { amount: 1500, reason: 'One chair', idempotencyKey: 'sepa-back' }
  const made = await shop.api('POST', `/v1/payments/${payment.id}/refunds`, request)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const refund = made.body as Payment
  assert.deepEqual(
    [refund['status'], refund['iban'], refund['beneficiary'], refund['approvalRequired']],
    ['PENDING', 'ES9121000418450200051332', 'Ana Martins', undefined],
  )
  const { data } = await shop.notified(refund, 'refund.completed')
  assert.deepEqual([data['status'], data['amount']], ['COMPLETED', 1500])
  assert.deepEqual(await shop.wallet('EUR'), { ...before, balance: before.balance - 1500 })
  const { payouts } = (await shop.stateOf('sepaBank')) as { payouts: Json[] }
  const endToEndId = refund.id.replaceAll('-', '')
  const sent = payouts.find((each) => each['endToEndId'] === endToEndId)
  assert.deepEqual([sent?.['toIban'], sent?.['cents']], ['ES9121000418450200051332', '1500'])
  await shop.simulate('sepaBank', `/payouts/${endToEndId}`, { act: 'return' })
  const { data: failed } = await shop.notified(refund, 'refund.failed')
  assert.deepEqual([failed['status'], failed['failureCode']], ['FAILED', 'returned_by_bank'])
  assert.deepEqual(await shop.wallet('EUR'), before)
  const { body: explanation } = await shop.api('GET', `/v1/refunds/${refund.id}/explain?language=en`)
  const sentences = (explanation['steps'] as Json[]).map((step) => String(step['text']))
  assert.deepEqual(
    sentences.filter((each) => each.includes('bank')),
    [
      'The bank reported that the refund of €15.00 is with the payer.',
      'The bank reported that the refund of €15.00 failed.',
      'The refund of €15.00 was completed and has failed since: The bank of the recipient sent the money back.',
    ],
  )
  const again = await shop.api('POST', `/v1/payments/${payment.id}/refunds`)
  assert.deepEqual([again.status, again.body['amount']], [201, 4500])
  await shop.notified(again.body as Payment, 'refund.completed')
})

test('verify finds no fault, and the account holds what the books say', async () => {
  const { code, output } = await run('verify')
  assert.equal(code, 0, output)
  const rows = await rowsOf('balances')
  const account = rows.find((each) => each['connection'] === connection)
  assert.deepEqual([account?.['difference'], account?.['verdict']], ['0.00', 'agrees'])
})
