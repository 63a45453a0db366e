// Files that are not ours (test/rails/sepa-samples/README.md): what is read in them is what a person reads in them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import { openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { worldKeys } from '../../../test/world-keys.ts'
import { parseCamt } from './camt.ts'
import type { Movement } from './movement.ts'
import { parsePaymentReport } from './pain.ts'

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../test/rails/sepa-samples', name))
const only = (name: string) => {
  const { reports, ...file } = parseCamt(read(name))
  assert.equal(reports.length, 1)
  return { ...file, ...must(reports[0], 'a report') }
}
/** Signed cents by entry and part. */
const amounts = (movements: readonly Movement[]) =>
  movements.map(
    ({ reference, part, isCredit, minor }) =>
      [`${reference}/${part}`, Number(isCredit ? minor : -minor)] as const,
  )
const saidOf = (movements: readonly Movement[], reference: string, part = 0) => {
  const found = movements.find((each) => each.reference === reference && each.part === part)
  const { remittance, endToEndId, names, party, returned, bookedOn } = must(found, reference)
  return { remittance, endToEndId, names, party, returned, bookedOn }
}

test('a Finnish statement: ten entries, two of them with their transfers, lead from 10,000.00 to 23,644.83', () => {
  const { kind, message, iban, currency, movements, balances } = only('fi-camt.053.001.02.xml')
  assert.deepEqual(
    [kind, message, iban, currency],
    ['STATEMENT', 'camt.053.001.02', 'FI7433010001222090', 'EUR'],
  )
  assert.deepEqual(balances, {
    opening: { minor: 1_000_000n, on: '2009-10-29' },
    closing: { minor: 2_364_483n, on: '2009-10-29' },
  })
  assert.deepEqual(amounts(movements), [
    ['091029ACCTSTMTARCH01/0', -100_012],
    ['091029ACCTSTMTARCH02/0', -400_000],
    ['091029ACCTSTMTARCH03/1', -200_002],
    ['091029ACCTSTMTARCH03/2', -100_001],
    ['091029ACCTSTMTARCH03/3', -123_002],
    ['091029ACCTSTMTARCH04/0', 200_000],
    ['091029ACCTSTMTARCH21/0', 50_000],
    ['091029ACCTSTMTARCH05/0', 300_000],
    ['091029ACCTSTMTARCH06/0', 212_000],
    ['091029ACCTSTMTARCH07/0', 545_500],
    ['091029ACCTSTMTARCH08/0', 1_000_000],
    ['091029ACCTSTMTARCH09/1', -10_000],
    ['091029ACCTSTMTARCH09/2', -10_000],
  ])
  // The payer sent 3,200.00 USD; the bank credited 2,120.00 EUR.
  assert.deepEqual(saidOf(movements, '091029ACCTSTMTARCH06'), {
    remittance: ['INVOICE US20291092'],
    endToEndId: undefined,
    names: ['ISSRBKREF12345678'],
    party: { name: 'DEBTOR NAME' },
    returned: undefined,
    bookedOn: '2009-10-29',
  })
  const { remittance, endToEndId } = saidOf(movements, '091029ACCTSTMTARCH08')
  assert.deepEqual([remittance, endToEndId], [['RF98123456789012'], 'EndToEndIdSCT01'])
})

test('the notification to it has the transfers of the collected entries, and information that moves nothing', () => {
  const { kind, movements, balances } = only('fi-camt.054.001.02.xml')
  assert.deepEqual([kind, balances], ['NOTIFICATION', undefined])
  assert.deepEqual(amounts(movements), [
    ['091029ACCTSTMTARCH04/1', 190_000],
    ['091029ACCTSTMTARCH04/2', 10_000],
    ['091029ACCTSTMTARCH21/1', 40_000],
    ['091029ACCTSTMTARCH21/2', 10_000],
    ['091029ACCTSTMTARCH05/1', 250_000],
    ['091029ACCTSTMTARCH05/2', 50_000],
    ['091029ACCTSTMTARCH03/1', -200_002],
    ['091029ACCTSTMTARCH03/2', -100_001],
    ['091029ACCTSTMTARCH03/3', -123_002],
    // Of 750.00 USD and 79,255 JPY.
    ['091029NTFCTNXBCT010101/1', -50_000],
    ['091029NTFCTNXBCT010101/2', -50_000],
  ])
  const { remittance, endToEndId, party } = saidOf(movements, '091029ACCTSTMTARCH05', 1)
  assert.deepEqual(remittance, ['RF7812345', 'RF0812344'])
  assert.deepEqual([endToEndId, party], ['EndToEndIdAT-41-001', { name: 'AT-02 DEBTOR NAME 01' }])
})

test('Swiss files in francs are read, and nothing of them is of an account in EUR', () => {
  const statement = only('ch-camt.053.001.04.xml')
  assert.deepEqual(
    [statement.message, statement.currency, statement.movements.length],
    ['camt.053.001.04', 'CHF', 0],
  )
  // This bank gives two of its entries one name.
  assert.deepEqual(
    statement.foreign.map(({ reference, amount, isCredit }) => [reference, amount, isCredit]),
    [
      ['0758103031480900', '4.50', true],
      ['07582000303F0C7U', '1500.00', true],
      ['07582000303KBMSU', '1537.00', true],
      ['07582000303KBMSU', '1692.22', true],
    ],
  )
  const notification = only('ch-camt.054.001.04.xml')
  assert.deepEqual(
    notification.foreign.map(({ reference, amount, returned }) => [reference, amount, returned?.reason]),
    [['086820002PBWFX2U', '400.00', 'AC01']],
  )
  // The same in euro: a transfer of ours that came back.
  const euro = parseCamt(
    Buffer.from(read('ch-camt.054.001.04.xml').toString('utf8').replaceAll('CHF', 'EUR')),
  )
  const movements = euro.reports[0]?.movements ?? []
  assert.deepEqual(amounts(movements), [['086820002PBWFX2U/0', 40_000]])
  const { returned, endToEndId, names } = saidOf(movements, '086820002PBWFX2U')
  assert.deepEqual(
    [returned, endToEndId, names],
    [{ reason: 'AC01' }, 'EndToEndId-004-01-01', ['180327CH02P92DYD']],
  )
})

