// What an operator does to a merchant: what it changes, and what the audit log says about it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { operator as commandBy, openPeopleWorld } from '../../test/people-world.ts'
import { linkAccount } from './accounts.ts'
import type { Operator } from './deps.ts'
import { requireDirectory, storeIsInDirectory } from './directory.ts'
import { setFee } from './fees.ts'
import { beginFreeze, endFreeze, nameOfFrozen } from './freezes.ts'
import { addDestination, changeLimit, removeDestination } from './limits.ts'
import { addMerchant, requireMerchant, rotateSecret } from './merchants.ts'

const world = openForTests(() => openPeopleWorld())
const sql = makeForTests(() => world.deps.sql)

const named = (name: string): Operator => ({ by: { actor: { kind: 'OPERATOR', id: name } }, name })
const ana: Operator = { by: commandBy, name: commandBy.actor.id }
const reason = 'a new contract'

/** What the audit log has about a subject, the oldest first, without what it does not say. */
async function audited(subject: string): Promise<readonly object[]> {
  const rows = await world.owner<Readonly<Record<string, unknown>>[]>`
    select action, merchant_id as merchant, before, after, reason, actor_id as actor
      from audit_log where subject = ${subject} order by id`
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
}

/** The code of the refusal. */
async function codeOf(doing: Promise<unknown>): Promise<string | undefined> {
  try {
    await doing
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    return error.code
  }
}

const failing = async () => {
  throw new AppError('invalid_state', 'decided before')
}

test('a fee is set with an entry that has the rule before it, of this method and currency', async () => {
  const merchantId = await world.merchant()
  const rule = { merchantId, method: 'PIX', currency: 'BRL', fixedMinor: 50n, ratePpm: 0n } as const
  await setFee(sql, ana, { ...rule, currency: 'EUR' })
  await setFee(sql, ana, { ...rule, method: 'CARD' })
  await setFee(sql, ana, rule)
  await setFee(sql, ana, { ...rule, fixedMinor: 60n }, reason)
  // What is written beside it fails: nothing is changed.
  assert.equal(await codeOf(setFee(sql, ana, { ...rule, fixedMinor: 70n }, reason, failing)), 'invalid_state')
  const entry = { action: 'fee.set', merchant: merchantId, actor: ana.name }
  assert.deepEqual(await audited(`fee:${merchantId}/PIX/BRL`), [
    { ...entry, after: { fixedMinor: 50, ratePpm: 0 } },
    { ...entry, before: { fixedMinor: 50, ratePpm: 0 }, after: { fixedMinor: 60, ratePpm: 0 }, reason },
  ])
  const rows = await world.owner`select fixed_minor as minor from fee_rule where merchant_id = ${merchantId}`
  assert.deepEqual(
    rows.map(({ minor }) => Number(minor)).toSorted((a, b) => a - b),
    [50, 50, 60],
  )
})

test('a limit is changed with an entry that has the limits before it, and what is not given stays', async () => {
  const merchantId = await world.merchant()
  // Of another currency, and of another type.
  await world.owner`
    insert into withdrawal_limit (merchant_id, type, currency, each_minor, day_minor, approval_above_minor, listed_only)
    values (${merchantId}, 'PIX', 'EUR', 1, null, null, false), (${merchantId}, 'CRYPTO', 'BRL', 2, null, null, false)`
  await changeLimit(sql, ana, { merchantId, type: 'PIX', eachMinor: 100n })
  await changeLimit(sql, ana, { merchantId, type: 'PIX', dayMinor: 500n, listedOnly: true }, reason)
  const failed = changeLimit(sql, ana, { merchantId, type: 'PIX', eachMinor: 7n }, reason, failing)
  assert.equal(await codeOf(failed), 'invalid_state')
  const entry = { action: 'withdrawal.limit', merchant: merchantId, actor: ana.name }
  const first = { each: '100', day: null, approvalAbove: null, onePerson: false, listedOnly: false }
  assert.deepEqual(await audited(`limit:${merchantId}/PIX/BRL`), [
    { ...entry, after: first },
    { ...entry, before: first, after: { ...first, day: '500', listedOnly: true }, reason },
  ])
  const [row] = await world.owner`
    select each_minor as each, day_minor as day from withdrawal_limit
     where merchant_id = ${merchantId} and type = 'PIX' and currency = 'BRL'`
  assert.deepEqual({ ...row }, { each: 100n, day: 500n })
})

