import type { Receipt } from '#/rails/words.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import type { RefundOrder } from '#/rails/rail.ts'
import { eventually } from '../../../test/eventually.ts'
import { toReference } from './receipts.ts'
import { startPixBank, type PixBank } from '../../../test/rails/pix/bank.ts'
import {
  brief,
  cobOf,
  connectionOf,
  open,
  opening,
  railAtPsp,
  railOf,
  read,
  shopAt,
} from '../../../test/rails/pix/rail.ts'
import { errorOf, merchantId } from '../../../test/rails/rail.ts'

/** Sends again, as the sender of refunds does, until the end is known. */
const untilEnded = (send: () => Promise<readonly Receipt[]>): Promise<readonly Receipt[]> =>
  eventually('the end of the refund', async () => {
    const found = await send()
    return found.length > 0 && found
  })

describe('at the bank of the sandbox', () => {
  let bank: PixBank
  before(async () => {
    bank = await startPixBank({ magic: true })
  })
  after(() => bank[Symbol.asyncDispose]())

  test('a hint becomes the money that the bank knows of, and the hint’s own words count for nothing', async (t) => {
    const { rail, id, paid } = await shopAt(bank, t)
    const attempt = opening(id, 12_00n)
    const endToEndId = await paid(attempt, { amount: '11.00' })
    const lie = { endToEndId, txid: 'f'.repeat(32), valor: '9999.00', horario: '1999-01-01T00:00:00Z' }
    const receipts = await read(rail, id, { pix: [lie, lie, { endToEndId }] })
    assert.deepEqual(receipts.map(brief), [['paid', attempt.id, endToEndId, 11_00n]])
    assert.ok(receipts[0]?.evidence.toString().includes(endToEndId))
    assert.deepEqual(
      await read(rail, id, { pix: [{ txid: toReference(attempt.id) }] }).then((all) => all.map(brief)),
      receipts.map(brief),
    )
  })

  test('a hint of money that is not there, and junk, are nothing', async (t) => {
    const { rail, id } = await shopAt(bank, t)
    await open(rail, opening(id))
    for (const body of [
      { pix: [{ endToEndId: 'E'.padEnd(32, '9'), txid: 'a'.repeat(32) }] },
      { pix: [] },
      'junk',
      '',
    ]) {
      assert.deepEqual(await read(rail, id, body), [])
    }
  })

  test('a hint cannot be followed while the bank is away, and can be afterwards', async (t) => {
    const { rail, id, paid } = await shopAt(bank, t)
    const endToEndId = await paid(opening(id))
    await bank.control('POST', '/down', { down: true })
    await errorOf(read(rail, id, { pix: [{ endToEndId }] }))
    await bank.control('POST', '/down', { down: false })
    assert.equal((await read(rail, id, { pix: [{ endToEndId }] })).length, 1)
  })

  test('looking through a span finds every Pix of the connection: paid, twice, too much, and of nobody', async (t) => {
    const { rail, id, pixKey, paid } = await shopAt(bank, t)
    const from = systemClock.now()
    const [one, two] = [opening(id), opening(id)]
    const first = await paid(one)
    const again = await bank.paid(toReference(one.id), { force: true })
    const over = await paid(two, { amount: '13.00' })
    const { pix } = await bank.control('POST', '/pay-key', { pixKey, amount: '5.00' })
    const [{ endToEndId: stray }] = pix as readonly [{ endToEndId: string }]
    const found: Receipt[] = []
    for await (const page of must(rail.list, 'it lists')(id, { from, to: systemClock.now() }))
      found.push(...page)
    const order = (rows: readonly unknown[][]) =>
      rows.toSorted((a, b) => (String(a[2]) < String(b[2]) ? -1 : 1))
    assert.deepEqual(
      order(found.map(brief)),
      order([
        ['paid', one.id, first, 12_00n],
        ['paid', one.id, again, 12_00n],
        ['paid', two.id, over, 13_00n],
        ['paid', undefined, stray, 5_00n],
      ]),
    )
  })

  test('money that the payer’s bank takes back is a dispute that nobody asked for', async (t) => {
    const { rail, id, paid } = await shopAt(bank, t)
    const attempt = opening(id)
    const endToEndId = await paid(attempt)
    const med = (wish: object) => bank.control('POST', '/med', { endToEndId, ...wish })
    const begun = await med({ outcome: 'EM_PROCESSAMENTO', amount: '4.00' })
    const told = () => read(rail, id, { pix: [{ endToEndId }] })
    const ref = `${endToEndId}:${String(begun['id'])}`
    assert.deepEqual((await told()).slice(1).map(brief), [['dispute_opened', attempt.id, ref, 4_00n]])
    await med({ id: begun['id'], outcome: 'DEVOLVIDO' })
    assert.deepEqual(
      (await told())
        .slice(1)
        .map(({ outcome, providerRef, dispute }) => [outcome, providerRef, dispute?.paidRef]),
      ['dispute_opened', 'dispute_taken', 'dispute_lost'].map((outcome) => [outcome, ref, endToEndId]),
    )
  })

  describe('a refund', () => {
    async function order(t: TestContext) {
      const { rail, id, paid } = await shopAt(bank, t)
      const attempt = opening(id)
      const paidRef = await paid(attempt)
      const wish: RefundOrder = {
        id: newId<'refund'>(),
        attempt: { id: attempt.id, merchantId, paymentId: attempt.paymentId },
        connection: id,
        paidRef,
        amount: { minor: 5_00n, currency: 'BRL' },
        reason: 'Troca',
      }
      const send = (what = wish, again = false) => must(rail.refunds, 'it refunds').send(what, again)
      return { rail, id, wish, send, paidRef }
    }
    const mode = (wish: 'done' | 'pending' | 'fail') => bank.control('POST', '/refunds', { mode: wish })

    test('goes back once, however often it is sent, and is told the same by looking', async (t) => {
      const { rail, id, wish, send, paidRef } = await order(t)
      assert.equal(rail.refunds?.windowMs, 90 * 24 * 3_600_000)
      await mode('done')
      await send()
      const ended = await untilEnded(() => send(wish, true))
      const expected = ['refunded', wish.attempt.id, `${paidRef}:${toReference(wish.id)}`, 5_00n]
      assert.deepEqual(ended.map(brief), [expected])
      assert.equal(ended[0]?.refund, wish.id)
      // Without knowing of the first call: the bank refuses the id that it has, and is asked what it has.
      assert.deepEqual((await send()).map(brief), [expected])
      const [, refund, ...more] = await read(rail, id, { pix: [{ endToEndId: paidRef }] })
      assert.deepEqual([refund && brief(refund), refund?.refund, more.length], [expected, wish.id, 0])
    })

    test('under way says nothing, and ends badly when the bank says so', async (t) => {
      const { wish, send, paidRef } = await order(t)
      await mode('pending')
      assert.deepEqual(await send(), [])
      assert.deepEqual(await send(wish, true), [])
      await mode('done')
      await bank.control('POST', `/refunds/${paidRef}/${toReference(wish.id)}`, { status: 'NAO_REALIZADO' })
      const [failed] = await send(wish, true)
      assert.deepEqual([failed?.outcome, failed?.failure?.code], ['refund_failed', 'refused_by_bank'])
    })

    test('that the bank never took is refused, after it was asked whether it has it', async (t) => {
      const { wish, send } = await order(t)
      const [failed] = await send({ ...wish, amount: { minor: 99_00n, currency: 'BRL' } })
      assert.deepEqual(
        [failed?.outcome, failed?.refund, failed?.amount.minor],
        ['refund_failed', wish.id, 99_00n],
      )
      assert.equal(failed?.failure?.code, 'refused_by_provider')
      assert.equal(failed?.failure?.message, 'The bank did not take the refund.')
      assert.match(failed?.evidence.toString() ?? '', /PixDevolucaoInvalida/)
    })

    test('stored and then cut off is unknown, and found by looking', async (t) => {
      const { wish, send } = await order(t)
      await bank.control('POST', '/faults', {
        match: { method: 'PUT', path: '/devolucao/' },
        action: 'drop_response',
        times: 1,
      })
      assert.equal((await errorOf(send())).outcome, 'unknown')
      assert.equal((await untilEnded(() => send(wish, true)))[0]?.outcome, 'refunded')
    })

    test('cut off before it was stored is made by the next call', async (t) => {
      const { wish, send } = await order(t)
      await bank.control('POST', '/faults', {
        match: { method: 'PUT', path: '/devolucao/' },
        action: 'reset',
        times: 1,
      })
      assert.equal((await errorOf(send())).outcome, 'unknown')
      assert.equal((await untilEnded(() => send(wish, true)))[0]?.outcome, 'refunded')
    })

    test('is not made by a process without the means', async (t) => {
      const { settings, secrets } = await bank.customer()
      const { refundSecrets: _none, ...connection } = connectionOf(settings, secrets)
      const rail = railOf(t, [connection])
      const attempt = { id: newId<'attempt'>(), merchantId, paymentId: newId<'payment'>() }
      const wish = {
        id: newId<'refund'>(),
        attempt,
        connection: connection.id,
        paidRef: 'E1',
        amount: { minor: 1n, currency: 'BRL' },
      } as const
      assert.equal((await errorOf(must(rail.refunds, 'it refunds').send(wish, false))).outcome, 'unavailable')
    })
  })
})

