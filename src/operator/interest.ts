// Whoever is a member of a merchant decides nothing about its money or terms alone, whatever the amount: a second person does, who is no
// member. The one place that says so; every act of the operator that concerns a merchant asks here, from the console and the command line.
import type { Sql, Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { personActing, type Acting, isOnePerson, personFrom, type Person } from '#/people/person.ts'
import type { Operator } from './deps.ts'
import { selectMembersOf, type MemberMarks } from './interest-queries.ts'
import { isSandboxAsWhole } from './live-queries.ts'

/** An operator, or who requested something, as this rule knows them. */
type Decider = { readonly actor: Acting; readonly isSandboxHere?: boolean | undefined }

function deciderOf({ by: { actor }, isSandboxHere }: Operator): Decider {
  return { actor, isSandboxHere }
}

/** How an operator stands to the merchants that an act concerns. */
type Standing =
  /** No member of any of them. */
  | 'outsider'
  /** A member of one of them. */
  | 'member'
  /** An account at the command line that belongs to no known user, where an operator is a member: it may be that one. */
  | 'unknown'

/** The standing of a person to merchants with these members. Undefined for `person`: nobody knows whose account it is. */
function standingAmong(person: Person | undefined, members: readonly MemberMarks[]): Standing {
  if (person === undefined) return members.some(({ isOperator }) => isOperator) ? 'unknown' : 'outsider'
  const isMember = members.some(({ userId, email }) =>
    isOnePerson(person, personFrom({ user: userId, name: email })),
  )
  return isMember ? 'member' : 'outsider'
}

/**
 * How somebody stands to these merchants, and to the parents of those that are sub-accounts. Nulls are left out. In an installation that is a
 * sandbox as a whole everybody is an outsider: its only operator is the owner of its merchant.
 */
async function standingOf(
  sql: Sql | Tx,
  { actor, isSandboxHere = false }: Decider,
  concerned: readonly (MerchantId | null | undefined)[],
): Promise<Standing> {
  const ids = [...new Set(concerned.flatMap((id) => id ?? []))]
  if (ids.length === 0 || actor.kind === 'SYSTEM') return 'outsider'
  if (await isSandboxAsWhole(sql, { isSandboxHere })) return 'outsider'
  const [person, members] = await Promise.all([personBehind(sql, actor), selectMembersOf(sql, ids)])
  return standingAmong(person, members)
}

/** Undefined: nobody knows whose account it is. */
async function personBehind(sql: Sql | Tx, acting: Acting): Promise<Person | undefined> {
  const person = await personActing(sql, acting)
  return [...person].some((mark) => mark.startsWith('user ')) ? person : undefined
}

/** Whether one person may carry this out alone: a member may not. */
export async function mayActAlone(
  sql: Sql | Tx,
  operator: Operator,
  concerned: readonly (MerchantId | null | undefined)[],
): Promise<boolean> {
  return (await standingOf(sql, deciderOf(operator), concerned)) === 'outsider'
}

/** Throws AppError `forbidden` for a member, where nobody can request it: another operator does it instead. */
export async function requireAlone(
  sql: Sql | Tx,
  operator: Operator,
  concerned: readonly (MerchantId | null | undefined)[],
): Promise<void> {
  const standing = await standingOf(sql, deciderOf(operator), concerned)
  if (standing !== 'outsider') throw refusalOf(standing)
}

/**
 * Throws AppError `forbidden` when both who requested it and who approves it are members of what it concerns, or may be: one of two people is
 * an outsider.
 */
export async function requireOutsider(
  sql: Sql | Tx,
  { requested, approves }: { readonly requested: Acting; readonly approves: Operator },
  concerned: readonly (MerchantId | null | undefined)[],
): Promise<void> {
  const decider = deciderOf(approves)
  const standing = await standingOf(sql, decider, concerned)
  const asker = { ...decider, actor: requested }
  if (standing === 'outsider' || (await standingOf(sql, asker, concerned)) === 'outsider') return
  throw refusalOf(standing)
}

function refusalOf(standing: 'member' | 'unknown'): AppError {
  return new AppError('forbidden', refusals[standing], { extra: { reason: standing } })
}

const refusals = {
  member:
    'It concerns a merchant of which you are a member, and no second person who is none: an operator who is no member does this.',
  unknown:
    'An operator is a member of the merchant that it concerns, and nobody knows whose account this is: ./vintem user account <email> <account> says so.',
} as const
