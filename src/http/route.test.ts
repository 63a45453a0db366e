// What the type of a route refuses, and who leaves a row of the audit log by it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as T, type TSchema } from 'typebox'
import type { Tx } from '#/db/client.ts'
import { InvariantError } from '#/kernel/check.ts'
import type { Submission } from '#/ledger/post.ts'
import { partly } from '../../test/partly.ts'
import type { HttpDeps } from './deps.ts'
import { route, type Audited, type Call } from './route.ts'

const about = {
  route: 'POST /v1/things',
  scope: 'sandbox',
  starts: 'setting',
  concern: 'money',
  operationId: 'makeThing',
  summary: '',
  description: '',
  example: {},
} as const
const answer = T.Object({})

type Verdict = { readonly kind: 'made'; readonly id: string } | { readonly kind: 'refused' }

/** What writes the row of a call by this actor. */
async function auditedOf(kind: 'USER' | 'API_KEY'): Promise<Audited<Verdict>> {
  let audited: Audited<Verdict> = {}
  const make = route<typeof answer, TSchema, TSchema, Verdict>({
    ...about,
    audit: {
      action: 'thing.make',
      subjectOf: (_call: unknown, verdict: Verdict): `thing:${string}` | undefined =>
        verdict.kind === 'made' ? `thing:${verdict.id}` : undefined,
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
const make = { ...told, audit: 'ITSELF' } as const
type Without<Name extends keyof typeof make> = Omit<typeof make, Name>

test('what changes something says its scope, row, concern, start and example, and its lane makes what the subject is read from', () => {
  const whole: Accepts<Spec, typeof make> = true
  const unaudited: Accepts<Spec, Without<'audit'>> = false
  const unscoped: Accepts<Spec, Without<'scope'>> = false
  const unconcerned: Accepts<Spec, Without<'concern'>> = false
  const startsNothing: Accepts<Spec, Without<'starts'>> = false
  const unshown: Accepts<Spec, Without<'example'>> = false
  const reading: Accepts<Spec, Without<'route'> & { readonly route: 'GET /v1/things' }> = false
  const same: Accepts<Submission<Verdict>, Audited<Verdict>> = true
  const other: Accepts<Submission<{ readonly kind: 'sent' }>, Audited<Verdict>> = false
  assert.deepEqual(
    [whole, unaudited, unscoped, unconcerned, startsNothing, unshown, reading, same, other],
    [true, false, false, false, false, false, false, true, false],
  )
})
