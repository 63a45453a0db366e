// Where the calls of the pages go: what a page sends arrives at the route of the operation that it names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { urlOf } from '#/dashboard/server.ts'
import { routes } from '#/http/routes.ts'
import { callAny, type CallName } from '../../web/dashboard/api/call.ts'

const merchant = 'the-merchant'
const addresses = [
  ...routes
    .filter(({ operationId }) => operationId !== 'getMe')
    .map(({ operationId, method, path }) => ({
      operationId,
      method,
      url: `/api/m/:merchant${path.slice('/v1'.length).replace('{id}', ':id')}`,
    })),
  ...dashboardRoutes.map((route) => ({ ...route, url: urlOf(route) })),
]

test('every call goes to its route, with its query and body', async (t) => {
  const sent: { readonly address: string; readonly init: RequestInit }[] = []
  t.mock.method(globalThis, 'fetch', (address: string, init: RequestInit) => {
    sent.push({ address, init })
    return Promise.resolve(new Response('{"isThere":true}'))
  })
  for (const { operationId, method, url } of addresses) {
    const parts = {
      merchant,
      id: 'of a/record',
      query: { limit: 2, cursor: undefined },
      body: { amount: 1n },
    }
    assert.deepEqual(await callAny(operationId as CallName, parts, { key: 'once' }), { isThere: true })
    const { address = '', init = {} } = sent.pop() ?? {}
    const path = url.replace(':merchant', merchant).replace(':id', 'of%20a%2Frecord')
    assert.deepEqual(
      [init.method, address, init.body],
      [method, `${path}?limit=2`, '{"amount":1}'],
      operationId,
    )
  }
  assert.ok(addresses.length > 200)
})
