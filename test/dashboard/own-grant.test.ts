// One person with a seat at a sub-account and at its parent gives a transfer grant and takes by it: one person is no consent. The books are
// read a second time for it, because a transfer keeps who asked for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '#/audit/verify.ts'
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { activateSubAccount } from '#/operator/merchants.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import type { Answer, Tenant } from '../contract/world.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { openDashboardWorld, type Person } from './world.ts'

const world = openForTests(openDashboardWorld)
const api = makeForTests(() => world.base.openApi())
const owner = openForTests(() => connect(world.base.ownerUrl, { max: 1 }))

async function openFamily() {
  const parent = await world.base.openTenant()
  const made = await api.ask('POST', '/v1/sub-accounts', { key: parent.key, body: { name: 'Bea' } })
  const sub = made.body['id'] as MerchantId
  const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana@test' } }, name: 'ana' } as const
  await activateSubAccount(world.base.sql, operator, sub, 'papers seen')
  await world.base.fund({ id: sub, mode: 'SANDBOX' }, 5_000n)
  const [wallet] = await world.base.sql.begin((tx) =>
    selectDefaultWallets(tx, [{ merchantId: parent.id, currency: 'BRL' }]),
  )
  const take = { fromSubAccountId: sub, toWalletId: must(wallet, 'it has one').id, amount: 10 }
  // Owner of the parent, with a seat at its sub-account.
  const both = await world.person([
    { merchantId: parent.id, role: 'OWNER' },
    { merchantId: sub, role: 'OWNER' },
  ])
  const ofParent = await world.person([{ merchantId: parent.id, role: 'OWNER' }])
  return { parent, sub, take, both, ofParent }
}

async function give(by: Person, sub: MerchantId): Promise<void> {
  const answer = await by.ask('POST', `/api/m/${sub}/transfer-grants`, { currency: 'BRL', maxAmount: 1_000 })
  assert.equal(answer.status, 201, answer.text)
}

async function keyOf(by: Person, { id }: Tenant): Promise<string> {
  const made = await by.ask('POST', `/api/m/${id}/keys`, {
    name: 'shop',
    scopes: ['wallets:write', 'keys:write'],
  })
  assert.equal(made.status, 201, made.text)
  return String(made.body['key'])
}

const refusal = ({ status, body }: Answer) => [status, body['code'], body['reason']]

test('who gave the grant by a seat of the sub-account takes by no seat and no key of the parent; another person does', async () => {
  const { parent, sub, take, both, ofParent } = await openFamily()
  await give(both, sub)
  const own = [403, 'forbidden', 'own_request']
  assert.deepEqual(refusal(await both.ask('POST', `/api/m/${parent.id}/transfers`, take)), own)
  const key = await keyOf(both, parent)
  assert.deepEqual(refusal(await api.ask('POST', '/v1/transfers', { key, body: take })), own)
  // A key that this key made is the same person's.
  const next = await api.ask('POST', '/v1/keys', { key, body: { name: 'next', scopes: ['wallets:write'] } })
  assert.equal(next.status, 201, next.text)
  const grown = String(next.body['key'])
  assert.deepEqual(refusal(await api.ask('POST', '/v1/transfers', { key: grown, body: take })), own)
  const taken = await ofParent.ask('POST', `/api/m/${parent.id}/transfers`, take)
  assert.equal(taken.status, 201, taken.text)
})

test('verify names a transfer that was taken by the person who gave the grant, by their seat or by their key', async () => {
  const { parent, sub, take, both, ofParent } = await openFamily()
  await give(both, sub)
  const key = await keyOf(both, parent)
  const taken = await ofParent.ask('POST', `/api/m/${parent.id}/transfers`, take)
  assert.equal(taken.status, 201, taken.text)
  const id = String(taken.body['id'])
  const { sql, auditKey } = world.base
  const found = async () =>
    (await verify(sql, { cell: 'a1', auditKey, only: ['settlement'] })).faults
      .filter(({ row }) => row === `own transfer ${id}`)
      .map(({ what }) => what)
  assert.deepEqual(await found(), [])
  const [kept] = await sql<{ by: string }[]>`
    select requested_by as by from own_transfer where id = ${id} and not is_mirror`
  // Their key at the parent, their seat there, and the seat by which they gave it.
  const theirs = await sql<{ id: string; what: string }[]>`
    select id, name as what from api_key
     where (merchant_id = ${parent.id} and (member = ${both.userId} or name = 'shop'))
        or id = (select given_by from transfer_grant where merchant_id = ${sub})`
  assert.ok(theirs.length >= 2 && key !== '', JSON.stringify(theirs))
  const tamper = async (by: string) =>
    owner.unsafe(`
      begin; alter table own_transfer disable trigger user;
      update own_transfer set requested_by = '${by}' where id = '${id}' and not is_mirror;
      alter table own_transfer enable trigger user; commit`)
  for (const each of theirs) {
    await tamper(each.id)
    assert.deepEqual(await found(), ['was taken by the person who gave the grant'], each.what)
  }
  await tamper(String(kept?.by))
  assert.deepEqual(await found(), [])
})
