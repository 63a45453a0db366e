// After a restore: refunds that a card provider has made, and that the books do not have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { listRails } from '#/rails/all.ts'
import type { Refunder } from '#/rails/rail.ts'
import { sendDueRefunds } from '#/refunds/send.ts'
import { sentKind } from '#/settlement/unrecorded.ts'
import { openCardWorld } from '../../test/card-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import {
  check,
  opened,
  openingOf,
  railOf,
  shopAt,
  startTestAcquirer,
} from '../../test/rails/acquirer/acquirer.ts'
import { beginRepair } from './begin.ts'
import { compareMoneyOut } from './money-out.ts'

const acquirer = openForTests(startTestAcquirer)
const world = openForTests(openCardWorld)

test('of two refunds at a card provider the one that the books do not have is recorded, of its payment', async (t) => {
  const { line, connection } = world
  const shop = await shopAt(acquirer, t)
  const known = { ...shop.connection, id: connection }
  const rail = railOf(t, [known])
  const refunds = must(rail.refunds, 'it refunds')

  // Paid at the provider, and in the books.
  const { payment, attempt } = await world.create()
  const { merchantId } = attempt
  const page = { ...(await opened(rail, { ...openingOf(connection), ...attempt })), merchantId }
  const { paymentIntent } = await shop.pay(page, 'success')
  await world.settle(...(await check(rail, page)).receipts)
  const refund = (id: ReturnType<typeof newId<'refund'>>, minor: bigint) =>
    refunds.send(
      { id, attempt: page, connection, paidRef: paymentIntent, amount: { minor, currency: 'EUR' } },
      false,
    )
  const kept = await world.refund(payment, 200)
  await world.settle(...(await refund(kept.refund.id, 200n)))
  const behind = await world.refund(payment, 150)
  await refund(behind.refund.id, 150n)
  const lost = newId<'refund'>()
  await refund(lost, 300n)
  // Paid and refunded at the provider, and in no book.
  const other = await opened(rail, openingOf(connection))
  const { paymentIntent: otherIntent } = await shop.pay(other, 'success')
  await refunds.send(
    {
      id: newId<'refund'>(),
      attempt: other,
      connection,
      paidRef: otherIntent,
      amount: { minor: 90n, currency: 'EUR' },
    },
    false,
  )

  const by = { actor: { kind: 'OPERATOR', id: 'ana' } } as const
  await beginRepair(line, { by, name: 'ana', reason: 'disk lost', eventJump: 1_000n })
  const before = await world.balances()
  const compare = () =>
    compareMoneyOut(
      {
        sql: line.sql,
        rails: listRails([rail]),
        payoutRails: new Map(),
        connections: { find: (id) => (id === connection ? known : undefined) },
        log: silentLog,
        record: (item) => line.lane.submit(sentKind, item),
      },
      { by, name: 'ana' },
      // The clock of the books is hours ahead of the provider's here.
      { since: addMs(systemClock.now(), -hourMs) },
    )
  const { recorded, sources } = await compare()
  assert.deepEqual(
    recorded.map((each) => [each.reference, each.amountMinor, each.currency, each.paymentId]),
    [[lost, 300n, 'EUR', payment.id]],
  )
  const counts = { agreeing: 1, behind: 1, underWay: 0, ofUnknown: 1, recorded: 1, repeated: 0 }
  assert.deepEqual(sources, [{ kind: 'REFUND', connection, counts }])
  assert.equal((await world.balances()).provider, before.provider - 300n)
  assert.deepEqual((await compare()).recorded, [])
  // The one in an earlier state is looked up, also while money is frozen: the provider may have forgotten its key.
  const asked: unknown[] = []
  const send: Refunder['send'] = (order, again) => {
    asked.push([order.id, again])
    return refunds.send(order, again)
  }
  const rails = listRails([{ ...rail, refunds: { ...refunds, send } }])
  await sendDueRefunds({
    sql: line.sql,
    log: silentLog,
    rails,
    settle: async (receipts) => {
      await world.settle(...receipts)
    },
  })
  assert.deepEqual(asked, [[behind.refund.id, true]])
  const only = ['settlement', 'money that left unrecorded', 'entries']
  assert.deepEqual((await line.verify(only)).faults, [])
})
