// An operator who is a member of the merchant concerned decides nothing about it alone, whatever the amount: every act of the operator about
// a merchant is walked, from the console and from the command line, and an act that is not in the table fails.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operatorRoutes } from '#/dashboard/operator/operator-routes.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { linkAccount } from '#/operator/accounts.ts'
import type { Operator } from '#/operator/deps.ts'
import { requireOthers } from '#/operator/proposals.ts'
import { decideSuspense } from '#/operator/suspense.ts'
import { decideTerms, type TermsAct } from '#/operator/terms.ts'
import { addMember } from '#/people/members.ts'
import { actsAlone as others } from '../laws/peoples-doors.ts'
import {
  dataOf,
  makeLive,
  newMerchant,
  newStray,
  ok,
  openOperators,
  refused,
  type Row,
} from './operator-world.ts'
import { type DashboardWorld, type Person } from './world.ts'

let dashboard: DashboardWorld
let ana: Person
let bea: Person
let caio: Person
before(async () => {
  ;({ dashboard, ana, bea } = await openOperators())
  caio = await dashboard.person([], { isOperator: true })
  await dashboard.enrol(caio)
  await makeLive(dashboard)
})
after(() => dashboard.close())

const by = { actor: { kind: 'OPERATOR', id: 'root@test' } } as const

/** A merchant of which Ana is the owner, and Caio a member. */
async function anasMerchant(): Promise<MerchantId> {
  const merchantId = await newMerchant(bea)
  const join = (person: Person, role: 'OWNER' | 'VIEWER') =>
    addMember({ sql: dashboard.base.sql }, by, { merchantId, userId: person.userId, role })
  await join(ana, 'OWNER')
  await join(caio, 'VIEWER')
  return merchantId
}

type Act = {
  readonly call: (merchantId: MerchantId) => Promise<readonly [method: string, path: string, body: Row]>
  /** What the act changes, before and after it is carried out. */
  readonly seen: (merchantId: MerchantId) => Promise<unknown>
}

const reason = 'it is so'
const listOf = (what: string) => async (merchantId: MerchantId) =>
  dataOf(await ok(bea, 'GET', `merchants/${merchantId}/${what}`)).length
const destination = { type: 'PIX', destination: 'ana@example.com', keyType: 'EMAIL', reason }
const isFrozen = async (merchantId: MerchantId) => {
  const [row] = await dashboard.base.sql<{ count: number }[]>`
    select count(*)::integer as count from money_freeze where merchant_id = ${merchantId}`
  return row?.count
}
const openMoney = async () => {
  const [row] = await dashboard.base.sql<{ count: number }[]>`
    select count(*)::integer as count from unmatched where resolved_at is null`
  return row?.count
}

const acts: Readonly<Record<string, Act>> = {
  resolveSuspense: {
    call: async (merchantId) => {
      const id = await newStray(dashboard, 1n)
      return ['POST', `suspense/${id}/resolve`, { resolution: 'CREDITED', merchantId, reason }]
    },
    seen: openMoney,
  },
  setFee: {
    call: async (id) => [
      'PUT',
      `merchants/${id}/fees`,
      { method: 'PIX', currency: 'BRL', fixed: 0, ratePpm: 1, reason },
    ],
    seen: listOf('fees'),
  },
  changeWithdrawalLimits: {
    call: async (id) => [
      'PATCH',
      `merchants/${id}/limits`,
      { type: 'PIX', each: 500, day: 'none', listedOnly: true, reason },
    ],
    seen: listOf('limits'),
  },
  allowDestination: {
    call: async (id) => ['POST', `merchants/${id}/destinations`, destination],
    seen: listOf('destinations'),
  },
  removeDestination: {
    call: async (id) => {
      await ok(bea, 'POST', `merchants/${id}/destinations`, destination, 201)
      return ['POST', `merchants/${id}/destinations/remove`, destination]
    },
    seen: listOf('destinations'),
  },
  unfreezeMerchant: {
    call: async (id) => {
      await ok(ana, 'POST', `merchants/${id}/freeze`, { reason })
      return ['POST', `merchants/${id}/unfreeze`, { reason }]
    },
    seen: isFrozen,
  },
  resumeMerchant: {
    call: async (id) => {
      await ok(ana, 'POST', `merchants/${id}/suspend`, { reason })
      return ['POST', `merchants/${id}/resume`, { reason }]
    },
    seen: isFrozen,
  },
}

for (const [name, { call, seen }] of Object.entries(acts))
  test(`${name}: a member requests it, no member approves it, and an outsider does`, async () => {
    const merchantId = await anasMerchant()
    const [method, path, body] = await call(merchantId)
    const before = await seen(merchantId)
    const answer = await ana.ask(method, `/api/operator/${path}`, body)
    assert.ok(answer.status < 300, answer.text)
    const proposal = answer.body['proposal'] as Row | undefined
    assert.ok(proposal !== undefined, `${name} was carried out by a member alone: ${answer.text}`)
    assert.deepEqual(await seen(merchantId), before)
    const approve = `approvals/${String(proposal['id'])}/approve`
    assert.deepEqual(await refused(ana, approve, {}), [403, 'forbidden'])
    assert.deepEqual(await refused(caio, approve, {}), [403, 'forbidden'], 'two members are no two people')
    assert.deepEqual(await seen(merchantId), before)
    await ok(bea, 'POST', approve, {})
    assert.notDeepEqual(await seen(merchantId), before)
  })

