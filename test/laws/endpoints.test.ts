// Laws of webhook endpoints in random worlds: every event of a type that an endpoint takes reaches it at least once, however it was
// disabled and enabled meanwhile; nothing else reaches it, and nothing after its deletion.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutAt } from '#/audit/ledger.ts'
import { webhookInspections } from '#/audit/webhooks.ts'
import { inspectAll } from '#/db/inspection.ts'
import { createRecoverer, createCanceler, createStarter } from '#/endpoints/upkeep.ts'
import { silentLog } from '#/kernel/log.ts'
import type { EventType } from '#/webhooks/event.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { openEndpointWorld } from '../endpoint-world.ts'
import { eventually } from '../eventually.ts'
import { openForTests } from '../open-for-tests.ts'
import { startReceiver, type Call } from '../receiver.ts'

const world = openForTests(openEndpointWorld)

const types = ['payment.completed', 'refund.failed', 'dispute.lost'] as const satisfies readonly EventType[]
const places = 4

type Step =
  | { readonly kind: 'tell'; readonly type: (typeof types)[number]; readonly events: number }
  | { readonly kind: 'create'; readonly place: number; readonly takes: readonly EventType[] }
  | { readonly kind: 'disable' | 'enable' | 'delete' | 'recover'; readonly place: number }

const place = fc.nat(places - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('tell' as const),
      type: fc.constantFrom(...types),
      events: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('create' as const), place, takes: fc.subarray([...types]) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('disable' as const, 'enable' as const, 'delete' as const, 'recover' as const),
      place,
    }),
  },
)

type Endpoint = {
  readonly id: unknown
  readonly path: string
  readonly takes: readonly EventType[]
  readonly owed: Set<number>
  endedAt?: number
}

test('every event reaches each endpoint that takes it, and none that does not or is deleted', async () => {
  const { sql } = world.base
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const tenant = await world.base.openTenant()
      const got = new Map<string, number[]>()
      let calls = 0
      // Each fourth call fails at first.
      await using shop = await startReceiver((call: Call) => {
        calls += 1
        if (calls % 4 === 0) return { status: 503 }
        const { sequence } = JSON.parse(call.body.toString()) as { readonly sequence: number }
        got.set(call.path, [...(got.get(call.path) ?? []), sequence])
        return {}
      })
      const workers = [
        createStarter({ sql, log: silentLog }, 3),
        createCanceler({ sql, log: silentLog }, 3),
        createRecoverer({ sql, log: silentLog }, { batch: 4, waiting: 100 }),
      ]
      const work = async () => {
        for (const { poll } of workers) await poll()
      }
      const at = new Map<number, Endpoint>()
      const all: Endpoint[] = []
      const announced: EventType[] = []
      await using _worker = world.deliver()
      for (const [n, each] of steps.entries()) {
        if (each.kind === 'tell') {
          await world.tell(tenant, each.events, { type: each.type })
          const takers = [...at.values()].filter(({ takes }) => takes.includes(each.type))
          for (let k = 0; k < each.events; k += 1) {
            announced.push(each.type)
            for (const { owed } of takers) owed.add(announced.length)
          }
          continue
        }
        const endpoint = at.get(each.place)
        if (each.kind === 'create') {
          if (endpoint !== undefined || each.takes.length === 0) continue
          const path = `/${each.place}-${n}`
          const { body } = await world.create(tenant, { url: shop.origin + path, eventTypes: each.takes })
          const made = { id: body['id'], path, takes: each.takes, owed: new Set<number>() }
          at.set(each.place, made)
          all.push(made)
          continue
        }
        if (endpoint === undefined) continue
        if (each.kind === 'delete') {
          await world.ask(tenant, 'DELETE', '/v1/webhook-endpoints/{id}', { id: endpoint.id })
          endpoint.endedAt = announced.length
          endpoint.owed.clear()
          at.delete(each.place)
        } else if (each.kind === 'recover') {
          const { status } = await world.ask(tenant, 'POST', '/v1/webhook-recoveries', {
            body: { endpointId: endpoint.id, afterSequence: 0 },
          })
          const taken = announced.flatMap((type, k) => (endpoint.takes.includes(type) ? [k + 1] : []))
          for (const sequence of status === 201 ? taken : []) endpoint.owed.add(sequence)
        } else {
          await world.change(tenant, endpoint.id, {
            status: each.kind === 'disable' ? 'DISABLED' : 'ENABLED',
          })
        }
        await work()
      }
      for (const { id } of at.values()) await world.change(tenant, id, { status: 'ENABLED' })
      await eventually('all that is owed arrived', async () => {
        await work()
        await sql`update delivery_due set due_at = now() - interval '1 second' where merchant_id = ${tenant.id} and failures > 0 and lease is null`
        return all.every(({ path, owed }) => [...owed].every((sequence) => got.get(path)?.includes(sequence)))
      })
      for (const { path, takes, endedAt = Infinity } of all) {
        for (const sequence of got.get(path) ?? []) {
          assert.ok(
            takes.includes(announced[sequence - 1] as EventType),
            `${path} does not take ${announced[sequence - 1]}`,
          )
          assert.ok(sequence <= endedAt, `${path} was deleted before event ${sequence}`)
        }
      }
    }),
    { numRuns: count({ quick: 4, soak: 400 }) },
  )
  const { faults } = await inspectAll(webhookInspections, { sql, cell: 'a1', upTo: await cutAt(sql, 'a1') })
  assert.deepEqual(faults, [])
})

test('half of a hundred endpoints that hang take nothing from the others', async () => {
  await using shop = await startReceiver(({ path }) => (path.startsWith('/hangs') ? undefined : {}))
  const tenant = await world.base.openTenant()
  const ids = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const { body } = await world.create(tenant, {
        url: `${shop.origin}/${n % 2 === 0 ? 'hangs' : 'works'}/${n}`,
      })
      return body['id']
    }),
  )
  await using _worker = world.deliver({ totalMs: 60_000, leaseMs: 90_000 })
  const hangs = () => shop.calls.filter(({ path }) => path.startsWith('/hangs')).length
  for (let events = 10; events <= 30; events += 10) {
    await world.tell(tenant, 10)
    await eventually('those that work have got all', () => shop.calls.length - hangs() === 50 * events)
  }
  // Each that hangs holds the calls of its window, and no more.
  assert.ok(hangs() <= 50 * 4, `${hangs()} calls hang`)
  const held = await world.deliveriesTo(ids[0])
  assert.ok(held.length === 30 && held.every(({ status }) => status === 'PENDING'))
})
