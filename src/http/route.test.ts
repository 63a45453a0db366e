// What the type of a route refuses, and who leaves a row of the audit log by it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as T } from 'typebox'
import type { Tx } from '#/db/client.ts'
import { pingKind } from '#/endpoints/ping.ts'
import { InvariantError } from '#/kernel/check.ts'
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

test('what changes something says its scope and its row, and its lane makes what the subject is read from', () => {
  const handle = async () => ({ record: {} })
  // @ts-expect-error without `audit`
  route({ ...about, method: 'POST', scope: 'sandbox', answer, handle })
  // @ts-expect-error without `scope`
  route({ ...about, method: 'POST', audit: 'ITSELF', answer, handle })
  // @ts-expect-error a route that reads leaves no row
  route({ ...about, method: 'GET', audit: 'ITSELF', answer, handle })
  route({
    ...about,
    method: 'POST',
    scope: 'sandbox',
    audit: { action: 'thing.make', subjectOf: (_call, { id }: { readonly id: string }) => `thing:${id}` },
    answer,
    async handle({ lane }, { merchant }, audited) {
      const item = partly<Parameters<typeof pingKind.run>[1][number]>({ merchantId: merchant.id })
      // @ts-expect-error the verdict of a ping has no id
      await lane.submit(pingKind, item, audited)
      return { record: {} }
    },
  })
})
