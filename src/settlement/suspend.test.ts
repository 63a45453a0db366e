// Money that fits no payment of ours: it goes to suspense once, with an alarm, and changes nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { receiptsOf } from '#/rails/pix/receipts.ts'
import { parsePix } from '#/rails/pix/wire.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { openPixWorld } from '../../test/pix-world.ts'
import { startPixBank } from '../../test/rails/pix/bank.ts'

const bank = openForTests(startPixBank)
const customer = makeForTests(() => bank.customer())
const world = openForTests(() => openPixWorld(customer))

async function sendToKey(amount: string, txid?: string): Promise<string> {
  const order = { pixKey: customer.settings.pixKey, amount, ...given({ txid }) }
  const { pix } = await bank.control('POST', '/pay-key', order)
  return (pix as { endToEndId: string }[])[0]?.endToEndId ?? assert.fail('it was sent')
}

const unmatched = async (ref: string) => {
  const rows = await world.core.sql<{ outcome: string; reason: string; minor: bigint }[]>`
    select outcome, reason, amount_minor as minor from unmatched
     where starts_with(provider_ref, ${ref}) order by id`
  return rows.map(({ outcome, reason, minor }) => [outcome, reason, minor])
}
const alarms = (ref: string) =>
  world.logged.filter(({ level, providerRef }) => level === 50 && String(providerRef).startsWith(ref))

for (const { what, txid, reason } of [
  { what: 'without a txid', txid: undefined, reason: 'no_attempt' },
  { what: 'with the txid of another system', txid: 'INVOICE2026000000000000000000042', reason: 'no_attempt' },
  {
    what: 'with a txid like ours that is none',
    txid: newId().replaceAll('-', ''),
    reason: 'unknown_attempt',
  },
]) {
  test(`money ${what} goes to suspense once, with an alarm, and no payment changes`, async () => {
    const [before, events] = [await world.balances(), await world.eventsOf()]
    const ref = await sendToKey('7.77', txid)
    await world.reconcile()
    await world.callback({ pix: [{ endToEndId: ref }, { endToEndId: ref, txid }] })
    await world.reconcile()
    const now = await world.balances()
    assert.deepEqual(now, {
      ...before,
      provider: before.provider + 777n,
      suspense: before.suspense + 777n,
    })
    assert.deepEqual(await unmatched(ref), [['paid', reason, 777n]])
    assert.equal(alarms(ref).length, 1)
    assert.deepEqual(await world.eventsOf(), events)
  })
}

test('a txid of a payment at another connection fits no payment at this one', async () => {
  const shared = await bank.customer()
  const merchant = await world.newMerchant()
  await world.addConnection(shared, merchant.id)
  const creator = await world.openCreator()
  const request = { amount: 500, paymentMethods: ['PIX'] as const }
  const { payment } = await creator.create(merchant, newId(), request)
  const before = await world.balances()
  const ref = await sendToKey('5.00', await world.txidOf(payment))
  await world.reconcile()
  assert.deepEqual(await unmatched(ref), [['paid', 'unknown_attempt', 500n]])
  assert.equal((await world.balances()).available, before.available)
})

test('a dispute about money in suspense is an alarm; when it is lost, the money leaves suspense, once', async () => {
  const before = await world.balances()
  const ref = await sendToKey('2.00')
  await world.reconcile()
  await bank.control('POST', '/med', { endToEndId: ref })
  await world.reconcile()
  await world.reconcile()
  assert.deepEqual(await world.balances(), before)
  assert.deepEqual(
    new Set((await unmatched(ref)).map(([outcome]) => outcome)),
    new Set(['paid', 'dispute_opened', 'dispute_taken', 'dispute_lost']),
  )
  assert.equal(alarms(ref).length, 3)
  const [kept] = await world.core.sql<{ resolution: string; note: string }[]>`
    select resolution, note from unmatched where provider_ref = ${ref} and outcome = 'paid'`
  assert.equal(kept?.resolution, 'RETURNED')
  assert.match(kept.note, /The provider took it back/)
  assert.deepEqual((await world.verify(['settlement', 'suspense'])).faults, [])
})

test('the same receipt twice in one batch, in one item or in two, is suspended once', async () => {
  const before = await world.balances()
  const receipt = (endToEndId: string) => {
    const pix = { endToEndId, valor: '3.00', horario: '2026-11-21T12:00:00.000Z' }
    return receiptsOf(world.connection, parsePix(pix), Buffer.from(JSON.stringify(pix)))
  }
  const twice = receipt('E00000000202611211200same0000001')
  assert.deepEqual(await world.settle([...twice, ...twice]), ['suspended', 'repeated'])
  const two = receipt('E00000000202611211200same0000002')
  // The lane is busy with the first of these, so that the two others are in one batch.
  const busy = world.settle(receipt('E00000000202611211200same0000003'))
  const verdicts = await Promise.all([busy, world.settle(two), world.settle(two)])
  assert.deepEqual(verdicts, [['suspended'], ['suspended'], ['repeated']])
  assert.equal((await world.balances()).suspense, before.suspense + 900n)
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.verify()).faults, [])
})
