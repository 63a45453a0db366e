// What one person requests about a merchant's terms, who may approve it, and what happens then.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { User } from '#/people/user.ts'
import { setOperator } from '#/people/users.ts'
import { partly } from '../../test/partly.ts'
import { operator as commandBy, openPeopleWorld, type PeopleWorld } from '../../test/people-world.ts'
import { approveProposal, type ApproveDeps } from './approve.ts'
import type { Operator } from './deps.ts'
import { activateSubAccount } from './merchants.ts'
import type { Proposal } from './proposal-queries.ts'
import { refuseProposal } from './proposals.ts'
import { decideTerms, type TermsAct } from './terms.ts'

let world: PeopleWorld
let merchantId: MerchantId
let [member, otherMember, outsider]: readonly Operator[] = []
before(async () => {
  world = await openPeopleWorld()
  merchantId = await world.merchant()
  const users: readonly User[] = [
    await world.member(merchantId, 'OWNER'),
    await world.member(merchantId, 'VIEWER'),
    await world.user(),
  ]
  for (const { id } of users) await setOperator(world.deps, commandBy, id, true)
  const operators = users.map(({ id, email }): Operator => ({
    by: { actor: { kind: 'USER', id } },
    name: email,
  }))
  ;[member, otherMember, outsider] = operators
})
after(() => world[Symbol.asyncDispose]())

const reason = 'a new contract'
const known = (operator: Operator | undefined) => operator ?? assert.fail('the operator is set up')
const terms = () => ({ sql: world.deps.sql, cell: 'a1' })

/** Requested by a member, who may not do it alone. */
async function requested(act: TermsAct): Promise<Proposal> {
  const decided = await decideTerms(terms(), known(member), act, reason)
  assert.ok('proposal' in decided)
  return decided.proposal
}
const approve = (operator: Operator | undefined, { id }: Proposal) =>
  approveProposal(partly<ApproveDeps>(terms()), known(operator), id)

/** The actions about a subject in the audit log, the oldest first. */
async function actionsOf({ subject }: Proposal): Promise<readonly string[]> {
  const rows = await world.owner<{ action: string }[]>`
    select action from audit_log where subject = ${subject} order by id`
  return rows.map(({ action }) => action)
}

/** The code and the reason of the refusal. */
async function refusalOf(doing: Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await doing
    return []
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    return [error.code, error.extra['reason']]
  }
}

test('terms that a member requests are in force when an outsider has approved them', async () => {
  const listed = { merchantId, type: 'PIX', destination: 'ana@example.com' } as const
  const rule = { merchantId, method: 'PIX', currency: 'BRL', fixedMinor: 7n, ratePpm: 15_000n } as const
  const acts: readonly (readonly [TermsAct, table: string, expected: readonly object[]])[] = [
    [
      { kind: 'terms.limit', change: { merchantId, type: 'PIX', eachMinor: 100n, dayMinor: null } },
      'select each_minor, day_minor from withdrawal_limit',
      [{ each_minor: 100n, day_minor: null }],
    ],
    [
      { kind: 'terms.destination-add', listed },
      'select destination from withdrawal_destination',
      [{ destination: 'ana@example.com' }],
    ],
    [
      { kind: 'terms.fee', rule },
      'select fixed_minor, rate_ppm from fee_rule',
      [{ fixed_minor: 7n, rate_ppm: 15_000n }],
    ],
    [{ kind: 'terms.destination-remove', listed }, 'select 1 from withdrawal_destination', []],
  ]
  const stored = async (statement: string) => [...(await world.owner.unsafe(statement))]
  for (const [act, statement, expected] of acts) {
    const earlier = await stored(statement)
    const proposal = await requested(act)
    assert.deepEqual(await stored(statement), earlier, act.kind)
    assert.deepEqual((await actionsOf(proposal)).at(-1), 'terms.propose')
    await approve(outsider, proposal)
    assert.deepEqual(await stored(statement), expected, act.kind)
    assert.deepEqual(await refusalOf(approve(outsider, proposal)), ['invalid_state', undefined])
  }
})

test('nobody approves what they requested, two members do not decide together, and a request ends when it is refused', async () => {
  const proposal = await requested({
    kind: 'terms.limit',
    change: { merchantId, type: 'SEPA', eachMinor: 100n },
  })
  assert.deepEqual(await refusalOf(approve(member, proposal)), ['forbidden', 'own_request'])
  assert.deepEqual(await refusalOf(approve(otherMember, proposal)), ['forbidden', 'member'])
  const command: Operator = { by: commandBy, name: commandBy.actor.id }
  assert.deepEqual(await refusalOf(approve(command, proposal)), ['invalid_state', undefined])
  const refuse = () => refuseProposal(world.deps.sql, known(member), proposal.id, 'not any more')
  await refuse()
  assert.deepEqual(await actionsOf(proposal), ['terms.propose', 'terms.refuse'])
  assert.deepEqual(await refusalOf(refuse()), ['invalid_state', undefined])
  assert.deepEqual(await refusalOf(approve(outsider, proposal)), ['invalid_state', undefined])
})

test('no member lets their own merchant withdraw', async () => {
  const activate = (operator: Operator | undefined) =>
    refusalOf(activateSubAccount(world.deps.sql, known(operator), merchantId, reason))
  assert.deepEqual(await activate(member), ['forbidden', 'member'])
  // Whoever may hears that it is no sub-account.
  assert.deepEqual(await activate(outsider), ['not_found', undefined])
})
