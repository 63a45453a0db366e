// Money of local methods on its way back, at the sandbox's acquirer: what each table says of its refunds.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type RefundId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { eventually } from '../../../test/eventually.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { outcomes, startTestAcquirer } from '../../../test/rails/acquirer/acquirer.ts'
import { brazil, europe, shopIn } from '../../../test/rails/acquirer/local.ts'
import { localMethods } from './methods/all.ts'

const acquirer = openForTests(startTestAcquirer)

const refundable = localMethods.filter(({ refunds }) => refunds === 'PART').map(({ method }) => method)

/** A paid attempt of 432.11, and its refunds. */
async function paidBy(t: TestContext, method: Method) {
  const shop = await shopIn(acquirer, t, europe)
  const attempt = await shop.opened(method)
  await shop.act(attempt, method === 'MULTIBANCO' ? 'slow' : 'approve')
  if (method === 'MULTIBANCO') await shop.act(attempt, 'arrive')
  const [paid] = (await shop.check(attempt)).receipts
  const { send } = must(shop.railOf(method).refunds, `${method} gives back`)
  const orderOf = (id: RefundId, minor: bigint) =>
    ({
      id,
      attempt,
      connection: attempt.connection,
      paidRef: String(paid?.providerRef),
      amount: { minor, currency: 'EUR' },
    }) as const
  return {
    attempt,
    /** Requests it the first time, or asks for it `again`. */
    send: (id: RefundId, minor: bigint, again = false) => send(orderOf(id, minor), again),
    read: (event: object) =>
      shop.railOf(method).read({
        connection: attempt.connection,
        receivedAt: systemClock.now(),
        body: Buffer.from(JSON.stringify(event)),
      }),
  }
}

/** The refund of ours at the acquirer. */
async function atAcquirer(id: RefundId): Promise<Readonly<Record<string, unknown>>> {
  const { refunds = [] } = await acquirer.state()
  return must(
    refunds.find(({ metadata }) => (metadata as Record<string, unknown>)['refund_id'] === id),
    'the acquirer has it',
  )
}

const brief = (receipts: readonly Receipt[]) =>
  receipts.map(({ outcome, method, amount }) => [outcome, method, amount.minor])

test('every table says part or none, and only BOLETO none', () => {
  assert.deepEqual(
    localMethods.filter(({ refunds }) => refunds === 'NONE').map(({ method }) => method),
    ['BOLETO'],
  )
  assert.deepEqual(refundable, ['MULTIBANCO', 'MB_WAY', 'IDEAL', 'BANCONTACT', 'BIZUM'])
})

for (const method of refundable)
  test(`${method}: a part and then the rest go back, each once, and no more`, async (t) => {
    const { send } = await paidBy(t, method)
    const ended = (id: RefundId, minor: bigint) =>
      eventually('it has ended', async () => {
        const receipts = await send(id, minor, true)
        return receipts.length > 0 && receipts
      })
    for (const minor of [10_000n, 33_211n]) {
      const id = newId<'refund'>()
      const first = await send(id, minor)
      // The payer of a voucher is asked for a bank account first.
      assert.equal(first.length, method === 'MULTIBANCO' ? 0 : 1)
      assert.deepEqual(brief(await ended(id, minor)), [['refunded', method, minor]])
      assert.deepEqual(brief(await ended(id, minor)), [['refunded', method, minor]], 'the same once more')
    }
    const [refused] = await send(newId<'refund'>(), 1n)
    assert.deepEqual([refused?.outcome, refused?.failure?.code], ['refund_failed', 'refused_by_provider'])
  })

test('a refund of MULTIBANCO is nothing yet while the payer is asked and while the bank works, by query and by event', async (t) => {
  await acquirer.control('refunds', { mode: 'pending' })
  t.after(() => acquirer.control('refunds', { mode: 'succeed' }))
  const { send, read, attempt } = await paidBy(t, 'MULTIBANCO')
  const id = newId<'refund'>()
  assert.deepEqual(await send(id, 432_11n), [])
  const { id: name } = await atAcquirer(id)
  const readEvent = () =>
    read({
      id: 'evt_1',
      object: 'event',
      type: 'refund.updated',
      data: { object: { object: 'refund', id: name } },
    })
  const states = async () => [(await atAcquirer(id))['status'], outcomes(await send(id, 432_11n, true))]
  assert.deepEqual(await states(), ['requires_action', []])
  // The event of a refund reports the payment again, which counts once.
  assert.deepEqual(outcomes(await readEvent()), ['paid'])
  await acquirer.control(`refunds/${String(name)}`, { outcome: 'answer' })
  assert.deepEqual(await states(), ['pending', []])
  await acquirer.control(`refunds/${String(name)}`, { outcome: 'succeed' })
  assert.deepEqual(await states(), ['succeeded', ['refunded']])
  const receipts = await readEvent()
  assert.deepEqual(outcomes(receipts), ['paid', 'refunded'])
  assert.deepEqual(
    receipts.map(({ attempt: of }) => of?.id),
    [attempt.id, attempt.id],
  )
})

test('a payer who names no account, and a bank that declines, end a refund as failed, in words that do not speak of a card', async (t) => {
  await acquirer.control('refunds', { mode: 'pending' })
  t.after(() => acquirer.control('refunds', { mode: 'succeed' }))
  const { send } = await paidBy(t, 'MULTIBANCO')
  for (const [outcome, message] of [
    ['expire', 'It was canceled at the provider, or the payer named no bank account in time.'],
    ['fail', 'The payer’s bank did not take the money back.'],
  ] as const) {
    const id = newId<'refund'>()
    await send(id, 432_11n)
    await acquirer.control(`refunds/${String((await atAcquirer(id))['id'])}`, { outcome })
    const [failed] = await send(id, 432_11n, true)
    assert.deepEqual(
      [failed?.outcome, failed?.failure],
      ['refund_failed', { code: 'refused_by_bank', message }],
    )
  }
})

test('the rail of BOLETO has no refunder, also for money that came', async (t) => {
  const shop = await shopIn(acquirer, t, brazil)
  const attempt = await shop.opened('BOLETO')
  await shop.act(attempt, 'slow')
  await shop.act(attempt, 'arrive')
  assert.deepEqual(outcomes((await shop.check(attempt)).receipts), ['paid'])
  assert.equal(shop.railOf('BOLETO').refunds, undefined)
})
