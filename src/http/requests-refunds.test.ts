// A request for a refund: its key, in the body or in the header, an amount that the payment can still refund, and who decides about
// it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFamily } from '../../test/key-family.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { openRefundWorld, payer, stranger, type Row } from '../../test/refund-world.ts'

const world = openForTests(openRefundWorld)
const tenant = makeForTests(() => world.base.openTenant())

async function paid(minor: bigint, by = tenant) {
  const id = await world.payment(by)
  await world.arrive(by, id, { by: 'CRYPTO', minor })
  return id
}

test('the header Idempotency-Key alone does what the field does, and both have to agree', async () => {
  const id = await paid(1_000n)
  const request = (body: Row, headers = {}) =>
    world.refund(tenant, id, { amount: 300, cryptoAddress: payer, ...body }, headers)
  const first = await request({}, { 'idempotency-key': 'once' })
  assert.equal(first.status, 201, first.text)
  for (const again of [
    await request({}, { 'idempotency-key': '"once"' }),
    await request({ idempotencyKey: 'once' }),
    await request({ idempotencyKey: 'once' }, { 'idempotency-key': 'once' }),
  ]) {
    assert.deepEqual([again.status, again.body['id']], [201, first.body['id']])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  }
  const differs = await request({ idempotencyKey: 'another' }, { 'idempotency-key': 'once' })
  const [fault] = differs.body['errors'] as Row[]
  assert.deepEqual([differs.status, fault?.['pointer']], [400, '/idempotencyKey'])
  const conflict = await request({ amount: 301 }, { 'idempotency-key': 'once' })
  assert.deepEqual([conflict.status, conflict.body['code']], [409, 'idempotency_conflict'])
  // Without a key each call makes a refund.
  const [other, third] = [await request({}), await request({})]
  assert.equal(new Set([first, other, third].map(({ body }) => body['id'])).size, 3)
})

test('an amount that would take a wallet past what JSON carries exactly is refused, and the money that came stays', async () => {
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  const [first, second] = [await paid(most - 1_000_000n), await paid(5_000_000n)]
  const whole = await world.refund(tenant, first, { amount: Number(most - 1_000_000n), cryptoAddress: payer })
  assert.equal(whole.status, 201, whole.text)
  const held = 1_000_000n - 900n
  const refused = await world.refund(tenant, second, { amount: 1_000_001, cryptoAddress: payer })
  assert.deepEqual([refused.status, refused.body['code']], [422, 'limit_exceeded'])
  const [fault] = refused.body['errors'] as Row[]
  assert.deepEqual([fault?.['pointer'], fault?.['code']], ['/amount', 'too_large'])
  assert.equal(fault?.['message'], `is at most ${held} here`)
  const fits = await world.refund(tenant, second, { amount: Number(held), cryptoAddress: payer })
  assert.equal(fits.status, 201, fits.text)
  assert.deepEqual(await world.faults(), [])
})

for (const person of [undefined, 'ana@example.com'])
  test(`no key of the ${person === undefined ? 'lineage' : 'person'} that requested a refund decides about it, and a key of another person does`, async () => {
    const owner = await world.base.openTenant()
    const id = await paid(1_000n, owner)
    const { requester, family, others } = await keyFamily(world.base, world.ask, owner, person)
    for (const [other, verb] of [
      [others[0], 'approve'],
      [others[1], 'reject'],
    ] as const) {
      const body = { amount: 100, cryptoAddress: stranger }
      const made = await world.refund({ ...owner, key: requester.key }, id, body)
      assert.deepEqual([made.status, made.body['approvalRequired']], [201, true], made.text)
      for (const [who, key] of Object.entries(family))
        for (const each of ['approve', 'reject'] as const) {
          const refused = await world.act(key, each, made.body['id'])
          assert.deepEqual([refused.status, refused.body['code']], [403, 'forbidden'], who)
        }
      assert.equal((await world.act(other, verb, made.body['id'])).status, 200)
    }
  })

test('an account for money that came by another method is refused, and an account beside an address too', async () => {
  const id = await paid(1_000n)
  await world.arrive(tenant, id, { by: 'PARTNER_PAY', minor: 1_234n })
  for (const name of ['iban', 'beneficiary']) {
    const refused = await world.refund(tenant, id, { [name]: 'DE89370400440532013000' })
    assert.deepEqual([refused.status, refused.body['code']], [422, 'refund_exceeds_payment'])
    const [fault] = refused.body['errors'] as Row[]
    assert.deepEqual([fault?.['pointer'], fault?.['code']], [`/${name}`, 'not_allowed'])
    assert.match(
      String(refused.body['detail']),
      /1234 that came by PARTNER_PAY can be given back without an? /,
    )
    const both = await world.refund(tenant, id, { cryptoAddress: payer, [name]: 'DE89370400440532013000' })
    assert.deepEqual([both.status, both.body['code']], [400, 'invalid_request'])
  }
})