describe('at a PSP that says what we want', () => {
  test('a hint whose Pix is not shown yet is followed by its charge', async (t) => {
    const attempt = opening('' as ConnectionId)
    const txid = toReference(attempt.id)
    const pix = [{ endToEndId: 'E1', txid, valor: '12.00', horario: '2026-01-02T03:04:05Z' }]
    const { rail, id, calls } = await railAtPsp(t, ({ path }) =>
      path.startsWith('/pix/') ? { status: 404 } : cobOf(attempt, { pix }),
    )
    const receipts = await read(rail, id, { pix: [{ endToEndId: 'E1', txid }] })
    assert.deepEqual(receipts.map(brief), [['paid', attempt.id, 'E1', 12_00n]])
    assert.deepEqual(
      receipts.map(({ evidence }) => evidence.toString()),
      [JSON.stringify(pix[0])],
    )
    assert.deepEqual(
      calls().map(({ path }) => path),
      ['/pix/E1', `/cob/${txid}`],
    )
  })

  test('a callback stuffed with hints asks a hundred times at most', async (t) => {
    const { rail, id, calls } = await railAtPsp(t, () => ({ status: 404 }))
    const pix = Array.from({ length: 500 }, (_, i) => ({ endToEndId: `E${i % 300}` }))
    assert.deepEqual(await read(rail, id, { pix }), [])
    assert.equal(calls().length, 100)
  })

  test('a refund answered with another id or amount makes no sense', async (t) => {
    const attempt = { id: newId<'attempt'>(), merchantId, paymentId: newId<'payment'>() }
    const wish = {
      id: newId<'refund'>(),
      attempt,
      paidRef: 'E1',
      amount: { minor: 100n, currency: 'BRL' },
    } as const
    for (const more of [{ id: 'f'.repeat(32) }, { valor: '1.01' }]) {
      const body = { id: toReference(wish.id), valor: '1.00', status: 'DEVOLVIDO', ...more }
      const { rail, id } = await railAtPsp(t, () => ({ status: 201, body }))
      assert.equal(
        (await errorOf(must(rail.refunds, 'it').send({ ...wish, connection: id }, false))).outcome,
        'unknown',
      )
    }
  })
})
