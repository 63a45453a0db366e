// Card money after its payer has gone, at the sandbox's acquirer: captured, voided, refunded, disputed.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type AttemptId } from '#/kernel/id.ts'
import { addMs, systemClock } from '#/kernel/time.ts'
import type { OpenedAttempt, RefundOrder, SignedCallback } from '#/rails/rail.ts'
import { eventually } from '../../../test/eventually.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import {
  brief,
  check,
  opened,
  openingOf,
  outcomes,
  railAtProvider,
  railOf,
  shopAt,
  startTestAcquirer,
} from '../../../test/rails/acquirer/acquirer.ts'
import { attemptId, charge, intent, session } from '../../../test/rails/acquirer/objects.ts'
import { errorOf } from '../../../test/rails/rail.ts'

const acquirer = openForTests(startTestAcquirer)

type Shop = Awaited<ReturnType<typeof shopAt>>

async function authorised(shop: Shop) {
  const { attempt, paymentIntent } = await shop.paid({ captureMode: 'MANUAL' })
  const authorisations = must(shop.rail.authorisations, 'it authorises')
  return {
    attempt,
    paymentIntent,
    capture: (minor: bigint) => authorisations.capture({ attempt, amount: { minor, currency: 'EUR' } }),
    release: () => authorisations.void({ attempt }),
  }
}

test('what is authorised is captured once, in full', async (t) => {
  const shop = await shopAt(acquirer, t)
  const { attempt, paymentIntent, capture, release } = await authorised(shop)
  const held = await check(shop.rail, attempt)
  assert.deepEqual(held.receipts.map(brief), [['authorised', attempt.id, paymentIntent, 1990n]])
  assert.equal(held.receipts[0]?.pendingRef, paymentIntent)
  const captured = await capture(1990n)
  assert.deepEqual(captured.map(brief), [['paid', attempt.id, paymentIntent, 1990n]])
  assert.deepEqual([captured[0]?.pendingRef, captured[0]?.authorised?.minor], [paymentIntent, 1990n])
  assert.deepEqual((await capture(1990n)).map(brief), captured.map(brief))
  assert.deepEqual((await capture(5n)).map(brief), captured.map(brief))
  // Too late to void it: it has been captured.
  assert.deepEqual((await release()).map(brief), captured.map(brief))
})

test('a part is captured, and the rest is released', async (t) => {
  const shop = await shopAt(acquirer, t)
  const { attempt, paymentIntent, capture } = await authorised(shop)
  const error = await errorOf(capture(1991n))
  assert.equal(error.outcome, 'refused')
  const [receipt] = await capture(500n)
  assert.deepEqual(
    [receipt?.outcome, receipt?.amount.minor, receipt?.authorised?.minor],
    ['paid', 500n, 1990n],
  )
  assert.deepEqual((await check(shop.rail, attempt)).receipts.map(brief), [
    ['paid', attempt.id, paymentIntent, 500n],
  ])
  assert.deepEqual((await shop.listed()).map(brief), [['paid', attempt.id, paymentIntent, 500n]])
})

test('an authorisation is voided once', async (t) => {
  const shop = await shopAt(acquirer, t)
  const { attempt, paymentIntent, capture, release } = await authorised(shop)
  const voided = await release()
  assert.deepEqual(voided.map(brief), [['voided', attempt.id, paymentIntent, 1990n]])
  assert.equal(voided[0]?.pendingRef, paymentIntent)
  assert.deepEqual((await release()).map(brief), voided.map(brief))
  assert.deepEqual(outcomes(await capture(1990n)), ['voided'])
  assert.deepEqual(outcomes(await shop.listed()), ['voided'])
})

