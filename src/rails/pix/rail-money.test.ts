import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import type { RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { eventually } from '../../../test/eventually.ts'
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
import { toReference } from './receipts.ts'

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

  test('a hint becomes the money that the bank reports, and the hint’s own content does not count', async (t) => {
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

  test('a hint of money that does not exist, and junk, have no receipts', async (t) => {
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

  test('the list of a span contains every Pix of the connection: paid, twice, too much, and unattributed', async (t) => {
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

  test('money that the payer’s bank takes back is a dispute', async (t) => {
    const { rail, id, paid } = await shopAt(bank, t)
    const attempt = opening(id)
    const endToEndId = await paid(attempt)
    const med = (fields: object) => bank.control('POST', '/med', { endToEndId, ...fields })
    const opened = await med({ outcome: 'EM_PROCESSAMENTO', amount: '4.00' })
    const list = () => read(rail, id, { pix: [{ endToEndId }] })
    const ref = `${endToEndId}:${String(opened['id'])}`
    assert.deepEqual((await list()).slice(1).map(brief), [['dispute_opened', attempt.id, ref, 4_00n]])
    await med({ id: opened['id'], outcome: 'DEVOLVIDO' })
    assert.deepEqual(
      (await list())
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
      const refund: RefundOrder = {
        id: newId<'refund'>(),
        attempt: { id: attempt.id, merchantId, paymentId: attempt.paymentId },
        connection: id,
        paidRef,
        amount: { minor: 5_00n, currency: 'BRL' },
        reason: 'Troca',
      }
      const send = (what = refund, again = false) => must(rail.refunds, 'it refunds').send(what, again)
      return { rail, id, refund, send, paidRef }
    }
    const mode = (outcome: 'done' | 'pending' | 'fail') => bank.control('POST', '/refunds', { mode: outcome })

    test('goes back once, for any number of calls, and the list reports the same', async (t) => {
      const { rail, id, refund, send, paidRef } = await order(t)
      assert.equal(rail.refunds?.windowMs, 90 * 24 * 3_600_000)
      await mode('done')
      await send()
      const ended = await untilEnded(() => send(refund, true))
      const expected = ['refunded', refund.attempt.id, `${paidRef}:${toReference(refund.id)}`, 5_00n]
      assert.deepEqual(ended.map(brief), [expected])
      assert.equal(ended[0]?.refund, refund.id)
      // Without knowledge of the first call: the bank refuses the id that it has, and its refund is read.
      assert.deepEqual((await send()).map(brief), [expected])
      const [, listed, ...more] = await read(rail, id, { pix: [{ endToEndId: paidRef }] })
      assert.deepEqual([listed && brief(listed), listed?.refund, more.length], [expected, refund.id, 0])
    })

    test('under way has no receipt, and fails when the bank says so', async (t) => {
      const { refund, send, paidRef } = await order(t)
      await mode('pending')
      assert.deepEqual(await send(), [])
      assert.deepEqual(await send(refund, true), [])
      await mode('done')
      await bank.control('POST', `/refunds/${paidRef}/${toReference(refund.id)}`, { status: 'NAO_REALIZADO' })
      const [failed] = await send(refund, true)
      assert.deepEqual([failed?.outcome, failed?.failure?.code], ['refund_failed', 'refused_by_bank'])
    })

    test('that the bank refuses has failed, after a look-up', async (t) => {
      const { refund, send } = await order(t)
      const [failed] = await send({ ...refund, amount: { minor: 99_00n, currency: 'BRL' } })
      assert.deepEqual(
        [failed?.outcome, failed?.refund, failed?.amount.minor],
        ['refund_failed', refund.id, 99_00n],
      )
      assert.equal(failed?.failure?.code, 'refused_by_provider')
      assert.equal(failed?.failure?.message, 'The bank did not take the refund.')
      assert.match(failed?.evidence.toString() ?? '', /PixDevolucaoInvalida/)
    })

    test('stored and then cut off is unknown, and found by a look-up', async (t) => {
      const { refund, send } = await order(t)
      await bank.control('POST', '/faults', {
        match: { method: 'PUT', path: '/devolucao/' },
        action: 'drop_response',
        times: 1,
      })
      assert.equal((await errorOf(send())).outcome, 'unknown')
      assert.equal((await untilEnded(() => send(refund, true)))[0]?.outcome, 'refunded')
    })

    test('cut off before it was stored is made by the next call', async (t) => {
      const { refund, send } = await order(t)
      await bank.control('POST', '/faults', {
        match: { method: 'PUT', path: '/devolucao/' },
        action: 'reset',
        times: 1,
      })
      assert.equal((await errorOf(send())).outcome, 'unknown')
      assert.equal((await untilEnded(() => send(refund, true)))[0]?.outcome, 'refunded')
    })

    test('is not made by a process without the credentials', async (t) => {
      const { settings, secrets } = await bank.customer()
      const { refundSecrets: _none, ...connection } = connectionOf(settings, secrets)
      const rail = railOf(t, [connection])
      const attempt = { id: newId<'attempt'>(), merchantId, paymentId: newId<'payment'>() }
      const refund = {
        id: newId<'refund'>(),
        attempt,
        connection: connection.id,
        paidRef: 'E1',
        amount: { minor: 1n, currency: 'BRL' },
      } as const
      assert.equal(
        (await errorOf(must(rail.refunds, 'it refunds').send(refund, false))).outcome,
        'unavailable',
      )
    })
  })
})

describe('at a PSP with scripted answers', () => {
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

  test('a callback with too many hints makes at most a hundred calls', async (t) => {
    const { rail, id, calls } = await railAtPsp(t, () => ({ status: 404 }))
    const pix = Array.from({ length: 500 }, (_, i) => ({ endToEndId: `E${i % 300}` }))
    assert.deepEqual(await read(rail, id, { pix }), [])
    assert.equal(calls().length, 100)
  })

  test('a refund answered with another id or amount is unknown', async (t) => {
    const attempt = { id: newId<'attempt'>(), merchantId, paymentId: newId<'payment'>() }
    const refund = {
      id: newId<'refund'>(),
      attempt,
      paidRef: 'E1',
      amount: { minor: 100n, currency: 'BRL' },
    } as const
    for (const more of [{ id: 'f'.repeat(32) }, { valor: '1.01' }]) {
      const body = { id: toReference(refund.id), valor: '1.00', status: 'DEVOLVIDO', ...more }
      const { rail, id } = await railAtPsp(t, () => ({ status: 201, body }))
      assert.equal(
        (await errorOf(must(rail.refunds, 'it').send({ ...refund, connection: id }, false))).outcome,
        'unknown',
      )
    }
  })
})
