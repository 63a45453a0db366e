// The choice of the piece that is refunded, as a pure function: windows, methods and order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import type { AttemptId, ConnectionId, PaymentId } from '#/kernel/id.ts'
import { maxOf } from '#/kernel/money.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import { methods } from '#/rails/methods.ts'
import { type Rail, type Rails } from '#/rails/rail.ts'
import { fc } from '../../test/chance.ts'
import { choosePiece } from './choose-piece.ts'
import type { Piece } from './queries.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const windows: Partial<Record<Method, number>> = { PIX: 90 * 24 * hourMs, PARTNER_PAY: hourMs }

/** All rails have refunds except the card's. */
const rails: Rails = new Map(
  methods.map((method) => {
    const windowMs = windows[method]
    const refunds = { send: async () => [], ...given({ windowMs }) }
    return [method, railOf(method, method === 'CREDIT_CARD' ? undefined : refunds)]
  }),
)

function railOf(method: Method, refunds: Rail['refunds']): Rail {
  return {
    method,
    lifetimeMs: hourMs,
    opens: { at: 'CREATION' },
    route: () => ({ ok: true, connection: 'c' as ConnectionId, currency: 'USDT' }),
    read: () => [],
    arrival: () => ({ at: 'PROVIDER' }),
    ...given({ refunds }),
  }
}

function piece(more: Partial<Piece>): Piece {
  return {
    paymentId: 'p' as PaymentId,
    attemptId: 'a' as AttemptId,
    connection: 'c' as ConnectionId,
    method: 'PIX',
    currency: 'BRL',
    paidRef: 'ref',
    ordinal: 1,
    happenedAt: now,
    movedMs: 0,
    leftMinor: 100n,
    isDuplicate: false,
    ...more,
  }
}

for (const method of ['PIX', 'PARTNER_PAY'] as const) {
  test(`${method}: money can be refunded until its window ends, and not at the end itself`, () => {
    const came = piece({ method })
    const end = addMs(came.happenedAt, windows[method] ?? 0)
    const okAt = (at: Date) => choosePiece([came], rails, {}, at).ok
    assert.deepEqual([okAt(addMs(end, -1)), okAt(end), okAt(addMs(end, 1))], [true, false, false])
  })

  test(`${method}: the window ends earlier by as much as the sandbox’s clock was moved since`, () => {
    const moved = piece({ method, movedMs: hourMs })
    const end = addMs(moved.happenedAt, (windows[method] ?? 0) - hourMs)
    const okAt = (at: Date) => choosePiece([moved], rails, {}, at).ok
    assert.deepEqual([okAt(addMs(end, -1)), okAt(end)], [true, false])
  })
}

test('the window is that of the method by which the money came', () => {
  const long = piece({ paidRef: 'long', happenedAt: addMs(now, -2 * hourMs) })
  const short = { ...long, paidRef: 'short', method: 'PARTNER_PAY' as const }
  const choice = choosePiece([short, long], rails, {}, now)
  assert.ok(choice.ok)
  assert.equal(choice.piece.paidRef, 'long')
})

test('money that came when the payment was PAID already is refunded first, however old it is', () => {
  const older = piece({ paidRef: 'older', isDuplicate: true, happenedAt: addMs(now, -hourMs / 2) })
  const newer = piece({ paidRef: 'newer' })
  for (const pieces of [
    [older, newer],
    [newer, older],
  ]) {
    const choice = choosePiece(pieces, rails, { amount: 100 }, now)
    assert.ok(choice.ok)
    assert.equal(choice.piece.paidRef, 'older')
  }
})

test('the newest by its instant is first, whatever was recorded last; at one instant what was recorded last is', () => {
  const [old, young] = [addMs(now, -1), now]
  for (const [moments, first] of [
    [[young, old], '0'],
    [[old, young], '1'],
    [[now, now], '1'],
  ] as const) {
    const pieces = moments.map((happenedAt, ordinal) =>
      piece({ happenedAt, ordinal, paidRef: String(ordinal) }),
    )
    const choice = choosePiece(pieces, rails, { amount: 100 }, now)
    assert.ok(choice.ok && choice.piece.paidRef === first)
  }
})

const pieces = fc.array(
  fc.record({
    method: fc.constantFrom(...methods),
    leftMinor: fc.bigInt({ min: 0n, max: 5n }),
    isDuplicate: fc.boolean(),
    hours: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 8 },
)
/** What a request names, and the methods whose money it means. */
const places = [
  { names: {}, means: (method: Method) => method !== 'CRYPTO' },
  { names: { cryptoAddress: '0x0' }, means: (method: Method) => method === 'CRYPTO' },
  { names: { iban: 'DE0' }, means: (method: Method) => method === 'SEPA_TRANSFER' },
  { names: { beneficiary: 'Ana' }, means: (method: Method) => method === 'SEPA_TRANSFER' },
] as const
const requests = fc.record({
  amount: fc.option(fc.integer({ min: 1, max: 8 })),
  place: fc.constantFrom(...places),
})

test('for any pieces and requests: the first allowed piece that has enough, otherwise what is left', () => {
  fc.assert(
    fc.property(pieces, requests, (drawn, { amount, place }) => {
      const all = drawn.map(({ hours, ...more }, index) =>
        piece({ ...more, ordinal: index, paidRef: String(index), happenedAt: addMs(now, -hours * hourMs) }),
      )
      const request = {
        ...(amount === null ? {} : { amount }),
        ...place.names,
      }
      const choice = choosePiece(all, rails, request, now)
      const live = all.filter(
        ({ method, leftMinor, happenedAt }) =>
          leftMinor > 0n &&
          method !== 'CREDIT_CARD' &&
          now.getTime() - happenedAt.getTime() < (windows[method] ?? Infinity),
      )
      const meant = live.filter(({ method }) => place.means(method))
      const total = meant.reduce((sum, { leftMinor }) => sum + leftMinor, 0n)
      const wanted = amount === null ? total : BigInt(amount)
      const fitting = meant.filter(({ leftMinor }) => wanted > 0n && leftMinor >= wanted)
      if (!choice.ok) {
        assert.equal(fitting.length, 0)
        assert.equal(choice.refundableMinor, total)
        const most = (some: readonly Piece[]) => some.map(({ leftMinor }) => leftMinor).reduce(maxOf, 0n)
        assert.equal(choice.atOnceMinor, most(meant))
        const ofMethod = (method: Method) => live.filter((each) => each.method === method)
        assert.deepEqual(
          choice.remaining,
          [...new Set(live.map(({ method }) => method))].toSorted().map((method) => ({
            method,
            refundableMinor: ofMethod(method).reduce((sum, { leftMinor }) => sum + leftMinor, 0n),
            atOnceMinor: most(ofMethod(method)),
          })),
        )
        return
      }
      assert.equal(choice.minor, wanted)
      assert.ok(fitting.includes(choice.piece))
      // No other piece comes before it: no duplicate if it is none, and of its kind no newer one.
      const chosen: Piece = choice.piece
      for (const other of fitting.filter((each) => each !== chosen)) {
        assert.ok(choice.piece.isDuplicate || !other.isDuplicate)
        if (other.isDuplicate !== choice.piece.isDuplicate) continue
        const newerMs: number = choice.piece.happenedAt.getTime() - other.happenedAt.getTime()
        assert.ok(newerMs > 0 || (newerMs === 0 && choice.piece.ordinal > other.ordinal))
      }
    }),
  )
})