test('a capture or void whose answer is lost is looked up', async (t) => {
  for (const [act, status] of [
    ['capture', 'succeeded'],
    ['cancel', 'canceled'],
  ] as const) {
    let now: Readonly<Record<string, unknown>> = { status: 'requires_capture', amount_capturable: 1990 }
    const { rail, id, calls } = await railAtProvider(t, ({ method }) => {
      const open = charge({ captured: false })
      const held = intent({ capture_method: 'manual', amount_received: 700, latest_charge: open, ...now })
      if (method === 'GET')
        return {
          status: 200,
          body: session({ status: 'complete', payment_intent: held, client_secret: null }),
        }
      if (now['status'] !== 'requires_capture')
        return { status: 400, body: { error: { type: 'invalid_request_error' } } }
      now = { status }
      return undefined
    })
    const attempt = {
      ...openingOf(id),
      id: attemptId as AttemptId,
      artifacts: { sessionId: 'cs_test_a1b2c3' },
    }
    const { capture, void: release } = must(rail.authorisations, 'it authorises')
    const attemptAct = () =>
      act === 'capture'
        ? capture({ attempt, amount: { minor: 700n, currency: 'EUR' } })
        : release({ attempt })
    assert.equal((await errorOf(attemptAct())).outcome, 'unknown')
    assert.deepEqual(outcomes(await attemptAct()), [act === 'capture' ? 'paid' : 'voided'])
    assert.deepEqual(
      calls.map(({ method }) => method),
      ['GET', 'POST', 'GET'],
    )
  }
})

test('a refusal of a capture that is already done is not a failure', async (t) => {
  let reads = 0
  const { rail, id } = await railAtProvider(t, ({ method }) => {
    if (method === 'POST')
      return { status: 400, body: { error: { code: 'payment_intent_unexpected_state' } } }
    reads++
    const state =
      reads === 1 ? { status: 'requires_capture', amount_capturable: 1990, amount_received: 0 } : {}
    const held = intent({ capture_method: 'manual', ...state })
    return { status: 200, body: session({ status: 'complete', payment_intent: held }) }
  })
  const attempt = { ...openingOf(id), id: attemptId as AttemptId, artifacts: { sessionId: 'cs_test_a1b2c3' } }
  const { capture } = must(rail.authorisations, 'it authorises')
  const receipts = await capture({ attempt, amount: { minor: 1990n, currency: 'EUR' } })
  assert.deepEqual(outcomes(receipts), ['paid'])
})

test('nothing can be captured without an authorisation', async (t) => {
  const shop = await shopAt(acquirer, t)
  const attempt = await opened(shop.rail, openingOf(shop.id, { captureMode: 'MANUAL' }))
  const { capture, void: release } = must(shop.rail.authorisations, 'it authorises')
  const amount = { minor: 1990n, currency: 'EUR' } as const
  assert.equal((await errorOf(capture({ attempt, amount }))).outcome, 'refused')
  assert.equal((await errorOf(release({ attempt }))).outcome, 'refused')
})

function refundOf(
  shop: Shop,
  { attempt, paymentIntent }: { attempt: OpenedAttempt; paymentIntent: string },
  minor = 500n,
) {
  const order: RefundOrder = {
    id: newId<'refund'>(),
    attempt,
    connection: shop.id,
    paidRef: paymentIntent,
    amount: { minor, currency: 'EUR' },
    reason: 'wrong size',
  }
  return { order, send: (again = false) => must(shop.rail.refunds, 'it refunds').send(order, again) }
}

const refundsOf = async (shop: Shop, paymentIntent: string) =>
  (await shop.has('refunds')).filter((each) => each['payment_intent'] === paymentIntent)

test('a refund goes back once, for any number of requests', async (t) => {
  const shop = await shopAt(acquirer, t)
  const paid = await shop.paid()
  const { order, send } = refundOf(shop, paid)
  const receipt = must((await send())[0], 'it ended')
  assert.deepEqual(
    [receipt.outcome, receipt.refund, receipt.amount.minor, receipt.attempt?.paymentId],
    ['refunded', order.id, 500n, paid.attempt.paymentId],
  )
  assert.match(receipt.providerRef, /^re_/)
  for (const again of [false, true])
    assert.deepEqual(
      (await send(again)).map(brief),
      [receipt].flatMap((r) => (r ? [brief(r)] : [])),
    )
  assert.equal((await refundsOf(shop, paid.paymentIntent)).length, 1)
  const listed = await shop.listed(true)
  assert.deepEqual(outcomes(listed), ['paid', 'refunded'])
  assert.equal(listed[1]?.refund, order.id)
})

