// Payments are found by the transaction or the Pix that paid them, by the names that chain and bank gave.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { listRails } from '#/rails/all.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import { findRefunds } from '#/refunds/find.ts'
import { cent, openLine, randomHash } from '../../test/line.ts'
import { openPixWorld } from '../../test/pix-world.ts'
import { startPixBank } from '../../test/rails/pix/bank.ts'
import { findPayments } from './find.ts'

test('a transaction leads to all payments that it pays, from its first block on, and to none once it is off the chain', async () => {
  await using line = await openLine()
  const rails = listRails([createCryptoRail(() => [line.chain])])
  const merchantId = line.merchant.id
  const find = async (txHash: string, more = {}, of: MerchantId = merchantId) =>
    (await findPayments({ sql: line.sql, rails }, of, { txHash, limit: 10, ...more })).rows.map(
      ({ id }) => id,
    )
  const [one, two, three] = [await line.create(), await line.create(), await line.create({ amount: 700 })]
  const [toOne, toTwo, toThree] = [
    await line.addressOf(one),
    await line.addressOf(two),
    await line.addressOf(three),
  ]
  const at = async (cryptoAddress: string, of: MerchantId = merchantId) =>
    (await findPayments({ sql: line.sql, rails }, of, { cryptoAddress, limit: 10 })).rows.map(({ id }) => id)
  assert.deepEqual(await at(toTwo), [two.id])
  assert.deepEqual(await at(toTwo.toLowerCase()), [two.id])
  assert.deepEqual(await at(toTwo, newId<'merchant'>()), [], 'another merchant')
  const [both, alone, lost] = [randomHash(), randomHash(), randomHash()]
  await line.mine([
    { to: toOne, units: 1_000n * cent, txHash: both, ordinal: 0 },
    { to: toTwo, units: 1_000n * cent, txHash: both, ordinal: 1 },
  ])
  assert.deepEqual(await find(both), [two.id, one.id], 'seen')
  await line.mine([{ to: toThree, units: 1n * cent, txHash: alone }])
  await line.settleAll()
  await line.finalize()
  await line.settleAll()
  assert.deepEqual(await find(both), [two.id, one.id], 'final')
  assert.deepEqual(await find(both, { limit: 1 }), [two.id])
  assert.deepEqual(await find(both, { before: two.id }), [one.id])
  assert.deepEqual(await find(both, { status: 'EXPIRED' }), [])
  assert.deepEqual(await find(alone), [three.id])
  assert.deepEqual(await find(alone, { exceptions: ['UNDERPAID'], amountMinor: 700n }), [three.id])
  assert.deepEqual(await find(alone, { amountMinor: 1_000n }), [])
  assert.deepEqual(await find(both, {}, newId<'merchant'>()), [], 'another merchant')
  await line.mine([{ to: toThree, units: 1n * cent, txHash: lost }])
  assert.deepEqual(await find(lost), [three.id])
  await line.unmine()
  assert.deepEqual(await find(lost), [])
})

test('a Pix leads to the payment that it paid, and to the refunds of its money', async () => {
  await using bank = await startPixBank()
  await using world = await openPixWorld(await bank.customer())
  const { sql, rails } = world.core
  const merchantId = world.merchant.id
  const pay = async () => {
    const { payment } = await world.create()
    const [pix] = await bank.pay(await world.txidOf(payment), { webhook: 'lose' })
    const endToEndId = pix?.endToEndId ?? assert.fail('it was paid')
    await world.callback({ pix: [{ endToEndId }] })
    return { payment, endToEndId }
  }
  const [first, second] = [await pay(), await pay()]
  const find = async (endToEndId: string, of: MerchantId = merchantId) =>
    (await findPayments({ sql, rails }, of, { endToEndId, limit: 10 })).rows.map(({ id }) => id)
  assert.deepEqual(await find(first.endToEndId), [first.payment.id])
  const named = async (reference: string) =>
    (await findPayments({ sql, rails }, merchantId, { reference, limit: 10 })).rows.map(({ id }) => id)
  assert.deepEqual(await named(await world.txidOf(second.payment)), [second.payment.id], 'its txid')
  assert.deepEqual(await named(first.endToEndId), [first.payment.id])
  assert.deepEqual(await find(second.endToEndId), [second.payment.id])
  assert.deepEqual(await find(second.endToEndId, (await world.newMerchant()).id), [], 'another merchant')
  assert.deepEqual(await find('E0000000000000000000000000000none'), [])
  const verdict = await world.refund(first.payment, { amount: 100 })
  assert.equal(verdict.kind, 'created')
  const refunds = async (filter: object) =>
    (await findRefunds(sql, merchantId, { limit: 10, ...filter })).rows.map(({ id }) => id)
  const expected = verdict.kind === 'created' ? [verdict.refund.id] : []
  assert.deepEqual(await refunds({ endToEndId: first.endToEndId }), expected)
  assert.deepEqual(await refunds({ endToEndId: first.endToEndId, amountMinor: 100n }), expected)
  assert.deepEqual(await refunds({ endToEndId: first.endToEndId, amountMinor: 99n }), [])
  assert.deepEqual(await refunds({ endToEndId: second.endToEndId }), [])
})
