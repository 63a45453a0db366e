// Acts of members that no other test of the audit log covers: the row is written in the transaction of the change, and a refused act
// leaves no row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import { endKind } from '#/payments/end.ts'
import { openCardWorld, type CardWorld } from '../card-world.ts'
import { paymentBody, type Answer, type Tenant } from '../contract/site.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { openDashboardDesk, type Person } from './desk.ts'

const desk = openForTests(openDashboardDesk)
const tenant = makeForTests(() => desk.site.openTenant())
const owner = makeForTests(() => desk.person([{ merchantId: tenant.id, role: 'OWNER' }]))

type Written = {
  readonly action: string
  readonly subject: string
  readonly actorId: string
  readonly transaction: string
}

/** The rows that a request of this id has left, with their transactions. */
async function rowsOf(sql: Sql, requestId: string): Promise<readonly Written[]> {
  const rows = await sql<Written[]>`
    select action, subject, actor_id as "actorId", xmin::text as transaction from audit_log
     where request_id = ${requestId}`
  return [...rows]
}

type Act = { readonly method?: 'POST' | 'PUT'; readonly path: string; readonly body?: unknown }

async function act(person: Person, { id }: Pick<Tenant, 'id'>, { method = 'POST', path, body = {} }: Act) {
  const requestId = newId()
  const answer = await person.ask(method, `/api/m/${id}/${path}`, body, { 'x-request-id': requestId })
  return { answer, requestId }
}

/** Does it, and fails unless it left one row of this action, in the transaction that `changed` names. */
async function leaves(
  what: Act & {
    readonly status: number
    readonly action: string
    readonly changed: (answer: Answer) => Promise<readonly { readonly transaction: string }[]>
  },
): Promise<Answer> {
  const { answer, requestId } = await act(owner, tenant, what)
  assert.equal(answer.status, what.status, answer.text)
  const rows = await rowsOf(desk.site.sql, requestId)
  assert.deepEqual(
    rows.map(({ action, actorId }) => [action, actorId]),
    [[what.action, owner.userId]],
  )
  const changed = await what.changed(answer)
  assert.ok(changed.length > 0, 'something has changed')
  for (const { transaction } of changed) assert.equal(transaction, rows[0]?.transaction, what.action)
  return answer
}

/** Does it, and fails unless it is refused with this status and left no row. */
async function leavesNothing(what: Act & { readonly status: number }): Promise<void> {
  const { answer, requestId } = await act(owner, tenant, what)
  assert.equal(answer.status, what.status, `${what.path}: ${answer.text}`)
  assert.deepEqual(await rowsOf(desk.site.sql, requestId), [], what.path)
}

test('a resent delivery and a ping leave their rows with what they send; an unknown one leaves none', async () => {
  const { sql } = desk.site
  const endpoint = await owner.ask('POST', `/api/m/${tenant.id}/webhook-endpoints`, {
    url: 'http://127.0.0.1:9/hook',
  })
  assert.equal(endpoint.status, 201, endpoint.text)
  const ping = `webhook-endpoints/${String(endpoint.body['id'])}/ping`
  const pinged = await leaves({
    path: ping,
    status: 202,
    action: 'webhook_endpoint.ping',
    changed: ({ body }) =>
      sql`select xmin::text as transaction from event where id = ${String(body['eventId'])}`,
  })
  const [delivery] = await sql<{ id: string }[]>`
    select delivery.id from delivery join event using (merchant_id)
     where event.id = ${String(pinged.body['eventId'])} and event_sequence = event.sequence`
  const id = String(delivery?.id)
  await leaves({
    path: `deliveries/${id}/resend`,
    status: 202,
    action: 'delivery.resend',
    changed: () => sql`select xmin::text as transaction from delivery_due where delivery_id = ${id}`,
  })
  await leavesNothing({ path: `webhook-endpoints/${newId()}/ping`, status: 404 })
  await leavesNothing({ path: `deliveries/${newId()}/resend`, status: 404 })
  await owner.ask('PATCH', `/api/m/${tenant.id}/webhook-endpoints/${String(endpoint.body['id'])}`, {
    status: 'DISABLED',
  })
  await leavesNothing({ path: ping, status: 409 })
})

test('declared keys of metadata leave a row; the same list again changes nothing and leaves none', async () => {
  const { sql } = desk.site
  const declare = { method: 'PUT', path: 'metadata-keys' } as const
  await leaves({
    ...declare,
    body: { keys: ['orderId'] },
    status: 200,
    action: 'metadata_keys.declare',
    changed: () => sql`select xmin::text as transaction from metadata_key where merchant_id = ${tenant.id}`,
  })
  await leavesNothing({ ...declare, body: { keys: ['orderId'] }, status: 200 })
  await leavesNothing({ ...declare, body: { keys: ['a', 'b', 'c', 'd', 'e', 'f'] }, status: 400 })
})

test('a rehearsal that begins or is canceled leaves its row; one that is running already, or has ended, leaves none', async () => {
  const { sql } = desk.site
  const body = { url: 'http://127.0.0.1:9/hook' }
  const path = 'sandbox/rehearsals'
  const changed = ({ body: { id } }: Answer) =>
    sql<{ transaction: string }[]>`
      select xmin::text as transaction from rehearsal where id = ${String(id)}`
  const started = await leaves({ path, body, status: 202, action: 'rehearsal.create', changed })
  const subject = `rehearsal:${String(started.body['id'])}`
  const [row] = await sql`select 1 from audit_log where action = 'rehearsal.create' and subject = ${subject}`
  assert.ok(row !== undefined, 'the row names the rehearsal')
  await leavesNothing({ path, body, status: 409 })
  await leavesNothing({ path, body: { url: 'ftp://shop.example' }, status: 400 })
  const cancel = `${path}/${String(started.body['id'])}/cancel`
  await leaves({ path: cancel, status: 200, action: 'rehearsal.cancel', changed })
  const ended = await act(owner, tenant, { path: cancel })
  assert.deepEqual(await rowsOf(sql, ended.requestId), [])
  await leavesNothing({ path: `${path}/${newId()}/cancel`, status: 404 })
})

