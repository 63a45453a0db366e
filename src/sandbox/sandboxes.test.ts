// Making and archiving sandboxes: what is left after a creation that was cut off, and what an archived sandbox keeps. The
// providers' part is in test/journeys/sandboxes.test.ts.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { endSchedules } from '#/withdrawals/schedule-queries.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import {
  archiveSandbox,
  createSandbox,
  listSandboxes,
  ownersInUse,
  type CreateSandboxDeps,
  type SandboxNote,
} from './sandboxes.ts'

const pepper = randomBytes(32)
const sealKey = randomBytes(32)
const keys = connectionKeys(randomBytes(32), randomBytes(32))
const notes: SandboxNote[] = []
const ended: MerchantId[] = []

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 3 }))

/** `connect`: what happens while the accounts are opened. */
function create(name: string, connecting: CreateSandboxDeps['connect'] = async () => {}) {
  const deps = { sql, clock: systemClock, sealKey, pepper, cell: 'a1', madeBy: 'ana@machine' }
  const note: CreateSandboxDeps['note'] = async (_, each) => void notes.push(each)
  return createSandbox({ ...deps, openWallets: async () => {}, note, connect: connecting }, name)
}

function archive(id: MerchantId) {
  const note: CreateSandboxDeps['note'] = async (_, each) => void notes.push(each)
  const endSchedules = async (_: unknown, merchantId: MerchantId) => void ended.push(merchantId)
  return archiveSandbox({ sql, clock: systemClock, note, endSchedules }, id)
}

async function connectPix(merchantId: MerchantId): Promise<void> {
  const terms = { mode: 'SANDBOX', method: 'PIX', provider: 'bacen', settings: {}, secrets: {} } as const
  await addConnection({ sql, cell: 'a1', keys }, { ...terms, merchantId })
}

async function ownerOf(key: string): Promise<MerchantId | undefined> {
  const authenticator = createAuthenticator({ sql, pepper, log: silentLog })
  try {
    return (await authenticator.authenticate(key))?.merchant.id
  } finally {
    await authenticator.close()
  }
}

const stateOf = async (id: MerchantId) => (await listSandboxes(sql)).find((each) => each.id === id)?.state

test('a new sandbox has a key of its own merchant, and is announced to the starts', async () => {
  const made = await create('Ana')
  assert.equal(await ownerOf(made.apiKey), made.id)
  assert.equal(await stateOf(made.id), 'READY')
  assert.deepEqual(
    (await ownersInUse(sql)).filter(({ merchantId }) => merchantId === made.id),
    [{ merchantId: made.id, name: 'Ana' }],
  )
  assert.deepEqual(notes, [{ action: 'sandbox.create', id: made.id, name: 'Ana' }])
})

test('a sandbox whose creation was cut off has no key, is connected by no start, and is completed by the next creation', async () => {
  await assert.rejects(
    create('Bia', async () => {
      throw new Error('cut off')
    }),
    /cut off/,
  )
  const unfinished = (await listSandboxes(sql)).find(({ name }) => name === 'Bia')
  assert.equal(unfinished?.state, 'MAKING')
  assert.equal((await sql`select from api_key where merchant_id = ${unfinished.id}`).length, 0)
  assert.ok(!(await ownersInUse(sql)).some(({ name }) => name === 'Bia'))
  const owners: unknown[] = []
  const made = await create('Bia', async (owner) => void owners.push(owner))
  assert.equal(made.id, unfinished.id)
  assert.deepEqual(owners, [{ merchantId: unfinished.id, name: 'Bia' }])
  assert.equal(await ownerOf(made.apiKey), made.id)
})

test('of two creations of one name at once one wins; the name is free again when its sandbox is archived', async () => {
  const both = await Promise.allSettled([create('Caio'), create('Caio')])
  const won = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  assert.equal(won.length, 1)
  await assert.rejects(create('Caio'), /There is a sandbox named Caio already/)
  const named = await sql`select from merchant where name = 'Caio'`
  assert.equal(named.length, 1)
  const [{ id } = { id: newId<'merchant'>() }] = won
  await archive(id)
  assert.notEqual((await create('Caio')).id, id)
})

test('an archived sandbox has no key and no active connection; archiving it again changes nothing', async () => {
  const { id, apiKey } = await create('Davi', ({ merchantId }) => connectPix(merchantId))
  const first = await archive(id)
  assert.equal(first.state, 'ARCHIVED')
  assert.equal(await ownerOf(apiKey), undefined)
  const read = () => sql`
    select is_active, archived_at, polled_until, revoked_at
      from connection join api_key using (merchant_id) where merchant_id = ${id}`
  const [row] = await read()
  assert.equal(row?.['is_active'], false)
  // Nothing is open, so it is polled no longer.
  assert.ok(new Date(String(row?.['polled_until'])) <= new Date(String(row?.['archived_at'])))
  assert.deepEqual(await archive(id), first)
  assert.deepEqual([...(await read())], [row])
  assert.deepEqual(
    [ended.filter((each) => each === id).length, notes.filter((each) => each.id === id).length],
    [1, 2],
  )
  assert.ok(!(await ownersInUse(sql)).some(({ merchantId }) => merchantId === id))
  const deps = { sql, clock: systemClock, pepper, cell: 'a1' }
  await assert.rejects(issueApiKey(deps, { merchantId: id, name: 'again' }), /The sandbox is archived/)
  // Nor does one work that was issued at the same moment.
  await sql`update api_key set revoked_at = null where merchant_id = ${id}`
  assert.equal(await ownerOf(apiKey), undefined)
})

test('one that was cut off can be archived, and anything else is refused', async () => {
  await assert.rejects(create('Eva', () => Promise.reject(new Error('cut off'))))
  const unfinished = (await listSandboxes(sql)).find(({ name }) => name === 'Eva')
  assert.equal((await archive(unfinished?.id ?? newId())).state, 'ARCHIVED')
  await assert.rejects(archive(newId()), /There is no such sandbox/)
})

test('a creation that was archived meanwhile gets no key, and its connections are archived too', async () => {
  await assert.rejects(
    create('Gil', async ({ merchantId }) => {
      await archive(merchantId)
      await connectPix(merchantId)
    }),
    /There is a sandbox named Gil already/,
  )
  const active = await sql`
    select from connection join merchant on merchant.id = merchant_id
     where merchant.name = 'Gil' and (connection.archived_at is null or is_active)`
  assert.equal(active.length, 0)
  const [row] =
    await sql`select count(*)::integer as keys from api_key join merchant on merchant.id = merchant_id where merchant.name = 'Gil'`
  assert.equal(row?.['keys'], 0)
})

test('an archived sandbox pays out by no schedule any more', async () => {
  const { id } = await create('Hugo')
  const [mine, other] = [newId(), newId()]
  for (const [merchantId, schedule] of [
    [id, mine],
    [newId(), other],
  ] as const)
    await sql`
      insert into payout_schedule (merchant_id, id, status, wallet_id, currency, request, fingerprint, rule, requested_by,
                                   next_run_at, created_at)
      values (${merchantId}, ${schedule}, 'ACTIVE', ${newId()}, 'BRL', '{}', '', '{}', ${newId()}, now(), now())`
  const deps = { sql, clock: systemClock, note: async () => {}, endSchedules }
  await archiveSandbox(deps, id)
  const rows = await sql<{ status: string }[]>`
    select status from payout_schedule where id in (${mine}, ${other}) order by id`
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['ENDED', 'ACTIVE'],
  )
})
