// The keys of one person, made over HTTP in every way in which a key comes of another.
import assert from 'node:assert/strict'
import { scopes } from '#/contract/keys.ts'
import type { ApiKeyId } from '#/kernel/id.ts'
import type { ApiWorld, Tenant } from './contract/world.ts'

type Key = { readonly key: string; readonly id: ApiKeyId }
type Ask = (
  tenant: Pick<Tenant, 'key'>,
  method: string,
  path: string,
  more: { readonly id?: string; readonly body?: unknown },
) => Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>

/** All scopes each. `person`: who holds them, as the operator said; else only their lineage tells. `others`: keys of two other persons. */
export async function keyFamily(
  base: ApiWorld,
  ask: Ask,
  { id: merchantId }: Pick<Tenant, 'id'>,
  person?: string,
) {
  const answered = async (answer: ReturnType<Ask>): Promise<Key> => {
    const { status, body } = await answer
    assert.equal(status, 201)
    return { key: String(body['key']), id: String(body['id']) as ApiKeyId }
  }
  const make = (by: Key) => answered(ask(by, 'POST', '/v1/keys', { body: { name: 'x', scopes } }))
  const roll = (by: Key, of: Key) => answered(ask(by, 'POST', '/v1/keys/{id}/roll', { id: of.id }))
  const maker = await base.issue(merchantId, scopes, undefined, person === undefined ? {} : { person })
  const requester = await make(maker)
  const made = await make(requester)
  return {
    requester,
    family: {
      itself: requester,
      'its maker': maker,
      'a key that it made': made,
      'another key of its maker': await make(maker),
      'a key rolled from it': await roll(requester, requester),
      'a key rolled from one that it made': await roll(maker, made),
      'a key that the operator rolled from it': await base.rotate(merchantId, requester.id),
      ...(person === undefined
        ? {}
        : {
            'another key of the same person': await base.issue(merchantId, scopes, undefined, {
              person: person.toUpperCase(),
            }),
          }),
    },
    others: [
      await base.issue(merchantId, scopes),
      await base.issue(merchantId, scopes, undefined, { person: 'bia@example.com' }),
    ] as const,
  }
}