test('an advance of the clock leaves one row, however often its key is sent; a refused one leaves none', async () => {
  const { sql } = desk.site
  const path = 'sandbox/clock'
  const body = { advance: 'PT1H', idempotencyKey: newId() }
  await leaves({
    path,
    body,
    status: 202,
    action: 'sandbox.advance_clock',
    changed: ({ body: { id } }) =>
      sql`select xmin::text as transaction from clock_advance where id = ${String(id)}`,
  })
  await leavesNothing({ path, body, status: 202 })
  await leavesNothing({ path, body: { ...body, advance: 'PT2H' }, status: 409 })
  await leavesNothing({ path, body: { advance: 'soon' }, status: 400 })
})

test('who plays the payer is written down before the payer pays; for an unknown payment nothing is', async () => {
  const made = await owner.ask('POST', `/api/m/${tenant.id}/payments`, paymentBody({ amount: 100 }))
  assert.equal(made.status, 201, made.text)
  const { answer, requestId } = await act(owner, tenant, {
    path: `sandbox/payments/${String(made.body['id'])}/pay`,
  })
  assert.equal(answer.status, 202, answer.text)
  const rows = await rowsOf(desk.site.sql, requestId)
  assert.deepEqual(
    rows.map(({ action, subject }) => [action, subject]),
    [['sandbox.pay', `payment:${String(made.body['id'])}`]],
  )
  await leavesNothing({ path: `sandbox/payments/${newId()}/pay`, status: 404 })
})

/** A merchant of a card world with its dashboard. */
async function openCards() {
  const world: CardWorld = await openCardWorld()
  const { sql, lane, clock, merchant } = world.line
  const cards = await openDashboardDesk({
    over: {
      sql,
      lane,
      clock,
      capturer: world.capturer,
      endKind: endKind(world.rails),
      settle: (receipts) => world.settle(...receipts),
    },
    rails: world.rails,
  })
  const person = await cards.person([{ merchantId: merchant.id, role: 'OWNER' }])
  return {
    world,
    merchant,
    person,
    async [Symbol.asyncDispose]() {
      await cards.close()
      await world[Symbol.asyncDispose]()
    },
  }
}

async function approvedAt(world: CardWorld) {
  const { payment, attempt } = await world.create({ captureMode: 'MANUAL' })
  const ref = `pi_${newId()}`
  await world.settle(world.receipt(attempt, 'authorised', ref, { pendingRef: ref }))
  const say = (outcome: 'paid' | 'voided') => () => [
    world.receipt(attempt, outcome, ref, { pendingRef: ref, authorised: attempt.amount }),
  ]
  return { payment, attempt, ref, say }
}

test('captures, voids and accepted disputes at a provider leave one row each, and what is refused here leaves none', async () => {
  await using cards = await openCards()
  const { world, merchant, person } = cards
  const { sql } = world.line
  const rows = async (path: string, status: number, body: unknown = {}) => {
    const done = await act(person, merchant, { path, body })
    assert.equal(done.answer.status, status, done.answer.text)
    return (await rowsOf(sql, done.requestId)).map(({ action, subject }) => [action, subject])
  }
  const first = await approvedAt(world)
  const subject = `payment:${first.payment.id}`
  world.provider.capture = first.say('paid')
  const capture = `payments/${first.payment.id}/capture`
  assert.deepEqual(await rows(capture, 422, { amount: 1_001 }), [])
  assert.deepEqual(await rows(capture, 200), [['payment.capture', subject]])
  assert.deepEqual(await rows(capture, 200), [], 'the same capture again changes nothing')
  assert.deepEqual(await rows(`payments/${newId()}/capture`, 404), [])

  const second = await approvedAt(world)
  world.provider.void = second.say('voided')
  const cancel = `payments/${second.payment.id}/cancel`
  assert.deepEqual(await rows(cancel, 200), [['payment.cancel', `payment:${second.payment.id}`]])
  assert.deepEqual(await rows(cancel, 200), [])

  const third = await world.create()
  await world.settle(world.receipt(third.attempt, 'paid', 'pi_disputed'))
  const says = (outcome: 'dispute_opened' | 'dispute_lost') =>
    world.receipt(third.attempt, outcome, 'dp_disputed', {
      dispute: {
        paidRef: 'pi_disputed',
        kind: 'CHARGEBACK',
        reason: 'fraudulent',
        evidenceDueAt: new Date(),
      },
    })
  await world.settle(says('dispute_opened'))
  const listed = await person.ask('GET', `/api/m/${merchant.id}/disputes`)
  const [dispute] = listed.body['data'] as readonly { readonly id: string }[]
  const accept = `disputes/${String(dispute?.id)}/accept`
  world.provider.accept = () => [says('dispute_lost')]
  assert.deepEqual(await rows(`disputes/${newId()}/accept`, 404), [])
  assert.deepEqual(await rows(accept, 200), [['dispute.accept', `dispute:${String(dispute?.id)}`]])
  assert.deepEqual(await rows(accept, 200), [], 'it is LOST already')
})
