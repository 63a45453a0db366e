// Who decides on a withdrawal before it is sent, and which limits an operator sets.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { insertDestination } from '#/money-out/queries.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { codeOf, done, openDesk, refused } from '../../test/withdrawal-desk.ts'

const desk = openForTests(openDesk)

describe('before anything was sent', () => {
  test('the merchant cancels it, any number of times; after it was sent it cannot be canceled', async () => {
    const tenant = await desk.funded()
    const [first, second] = [(await desk.create(tenant)).body['id'], (await desk.create(tenant)).body['id']]
    for (let i = 0; i < 2; i++) {
      const { status, body } = await desk.act(tenant, 'cancel', first)
      assert.deepEqual([status, body['status']], [200, 'CANCELED'])
    }
    assert.deepEqual(await desk.eventsOf(tenant, first), ['withdrawal.created', 'withdrawal.canceled'])
    const due = await desk.site.sql`select withdrawal_id from withdrawal_due where merchant_id = ${tenant.id}`
    assert.deepEqual([...due], [{ withdrawal_id: second }])
    await desk.work(done)
    assert.equal((await desk.read(tenant, first))['status'], 'CANCELED')
    const late = await desk.act(tenant, 'cancel', second)
    assert.deepEqual([...codeOf(late), late.body['withdrawalStatus']], [409, 'invalid_state', 'COMPLETED'])
    assert.deepEqual(await desk.balanceOf(tenant), { balance: 900, held: 0 })
    assert.equal((await desk.act(tenant, 'cancel', newId())).status, 404)
  })

  test('a second person decides on what is over the threshold, and never with the key that requested it', async () => {
    const tenant = await desk.funded()
    await desk.limit(tenant, { approvalAboveMinor: 100n })
    assert.equal((await desk.create(tenant, { amount: 100 })).body['status'], 'PENDING')
    const { body } = await desk.create(tenant, { amount: 101 })
    assert.equal(body['status'], 'PENDING_APPROVAL')
    assert.deepEqual(await desk.eventsOf(tenant, body['id']), [
      'withdrawal.created',
      'withdrawal.approval_required',
    ])
    await desk.work(done)
    assert.equal((await desk.read(tenant, body['id']))['status'], 'PENDING_APPROVAL')
    for (const verb of ['approve', 'reject'] as const)
      assert.deepEqual(codeOf(await desk.act(tenant, verb, body['id'])), [403, 'forbidden'])
    const writer = await desk.site.issue(tenant.id, ['withdrawals:write'])
    assert.equal((await desk.act(writer, 'approve', body['id'])).status, 403)
    const approver = await desk.site.issue(tenant.id, ['withdrawals:approve'])
    for (let i = 0; i < 2; i++) {
      const approved = await desk.act(approver, 'approve', body['id'])
      assert.deepEqual([approved.status, approved.body['status']], [200, 'PENDING'])
    }
    await desk.work(done)
    assert.equal((await desk.read(tenant, body['id']))['status'], 'COMPLETED')
    assert.deepEqual(codeOf(await desk.act(approver, 'reject', body['id'])), [409, 'invalid_state'])
  })

  test('a rotation of the requesting key may not decide either, nor the requesting key on a request of its rotation', async () => {
    const tenant = await desk.funded()
    await desk.limit(tenant, { approvalAboveMinor: 0n })
    const rotated = await desk.site.rotate(tenant.id, tenant.keyId)
    const twice = await desk.site.rotate(tenant.id, rotated.id)
    const other = await desk.site.issue(tenant.id, ['withdrawals:approve'])
    const rotatedOther = await desk.site.rotate(tenant.id, other.id)
    const requested = [(await desk.create(tenant)).body['id'], (await desk.create(twice)).body['id']]
    for (const id of requested) {
      for (const requester of [tenant, rotated, twice])
        for (const verb of ['approve', 'reject'] as const)
          assert.deepEqual(codeOf(await desk.act(requester, verb, id)), [403, 'forbidden'])
      assert.equal((await desk.act(rotatedOther, 'approve', id)).status, 200)
    }
  })

  test('a second person rejects it, and everything is in the wallet again', async () => {
    const tenant = await desk.funded()
    await desk.limit(tenant, { approvalAboveMinor: 0n })
    const { body } = await desk.create(tenant)
    const approver = await desk.site.issue(tenant.id, ['withdrawals:approve'])
    for (let i = 0; i < 2; i++) {
      const rejected = await desk.act(approver, 'reject', body['id'])
      assert.deepEqual([rejected.status, rejected.body['status']], [200, 'CANCELED'])
    }
    assert.deepEqual(codeOf(await desk.act(approver, 'approve', body['id'])), [409, 'invalid_state'])
    assert.deepEqual(await desk.balanceOf(tenant), { balance: 1000, held: 0 })
    // A withdrawal that needs no approval cannot be rejected.
    await desk.limit(tenant, {})
    const free = await desk.create(tenant)
    assert.deepEqual(codeOf(await desk.act(approver, 'reject', free.body['id'])), [409, 'invalid_state'])
  })
})

describe('limits', () => {
  test('of one withdrawal and of one day say how much is left; what did not leave counts no more', async () => {
    const tenant = await desk.funded()
    await desk.limit(tenant, { eachMinor: 300n, dayMinor: 500n })
    const each = await desk.create(tenant, { amount: 301 })
    assert.deepEqual([...codeOf(each), each.body['left']], [422, 'limit_exceeded', 300])
    const first = await desk.create(tenant, { amount: 300 })
    const over = await desk.create(tenant, { amount: 201 })
    assert.deepEqual(
      [...codeOf(over), over.body['limit'], over.body['left']],
      [422, 'limit_exceeded', 500, 200],
    )
    await desk.act(tenant, 'cancel', first.body['id'])
    assert.equal((await desk.create(tenant, { amount: 300 })).status, 201)
    await desk.work(refused)
    assert.equal((await desk.create(tenant, { amount: 300 })).status, 201)
    assert.equal((await desk.create(tenant, { amount: 200 })).status, 201)
    assert.equal((await desk.create(tenant, { amount: 1 })).status, 422)
  })

  test('that are set at noon include the morning', async () => {
    const tenant = await desk.funded()
    assert.equal((await desk.create(tenant, { amount: 400 })).status, 201)
    await desk.limit(tenant, { dayMinor: 500n })
    assert.equal((await desk.create(tenant, { amount: 101 })).status, 422)
    assert.equal((await desk.create(tenant, { amount: 100 })).status, 201)
  })

  test('of destinations match a key in every spelling', async () => {
    const tenant = await desk.funded()
    await desk.limit(tenant, { listedOnly: true })
    const refusal = await desk.create(tenant, { pixKey: 'ana@example.com' })
    assert.deepEqual(codeOf(refusal), [422, 'destination_not_allowed'])
    await insertDestination(desk.site.sql, {
      merchantId: tenant.id,
      type: 'PIX',
      destination: 'ana@example.com',
      note: null,
    })
    assert.equal((await desk.create(tenant, { pixKey: ' Ana@Example.COM' })).status, 201)
    assert.equal((await desk.create(tenant, { pixKey: 'bob@example.com' })).status, 422)
  })
})
