// What a transfer grant still allows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantStatus } from './transfer-grant.ts'

test('a grant is active until it is revoked, used up or expired, in this order', () => {
  const now = new Date('2027-01-01T12:00:00.000Z')
  const later = new Date('2027-01-01T12:00:00.001Z')
  const grant = { maxMinor: 100n, takenMinor: 99n, expiresAt: later, revokedAt: null }
  const cases: readonly (readonly [change: Partial<Parameters<typeof grantStatus>[0]>, status: string])[] = [
    [{}, 'ACTIVE'],
    [{ maxMinor: null, takenMinor: 1_000n }, 'ACTIVE'],
    [{ maxMinor: null, takenMinor: 0n }, 'ACTIVE'],
    [{ expiresAt: null }, 'ACTIVE'],
    [{ takenMinor: 100n }, 'USED_UP'],
    [{ expiresAt: now }, 'EXPIRED'],
    [{ maxMinor: null, expiresAt: now }, 'EXPIRED'],
    [{ takenMinor: 100n, expiresAt: now }, 'USED_UP'],
    [{ takenMinor: 100n, expiresAt: now, revokedAt: now }, 'REVOKED'],
  ]
  for (const [change, status] of cases) assert.equal(grantStatus({ ...grant, ...change }, now), status)
})
