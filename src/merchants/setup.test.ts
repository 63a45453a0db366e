// What the setup list says is done: from records, one step after another, by role, and until it is put away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { permissionsOf, type Role } from '#/people/roles.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { operator, openPeopleWorld } from '../../test/people-world.ts'
import { issueApiKey } from './keys.ts'
import { seatOf } from './member-keys.ts'
import { hideSetup, setupOf, setupSteps } from './setup.ts'

const world = openForTests(() => openPeopleWorld())

const stepsOf = (merchantId: MerchantId, role: Role = 'OWNER', isSubAccount = false) =>
  setupOf(world.deps.sql, merchantId, { permissions: new Set(permissionsOf(role)), isSubAccount })

async function done(merchantId: MerchantId): Promise<readonly string[]> {
  return (await stepsOf(merchantId)).steps.filter(({ isDone }) => isDone).map(({ step }) => step)
}

const issue = (merchantId: MerchantId) =>
  issueApiKey(
    { sql: world.deps.sql, clock: systemClock, pepper: Buffer.alloc(32), cell: 'a1' },
    { merchantId, name: 'api', scopes: ['payments:read'] },
  )

test('a step is done when its record is there, and is not any more when the record has ended', async () => {
  const id = await world.merchant()
  const owner = await world.member(id, 'OWNER')
  await world.merchant()
  assert.deepEqual(await done(id), [])

  // The seat of a member is a key of nobody's program.
  const permissions = new Set(permissionsOf('OWNER'))
  await seatOf(world.deps.sql, { merchantId: id, userId: owner.id, email: owner.email, permissions })
  assert.deepEqual(await done(id), [])
  const key = await issue(id)
  assert.deepEqual(await done(id), ['KEY'])
  await world.owner`update api_key set expires_at = clock_timestamp() - interval '1 second' where id = ${key.id}`
  assert.deepEqual(await done(id), [])
  await world.owner`update api_key set expires_at = null, revoked_at = clock_timestamp() where id = ${key.id}`
  assert.deepEqual(await done(id), [])

  // What every merchant has from the start is no checkout of its own, and neither is one that is switched off.
  await world.owner`
    insert into template (merchant_id, slug, is_active, revision, created_at, changed_at)
    values (${id}, 'default', true, 0, now(), now()), (${id}, 'shop', false, 1, now(), now())`
  assert.deepEqual(await done(id), [])
  await world.owner`update template set is_active = true where merchant_id = ${id}`
  assert.deepEqual(await done(id), ['CHECKOUT'])

  // A limit alone chooses nobody who approves; the choice of one person is one.
  await world.owner`
    insert into withdrawal_limit (merchant_id, type, currency, day_minor) values (${id}, 'PIX', 'BRL', 100)`
  assert.deepEqual(await done(id), ['CHECKOUT'])
  await world.owner`update withdrawal_limit set one_person = true where merchant_id = ${id}`
  assert.deepEqual(await done(id), ['CHECKOUT', 'APPROVAL'])
  await world.owner`
    update withdrawal_limit set one_person = false, approval_above_minor = 0 where merchant_id = ${id}`
  assert.deepEqual(await done(id), ['CHECKOUT', 'APPROVAL'])

  await world.owner`
    insert into webhook_endpoint (merchant_id, id, url, event_types_since, status, secret, created_at)
    values (${id}, ${newId()}, 'https://shop.example', now(), 'ENABLED', ${Buffer.alloc(1)}, now())`
  assert.deepEqual(await done(id), ['CHECKOUT', 'ENDPOINT', 'APPROVAL'])
  await world.owner`update webhook_endpoint set status = 'DELETED', deleted_at = now() where merchant_id = ${id}`
  assert.deepEqual(await done(id), ['CHECKOUT', 'APPROVAL'])

  await world.member(id, 'VIEWER')
  assert.deepEqual(await done(id), ['CHECKOUT', 'APPROVAL', 'TEAM'])
})

test('each role has the steps that it can do, and a sub-account does not choose who pays out', async () => {
  const id = await world.merchant()
  const namesOf = async (role: Role, isSubAccount = false) =>
    (await stepsOf(id, role, isSubAccount)).steps.map(({ step }) => step)
  assert.deepEqual(await namesOf('OWNER'), [...setupSteps])
  assert.deepEqual(await namesOf('ADMIN'), [...setupSteps])
  assert.deepEqual(await namesOf('DEVELOPER'), ['CHECKOUT', 'PAYMENT', 'KEY', 'ENDPOINT'])
  assert.deepEqual(await namesOf('FINANCE'), ['PAYMENT', 'APPROVAL'])
  assert.deepEqual(await namesOf('SUPPORT'), ['PAYMENT'])
  assert.deepEqual(await namesOf('VIEWER'), [])
  assert.deepEqual(
    await namesOf('OWNER', true),
    setupSteps.filter((step) => step !== 'APPROVAL'),
  )
})

test('whoever puts the list away does it for the merchant, once, with an entry of the audit log', async () => {
  const [id, other] = [await world.merchant(), await world.merchant()]
  const hide = (isHidden: boolean) => hideSetup(world.deps.sql, id, isHidden, operator)
  assert.equal((await stepsOf(id)).isHidden, false)
  await Promise.all([hide(true), hide(true)])
  assert.equal((await stepsOf(id, 'DEVELOPER')).isHidden, true)
  assert.equal((await stepsOf(other)).isHidden, false)
  await hide(false)
  assert.equal((await stepsOf(id)).isHidden, false)
  const entries = await world.owner`
    select action, merchant_id as "merchantId", before, after from audit_log where subject = ${`merchant:${id}`} order by id`
  assert.deepEqual(
    entries.map((each) => ({ ...each })),
    [
      { action: 'setup.hide', merchantId: id, before: { isHidden: false }, after: { isHidden: true } },
      { action: 'setup.hide', merchantId: id, before: { isHidden: true }, after: { isHidden: false } },
    ],
  )
})
