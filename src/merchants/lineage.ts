// Who holds an API key, as far as this service knows. All keys that came of one key, by rolling or because a key made them, have one
// lineage, whichever merchant they are of. The operator may also say which person holds a key, and a member holds what their seat made.
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId, MerchantId, UserId } from '#/kernel/id.ts'
import { isOnePerson, objectionTo, personFrom, type Objection, type Person } from '#/people/person.ts'

/** Who holds a key. */
export type Holder = {
  /** The first of the keys from which it came; the key itself, when a command made it. */
  readonly lineage: ApiKeyId
  /** The merchant of that first key. */
  readonly begunAt: MerchantId
  /** The name that the operator gave, or the address of the member. */
  readonly person: string | null
  /** The user whose seat that first key is. */
  readonly user: UserId | null
}

/** The holder of each key. A key that is absent was not found. See selectHolders. */
export type Holders = ReadonlyMap<ApiKeyId, Holder>

/** Why a key may not decide what other keys requested. */
export type KeyObjection =
  | Objection
  /** It is a key of the parent, or came of one: a parent is no second person for the money of its sub-account. */
  | 'parents_key'

/**
 * Whether the key `by` may decide what the keys `requestedBy` requested of this merchant: undefined, or why not. The one rule for two people
 * of a merchant, whatever they decide about.
 */
export function objectionToKey(
  holders: Holders,
  { merchantId, requestedBy }: Requested,
  by: ApiKeyId,
): KeyObjection | undefined {
  const objection = objectionToHolder(holders, requestedBy, by)
  if (objection !== undefined) return objection
  return holders.get(by)?.begunAt === merchantId ? undefined : 'parents_key'
}

/** Whether the holder of the key `by` may use what the holders of the keys `others` did: they are other people, and all are known. */
export function objectionToHolder(
  holders: Holders,
  others: readonly ApiKeyId[],
  by: ApiKeyId | undefined,
): Objection | undefined {
  return objectionTo(
    by === undefined ? undefined : personOf(holders.get(by)),
    others.map((id) => personOf(holders.get(id))),
  )
}

/** What somebody requested. `requestedBy`: all keys that had a part in it. */
export type Requested = { readonly merchantId: MerchantId; readonly requestedBy: readonly ApiKeyId[] }

const refusals: Readonly<Record<KeyObjection, string>> = {
  own_request: 'The key that requested it cannot decide about it, nor can another key of the same person.',
  parents_key:
    'A sub-account’s own members and keys decide about it: its parent’s keys, and keys that they made, do not.',
  unknown_person:
    'Nobody decides about it, because it is not known who requested it or who this key belongs to.',
}

/** The answer to a key that may not decide. */
export function noSecondPerson(objection: KeyObjection): AppError {
  return new AppError('forbidden', refusals[objection], { extra: { reason: objection } })
}

/** Whether two keys of one merchant are held by one person. */
export function isSameHolder(
  a: Pick<Holder, 'lineage' | 'person'>,
  b: Pick<Holder, 'lineage' | 'person'>,
): boolean {
  return isOnePerson(marksOf(a), marksOf(b))
}

function personOf(holder: Holder | undefined): Person | undefined {
  return holder && marksOf(holder)
}

function marksOf({ lineage, person, user }: Pick<Holder, 'lineage' | 'person'> & Partial<Holder>): Person {
  return personFrom({ lineage, name: person, ...given({ user }) })
}
