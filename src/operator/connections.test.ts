// Connections to providers, as the operator adds, replaces and switches them: what is refused, and what the audit log says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as T } from 'typebox'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId, type MerchantId } from '#/kernel/id.ts'
import type { ConnectionType } from '#/rails/kit/connection-type.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { operator as commandBy, openPeopleWorld } from '../../test/people-world.ts'
import certificates from '../../test/rails/pix/certificates.json' with { type: 'json' }
import {
  addConnectionAs,
  certificatesOf,
  replaceConnectionAs,
  requireConnection,
  switchConnection,
  type ConnectionDeps,
} from './connections.ts'
import type { Operator } from './deps.ts'
import { storeIsInDirectory } from './directory.ts'

const world = openForTests(() => openPeopleWorld())

const ana: Operator = { by: commandBy, name: commandBy.actor.id }

/** A type whose connections name one that receives. */
const paying: ConnectionType = {
  method: 'PAYING',
  providers: ['bank'],
  page: 'x',
  settings: T.Object({ receiving: T.Optional(T.String({ connectionOf: 'PIX_TEST' })), account: T.String() }),
  secrets: T.Object({}),
  faults: () => [],
  accountsOf: () => [],
  probe: async () => [],
}
const receiving: ConnectionType = { ...paying, method: 'PIX_TEST' }
const parts = { provider: 'bank', settings: { account: '1' }, secrets: { clientId: 'hidden' } }
const types = {
  find: ({ method }: { readonly method: string }) => (method === 'PAYING' ? paying : undefined),
}

const depsOf = (change: Partial<ConnectionDeps> = {}): ConnectionDeps => ({
  sql: world.deps.sql,
  cell: 'here',
  sealFor: async () => ({ collecting: world.deps.key, sealForWorker: (_, bytes) => Buffer.from(bytes) }),
  hasOwnKeys: true,
  usesDirectory: false,
  ...change,
})
const add = (
  request: Partial<Parameters<typeof addConnectionAs>[3]> = {},
  { type = paying, ...change }: Partial<ConnectionDeps> & { readonly type?: ConnectionType } = {},
) => addConnectionAs(depsOf(change), ana, type, { owner: { mode: 'SANDBOX' }, ...parts, ...request })

/** The code and the pointers of the refusal. */
async function refused(doing: Promise<unknown>): Promise<readonly string[]> {
  try {
    await doing
    return []
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    return [error.code, ...error.faults.map(({ pointer }) => pointer)]
  }
}

async function audited(id: ConnectionId): Promise<readonly object[]> {
  const rows = await world.owner<Readonly<Record<string, unknown>>[]>`
    select action, merchant_id as merchant, before, after, reason
      from audit_log where subject = ${`connection:${id}`} order by id`
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
}

test('a connection is added for a mode or a merchant, and its entry names the secrets without telling them', async () => {
  const merchantId = await world.merchant()
  const [shared, own] = [
    await add({ reason: 'a new bank' }),
    await add({ owner: { merchantId }, refundSecrets: { pin: 'hidden' } }),
  ]
  const after = { method: 'PAYING', provider: 'bank', settings: parts.settings, secrets: ['clientId'] }
  assert.deepEqual(await audited(shared), [
    {
      action: 'connection.add',
      after: { mode: 'SANDBOX', ...after, refundSecrets: [] },
      reason: 'a new bank',
    },
  ])
  assert.deepEqual(await audited(own), [
    {
      action: 'connection.add',
      merchant: merchantId,
      after: { mode: 'LIVE', ...after, refundSecrets: ['pin'] },
    },
  ])
  const rows =
    await world.owner`select mode, merchant_id as of from connection where id in (${shared}, ${own})`
  assert.deepEqual(new Map(rows.map((row) => [row['mode'], row['of']])).get('LIVE'), merchantId)
  for (const unknown of [newId<'merchant'>(), 'x' as MerchantId])
    assert.deepEqual(await refused(add({ owner: { merchantId: unknown } })), ['not_found'])
})

test('a connection that its settings name exists, of the method that is asked for and of the same mode', async () => {
  const pix = await add({}, { type: receiving })
  const [live, other] = [await add({ owner: { mode: 'LIVE' } }, { type: receiving }), await add()]
  const naming = (id: unknown) => add({ settings: { receiving: id } })
  assert.deepEqual(await refused(naming(pix)), [])
  // Whether it is a text, the check of the type says.
  assert.deepEqual(await refused(naming(undefined)), [])
  for (const id of [live, other, 'x'])
    assert.deepEqual(await refused(naming(id)), ['invalid_request', '/settings/receiving'], id)
  const { row } = await requireConnection(world.deps.sql, types, await naming(pix))
  const replacing = replaceConnectionAs(
    depsOf(),
    ana,
    { type: paying, row },
    {
      ...parts,
      settings: { receiving: live },
    },
  )
  assert.deepEqual(await refused(replacing), ['invalid_request', '/settings/receiving'])
})

