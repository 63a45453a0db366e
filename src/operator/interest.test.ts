// Who is an outsider of a merchant: the only one who decides about it alone, or as one of two.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Actor } from '#/people/audit-entry.ts'
import type { User } from '#/people/user.ts'
import { setOperator } from '#/people/users.ts'
import { operator as commandBy, openPeopleWorld, type PeopleWorld } from '../../test/people-world.ts'
import { linkAccount } from './accounts.ts'
import type { Operator } from './deps.ts'
import { mayActAlone, requireAlone, requireOutsider } from './interest.ts'

let world: PeopleWorld
let merchantId: MerchantId
let [member, outsider]: readonly User[] = []
before(async () => {
  world = await openPeopleWorld()
  merchantId = await world.merchant()
  member = await world.member(merchantId, 'VIEWER')
  outsider = await world.user()
  for (const { id } of [member, outsider]) await setOperator(world.deps, commandBy, id, true)
})
after(() => world[Symbol.asyncDispose]())

const as = (kind: Actor['kind'], id = ''): Operator => ({ by: { actor: { kind, id } }, name: id })
/** The reason of the refusal; undefined when there is none. */
async function reasonOf(asking: Promise<unknown>): Promise<unknown> {
  try {
    await asking
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error.extra['reason']
  }
}

test('a member decides nothing about a merchant alone, nor does an account of which nobody knows whose it is', async () => {
  const { sql } = world.deps
  const whose = async (account: string, user: User | undefined) =>
    linkAccount(sql, as('OPERATOR', 'root@office'), { account, userId: user?.id ?? assert.fail() })
  await whose('member@office', member)
  await whose('outsider@office', outsider)
  const cases: readonly (readonly [Operator, reason: string | undefined])[] = [
    [as('USER', member?.id), 'member'],
    [as('USER', outsider?.id), undefined],
    [as('OPERATOR', 'member@office'), 'member'],
    [as('OPERATOR', 'outsider@office'), undefined],
    [as('OPERATOR', 'somebody@office'), 'unknown'],
    // A part of the program is nobody's.
    [as('SYSTEM', 'reset-request'), undefined],
  ]
  const other = await world.merchant()
  for (const [operator, reason] of cases) {
    const name = JSON.stringify(operator)
    assert.equal(await mayActAlone(sql, operator, [merchantId]), reason === undefined, name)
    assert.equal(await reasonOf(requireAlone(sql, operator, [null, other, merchantId])), reason, name)
    for (const concerned of [[], [null, undefined], [other]])
      assert.equal(await mayActAlone(sql, operator, concerned), true, name)
  }
})

test('of two who decide about a merchant one is an outsider, whoever of them', async () => {
  const { sql } = world.deps
  const [of, from] = [as('USER', member?.id), as('USER', outsider?.id)]
  const decide = (requested: Operator, approves: Operator) =>
    reasonOf(requireOutsider(sql, { requested: requested.by.actor, approves }, [merchantId]))
  assert.equal(await decide(of, from), undefined)
  assert.equal(await decide(from, of), undefined)
  assert.equal(await decide(from, from), undefined)
  assert.equal(await decide(of, of), 'member')
})
