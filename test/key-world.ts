// Keys over HTTP: a site, and the calls of a key that makes, changes, rolls and revokes keys.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { given } from '#/kernel/given.ts'
import { assertDocumented } from './contract/document.ts'
import { openApiWorld, type Answer, type Tenant } from './contract/world.ts'

export type Row = Readonly<Record<string, unknown>>
export type Holder = Pick<Tenant, 'key'>

export async function openKeyWorld() {
  const base = await openApiWorld()
  const api = await base.openApi()

  async function ask(
    { key }: Holder,
    method: string,
    path: string,
    more: {
      readonly id?: unknown
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ): Promise<Answer> {
    const { id, ...rest } = more
    const answer = await api.ask(method, path.replace('{id}', String(id)), { key, ...rest })
    assertDocumented(method, path.split('?')[0] ?? path, answer)
    return answer
  }

  return {
    base,
    api,
    ask,
    make: (by: Holder, body: Row, headers = {}) =>
      ask(by, 'POST', '/v1/keys', { body: { name: 'shop', scopes: ['wallets:read'], ...body }, headers }),
    read: async (by: Holder, id: unknown): Promise<Row> =>
      (await ask(by, 'GET', '/v1/keys/{id}', { id })).body,
    change: (by: Holder, id: unknown, body: Row) => ask(by, 'PATCH', '/v1/keys/{id}', { id, body }),
    roll: (by: Holder, id: unknown, body?: Row) =>
      ask(by, 'POST', '/v1/keys/{id}/roll', { id, ...given({ body }) }),
    revoke: (by: Holder, id: unknown) => ask(by, 'POST', '/v1/keys/{id}/revoke', { id }),
    works: async ({ key }: Holder) => (await api.ask('GET', '/v1/me', { key })).status === 200,
    /** Fails unless the key is refused within a second from now. */
    async isOver(each: Holder): Promise<void> {
      await wait(1_000)
      assert.deepEqual(codeOf(await api.ask('GET', '/v1/me', { key: each.key })), [401, 'unauthenticated'])
    },
    close: () => base.close(),
    auditOf: (id: unknown): Promise<readonly Row[]> => base.sql<Row[]>`
      select action, actor_kind as kind, actor_id as actor, before, after from audit_log
       where subject = ${`key:${String(id)}`} order by id`,
  }
}

export const codeOf = ({ status, body }: Answer) => [status, body['code']]
export const faultsOf = ({ body }: Answer) =>
  (body['errors'] as readonly Row[]).map(({ pointer, code }) => [pointer, code])
export const holder = ({ body }: Answer): Holder & { readonly id: string } => ({
  key: String(body['key']),
  id: String(body['id']),
})
