// A refund that waits for one dispute after another: its amount counts as refunded until it fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { receiptsOf } from '#/rails/pix/receipts.ts'
import { parsePix } from '#/rails/pix/wire.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { openPixWorld } from '../../test/pix-world.ts'

const horario = '2026-11-21T12:00:00.000Z'

async function openScene() {
  const world = await openPixWorld()
  const { payment } = await world.create({ amount: 1_000 })
  const txid = await world.txidOf(payment)

  async function come(valor: string): Promise<Receipt> {
    const pix = { endToEndId: `E${newId().replaceAll('-', '').slice(1)}`, txid, valor, horario }
    const receipts = receiptsOf(world.connection, parsePix(pix), Buffer.from(JSON.stringify(pix)))
    await world.settle(receipts)
    return must(receipts[0], 'a piece of money')
  }
  const first = await come('6.00')
  const say = (outcome: Outcome, name: string) =>
    world.settle([
      {
        ...first,
        outcome,
        providerRef: `${first.providerRef}:${name}`,
        dispute: { paidRef: first.providerRef, kind: 'CHARGEBACK' },
        evidence: Buffer.from(`{"${name}":"${outcome}"}`),
      },
    ])
  const verdict = await world.refund(payment, { amount: 200 })
  assert.ok(verdict.kind === 'created')
  const { id } = verdict.refund

  /** The audit without the faults of this scene's made-up evidence: only the bank's own can be read. */
  async function faults() {
    const all = (await world.verify()).faults
    return all.filter(({ inspection }) => inspection !== 'receipts of pix')
  }
  return { world, come, say, faults, paymentId: payment.id, refund: () => world.refundOf(id) }
}

test('a refund that two disputes held back fails with the second, and money that came meanwhile did not complete the payment', async () => {
  const { world, come, say, faults, paymentId, refund } = await openScene()
  await using _ = world
  await say('dispute_opened', 'one')
  await say('dispute_won', 'one')
  await say('dispute_opened', 'two')
  // Together they would be enough, but 2.00 are being refunded.
  await come('4.00')
  assert.equal((await world.payment(paymentId)).status, 'WAITING_PAYMENT')
  await say('dispute_lost', 'two')
  assert.equal((await refund()).status, 'FAILED')
  const last = await come('3.00')
  const { status, completingRef, exceptions } = await world.payment(paymentId)
  assert.deepEqual([status, completingRef, exceptions], ['PAID', last.providerRef, ['OVERPAID']])
  assert.deepEqual(await faults(), [])
})

test('a dispute whose end is reported first makes the refund fail at once', async () => {
  const { world, say, faults, refund } = await openScene()
  await using _ = world
  await say('dispute_opened', 'one')
  await say('dispute_won', 'one')
  await say('dispute_lost', 'two')
  assert.equal((await refund()).status, 'FAILED')
  assert.deepEqual(await faults(), [])
})
