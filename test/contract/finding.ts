// What tests of lists that find records share: one site, and its lists read to the end.
import assert from 'node:assert/strict'
import { createMetadataFiller } from '#/finding/fill.ts'
import { given } from '#/kernel/given.ts'
import { silentLog } from '#/kernel/log.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, paymentBody, type Answer, type Tenant } from './world.ts'

export type Row = Readonly<Record<string, unknown>>

export async function openFinding() {
  const base = await openApiWorld()
  const api = await base.openApi()

  async function create(tenant: Tenant, more: Row = {}): Promise<string> {
    const answer = await api.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody(more) })
    assert.equal(answer.status, 201, answer.text)
    return String(answer.body['id'])
  }

  async function get(
    tenant: Tenant,
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const search = new URLSearchParams(query).toString()
    const answer = await api.ask('GET', `${path}?${search}`, { key: tenant.key })
    assertDocumented('GET', path, answer)
    return answer
  }

  /** The ids of the whole list, page by page, and how many rows each page had. */
  async function listed(
    tenant: Tenant,
    path: string,
    query: Readonly<Record<string, string>>,
  ): Promise<{ readonly ids: readonly string[]; readonly pages: readonly number[] }> {
    const ids: string[] = []
    const pages: number[] = []
    for (let cursor: string | undefined; ;) {
      const answer = await get(tenant, path, { ...query, ...given({ cursor }) })
      assert.equal(answer.status, 200, answer.text)
      const rows = answer.body['data'] as readonly Row[]
      ids.push(...rows.map(({ id }) => String(id)))
      pages.push(rows.length)
      cursor = answer.body['nextCursor'] as string | undefined
      if (cursor === undefined) return { ids, pages }
    }
  }

  async function idsOf(tenant: Tenant, query: Readonly<Record<string, string>>, path = '/v1/payments') {
    return (await listed(tenant, path, query)).ids
  }

  async function refused(tenant: Tenant, query: Readonly<Record<string, string>>, path = '/v1/payments') {
    const answer = await get(tenant, path, query)
    const [fault] = (answer.body['errors'] ?? []) as readonly { pointer: string; code: string }[]
    return [answer.status, fault?.pointer, fault?.code]
  }

  async function declare(tenant: Tenant, ...keys: readonly string[]): Promise<Answer> {
    const answer = await api.ask('PUT', '/v1/metadata-keys', { key: tenant.key, body: { keys } })
    assertDocumented('PUT', '/v1/metadata-keys', answer)
    return answer
  }

  async function keysOf(tenant: Tenant): Promise<readonly (readonly [string, string])[]> {
    const answer = await get(tenant, '/v1/metadata-keys')
    return (answer.body['data'] as readonly { key: string; status: string }[]).map(({ key, status }) => [
      key,
      status,
    ])
  }

  const filler = (batch = 500) => createMetadataFiller({ sql: base.sql, log: silentLog, batch, settledMs: 0 })

  /** Declares keys and fills them in. */
  async function ready(tenant: Tenant, ...keys: readonly string[]): Promise<void> {
    assert.equal((await declare(tenant, ...keys)).status, 200)
    while ((await filler().once()) > 0);
    assert.ok((await keysOf(tenant)).every(([, status]) => status === 'READY'))
  }

  return {
    base,
    api,
    create,
    get,
    listed,
    idsOf,
    refused,
    declare,
    keysOf,
    filler,
    ready,
    close: () => base.close(),
  }
}