test('a statement that says only what is available, and not what is booked, is refused', () => {
  assert.throws(() => parseCamt(read('lt-camt.053.001.02.xml')), /no balance OPBD or PRCD/)
})

test('a statement of version 08 from the schema: reversals, returns, exchanges, collected and pending entries', () => {
  const { message, reports } = parseCamt(read('made-camt.053.001.08.xml'))
  assert.deepEqual([message, reports.map(({ currency }) => currency)], ['camt.053.001.08', ['EUR', 'USD']])
  const [{ movements, balances }] = reports as [ReturnType<typeof only>]
  assert.deepEqual(balances, {
    opening: { minor: -1_000n, on: '2026-02-28' },
    closing: { minor: 10_946n, on: '2026-03-01' },
  })
  assert.deepEqual(amounts(movements), [
    ['E1/0', 4_500],
    ['E2/1', 1_050],
    ['E2/2', 1_950],
    ['E3/0', 1_234],
    ['E4/0', -800],
    ['E5/0', -500],
    ['E6/0', 4_512],
  ])
  assert.deepEqual(saidOf(movements, 'E1'), {
    remittance: ['RF18539007547034', 'order 7,thank you'],
    endToEndId: 'INVOICE-7',
    names: ['DETAIL-1', 'TX-1', '8a562c67-ca16-48ba-b074-65581be6f001'],
    party: { name: 'Müller & Söhne <GmbH>', iban: 'FR1420041010050500013M02606' },
    returned: undefined,
    bookedOn: '2026-03-01',
  })
  assert.deepEqual(saidOf(movements, 'E3').returned, { reason: 'AC04' })
  const { returned, party } = saidOf(movements, 'E4')
  assert.deepEqual([returned, party], [{ reason: 'FRAD' }, { name: 'Ana', iban: 'DE02120300000000202051' }])
  assert.equal(saidOf(movements, 'E5').returned, undefined)
})

test('a notification of version 08 from the schema', () => {
  const { message, movements } = only('made-camt.054.001.08.xml')
  assert.equal(message, 'camt.054.001.08')
  assert.deepEqual(amounts(movements), [
    ['E1/0', 4_500],
    ['E4/0', -800],
  ])
})

for (const version of ['03', '12'])
  test(`reports of version ${version} from the schema: what was refused, one payment or the whole file`, () => {
    assert.deepEqual(parsePaymentReport(read(`made-pain.002.001.${version}.xml`)), {
      message: `pain.002.001.${version}`,
      messageId: 'FILE1',
      isWhole: false,
      refused: ['PAYOUT2'],
      reason: 'AC04',
    })
    const whole = parsePaymentReport(read(`made-pain.002.001.${version}-whole.xml`))
    assert.deepEqual(
      [whole.messageId, whole.isWhole, whole.refused, whole.reason],
      ['FILE2', true, [], 'AM10'],
    )
  })

test('a report that says nothing refuses nothing, and one of the old Swiss variant is not read', () => {
  const { messageId, isWhole, refused } = parsePaymentReport(read('moov-pain.002.001.11.xml'))
  assert.deepEqual([messageId, isWhole, refused], ['OrgnlMsgId', false, []])
  assert.throws(() => parsePaymentReport(read('ch-pain.002.001.03.ch.02.xml')), /no pain.002/)
})

suite('the Finnish account', () => {
  let world: SepaWorld
  before(async () => {
    world = await openSepaWorld()
    const { core } = world.pix
    const key = (name: 'VINTEM_MASTER_KEY' | 'VINTEM_WORKER_KEY') => Buffer.from(worldKeys[name], 'hex')
    const keys = connectionKeys(key('VINTEM_MASTER_KEY'), key('VINTEM_WORKER_KEY'))
    const settings = { iban: 'FI7433010001222090', beneficiary: 'BANK ACCOUNT OWNER' }
    const account = {
      mode: 'SANDBOX',
      method: 'SEPA_TRANSFER',
      provider: 'camt',
      settings,
      secrets: {},
    } as const
    await addConnection({ sql: core.sql, cell: core.config.VINTEM_CELL, keys }, account)
    await core.connections.refresh()
  })
  after(() => world[Symbol.asyncDispose]())

  test('notified transfers are held against the entries in which the statement collects them', async () => {
    const notified = await world.hand(read('fi-camt.054.001.02.xml'))
    assert.deepEqual(notified.state === 'IMPORTED' && notified.movements, 11)
    const stated = await world.hand(read('fi-camt.053.001.02.xml'))
    // 04, 21, 05 and 03 are known by their transfers; the payment of the next day is in no statement yet.
    assert.deepEqual(stated.state === 'IMPORTED' && stated.movements, 7)
    const suspense = 200_000n + 50_000n + 300_000n + 212_000n + 545_500n + 1_000_000n
    assert.equal((await world.pix.balances()).suspense, suspense)
    assert.deepEqual((await world.pix.verify()).faults, [])
  })
})
