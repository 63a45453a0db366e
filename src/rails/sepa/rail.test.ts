// A payment by bank transfer from its creation to its money, without a bank: its files are the test's own.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { describePayments } from '#/payments/describe.ts'
import { notificationFile } from '../../../test/rails/sepa-files.ts'
import { openSepaWorld, account, type SepaFields, type SepaWorld } from '../../../test/sepa-world.ts'
import { isReference } from './reference.ts'

suite('SEPA_TRANSFER', () => {
  let world: SepaWorld
  before(async () => {
    world = await openSepaWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  /** The bank notifies of a transfer. */
  async function notify(minor: number, text: string) {
    const transfer = { ref: newId().replaceAll('-', ''), minor, text }
    const file = notificationFile({ iban: account.iban, id: transfer.ref, transfers: [transfer] })
    assert.equal((await world.hand(file)).state, 'IMPORTED')
  }

  test('the answer to the creation shows where to pay; a replay shows the same', async () => {
    const key = newId()
    const { payment, fields } = await world.create(4_500, {}, key)
    assert.equal(payment.status, 'WAITING_PAYMENT')
    const { epcQrCode, reference, ...shown } = fields['sepa'] as SepaFields
    assert.deepEqual(shown, account)
    assert.ok(isReference(reference))
    assert.match(epcQrCode ?? '', /^data:image\/png;base64,/)
    const again = await world.create(4_500, {}, key)
    assert.deepEqual([again.replayed, (again.fields['sepa'] as SepaFields).reference], [true, reference])
    const { sql, rails } = world.pix.core
    const brief = (await describePayments(sql, rails, [payment], 'brief')).of(payment)
    assert.deepEqual(brief['sepa'], { ...account, reference })
  })

  test('two payments never have one reference', async () => {
    const made = await Promise.all([1, 2, 3].map(() => world.create(100)))
    assert.equal(new Set(made.map(({ fields }) => (fields['sepa'] as SepaFields).reference)).size, 3)
  })

  test('EUR is the default and the only currency, and the amount has the limits of the code', async () => {
    const { payment } = await world.pix.create({ amount: 100, paymentMethods: ['SEPA_TRANSFER'] })
    assert.equal(payment.currency, 'EUR')
    await assert.rejects(world.create(100, { currency: 'USD' }), { code: 'currency_not_supported' })
    await assert.rejects(world.create(100_000_000_000), { code: 'limit_exceeded' })
  })

  test('money that quotes the reference pays it, a second transfer is a duplicate, and the books verify', async () => {
    const { payment } = await world.create(4_500)
    const quoted = await world.referenceOf(payment.id)
    await notify(2_000, quoted)
    assert.deepEqual((await world.pix.payment(payment.id)).exceptions, ['UNDERPAID'])
    await notify(2_500, quoted)
    assert.equal((await world.pix.payment(payment.id)).status, 'PAID')
    await notify(4_500, quoted)
    const paid = await world.pix.payment(payment.id)
    assert.deepEqual([paid.receivedMinor, paid.exceptions], [9_000n, ['DUPLICATE']])
    assert.deepEqual((await world.pix.verify()).faults, [])
  })

  test('a payment that got nothing has nothing to refund', async () => {
    const { payment } = await world.create(100)
    assert.equal((await world.pix.refund(payment)).kind, 'exceeds')
  })

  test('money without a reference waits for a person', async () => {
    const before = (await world.pix.balances()).suspense
    await notify(700, 'rent')
    assert.equal((await world.pix.balances()).suspense - before, 700n)
    assert.deepEqual((await world.pix.verify()).faults, [])
  })
})
