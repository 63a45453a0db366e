// How much the door remembers. What it answers over the wire is in test/contract/keys.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import type { Identity } from '#/merchants/authenticator.ts'
import { createDoor } from './auth.ts'
import type { RateLimit } from './deps.ts'

const merchant = { id: newId<'merchant'>(), mode: 'SANDBOX' } as const
const scopes = new Set(['wallets:read'] as const)

type Knock = (key: string, address?: string) => Promise<string>

/** A door to which every key is known that begins with `ours`. A knock answers `welcome` or the code of the refusal. */
function knocker(rateLimit?: RateLimit): Knock {
  const recall = (key: string): Identity | undefined =>
    key.startsWith('ours') ? { keyId: key as Identity['keyId'], merchant, scopes } : undefined
  const door = createDoor({
    authenticator: { recall, authenticate: (key) => Promise.resolve(recall(key)), close: async () => {} },
    ...(rateLimit === undefined ? {} : { rateLimit }),
  })
  return async (key, ip = '203.0.113.1') => {
    try {
      await door.open({ ip, headers: { apikey: key } }, { header: () => {} }, 'wallets:read')
      return 'welcome'
    } catch (error) {
      assert.ok(error instanceof AppError)
      return error.code
    }
  }
}

test('of 20,000 addresses at most it is remembered how many wrong keys they sent', async () => {
  const knock = knocker()
  for (let tries = 0; tries < 20; tries++) assert.equal(await knock('wrong'), 'unauthenticated')
  assert.equal(await knock('wrong'), 'rate_limited')
  const address = (index: number) => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`
  for (let index = 0; index < 9_999; index++) await knock('wrong', address(index))
  assert.equal(await knock('wrong'), 'rate_limited', 'the newer half is remembered whatever comes')
  for (let index = 0; index < 20_000; index++) await knock('wrong', address(index))
  assert.equal(await knock('wrong'), 'unauthenticated')
})

test('20,000 keys at most have a bucket, and one that is in use keeps its own', async () => {
  const knock = knocker({ perSecond: 0.000_1, burst: 2 })
  for (const answer of ['welcome', 'welcome', 'rate_limited']) assert.equal(await knock('ours'), answer)
  for (let index = 0; index < 25_000; index++) {
    await knock(`ours-${index}`)
    if (index % 5_000 === 0) assert.equal(await knock('ours'), 'rate_limited')
  }
  for (let index = 0; index < 20_000; index++) await knock(`ours-more-${index}`)
  assert.equal(await knock('ours'), 'welcome')
})
