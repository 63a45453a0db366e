// Sub-accounts as their parent and the operator make and change them: who may what, and what each change leaves in the audit log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ApiKeyId, type MerchantId } from '#/kernel/id.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { issueApiKey } from './keys.ts'
import { createMerchant } from './merchant.ts'
import type { SubAccountState } from './sub-account.ts'
import {
  changeSubAccount,
  makeSubAccount,
  makeSubAccountKey,
  requireSubAccount,
  type SubAccountRequest,
} from './sub-accounts.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 4 }))

const by = { actor: { kind: 'OPERATOR', id: 'ana@office' } } as const
const mint = { pepper: Buffer.alloc(32), cell: 'a1' }
const deps = () => ({ sql, clock: systemClock, sealKey: Buffer.alloc(32), openWallets: async () => {} })

async function newParent() {
  const { merchant } = await createMerchant(deps(), { mode: 'SANDBOX', name: 'Platform' })
  return { id: merchant.id, mode: merchant.mode }
}
type Parent = Awaited<ReturnType<typeof newParent>>

const make = (parent: Parent, request: SubAccountRequest & { readonly idempotencyKey?: string }) =>
  makeSubAccount(deps(), parent, request, by)

/** The code of the refusal; undefined when it was done. */
const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

const auditOf = async (subject: string) => [
  ...(await sql`
    select action, merchant_id as "merchantId", before, after from audit_log where subject = ${subject} order by id`),
]

test('a sub-account is made once for a key, with wallets and an entry in the audit log', async () => {
  const parent = await newParent()
  const opened: MerchantId[] = []
  const openWallets = async (_tx: unknown, id: MerchantId) => void opened.push(id)
  const request = { name: 'Seller', taxId: '52998224725', idempotencyKey: 'one' }
  const { account, webhookSecret } = await makeSubAccount({ ...deps(), openWallets }, parent, request, by)
  assert.deepEqual(
    [account.parentId, account.name, account.taxId, account.reference, account.state, account.mode],
    [parent.id, 'Seller', '52998224725', null, 'PENDING', 'SANDBOX'],
  )
  assert.ok(webhookSecret !== undefined)
  assert.deepEqual(opened, [account.id])
  const again = await make(parent, request)
  assert.deepEqual([again.account.id, again.webhookSecret], [account.id, undefined])
  assert.equal(await codeOf(make(parent, { ...request, name: 'Other' })), 'idempotency_conflict')
  const { idempotencyKey: _key, ...body } = request
  assert.notEqual((await make(parent, body)).account.id, account.id)
  assert.notEqual((await make(await newParent(), request)).account.id, account.id)
  assert.deepEqual(await auditOf(`merchant:${account.id}`), [
    { action: 'sub-account.create', merchantId: parent.id, before: null, after: body },
  ])
})

test('requests with one key at one time make one', async () => {
  const parent = await newParent()
  const made = await Promise.all([1, 2, 3].map(() => make(parent, { name: 'Seller', idempotencyKey: 'k' })))
  assert.equal(new Set(made.map(({ account }) => account.id)).size, 1)
  assert.equal(made.filter(({ webhookSecret }) => webhookSecret !== undefined).length, 1)
})

test('a merchant has ten thousand sub-accounts at most, and a sub-account none', async () => {
  const parent = await newParent()
  await sql`
    with made as (
      insert into merchant (id, mode, name, webhook_secret, created_at)
      select gen_random_uuid(), 'SANDBOX', 'x', '', now() from generate_series(1, 9999) returning id)
    insert into sub_account (merchant_id, parent_id, state, created_at)
    select id, ${parent.id}, 'PENDING', now() from made`
  const codes = await Promise.all([1, 2].map(() => codeOf(make(parent, { name: 'Seller' }))))
  assert.deepEqual(
    codes.filter((code) => code !== undefined),
    ['limit_exceeded'],
  )
  const { account } = await make(await newParent(), { name: 'Seller' })
  assert.equal(await codeOf(make(account, { name: 'Seller' })), 'invalid_state')
})

const setState = (id: MerchantId, state: SubAccountState, suspendedBy: 'PARENT' | 'OPERATOR' | null = null) =>
  sql`update sub_account set state = ${state}, suspended_by = ${suspendedBy} where merchant_id = ${id}`

/** A sub-account in this state. */
async function inState(state: SubAccountState) {
  const parent = await newParent()
  const { account } = await make(parent, { name: 'Seller' })
  await setState(account.id, state)
  const change = (wish: Parameters<typeof changeSubAccount>[2], parentId?: MerchantId) =>
    changeSubAccount(sql, { id: account.id, ...given({ parentId }) }, wish, by)
  return { parent, id: account.id, change }
}

const forbidden = 'forbidden'
const final = 'invalid_state'
/** By the state before and who suspended it: what its parent and the operator get when they request each state. */
const cases: readonly (readonly [
  before: SubAccountState,
  suspendedBy: 'PARENT' | 'OPERATOR' | null,
  wish: SubAccountState,
  parent: string | undefined,
  operator: string | undefined,
])[] = [
  ['PENDING', null, 'PENDING', undefined, undefined],
  ['PENDING', null, 'ACTIVE', forbidden, undefined],
  ['PENDING', null, 'SUSPENDED', undefined, undefined],
  ['PENDING', null, 'CLOSED', undefined, undefined],
  ['ACTIVE', null, 'ACTIVE', undefined, undefined],
  ['ACTIVE', null, 'PENDING', final, final],
  ['ACTIVE', null, 'SUSPENDED', undefined, undefined],
  ['SUSPENDED', 'PARENT', 'PENDING', undefined, undefined],
  ['SUSPENDED', 'PARENT', 'ACTIVE', forbidden, undefined],
  ['SUSPENDED', 'OPERATOR', 'PENDING', forbidden, undefined],
  ['SUSPENDED', 'OPERATOR', 'SUSPENDED', undefined, undefined],
  ['SUSPENDED', 'OPERATOR', 'CLOSED', undefined, undefined],
  ['CLOSED', null, 'CLOSED', final, final],
  ['CLOSED', null, 'PENDING', final, final],
]

