// An installation without a sandbox: nothing below /v1/sandbox exists, for keys and for members, and the document does not name it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes, routesServed } from '#/http/routes.ts'
import { newId } from '#/kernel/id.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { openApiWorld } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi({ isWithoutSandbox: true }))
const tenant = makeForTests(() => world.openTenant())

const ofSandbox = routes.filter(({ path }) => path.startsWith('/v1/sandbox/'))

test('each route of the sandbox answers 404 like an address that never was', async () => {
  assert.ok(ofSandbox.length >= 6, `${ofSandbox.length} routes`)
  for (const { method, path } of ofSandbox) {
    const place = path.replace('{id}', newId())
    const never = await api.ask(method, '/v1/never-was', { key: tenant.key })
    for (const more of [{ key: tenant.key }, {}]) {
      const answer = await api.ask(method, place, more)
      assert.deepEqual([answer.status, answer.body['code']], [404, 'not_found'], `${method} ${path}`)
      assert.equal(answer.body['detail'], never.body['detail'])
    }
  }
})

test('the document has all other routes and names no sandbox', async () => {
  const { body } = await api.ask('GET', '/openapi.json')
  const paths = Object.keys(body['paths'] as object)
  assert.deepEqual(
    paths.filter((path) => path.startsWith('/v1/sandbox')),
    [],
  )
  const others = routes.filter((route) => !ofSandbox.includes(route)).map(({ path }) => path)
  for (const path of others) assert.ok(paths.includes(path), path)
  const tags = body['tags'] as readonly { readonly name: string }[]
  assert.ok(!tags.some(({ name }) => name === 'sandbox'))
})

test('an installation with a sandbox serves all of them', () => {
  assert.deepEqual(routesServed({}), routes)
  assert.deepEqual(routesServed({ isWithoutSandbox: false }), routes)
  assert.equal(routesServed({ isWithoutSandbox: true }).length, routes.length - ofSandbox.length)
})
