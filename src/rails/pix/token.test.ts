// How long a token is used, and when another is asked for, by a clock that the test moves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { secondMs, testClock } from '#/kernel/time.ts'
import { errorOf } from '../../../test/rails/rail.ts'
import { findProfile } from './profile.ts'
import { createTokenSource } from './token.ts'

const profile = must(findProfile('bacen'), 'a profile')

/** A token source at an endpoint that grants tokens 1, 2, 3 … with these further fields. */
function source(grant: object = {}, status = 200) {
  let asked = 0
  const http = {
    request: async () => {
      asked += 1
      const body = Buffer.from(JSON.stringify({ access_token: `${asked}`, ...grant }))
      return { status, headers: {}, body }
    },
    close: async () => {},
  }
  const clock = testClock(new Date(0))
  const options = { http, profile, tokenUrl: 'https://psp.example/token', clientId: 'shop', clock }
  return { tokens: createTokenSource(options), clock }
}

test('a token is used until four fifths of its lifetime are over; without one it lives a minute', async () => {
  for (const [grant, lifetimeMs] of [
    [{ expires_in: 100 }, 100 * secondMs],
    [{}, 60 * secondMs],
  ] as const) {
    const { tokens, clock } = source(grant)
    assert.equal(await tokens.get('collect'), '1')
    clock.advance(0.8 * lifetimeMs - 1)
    assert.equal(await tokens.get('collect'), '1')
    clock.advance(1)
    assert.equal(await tokens.get('collect'), '2')
  }
})

test('each set of scopes has its own token, and callers at one time share one request', async () => {
  const { tokens } = source()
  const [one, two, other] = await Promise.all([
    tokens.get('collect'),
    tokens.get('collect'),
    tokens.get('refund'),
  ])
  assert.deepEqual([one, two, other], ['1', '1', '2'])
})

test('a dropped token is replaced, and one that was replaced already is not dropped again', async () => {
  const { tokens } = source()
  const first = await tokens.get('collect')
  tokens.drop('collect', first)
  assert.equal(await tokens.get('collect'), '2')
  tokens.drop('collect', first)
  assert.equal(await tokens.get('collect'), '2')
})

test('a denied token is replaced at most every ten seconds; callers with an earlier one get the new one', async () => {
  const { tokens, clock } = source({ expires_in: 3_600 })
  const first = await tokens.get('collect')
  assert.equal(await tokens.renew('collect', first), '2')
  assert.equal(await tokens.renew('collect', first), '2', 'it was replaced for another caller')
  clock.advance(10 * secondMs - 1)
  assert.equal(await tokens.renew('collect', '2'), undefined)
  clock.advance(1)
  assert.equal(await tokens.renew('collect', '2'), '3')
})

test('any other status than 200 gives no token', async () => {
  for (const status of [201, 400, 503]) {
    const { tokens } = source({}, status)
    assert.equal((await errorOf(tokens.get('collect'))).outcome, 'unavailable', String(status))
  }
})