test('a live connection needs own keys and the directory, to be added and to be replaced', async () => {
  const owner = { mode: 'LIVE' } as const
  const { row } = await requireConnection(world.deps.sql, types, await add({ owner }))
  const both = async (change: Partial<ConnectionDeps>) => [
    ...(await refused(add({ owner }, change))),
    ...(await refused(replaceConnectionAs(depsOf(change), ana, { type: paying, row }, parts))),
  ]
  assert.deepEqual(await both({}), [])
  assert.deepEqual(await both({ hasOwnKeys: false }), ['invalid_state', 'invalid_state'])
  await storeIsInDirectory(world.deps.sql, true)
  assert.deepEqual(await both({}), ['directory_needed', 'directory_needed'])
  assert.deepEqual(await both({ usesDirectory: true }), [])
  await storeIsInDirectory(world.deps.sql, false)
})

test('settings and secrets are replaced with an entry, and the provider stays', async () => {
  const id = await add()
  const { row } = await requireConnection(world.deps.sql, types, id)
  const replace = (change: Partial<typeof parts> & { readonly reason?: string }) =>
    replaceConnectionAs(depsOf(), ana, { type: paying, row }, { ...parts, ...change })
  assert.deepEqual(await refused(replace({ provider: 'other' })), ['invalid_state'])
  await replace({ settings: { account: '2' }, reason: 'renewed' })
  const { row: now } = await requireConnection(world.deps.sql, types, id)
  assert.deepEqual(now.settings, { account: '2' })
  const after = { provider: 'bank', settings: { account: '2' }, secrets: ['clientId'], refundSecrets: [] }
  assert.deepEqual((await audited(id)).slice(1), [
    { action: 'connection.replace', before: { settings: { account: '1' } }, after, reason: 'renewed' },
  ])
})

test('a connection is switched off and on with an entry, and one that was archived stays off', async () => {
  const id = await add()
  const found = async () => (await requireConnection(world.deps.sql, types, id)).row
  const set = async (isActive: boolean, reason?: string) =>
    switchConnection(depsOf(), ana, await found(), { isActive, ...given({ reason }) })
  await set(false, 'it fails')
  assert.equal((await found()).isActive, false)
  await set(true)
  const [on, off] = [{ isActive: true }, { isActive: false }]
  assert.deepEqual((await audited(id)).slice(1), [
    { action: 'connection.disable', before: on, after: off, reason: 'it fails' },
    { action: 'connection.enable', before: off, after: on },
  ])
  await world.owner`update connection set archived_at = now(), is_active = false, polled_until = now() where id = ${id}`
  assert.deepEqual(await refused(set(true)), ['invalid_state'])
  assert.equal((await found()).isActive, false)
})

test('certificates are found among settings and secrets, each with its owner and end as far as these can be read', () => {
  const found = (secrets: Readonly<Record<string, unknown>>) =>
    certificatesOf({ settings: { ca: certificates.ca, count: 1 }, secrets })
  const ca = {
    field: '/settings/ca',
    subject: 'CN=Test authority',
    endsAt: new Date('2126-10-28T07:21:13Z'),
  }
  const none: readonly Readonly<Record<string, unknown>>[] = [{}, { pfx: '' }, { clientId: 'x' }]
  for (const secrets of none) assert.deepEqual(found(secrets), [ca], JSON.stringify(secrets))
  // A PKCS #12 file is not opened, and what is broken is named too.
  assert.deepEqual(found({ pfx: 'x' }), [ca, { field: '/secrets/pfx' }])
  const broken = '-----BEGIN CERTIFICATE-----x-----END CERTIFICATE-----'
  assert.deepEqual(found({ certificate: broken }), [ca, { field: '/secrets/certificate' }])
})

test('a connection that is not there is unknown, and one without a type is not the operator’s to change', async () => {
  const require = (id: ConnectionId) => refused(requireConnection(world.deps.sql, types, id))
  assert.deepEqual(await require('nothing' as ConnectionId), ['not_found'])
  assert.deepEqual(await require(await add({}, { type: receiving })), ['invalid_state'])
})