for (const [name, { call, seen }] of Object.entries(acts))
  test(`${name}: an outsider does it alone`, async () => {
    const merchantId = await anasMerchant()
    const [method, path, body] = await call(merchantId)
    const before = await seen(merchantId)
    const answer = await bea.ask(method, `/api/operator/${path}`, body)
    assert.ok(answer.status < 300, answer.text)
    assert.equal(answer.body['proposal'], undefined)
    assert.notDeepEqual(await seen(merchantId), before)
  })

test('a sandbox without anything LIVE is its owner’s alone, whatever their address, and no longer with the first that is LIVE', async () => {
  const other = await openOperators()
  const { sql } = other.dashboard.base
  try {
    const merchantId = await newMerchant(other.bea)
    await addMember({ sql }, by, { merchantId, userId: other.ana.userId, role: 'OWNER' })
    const setFee = async () => {
      const fee = { method: 'PIX', currency: 'BRL', fixed: 0, ratePpm: 1, reason }
      return (await ok(other.ana, 'PUT', `merchants/${merchantId}/fees`, fee))['proposal']
    }
    assert.equal(await setFee(), undefined)
    const here = (isSandboxHere: boolean): Operator => ({ by, name: 'root@test', isSandboxHere })
    const act: TermsAct = { kind: 'terms.limit', change: { merchantId, type: 'PIX', eachMinor: 5n } }
    const deps = { sql, cell: 'a1' }
    assert.ok('done' in (await decideTerms(deps, here(true), act, reason)))
    // An installation without a sandbox is none, whoever its people are.
    await sql`update app_user set email = 'owner@sandbox.localhost' where id = ${other.ana.userId}`
    assert.ok('proposal' in (await decideTerms(deps, here(false), act, reason)))
    await makeLive(other.dashboard)
    assert.notEqual(await setFee(), undefined)
  } finally {
    await other.dashboard.close()
  }
})

test('at the command line an account counts as its user, and as unknown where an operator is a member', async () => {
  const { sql } = dashboard.base
  const at = (id: string): Operator => ({ by: { actor: { kind: 'OPERATOR', id } }, name: id })
  const merchantId = await anasMerchant()
  const act: TermsAct = { kind: 'terms.limit', change: { merchantId, type: 'PIX', eachMinor: 5n } }
  const deps = { sql, cell: 'a1' }
  const requested = async (operator: Operator) => {
    const decided = await decideTerms(deps, operator, act, reason)
    assert.ok('proposal' in decided, `${operator.name} decided alone`)
    return decided.proposal
  }
  const first = await requested(at('who@host'))
  await linkAccount(sql, at('root@host'), { account: 'ana@host', userId: ana.userId })
  await linkAccount(sql, at('root@host'), { account: 'ana-2@host', userId: ana.userId })
  await linkAccount(sql, at('root@host'), { account: 'bea@host', userId: bea.userId })
  await linkAccount(sql, at('root@host'), { account: 'caio@host', userId: caio.userId })
  for (const account of ['other@host', 'ana@host', 'caio@host'])
    await assert.rejects(requireOthers(sql, at(account), first.id), { code: 'forbidden' }, account)
  await requireOthers(sql, at('bea@host'), first.id)
  await sql`update operator_proposal set status = 'REFUSED', decided_kind = 'OPERATOR', decided_id = 'x', decided_name = 'x',
                   decided_at = clock_timestamp() where id = ${first.id}`
  const second = await requested(at('ana@host'))
  // Two accounts of one user are one person.
  await assert.rejects(requireOthers(sql, at('ana-2@host'), second.id), { code: 'forbidden' })
  const { lane, rails } = dashboard.base
  const stray = await newStray(dashboard, 1n)
  const all = { sql, lane, rails, hasOwnKeys: true, aloneMax: 1_000n }
  const credit = await decideSuspense(all, at('ana@host'), { id: stray, merchantId, note: reason })
  assert.equal(credit.kind, 'proposed')
  // A person who is no member, and an account of nobody where no member is an operator, decide alone.
  assert.ok('done' in (await decideTerms(deps, at('bea@host'), act, reason)))
  const alone: TermsAct = {
    kind: 'terms.limit',
    change: { merchantId: await newMerchant(bea), type: 'PIX', eachMinor: 5n },
  }
  assert.ok('done' in (await decideTerms(deps, at('who@host'), alone, undefined)))
})

test('a member of the parent decides nothing about its sub-account alone', async () => {
  const [parent, child] = [await anasMerchant(), await newMerchant(bea)]
  await dashboard.base.sql`
    insert into sub_account (merchant_id, parent_id, state, created_at) values (${child}, ${parent}, 'PENDING', now())`
  const answer = await ok(ana, 'PATCH', `merchants/${child}/limits`, { type: 'PIX', each: 5, reason })
  assert.ok(answer['proposal'] !== undefined)
  assert.deepEqual(await refused(ana, `merchants/${child}/activate`, { reason }), [403, 'forbidden'])
  assert.deepEqual(await refused(ana, `merchants/${child}/close`, { reason }), [403, 'forbidden'])
  await ok(bea, 'POST', `merchants/${child}/activate`, { reason })
  await ok(bea, 'POST', `merchants/${child}/close`, { reason })
})

test('every act of the operator that changes something is walked here, or says why not', () => {
  const changing = operatorRoutes
    .filter(({ method }) => method !== 'GET')
    .map(({ operationId }) => operationId)
  const unknown = changing.filter((id) => acts[id] === undefined && others[id] === undefined)
  assert.deepEqual(unknown, [], 'an act about a merchant asks operator/interest.ts')
  const gone = [...Object.keys(acts), ...Object.keys(others)].filter((id) => !changing.includes(id))
  assert.deepEqual(gone, [])
})