test('a refund that may not leave now is not requested, and an existing one is still reported', async (t) => {
  const shop = await shopAt(acquirer, t)
  const paid = await shop.paid()
  const { order } = refundOf(shop, paid)
  const rail = must(shop.rail.refunds, 'it refunds')
  const kept = { ...order, mayLeave: async () => false }
  for (const again of [false, true])
    assert.equal((await errorOf(rail.send(kept, again))).outcome, 'unavailable')
  assert.deepEqual(await refundsOf(shop, paid.paymentIntent), [])
  assert.deepEqual(outcomes(await rail.send(order, false)), ['refunded'])
  assert.deepEqual(outcomes(await rail.send(kept, true)), ['refunded'])
})

test('a refund whose answer is lost is looked up', async (t) => {
  const shop = await shopAt(acquirer, t)
  const paid = await shop.paid()
  const { send } = refundOf(shop, paid)
  await acquirer.control('faults', { mode: 'reset_after_commit', times: 1 })
  assert.equal((await errorOf(send())).outcome, 'unknown')
  assert.deepEqual(outcomes(await send(true)), ['refunded'])
  assert.equal((await refundsOf(shop, paid.paymentIntent)).length, 1)
})

test('a slow refund has no receipt until it has ended, and may fail after it was done', async (t) => {
  const shop = await shopAt(acquirer, t)
  const paid = await shop.paid({}, 'refund_pending')
  const { send } = refundOf(shop, paid)
  assert.deepEqual(await send(), [])
  const [made] = await refundsOf(shop, paid.paymentIntent)
  await acquirer.control(`refunds/${String(made?.['id'])}`, { outcome: 'succeed' }).catch(() => undefined)
  assert.deepEqual(outcomes(await send(true)), ['refunded'])
  await acquirer.control(`refunds/${String(made?.['id'])}`, { outcome: 'fail' })
  const [failed] = await send(true)
  assert.deepEqual([failed?.outcome, failed?.failure?.code], ['refund_failed', 'refused_by_bank'])
})

test('a refused refund has failed, with our words as its failure and the provider’s as its evidence', async (t) => {
  const shop = await shopAt(acquirer, t)
  const paid = await shop.paid()
  const [receipt] = await refundOf(shop, paid, 1991n).send()
  assert.deepEqual([receipt?.outcome, receipt?.failure?.code], ['refund_failed', 'refused_by_provider'])
  assert.equal(receipt?.failure?.message, 'The card provider did not take the refund.')
  assert.match(String(receipt?.evidence), /greater than/)
  assert.equal((await refundsOf(shop, paid.paymentIntent)).length, 0)
})

test('money goes back only with the refund key', async (t) => {
  const shop = await shopAt(acquirer, t)
  const paid = await shop.paid()
  const { refundSecrets: _, ...unable } = shop.connection
  const send = (connection: typeof unable) =>
    must(railOf(t, [connection]).refunds, 'it refunds').send(refundOf(shop, paid).order, false)
  assert.equal((await errorOf(send(unable))).outcome, 'unavailable')
  // The key that collects money cannot send it out.
  const collecting = {
    ...shop.connection,
    refundSecrets: { secretKey: shop.connection.secrets['secretKey'] },
  }
  assert.equal((await errorOf(send(collecting))).outcome, 'unavailable')
})

async function disputed(shop: Shop, more: Readonly<Record<string, unknown>> = {}) {
  const paid = await shop.paid()
  const dispute = await acquirer.control('disputes', { paymentIntent: paid.paymentIntent, ...more })
  const id = String(dispute['id'])
  return {
    ...paid,
    id,
    end: (outcome: string) => acquirer.control(`disputes/${id}`, { outcome }),
    listed: () => shop.listed(true),
    accept: () =>
      must(shop.rail.disputes, 'it disputes').accept({
        connection: shop.id,
        providerRef: id,
        attempt: paid.attempt,
      }),
  }
}