test('a destination is added and removed with an entry each, and what is not listed is not removed', async () => {
  const merchantId = await world.merchant()
  const listed = { merchantId, type: 'PIX', destination: 'loja@example.com' } as const
  const count = async () =>
    (await world.owner`select from withdrawal_destination where merchant_id = ${merchantId}`).length
  assert.equal(await codeOf(addDestination(sql, ana, listed, reason, failing)), 'invalid_state')
  assert.equal(await count(), 0)
  await addDestination(sql, ana, listed, reason)
  assert.equal(await count(), 1)
  assert.equal(await codeOf(removeDestination(sql, ana, listed, reason, failing)), 'invalid_state')
  assert.equal(await removeDestination(sql, ana, listed, reason), true)
  assert.equal(await removeDestination(sql, ana, listed, reason), false)
  assert.equal(await count(), 0)
  const entry = { merchant: merchantId, actor: ana.name, reason }
  assert.deepEqual(await audited(`destination:${merchantId}/PIX/loja@example.com`), [
    { ...entry, action: 'withdrawal.destination-add' },
    { ...entry, action: 'withdrawal.destination-remove' },
  ])
})

test('nobody says of their own account twice whose it is: another person changes it', async () => {
  const [first, second] = [await world.user(), await world.user()]
  const account = 'bea@office'
  const [bea, link] = [named(account), (userId: typeof first.id) => ({ account, userId })]
  await linkAccount(sql, bea, link(first.id))
  await linkAccount(sql, bea, link(first.id))
  assert.equal(await codeOf(linkAccount(sql, bea, link(second.id))), 'forbidden')
  await linkAccount(sql, ana, link(second.id))
  const [row] = await world.owner`select user_id as id from command_account where account = ${account}`
  assert.deepEqual({ ...row }, { id: second.id })
  const entry = { action: 'user.account', after: { account } }
  const own = { ...entry, actor: account }
  assert.deepEqual(await audited(`user:${first.id}`).then((entries) => entries.slice(1)), [
    own,
    { ...own, before: { userId: first.id } },
  ])
  assert.deepEqual(await audited(`user:${second.id}`).then((entries) => entries.slice(1)), [
    { ...entry, actor: ana.name, before: { userId: first.id } },
  ])
})

const clock = { now: () => new Date('2026-11-22T00:00:00Z') }

/** What makes merchants here, and for which it opened wallets. */
function making(change: { readonly hasOwnKeys?: boolean; readonly usesDirectory?: boolean } = {}) {
  const opened: MerchantId[] = []
  const openWallets = async (_: unknown, merchantId: MerchantId) => void opened.push(merchantId)
  const keys = { sealKey: world.deps.key, hasOwnKeys: true, usesDirectory: false }
  return { opened, deps: { sql, clock, ...keys, ...change, openWallets } }
}

test('a merchant is made with its wallets and an entry, and its name has 1 to 200 characters', async () => {
  const { opened, deps } = making()
  for (const name of ['', ' ', 'x'.repeat(201)])
    assert.equal(await codeOf(addMerchant(deps, ana, { mode: 'LIVE', name })), 'invalid_request', name)
  const id = newId<'merchant'>()
  const { merchant } = await addMerchant(deps, ana, { mode: 'LIVE', name: ` ${'x'.repeat(200)}`, reason, id })
  assert.deepEqual([merchant.id, opened], [id, [id]])
  const made = await addMerchant(deps, ana, { mode: 'SANDBOX', name: 'x' })
  assert.equal((await requireMerchant(sql, made.merchant.id)).name, 'x')
  const entry = { action: 'merchant.create', actor: ana.name }
  assert.deepEqual(await audited(`merchant:${id}`), [
    { ...entry, merchant: id, after: { mode: 'LIVE', name: 'x'.repeat(200) }, reason },
  ])
  assert.deepEqual(await audited(`merchant:${made.merchant.id}`), [
    { ...entry, merchant: made.merchant.id, after: { mode: 'SANDBOX', name: 'x' } },
  ])
})

