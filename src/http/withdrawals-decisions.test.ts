// Who decides on a withdrawal before it is sent, and which limits an operator sets.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { insertDestination } from '#/money-out/queries.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { codeOf, done, openWorld, refused } from '../../test/withdrawal-world.ts'

const world = openForTests(openWorld)

describe('before anything was sent', () => {
  test('the merchant cancels it, any number of times; after it was sent it cannot be canceled', async () => {
    const tenant = await world.funded()
    const [first, second] = [(await world.create(tenant)).body['id'], (await world.create(tenant)).body['id']]
    for (let i = 0; i < 2; i++) {
      const { status, body } = await world.act(tenant, 'cancel', first)
      assert.deepEqual([status, body['status']], [200, 'CANCELED'])
    }
    assert.deepEqual(await world.eventsOf(tenant, first), ['withdrawal.created', 'withdrawal.canceled'])
    const due = await world.base
      .sql`select withdrawal_id from withdrawal_due where merchant_id = ${tenant.id}`
    assert.deepEqual([...due], [{ withdrawal_id: second }])
    await world.work(done)
    assert.equal((await world.read(tenant, first))['status'], 'CANCELED')
    const late = await world.act(tenant, 'cancel', second)
    assert.deepEqual([...codeOf(late), late.body['withdrawalStatus']], [409, 'invalid_state', 'COMPLETED'])
    assert.deepEqual(await world.balanceOf(tenant), { balance: 900, held: 0 })
    assert.equal((await world.act(tenant, 'cancel', newId())).status, 404)
  })

  test('a second person decides on what is over the threshold, and never with the key that requested it', async () => {
    const tenant = await world.funded()
    await world.limit(tenant, { approvalAboveMinor: 100n })
    assert.equal((await world.create(tenant, { amount: 100 })).body['status'], 'PENDING')
    const { body } = await world.create(tenant, { amount: 101 })
    assert.equal(body['status'], 'PENDING_APPROVAL')
    assert.deepEqual(await world.eventsOf(tenant, body['id']), [
      'withdrawal.created',
      'withdrawal.approval_required',
    ])
    await world.work(done)
    assert.equal((await world.read(tenant, body['id']))['status'], 'PENDING_APPROVAL')
    for (const verb of ['approve', 'reject'] as const)
      assert.deepEqual(codeOf(await world.act(tenant, verb, body['id'])), [403, 'forbidden'])
    const writer = await world.base.issue(tenant.id, ['withdrawals:write'])
    assert.equal((await world.act(writer, 'approve', body['id'])).status, 403)
    const approver = await world.base.issue(tenant.id, ['withdrawals:approve'])
    for (let i = 0; i < 2; i++) {
      const approved = await world.act(approver, 'approve', body['id'])
      assert.deepEqual([approved.status, approved.body['status']], [200, 'PENDING'])
    }
    await world.work(done)
    assert.equal((await world.read(tenant, body['id']))['status'], 'COMPLETED')
    assert.deepEqual(codeOf(await world.act(approver, 'reject', body['id'])), [409, 'invalid_state'])
  })

  test('a rotation of the requesting key may not decide either, nor the requesting key on a request of its rotation', async () => {
    const tenant = await world.funded()
    await world.limit(tenant, { approvalAboveMinor: 0n })
    const rotated = await world.base.rotate(tenant.id, tenant.keyId)
    const twice = await world.base.rotate(tenant.id, rotated.id)
    const other = await world.base.issue(tenant.id, ['withdrawals:approve'])
    const rotatedOther = await world.base.rotate(tenant.id, other.id)
    const requested = [(await world.create(tenant)).body['id'], (await world.create(twice)).body['id']]
    for (const id of requested) {
      for (const requester of [tenant, rotated, twice])
        for (const verb of ['approve', 'reject'] as const)
          assert.deepEqual(codeOf(await world.act(requester, verb, id)), [403, 'forbidden'])
      assert.equal((await world.act(rotatedOther, 'approve', id)).status, 200)
    }
  })

  test('a second person rejects it, and everything is in the wallet again', async () => {
    const tenant = await world.funded()
    await world.limit(tenant, { approvalAboveMinor: 0n })
    const { body } = await world.create(tenant)
    const approver = await world.base.issue(tenant.id, ['withdrawals:approve'])
    for (let i = 0; i < 2; i++) {
      const rejected = await world.act(approver, 'reject', body['id'])
      assert.deepEqual([rejected.status, rejected.body['status']], [200, 'CANCELED'])
    }
    assert.deepEqual(codeOf(await world.act(approver, 'approve', body['id'])), [409, 'invalid_state'])
    assert.deepEqual(await world.balanceOf(tenant), { balance: 1000, held: 0 })
    // A withdrawal that needs no approval cannot be rejected.
    await world.limit(tenant, {})
    const free = await world.create(tenant)
    assert.deepEqual(codeOf(await world.act(approver, 'reject', free.body['id'])), [409, 'invalid_state'])
  })
})

describe('limits', () => {
  test('of one withdrawal and of one day say how much is left; what did not leave counts no more', async () => {
    const tenant = await world.funded()
    await world.limit(tenant, { eachMinor: 300n, dayMinor: 500n })
    const each = await world.create(tenant, { amount: 301 })
    assert.deepEqual([...codeOf(each), each.body['left']], [422, 'limit_exceeded', 300])
    const first = await world.create(tenant, { amount: 300 })
    const over = await world.create(tenant, { amount: 201 })
    assert.deepEqual(
      [...codeOf(over), over.body['limit'], over.body['left']],
      [422, 'limit_exceeded', 500, 200],
    )
    await world.act(tenant, 'cancel', first.body['id'])
    assert.equal((await world.create(tenant, { amount: 300 })).status, 201)
    await world.work(refused)
    assert.equal((await world.create(tenant, { amount: 300 })).status, 201)
    assert.equal((await world.create(tenant, { amount: 200 })).status, 201)
    assert.equal((await world.create(tenant, { amount: 1 })).status, 422)
  })

  test('that are set at noon include the morning', async () => {
    const tenant = await world.funded()
    assert.equal((await world.create(tenant, { amount: 400 })).status, 201)
    await world.limit(tenant, { dayMinor: 500n })
    assert.equal((await world.create(tenant, { amount: 101 })).status, 422)
    assert.equal((await world.create(tenant, { amount: 100 })).status, 201)
  })

  test('of destinations match a key in every spelling', async () => {
    const tenant = await world.funded()
    await world.limit(tenant, { listedOnly: true })
    const refusal = await world.create(tenant, { pixKey: 'ana@example.com' })
    assert.deepEqual(codeOf(refusal), [422, 'destination_not_allowed'])
    await insertDestination(world.base.sql, {
      merchantId: tenant.id,
      type: 'PIX',
      destination: 'ana@example.com',
      note: null,
    })
    assert.equal((await world.create(tenant, { pixKey: ' Ana@Example.COM' })).status, 201)
    assert.equal((await world.create(tenant, { pixKey: 'bob@example.com' })).status, 422)
  })
})