test('a dispute opens with its fee and takes the money; it is won or lost', async (t) => {
  const shop = await shopAt(acquirer, t)
  const one = await disputed(shop, { amount: 900, reason: 'product_not_received' })
  const [paid, disputeOpened, ...rest] = await one.listed()
  assert.deepEqual([paid?.outcome, paid?.providerRef], ['paid', one.paymentIntent])
  assert.deepEqual(
    [
      disputeOpened?.outcome,
      disputeOpened?.providerRef,
      disputeOpened?.amount.minor,
      disputeOpened?.attempt?.id,
      ...outcomes(rest),
    ],
    ['dispute_opened', one.id, 900n, one.attempt.id, 'dispute_taken'],
  )
  const { evidenceDueAt, ...about } = must(disputeOpened?.dispute, 'what it is about')
  assert.deepEqual(about, {
    paidRef: one.paymentIntent,
    kind: 'CHARGEBACK',
    reason: 'product_not_received',
    fee: 1500n,
  })
  assert.ok(must(evidenceDueAt, 'until when') > addMs(systemClock.now(), 0))
  await one.end('won')
  assert.deepEqual(outcomes(await one.listed()), ['paid', 'dispute_opened', 'dispute_taken', 'dispute_won'])
  const other = await disputed(await shopAt(acquirer, t))
  await other.end('lost')
  const shopEvents = await other.accept()
  assert.deepEqual(outcomes(shopEvents), ['dispute_opened', 'dispute_taken', 'dispute_lost'])
})

test('an accepted dispute is lost, once', async (t) => {
  const shop = await shopAt(acquirer, t)
  const { accept, listed, attempt } = await disputed(shop)
  const lost = await accept()
  assert.deepEqual(outcomes(lost), ['dispute_opened', 'dispute_taken', 'dispute_lost'])
  assert.equal(lost[0]?.attempt?.paymentId, attempt.paymentId)
  assert.deepEqual((await accept()).map(brief), lost.map(brief))
  assert.deepEqual(outcomes(await listed()), ['paid', ...outcomes(lost)])
})

test('an inquiry opens nothing until it becomes a dispute', async (t) => {
  const shop = await shopAt(acquirer, t)
  const { listed, end } = await disputed(shop, { inquiry: true })
  assert.deepEqual(outcomes(await listed()), ['paid'])
  await end('escalate')
  assert.deepEqual(outcomes(await listed()), ['paid', 'dispute_opened', 'dispute_taken'])
})

test('callbacks of the acquirer are accepted, and changed copies are rejected', async (t) => {
  const shop = await shopAt(acquirer, t)
  const came: SignedCallback[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { headers } = request
      came.push({ connection: shop.id, headers, body: Buffer.concat(parts), receivedAt: systemClock.now() })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await acquirer.control(`accounts/${shop.accountId}/webhook`, { url })
  const { attempt, paymentIntent } = await shop.paid()
  const isPaid = ({ body }: SignedCallback) => body.includes('"payment_intent.succeeded"')
  const callback = await eventually('the callback comes', () => came.find(isPaid))
  const { verify } = must(shop.rail.callbacks, 'it is called back')
  const verdict = await verify(callback)
  assert.ok(verdict.ok && verdict.eventId.startsWith('evt_'), JSON.stringify(verdict))
  const receipts = await shop.rail.read({
    connection: shop.id,
    receivedAt: callback.receivedAt,
    body: callback.body,
  })
  assert.deepEqual(receipts.map(brief), [['paid', attempt.id, paymentIntent, 1990n]])

  const changed = Buffer.from(callback.body.toString().replace('1990', '1991'))
  assert.equal((await verify({ ...callback, body: changed })).ok, false)
  assert.equal((await verify({ ...callback, headers: {} })).ok, false)
  const later = addMs(callback.receivedAt, 6 * 60_000)
  assert.equal((await verify({ ...callback, receivedAt: later })).ok, false)
  const other = await shopAt(acquirer, t)
  assert.equal(
    (await must(other.rail.callbacks, 'it is called back').verify({ ...callback, connection: other.id })).ok,
    false,
  )
})
