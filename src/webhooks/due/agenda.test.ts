import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { MerchantId } from '#/kernel/id.ts'
import type { Endpoint } from '../event.ts'
import { createAgenda, type Agenda, type Caps } from './agenda.ts'

const caps: Caps = { total: 12, suspects: 3, merchant: 8, endpoint: 5 }

function endpoint(merchant: number | string, origin: number | string): Endpoint {
  return { merchantId: `m${merchant}` as MerchantId, origin: `o${origin}` }
}

/** Gets turns and claims all their slots; returns one entry for each send. */
function claimAll(agenda: Agenda, limit = 1_000): readonly Endpoint[] {
  const turns = agenda.nextTurns(limit)
  for (const turn of turns) agenda.claimed(turn, turn.slots)
  return turns.flatMap(({ endpoint, slots }) => Array.from({ length: slots }, () => endpoint))
}

/** Lets the endpoint fail on this agenda until its window is one. */
function makeSuspect(agenda: Agenda, suspect: Endpoint): void {
  agenda.add(suspect)
  for (const each of claimAll(agenda)) agenda.settled(each, false)
}

test('no cap is ever exceeded, and each endpoint with work gets its turn, in any order of events', () => {
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
      let flying: Endpoint[] = []
      for (const each of actions) {
        if (each.kind === 'add') agenda.add(endpoint(each.merchant, each.origin))
        if (each.kind === 'nextTurns') {
          for (const turn of agenda.nextTurns(each.limit)) {
            const got = Math.ceil((turn.slots * each.share) / 100)
            agenda.claimed(turn, got)
            for (let i = 0; i < got; i += 1) flying.push(turn.endpoint)
          }
        }
        if (each.kind === 'settle' && flying.length > 0) {
          const [landed] = flying.splice(each.at % flying.length, 1)
          if (landed !== undefined) agenda.settled(landed, each.success)
        }
        assert.ok(flying.length <= caps.total)
        const merchants = Map.groupBy(flying, ({ merchantId }) => merchantId)
        const endpoints = Map.groupBy(flying, ({ merchantId, origin }) => `${merchantId} ${origin}`)
        for (const group of merchants.values()) assert.ok(group.length <= caps.merchant)
        for (const group of endpoints.values()) assert.ok(group.length <= caps.endpoint)
      }
      for (const each of flying) agenda.settled(each, true)
      flying = []
      const waiting = endpoint('new', 'new')
      agenda.add(waiting)
      const served = new Set<string>()
      for (let round = 0; round < 20 && !served.has(waiting.origin); round += 1) {
        for (const turn of agenda.nextTurns(1_000)) {
          agenda.claimed(turn, 0)
          served.add(turn.endpoint.origin)
        }
      }
      assert.ok(served.has(waiting.origin))
    }),
  )
})

test('a window grows with each success up to the cap, and failures halve it down to one', () => {
  const agenda = createAgenda({ total: 100, suspects: 50, merchant: 100, endpoint: 20 })
  const one = endpoint(1, 1)
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

test('endpoints that only fail share a part of the room, so the rest stays free for others', () => {
  const agenda = createAgenda(caps)
  for (let i = 0; i < 10; i += 1) makeSuspect(agenda, endpoint(i, 'dead'))
  for (let i = 0; i < 10; i += 1) agenda.add(endpoint(i, 'dead'))
  assert.equal(claimAll(agenda).length, caps.suspects)
  agenda.add(endpoint('x', 'alive'))
  assert.deepEqual(
    claimAll(agenda).map(({ origin }) => origin),
    Array.from({ length: 4 }, () => 'oalive'),
  )
})

test('a merchant with a thousand endpoints gets no more turns than a merchant with one endpoint', () => {
  const agenda = createAgenda({ total: 1_000, suspects: 500, merchant: 1_000, endpoint: 4 })
  for (let i = 0; i < 1_000; i += 1) agenda.add(endpoint('many', i))
  agenda.add(endpoint('few', 1))
  const claimed = [...claimAll(agenda, 8), ...claimAll(agenda, 8)]
  assert.equal(claimed.filter(({ merchantId }) => merchantId === 'mfew').length, 4)
})

test('an endpoint with nothing more due leaves the agenda until it is added again', () => {
  const agenda = createAgenda(caps)
  agenda.add(endpoint(1, 1))
  const [turn] = agenda.nextTurns(10)
  assert.ok(turn)
  agenda.claimed(turn, 1)
  agenda.settled(turn.endpoint, true)
  assert.deepEqual(agenda.nextTurns(10), [])
  agenda.add(endpoint(1, 1))
  assert.equal(agenda.nextTurns(10).length, 1)
})
