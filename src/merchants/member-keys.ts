// What becomes of the API keys of a member who leaves or gets a role that allows less: they end, or are handed to another member. Every door by
// which a member leaves or changes goes through here.
import { randomBytes } from 'node:crypto'
import { scopes as allScopes } from '#/contract/keys.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { type ApiKeyId, type MerchantId, type UserId, newId } from '#/kernel/id.ts'
import type { By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { selectMemberships, selectMembersOfAll } from '#/people/member-queries.ts'
import { endMembership, replaceRole, roleOf, type AlsoOfMember } from '#/people/members.ts'
import { personName } from '#/people/person.ts'
import { permissionsOf, type Role } from '#/people/roles.ts'
import { selectUser } from '#/people/user-queries.ts'
import { setDisabled } from '#/people/users.ts'
import type { Scope } from './api-key.ts'
import * as queries from './key-queries.ts'
import type { HeldKey } from './key-queries.ts'
import { selectHolders } from './queries.ts'

type Deps = { readonly sql: Sql }

type Membership = { readonly merchantId: MerchantId; readonly userId: UserId }

/** `keysTo`: the member who holds their keys from now on. Absent: the keys are revoked. */
type Fate = { readonly keysTo?: UserId }

/** Removes a member; a member may also leave. Their keys are revoked, or handed to another member. */
export function removeMember(deps: Deps, by: By, request: Membership & Fate): Promise<void> {
  return endMembership(deps, by, request, endingKeys(by, request))
}

/**
 * Gives a member another role. 403 when it, or the present one, is more than the caller has. Their keys that can do more than the new role are
 * revoked, or handed to another member.
 */
export function changeRole(
  deps: Deps,
  by: By,
  request: Membership & Fate & { readonly role: Role },
): Promise<void> {
  return replaceRole(deps, by, request, endingKeys(by, request))
}

const ofDisabled = { role: undefined, reason: 'its user was disabled' } as const

/** The most merchants of one user whose keys end with their sign-in. */
const membershipsMax = 100_000

/**
 * Lets a user sign in no more. The keys that they hold at the merchants of which they are a member are revoked, or handed to another member of
 * each; they stay a member. 422 when `keysTo` is no member of a merchant where they hold keys.
 */
export function disableUser(
  { sql }: Deps,
  by: By,
  { userId, keysTo }: { readonly userId: UserId } & Fate,
): Promise<void> {
  return setDisabled({ sql }, by, userId, true, async (tx) => {
    for (const { merchantId } of await selectMemberships(tx, userId, membershipsMax))
      await endKeys(tx, by, { merchantId, userId, ...(keysTo && { keysTo }) }, ofDisabled)
  })
}

/** The keys in force that a user holds at all merchants of which they are a member. */
export async function keysOfUser(sql: Sql, userId: UserId): Promise<readonly HeldKey[]> {
  return (await heldBy(sql, userId)).keys
}

/** The most that a person can choose from. */
const heirsMax = 200

/** The same, with the users to whom they could all be handed: members of every merchant where there is one. Their roles are asked later. */
export async function fateOfUser(
  sql: Sql,
  userId: UserId,
): Promise<{
  readonly keys: readonly HeldKey[]
  readonly heirs: readonly { readonly userId: UserId; readonly email: string; readonly name: string }[]
}> {
  const { keys, at } = await heldBy(sql, userId)
  const found = at.length === 0 ? [] : await selectMembersOfAll(sql, at, heirsMax)
  return { keys, heirs: found.filter((each) => each.userId !== userId) }
}

/** `at`: the merchants of which they are a member and where they hold one, there or at a sub-account. */
async function heldBy(sql: Sql, userId: UserId) {
  const keys = new Map<ApiKeyId, HeldKey>()
  const at: MerchantId[] = []
  for (const { merchantId } of await selectMemberships(sql, userId, membershipsMax)) {
    const held = await keysOfMember(sql, { merchantId, userId })
    if (held.length > 0) at.push(merchantId)
    for (const key of held) keys.set(key.id, key)
  }
  return { keys: [...keys.values()], at }
}

/**
 * The keys in force that a member holds, at the merchant and at its sub-accounts. `role`: only those that can do more than it. A key is theirs
 * by the name that it has, or because it came of their seat.
 */
export async function keysOfMember(
  sql: Sql | Tx,
  { merchantId, userId }: Membership,
  role?: Role,
): Promise<readonly HeldKey[]> {
  const [user, all, seat] = await Promise.all([
    selectUser(sql, userId),
    queries.selectHeldKeys(sql, merchantId),
    queries.selectSeat(sql, merchantId, userId),
  ])
  if (user === undefined) return []
  const isTheirs = (key: HeldKey) =>
    key.person === null ? key.user === userId : personName(key.person) === personName(user.email)
  const own = all.filter(isTheirs)
  const lineages = (
    await selectHolders(
      sql,
      own.map(({ id }) => id),
    )
  ).values()
  const roots = [...new Set([...lineages].map(({ lineage }) => lineage).concat(seat?.id ?? []))]
  const elsewhere = await queries.selectKeysElsewhere(sql, merchantId, roots)
  const held = [...own, ...elsewhere.filter(isTheirs)]
  return role === undefined ? held : held.filter((key) => !isWithin(key, role))
}

function isWithin({ scopes }: Pick<HeldKey, 'scopes'>, role: Role): boolean {
  const allowed: ReadonlySet<string> = new Set(permissionsOf(role))
  return scopes.every((scope) => allowed.has(scope))
}

function endingKeys(by: By, of: Membership & Fate): AlsoOfMember {
  return async (tx, role) => {
    const { keysTo } = of
    if (keysTo !== undefined) await requireHeir(tx, of, keysTo, [])
    const reason = role === undefined ? 'its member was removed' : `its member is ${role} now`
    await endKeys(tx, by, of, { role, reason })
  }
}

/** Ends what a user holds at a merchant, or hands it on. `role`: what they may still do there; undefined: nothing. */
async function endKeys(
  tx: Tx,
  by: By,
  { merchantId, userId, keysTo }: Membership & Fate,
  { role, reason }: { readonly role: Role | undefined; readonly reason: string },
): Promise<void> {
  await queries.lockKeysOf(tx, merchantId)
  const allowed: ReadonlySet<string> = new Set(role === undefined ? [] : permissionsOf(role))
  await queries.writeSeatScopes(
    tx,
    merchantId,
    userId,
    allScopes.filter((scope) => allowed.has(scope)),
  )
  const keys = await keysOfMember(tx, { merchantId, userId }, role)
  if (keys.length === 0) return
  const heir = keysTo === undefined ? undefined : await requireHeir(tx, { merchantId, userId }, keysTo, keys)
  if (heir === undefined) await queries.revokeHeld(tx, keys)
  else await queries.handKeys(tx, keys, heir)
  await writeAudit(
    tx,
    keys.map(({ id, merchantId: of, person }) => ({
      ...by,
      action: heir === undefined ? 'key.revoke' : 'key.hand',
      subject: `key:${id}`,
      merchantId: of,
      before: { person },
      ...(heir === undefined ? {} : { after: { person: heir } }),
      reason,
    })),
  )
}

/** The e-mail address of the member who gets the keys. 422 for nobody else's, 403 when a key can do more than their role. */
async function requireHeir(
  tx: Tx,
  { merchantId, userId }: Membership,
  heir: UserId,
  keys: readonly HeldKey[],
): Promise<string> {
  const [user, role] = await Promise.all([selectUser(tx, heir), roleOf({ sql: tx }, merchantId, heir)])
  if (user === undefined || role === undefined || user.disabledAt !== null || heir === userId) {
    const fault = { pointer: '/keysTo', code: 'not_allowed', message: 'is no other member of this merchant' }
    throw new AppError('invalid_request', 'Keys are handed to another member.', { faults: [fault] })
  }
  const wider = keys.find((key) => !isWithin(key, role))
  if (wider !== undefined) {
    const fault = { pointer: '/keysTo', code: 'not_allowed', message: `may not do what ${wider.name} may` }
    throw new AppError('forbidden', 'A key is handed to a member whose role allows what it may do.', {
      faults: [fault],
    })
  }
  return user.email
}

// Seats: a member acts at a merchant by an API key that has no secret. So whatever stores or compares who requested and who decided
// needs to know one kind of id only, and the rules for two people hold for members and their keys too.

type Member = {
  readonly merchantId: MerchantId
  readonly userId: UserId
  /** In small letters. Keys of which the operator says that this person holds them count as theirs. */
  readonly email: string
  /** What the role allows; permissions that are no scopes of keys do not matter here. */
  readonly permissions: ReadonlySet<string>
}

/** A seat as its holder uses it. */
type Seat = { readonly keyId: ApiKeyId; readonly scopes: ReadonlySet<Scope> }

/** The seat of this member, with the scopes of the present role. Opened when the member first acts at the merchant. */
export async function seatOf(sql: Sql, { merchantId, userId, email, permissions }: Member): Promise<Seat> {
  const scopes = allScopes.filter((scope) => permissions.has(scope))
  const seat = await queries.selectSeat(sql, merchantId, userId)
  const isCurrent = seat !== undefined && seat.person === email && sameScopes(seat.scopes, scopes)
  const keyId = isCurrent
    ? seat.id
    : await queries.upsertSeat(sql, {
        merchantId,
        id: newId<'api-key'>(),
        // No key has this digest: it is not the hash of anything.
        digest: randomBytes(32),
        name: email,
        scopes,
        person: email,
        member: userId,
      })
  return { keyId, scopes: new Set(scopes) }
}

function sameScopes(a: readonly Scope[], b: readonly Scope[]): boolean {
  return a.length === b.length && a.every((scope) => b.includes(scope))
}
