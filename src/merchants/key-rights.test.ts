// A key grants no more than it has itself: each right by itself, at its bound.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cidrsMax } from '#/contract/keys.ts'
import { AppError } from '#/kernel/error.ts'
import { cidrTexts, requireScopesOf, requireWithin, type Rights } from './key-rights.ts'

const ends = new Date('2026-11-29T12:00:00Z')
const at = (ms: number) => new Date(ends.getTime() + ms)
const all: Rights = { scopes: ['keys:read', 'payments:read'], expiresAt: null, allowedCidrs: null }

/** The pointers of what is refused. Undefined: nothing is. */
function refused(check: () => unknown): readonly string[] | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error.faults.map(({ pointer, code }) => `${pointer} ${code}`)
  }
}

const cases: readonly (readonly [
  rule: string,
  calling: Partial<Rights>,
  requested: Partial<Rights>,
  string[],
])[] = [
  ['the same rights', {}, {}, []],
  ['fewer scopes', {}, { scopes: ['keys:read'] }, []],
  ['a scope more', {}, { scopes: ['keys:read', 'sandbox'] }, ['/scopes/1 not_held']],
  ['an end of a key without one', {}, { expiresAt: at(0) }, []],
  ['the same end', { expiresAt: at(0) }, { expiresAt: at(0) }, []],
  ['an earlier end', { expiresAt: at(0) }, { expiresAt: at(-1) }, []],
  ['a later end', { expiresAt: at(0) }, { expiresAt: at(1) }, ['/expiresAt too_large']],
  ['no end', { expiresAt: at(0) }, { expiresAt: null }, ['/expiresAt too_large']],
  ['networks of a key for all', {}, { allowedCidrs: ['10.0.0.0/8'] }, []],
  ['the same network', { allowedCidrs: ['10.0.0.0/8'] }, { allowedCidrs: ['10.0.0.0/8'] }, []],
  ['a narrower network', { allowedCidrs: ['10.0.0.0/8'] }, { allowedCidrs: ['10.1.0.0/16'] }, []],
  [
    'a wider network',
    { allowedCidrs: ['10.1.0.0/16'] },
    { allowedCidrs: ['10.1.2.0/24', '10.0.0.0/8'] },
    ['/allowedCidrs/1 too_wide'],
  ],
  ['from everywhere', { allowedCidrs: ['10.0.0.0/8'] }, { allowedCidrs: null }, ['/allowedCidrs too_wide']],
]

for (const [rule, calling, requested, faults] of cases)
  test(`a key ${faults.length === 0 ? 'grants' : 'does not grant'}: ${rule}`, () => {
    assert.deepEqual(
      refused(() => requireWithin({ ...all, ...calling }, { ...all, ...requested })),
      faults.length === 0 ? undefined : faults,
    )
  })

test('a key changes another that has its scopes or fewer', () => {
  const few = { scopes: ['keys:read'] } as const
  assert.deepEqual(
    refused(() => requireScopesOf(all, all)),
    undefined,
  )
  assert.deepEqual(
    refused(() => requireScopesOf(all, few)),
    undefined,
  )
  assert.deepEqual(
    refused(() => requireScopesOf(few, all)),
    ['/scopes/1 not_held'],
  )
})

test('networks are stored in one spelling, each once; all that cannot be read are named', () => {
  assert.deepEqual(cidrTexts(['2001:DB8:0::/48', '10.0.0.7', '10.0.0.7/32']), [
    '2001:db8::/48',
    '10.0.0.7/32',
  ])
  assert.deepEqual(
    refused(() => cidrTexts(['10.0.0.0/8', '10.0.0.1/8', 'home'])),
    ['/allowedCidrs/1 malformed', '/allowedCidrs/2 malformed'],
  )
  assert.equal(cidrsMax, 20)
})
