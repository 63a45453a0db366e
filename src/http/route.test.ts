// What the type of a route refuses, and who leaves a row of the audit log by it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as T } from 'typebox'
import type { Tx } from '#/db/client.ts'
import { InvariantError } from '#/kernel/check.ts'
import type { Submission } from '#/ledger/post.ts'
import { partly } from '../../test/partly.ts'
import type { HttpDeps } from './deps.ts'
import { route, type Audited, type Call } from './route.ts'

const about = {
  path: '/v1/things',
  operationId: 'makeThing',
  summary: '',
  description: '',
  status: 200,
} as const
const answer = T.Object({})

type Verdict = { readonly kind: 'made'; readonly id: string } | { readonly kind: 'refused' }

/** What writes the row of a call by this actor. */
async function auditedOf(kind: 'USER' | 'API_KEY'): Promise<Audited<Verdict>> {
  let audited: Audited<Verdict> = {}
  const make = route({
    ...about,
    method: 'POST',
    scope: 'sandbox',
    audit: {
      action: 'thing.make',
      subjectOf: (_call, verdict: Verdict) => (verdict.kind === 'made' ? `thing:${verdict.id}` : undefined),
    },
    answer,
    async handle(_deps, _call, given) {
      audited = given
      return { record: {} }
    },
  })
  const call = partly<Call<unknown, unknown>>({ origin: { actor: { kind, id: 'ana' } }, body: {} })
  await make.handle(partly<HttpDeps>({}), { ...call, merchant: partly({ id: 'm' }) } as Call<
    unknown,
    unknown
  >)
  return audited
}

test('a member’s call leaves a row, and a key’s none; a change that made nothing that can be named is no change', async () => {
  assert.deepEqual(await auditedOf('API_KEY'), {})
  const { beside } = await auditedOf('USER')
  assert.throws(() => beside?.(partly<Tx>({}), { kind: 'refused' }), InvariantError)
})

type Spec = Parameters<typeof route>[0]
type Accepts<Wanted, Given> = Given extends Wanted ? true : false

const told = { ...about, answer, handle: async () => ({ record: {} }) }
const make = { ...told, method: 'POST', scope: 'sandbox', audit: 'ITSELF' } as const
const { audit: _audit, ...withoutAudit } = make
const { scope: _scope, ...withoutScope } = make

test('what changes something says its scope and its row, and its lane makes what the subject is read from', () => {
  const whole: Accepts<Spec, typeof make> = true
  const unaudited: Accepts<Spec, typeof withoutAudit> = false
  const unscoped: Accepts<Spec, typeof withoutScope> = false
  const reading: Accepts<Spec, Omit<typeof make, 'method'> & { readonly method: 'GET' }> = false
  const same: Accepts<Submission<Verdict>, Audited<Verdict>> = true
  const other: Accepts<Submission<{ readonly kind: 'sent' }>, Audited<Verdict>> = false
  assert.deepEqual(
    [whole, unaudited, unscoped, reading, same, other],
    [true, false, false, false, true, false],
  )
})
