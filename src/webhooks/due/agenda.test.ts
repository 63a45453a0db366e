import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantId } from '#/kernel/id.ts'
import { fc } from '../../../test/chance.ts'
import type { Receiver } from '../event.ts'
import { createAgenda, type Agenda, type Caps } from './agenda.ts'

const caps: Caps = { total: 12, suspects: 3, merchant: 8, receiver: 5 }

function receiver(merchant: number | string, origin: number | string): Receiver {
  return { merchantId: `m${merchant}` as MerchantId, origin: `o${origin}` }
}

/** Gets turns and claims all their slots; returns one entry for each send. */
function claimAll(agenda: Agenda, limit = 1_000): readonly Receiver[] {
  const turns = agenda.nextTurns(limit)
  for (const turn of turns) agenda.claimed(turn, turn.slots)
  return turns.flatMap(({ receiver, slots }) => Array.from({ length: slots }, () => receiver))
}

/** Lets the receiver fail on this agenda until its window is one. */
function makeSuspect(agenda: Agenda, suspect: Receiver): void {
  agenda.add(suspect)
  for (const each of claimAll(agenda)) agenda.settled(each, false)
}

test('no cap is ever exceeded, and each receiver with work gets its turn, in any order of events', () => {
  const action = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), merchant: fc.nat(2), origin: fc.nat(4) }),
    fc.record({
      kind: fc.constant('nextTurns' as const),
      limit: fc.integer({ min: 1, max: 20 }),
      share: fc.nat(100),
    }),
    fc.record({ kind: fc.constant('settle' as const), at: fc.nat(1_000), success: fc.boolean() }),
  )
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const agenda = createAgenda(caps)
      let flying: Receiver[] = []
      for (const each of actions) {
        if (each.kind === 'add') agenda.add(receiver(each.merchant, each.origin))
        if (each.kind === 'nextTurns') {
          for (const turn of agenda.nextTurns(each.limit)) {
            const got = Math.ceil((turn.slots * each.share) / 100)
            agenda.claimed(turn, got)
            for (let i = 0; i < got; i += 1) flying.push(turn.receiver)
          }
        }
        if (each.kind === 'settle' && flying.length > 0) {
          const [landed] = flying.splice(each.at % flying.length, 1)
          if (landed !== undefined) agenda.settled(landed, each.success)
        }
        assert.ok(flying.length <= caps.total)
        const merchants = Map.groupBy(flying, ({ merchantId }) => merchantId)
        const receivers = Map.groupBy(flying, ({ merchantId, origin }) => `${merchantId} ${origin}`)
        for (const group of merchants.values()) assert.ok(group.length <= caps.merchant)
        for (const group of receivers.values()) assert.ok(group.length <= caps.receiver)
      }
      for (const each of flying) agenda.settled(each, true)
      flying = []
      const waiting = receiver('new', 'new')
      agenda.add(waiting)
      const served = new Set<string>()
      for (let round = 0; round < 20 && !served.has(waiting.origin); round += 1) {
        for (const turn of agenda.nextTurns(1_000)) {
          agenda.claimed(turn, 0)
          served.add(turn.receiver.origin)
        }
      }
      assert.ok(served.has(waiting.origin))
    }),
  )
})

test('a window grows with each success up to the cap, and failures halve it down to one', () => {
  const agenda = createAgenda({ total: 100, suspects: 50, merchant: 100, receiver: 20 })
  const one = receiver(1, 1)
  agenda.add(one)
  let flight = claimAll(agenda)
  assert.equal(flight.length, 4)
  for (let round = 0; round < 5; round += 1) {
    for (const each of flight) agenda.settled(each, true)
    flight = claimAll(agenda)
  }
  assert.equal(flight.length, 20)
  const standings = flight.map((each) => agenda.settled(each, false))
  assert.deepEqual(standings.slice(0, 5), ['good', 'good', 'good', 'suspect', 'suspect'])
  assert.equal(claimAll(agenda).length, 0)
  agenda.add(one)
  assert.equal(claimAll(agenda).length, 1)
  assert.equal(agenda.settled(one, true), 'good')
  assert.equal(claimAll(agenda).length, 2)
})

test('receivers that only fail share a part of the room, so the rest stays free for others', () => {
  const agenda = createAgenda(caps)
  for (let i = 0; i < 10; i += 1) makeSuspect(agenda, receiver(i, 'dead'))
  for (let i = 0; i < 10; i += 1) agenda.add(receiver(i, 'dead'))
  assert.equal(claimAll(agenda).length, caps.suspects)
  agenda.add(receiver('x', 'alive'))
  assert.deepEqual(
    claimAll(agenda).map(({ origin }) => origin),
    Array.from({ length: 4 }, () => 'oalive'),
  )
})

test('a merchant with a thousand receivers gets no more turns than a merchant with one receiver', () => {
  const agenda = createAgenda({ total: 1_000, suspects: 500, merchant: 1_000, receiver: 4 })
  for (let i = 0; i < 1_000; i += 1) agenda.add(receiver('many', i))
  agenda.add(receiver('few', 1))
  const claimed = [...claimAll(agenda, 8), ...claimAll(agenda, 8)]
  assert.equal(claimed.filter(({ merchantId }) => merchantId === 'mfew').length, 4)
})

test('a receiver with nothing more due leaves the agenda until it is added again', () => {
  const agenda = createAgenda(caps)
  agenda.add(receiver(1, 1))
  const [turn] = agenda.nextTurns(10)
  assert.ok(turn)
  agenda.claimed(turn, 1)
  agenda.settled(turn.receiver, true)
  assert.deepEqual(agenda.nextTurns(10), [])
  agenda.add(receiver(1, 1))
  assert.equal(agenda.nextTurns(10).length, 1)
})
