// Who may call the operator's console: nobody else learns that it is there, and what moves money needs a fresh second factor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorRoutes } from '#/dashboard/operator/operator-routes.ts'
import { urlOf } from '#/dashboard/server.ts'
import { newId } from '#/kernel/id.ts'
import { needsFactor } from '#/people/concern.ts'
import { openForTests } from '../open-for-tests.ts'
import { openDashboardWorld } from './world.ts'

const world = openForTests(openDashboardWorld)

const pathOf = (route: (typeof operatorRoutes)[number]) => urlOf(route).replace(':id', newId())

test('each route of the console is the operator’s alone, and below /operator', () => {
  assert.ok(operatorRoutes.length > 40, `${operatorRoutes.length} routes`)
  for (const route of operatorRoutes) {
    assert.equal(route.access, 'operator', route.operationId)
    assert.match(route.path, /^\/operator\//)
    const permission = route.access === 'operator' ? route.permission : ''
    assert.equal(route.method === 'GET', permission === 'operator:read', route.operationId)
  }
  const names = operatorRoutes.map(({ operationId }) => operationId)
  assert.equal(new Set(names).size, names.length)
})

test('a user who is no operator gets 404 at every route, also the owner of a merchant', async () => {
  const { id } = await world.base.openTenant()
  const person = await world.person([{ merchantId: id, role: 'OWNER' }])
  for (const route of operatorRoutes) {
    const answer = await person.ask(route.method, pathOf(route), route.method === 'GET' ? undefined : {})
    assert.equal(answer.status, 404, `${route.method} ${route.path}: ${answer.text.slice(0, 200)}`)
    assert.equal(answer.body['detail'], 'There is nothing at this address.', route.path)
  }
})

test('an operator gets past the check at every route, and no answer breaks its schema', async () => {
  const person = await world.person([], { isOperator: true })
  for (const route of operatorRoutes) {
    const answer = await person.ask(route.method, pathOf(route), route.method === 'GET' ? undefined : {})
    assert.ok(answer.status < 500, `${route.method} ${route.path}: ${answer.text.slice(0, 300)}`)
    assert.notEqual(answer.body['detail'], 'There is nothing at this address.', route.path)
  }
})

test('in a sandbox alone the operator goes on without a second factor; what is LIVE needs one, also the first', async () => {
  const newcomer = await world.person([], { isOperator: true })
  const make = (mode: string) => newcomer.ask('POST', '/api/operator/merchants', { name: 'Padaria', mode })
  const { body, status } = await make('SANDBOX')
  assert.equal(status, 201)
  const limits = { type: 'PIX', each: 5_000 }
  const changed = await newcomer.ask('PATCH', `/api/operator/merchants/${String(body['id'])}/limits`, limits)
  assert.ok(changed.status < 300, changed.text)
  assert.equal((await make('LIVE')).body['code'], 'second_factor_needed')

  // Who has a factor is asked for it there too.
  const enrolled = await world.person([], { isOperator: true })
  await world.enrol(enrolled)
  await world.base.sql`
    update user_session set second_factor_at = second_factor_at - interval '6 minutes' where user_id = ${enrolled.userId}`
  const refused = await enrolled.ask('POST', '/api/operator/merchants', { name: 'Padaria', mode: 'SANDBOX' })
  assert.equal(refused.body['code'], 'second_factor_needed')
  await world.base.openTenant('LIVE')
  assert.equal((await make('SANDBOX')).body['code'], 'second_factor_needed')
})

test('where something is LIVE, whatever needs a second factor is refused without a fresh one', async () => {
  await world.base.openTenant('LIVE')
  const person = await world.person([], { isOperator: true })
  const guarded = operatorRoutes.filter(needsFactor)
  assert.ok(guarded.length > 15, `${guarded.length} routes`)
  for (const route of guarded) {
    const answer = await person.ask(route.method, pathOf(route))
    assert.equal(answer.body['code'], 'second_factor_needed', `${route.method} ${route.path}: ${answer.text}`)
  }
  await world.enrol(person)
  for (const route of guarded) {
    const answer = await person.ask(route.method, pathOf(route), {})
    assert.notEqual(answer.body['code'], 'second_factor_needed', `${route.method} ${route.path}`)
  }
})

test('one whose second factor is six minutes old is refused again', async () => {
  const person = await world.person([], { isOperator: true })
  await world.enrol(person)
  const body = { name: 'Padaria', mode: 'SANDBOX' }
  assert.equal((await person.ask('POST', '/api/operator/merchants', body)).status, 201)
  await world.base
    .sql`update user_session set second_factor_at = second_factor_at - interval '6 minutes' where user_id = ${person.userId}`
  const late = await person.ask('POST', '/api/operator/merchants', body)
  assert.equal(late.body['code'], 'second_factor_needed', late.text)
})