test('each state is followed by those of the table, as the parent or the operator requests it', async () => {
  const { parent, id, change } = await inState('PENDING')
  for (const [before, suspendedBy, wish, ofParent, ofOperator] of cases)
    for (const isParent of [true, false]) {
      await setState(id, before, suspendedBy)
      const code = await codeOf(change({ state: wish }, isParent ? parent.id : undefined))
      const what = `${isParent ? 'parent' : 'operator'}: ${before} ${suspendedBy} -> ${wish}`
      assert.equal(code, isParent ? ofParent : ofOperator, what)
      const after = await requireSubAccount(sql, parent.id, id)
      assert.equal(after.state, code === undefined ? wish : before, what)
      const decider = isParent ? 'PARENT' : 'OPERATOR'
      assert.equal(after.suspendedBy, after.state === 'SUSPENDED' ? (suspendedBy ?? decider) : null, what)
    }
})

test('a change is of the own sub-account, by each field, with its entry in the audit log', async () => {
  const { parent, id, change } = await inState('PENDING')
  const other = await newParent()
  assert.equal(await codeOf(change({ name: 'New' }, other.id)), 'not_found')
  const unknown = { id: newId<'merchant'>(), parentId: parent.id }
  assert.equal(await codeOf(changeSubAccount(sql, unknown, { name: 'New' }, by)), 'not_found')
  assert.equal(await codeOf(requireSubAccount(sql, other.id, id)), 'not_found')
  const changed = await change({ reference: 'S-1' }, parent.id)
  assert.deepEqual([changed.name, changed.reference, changed.version], ['Seller', 'S-1', 2])
  const was = { name: 'Seller', taxId: null, reference: null, state: 'PENDING' }
  assert.deepEqual((await auditOf(`merchant:${id}`)).slice(1), [
    {
      action: 'sub-account.change',
      merchantId: parent.id,
      before: was,
      after: { ...was, reference: 'S-1' },
    },
  ])
})

test('when it was activated is known from then on, and another change leaves it', async () => {
  const { id, change } = await inState('PENDING')
  assert.equal((await change({ state: 'SUSPENDED' })).activatedAt, null)
  assert.notEqual((await change({ state: 'ACTIVE' })).activatedAt, null)
  const earlier = new Date('2026-11-01T00:00:00Z')
  await sql`update sub_account set activated_at = ${earlier} where merchant_id = ${id}`
  assert.deepEqual((await change({ name: 'New', state: 'ACTIVE' })).activatedAt, earlier)
  assert.deepEqual((await change({ state: 'SUSPENDED' })).activatedAt, earlier)
})

test('one of which anything is open stays open', async () => {
  const { parent, id, change } = await inState('PENDING')
  await sql`
    insert into wallet (merchant_id, id, currency, label, wallet_type, is_default, created_at)
    values (${id}, gen_random_uuid(), 'BRL', 'x', 'SPENDABLE', true, now())`
  assert.equal(await codeOf(change({ state: 'CLOSED' })), 'invalid_state')
  assert.equal((await requireSubAccount(sql, parent.id, id)).state, 'PENDING')
})

test('a key for it has the rights and the holder of the calling key, in force, and no more', async () => {
  const { parent, id } = await inState('ACTIVE')
  const expiresAt = addMs(systemClock.now(), hourMs)
  const scopes = ['payments:read', 'wallets:read'] as const
  const issue = (merchantId: MerchantId, more = {}) =>
    issueApiKey({ ...mint, sql, clock: systemClock }, { merchantId, name: 'api', scopes, ...more })
  const calling = await issue(parent.id, { expiresAt, person: 'ana@example.com' })
  const ask = (
    keyId: ApiKeyId,
    merchant = parent,
    of = id,
    wanted: readonly (typeof scopes)[number][] = scopes,
  ) => makeSubAccountKey({ sql, mint }, { merchant, keyId, origin: by }, of, { name: 'shop', scopes: wanted })

  const { row } = await ask(calling.id)
  assert.deepEqual(
    [row.name, row.scopes, row.expiresAt, row.person, row.lineage],
    ['shop', scopes, expiresAt, 'ana@example.com', calling.id],
  )
  const after = { name: 'shop', scopes, subAccount: id }
  assert.deepEqual(await auditOf(`key:${row.id}`), [
    { action: 'key.create', merchantId: parent.id, before: null, after },
  ])

  const few = await issue(parent.id, { scopes: ['payments:read'] })
  assert.equal(await codeOf(ask(few.id)), 'forbidden')
  const [over, revoked, foreign] = [await issue(parent.id), await issue(parent.id), await issue(id)]
  await sql`update api_key set expires_at = now() - interval '1 second' where id = ${over.id}`
  await sql`update api_key set revoked_at = now() where id = ${revoked.id}`
  for (const each of [over, revoked, foreign]) assert.equal(await codeOf(ask(each.id)), 'unauthenticated')
  assert.equal(await codeOf(ask(calling.id, await newParent())), 'not_found')
  await setState(id, 'CLOSED')
  assert.equal(await codeOf(ask(calling.id)), 'invalid_state')
})
