// The limits of what the check of keys holds in memory. test/contract/keys.test.ts checks its answers over the wire.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Identity } from '#/merchants/authenticator.ts'
import { partly } from '../../test/partly.ts'
import { createKeyAuth } from './auth.ts'
import type { RateLimit } from './deps.ts'

const merchant = { id: newId<'merchant'>(), mode: 'SANDBOX' } as const
const scopes = new Set(['wallets:read'] as const)

type TryKey = (key: string, address?: string) => Promise<string>

/** A check of keys that accepts every key beginning with `ours`. `tryKey` returns `welcome` or the code of the refusal. */
function keyTrier(rateLimit?: RateLimit): TryKey {
  const recall = (key: string): Identity | undefined =>
    key.startsWith('ours') ? { keyId: key as Identity['keyId'], merchant, scopes } : undefined
  const keyAuth = createKeyAuth({
    authenticator: {
      recall,
      authenticate: (key) => Promise.resolve(recall(key)),
      noteUse: () => {},
      close: async () => {},
    },
    log: silentLog,
    sql: partly<Sql>({}),
    ...given({ rateLimit }),
  })
  return async (key, ip = '203.0.113.1') => {
    try {
      const identity = await keyAuth.identify({ ip, headers: { apikey: key } })
      keyAuth.admit(identity, { ip }, { header: () => {} }, 'wallets:read')
      return 'welcome'
    } catch (error) {
      assert.ok(error instanceof AppError)
      return error.code
    }
  }
}

test('wrong keys are counted for at most 20,000 addresses', async () => {
  const tryKey = keyTrier()
  for (let tries = 0; tries < 20; tries++) assert.equal(await tryKey('wrong'), 'unauthenticated')
  assert.equal(await tryKey('wrong'), 'rate_limited')
  const address = (index: number) => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`
  for (let index = 0; index < 9_999; index++) await tryKey('wrong', address(index))
  assert.equal(await tryKey('wrong'), 'rate_limited', 'the newer half always stays in memory')
  for (let index = 0; index < 20_000; index++) await tryKey('wrong', address(index))
  assert.equal(await tryKey('wrong'), 'unauthenticated')
})

test('at most 20,000 keys have a bucket, and a key in use keeps its own', async () => {
  const tryKey = keyTrier({ perSecond: 0.000_1, burst: 2 })
  for (const answer of ['welcome', 'welcome', 'rate_limited']) assert.equal(await tryKey('ours'), answer)
  for (let index = 0; index < 25_000; index++) {
    await tryKey(`ours-${index}`)
    if (index % 5_000 === 0) assert.equal(await tryKey('ours'), 'rate_limited')
  }
  for (let index = 0; index < 20_000; index++) await tryKey(`ours-more-${index}`)
  assert.equal(await tryKey('ours'), 'welcome')
})