test('a live merchant needs own keys and the directory, a sandbox neither', async () => {
  const make = (change: Parameters<typeof making>[0], mode: 'LIVE' | 'SANDBOX') =>
    codeOf(addMerchant(making(change).deps, ana, { mode, name: 'x' }))
  assert.equal(await make({ hasOwnKeys: false }, 'LIVE'), 'invalid_state')
  assert.equal(await make({ hasOwnKeys: false }, 'SANDBOX'), undefined)
  await storeIsInDirectory(sql, true)
  assert.equal(await make({}, 'LIVE'), 'directory_needed')
  assert.equal(await make({ usesDirectory: true }, 'LIVE'), undefined)
  assert.equal(await make({}, 'SANDBOX'), undefined)
  await storeIsInDirectory(sql, false)
  assert.equal(await codeOf(requireDirectory({ sql, usesDirectory: false }, 'LIVE')), undefined)
})

test('a new webhook secret has an entry, and one of a live merchant needs own keys', async () => {
  const { deps } = making()
  const { merchant, webhookSecret } = await addMerchant(deps, ana, { mode: 'LIVE', name: 'x' })
  const rotate = (hasOwnKeys = true, id = merchant.id) => rotateSecret({ ...deps, hasOwnKeys }, ana, id)
  assert.equal(await codeOf(rotate(false)), 'invalid_state')
  assert.equal(await codeOf(rotate(true, newId<'merchant'>())), 'not_found')
  assert.notDeepEqual(await rotate(), webhookSecret)
  assert.deepEqual((await audited(`merchant:${merchant.id}`)).slice(1), [
    { action: 'merchant.rotate-webhook-secret', merchant: merchant.id, actor: ana.name },
  ])
})

test('a freeze begins and ends once, with an entry each, and says whether another one still holds the money', async () => {
  const deps = { sql, cell: 'here' }
  const merchantId = await world.merchant()
  const freeze = { kind: 'FREEZE', merchantId, rail: null } as const
  const suspension = { ...freeze, kind: 'SUSPENSION' } as const
  const begin = (subject: typeof freeze | typeof suspension) => beginFreeze(deps, ana, subject, reason)
  assert.deepEqual(await begin(freeze), { isNew: true, isEffective: true })
  assert.deepEqual(await begin(freeze), { isNew: false, isEffective: true })
  await begin(suspension)
  assert.equal(await codeOf(endFreeze(deps, ana, freeze, reason, failing)), 'invalid_state')
  assert.deepEqual(await endFreeze(deps, ana, freeze, 'found'), { isStillFrozen: true })
  assert.equal(await endFreeze(deps, ana, freeze, 'found'), undefined)
  assert.deepEqual(await endFreeze(deps, ana, suspension, 'found'), { isStillFrozen: false })
  const entries = await audited(`merchant:${merchantId}`)
  assert.deepEqual(
    entries.map((entry) => ('action' in entry && 'reason' in entry ? [entry.action, entry.reason] : [])),
    [
      ['money.freeze', reason],
      ['merchant.suspend', reason],
      ['money.unfreeze', 'found'],
      ['merchant.resume', 'found'],
    ],
  )
})

test('what is frozen is named by the merchant, the method, or the whole cell', () => {
  const merchantId = newId<'merchant'>()
  assert.equal(nameOfFrozen('here', { merchantId, rail: null }), `merchant:${merchantId}`)
  assert.equal(nameOfFrozen('here', { merchantId: null, rail: 'PIX' }), 'rail:PIX')
  assert.equal(nameOfFrozen('here', { merchantId: null, rail: null }), 'cell:here')
})
