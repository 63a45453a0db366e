// Where a payer lives: any country of the world, and no code that is none, at every door of a payment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries } from '#/kernel/country.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, paymentBody } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

async function faultsOf(more: Readonly<Record<string, unknown>>) {
  const answer = await api.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody(more) })
  assertDocumented('POST', '/v1/payments', answer)
  const errors = (answer.body['errors'] ?? []) as readonly { pointer: string; code: string }[]
  return [answer.status, ...errors.map(({ pointer, code }) => `${pointer} ${code}`)]
}

const addressIn = (country: string) => ({ line1: 'Rua A, 1', city: 'Tirana', country })

test('a payer of any country is taken', async () => {
  for (const country of ['AL', 'JP', 'ZA', 'XK', ...countries.slice(0, 3)])
    assert.deepEqual(
      await faultsOf({ customerCountry: country, customerAddress: addressIn(country) }),
      [201],
      country,
    )
})

test('a code that is no country is refused with a pointer', async () => {
  for (const country of ['ZZ', 'UK', 'EU'])
    assert.deepEqual(
      await faultsOf({ customerCountry: country, customerAddress: addressIn(country) }),
      [400, '/customerAddress/country malformed', '/customerCountry malformed'],
      country,
    )
})
