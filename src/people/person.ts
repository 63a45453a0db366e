// Who counts as one person where two are needed. A person is known by marks: the user, the mailbox, the first of the keys from which a key
// came, the account at the command line. This is the only place that decides it: keys, seats, operators and commands ask here.
import type { Sql, Tx } from '#/db/client.ts'
import type { Actor } from './audit-entry.ts'
import { selectCommandUser } from './user-queries.ts'

/** Everything by which acts can be shown to be one person's. */
export type Person = ReadonlySet<string>

/** What is known of somebody. What is absent or null is not known. */
type Known = {
  /** A user of the dashboard. */
  readonly user?: string | null
  /** A name that the operator gave, such as an e-mail address. */
  readonly name?: string | null
  /** The first of the keys from which a key came. */
  readonly lineage?: string | null
  /** The operating-system user and machine of a command. */
  readonly account?: string | null
}

/** The marks of somebody. */
export function personFrom({ user, name, lineage, account }: Known): Person {
  const marks = { user, name: personName(name ?? ''), lineage, account }
  return new Set(
    Object.entries(marks).flatMap(([kind, mark]) =>
      mark === undefined || mark === null || mark === '' ? [] : [`${kind} ${mark}`],
    ),
  )
}

/** Whether both are one person, as far as this service knows. */
export function isOnePerson(a: Person, b: Person): boolean {
  return !a.isDisjointFrom(b)
}

/** Why somebody may not decide what others requested. */
export type Objection =
  /** They requested it themselves. */
  | 'own_request'
  /** It is not known who they are, or who requested it. */
  | 'unknown_person'

/**
 * Whether `decider` may decide what these people requested: undefined, or why not. Undefined in place of a person: they were not found,
 * and then nobody decides, because nobody can show that two people are in it.
 */
export function objectionTo(
  decider: Person | undefined,
  requesters: readonly (Person | undefined)[],
): Objection | undefined {
  if (decider === undefined || decider.size === 0 || requesters.length === 0) return 'unknown_person'
  const known = requesters.flatMap((each) => each ?? [])
  if (known.some((each) => isOnePerson(each, decider))) return 'own_request'
  const isComplete = known.length === requesters.length && known.every(({ size }) => size > 0)
  return isComplete ? undefined : 'unknown_person'
}

/**
 * One spelling of a name: without capitals, doubled spaces and the words around `<an address>`, in Unicode's form NFKC. An address counts
 * without its tag, because `ana+api@example.com` reaches the mailbox of `ana@example.com`.
 */
export function personName(text: string): string {
  const [, inside = text] = /<([^<>]*)>\s*$/.exec(text) ?? []
  const plain = inside.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
  return plain.replace(/^([^+@\s]+)\+[^@]*(@[^@]+)$/, '$1$2')
}

// Which person acted, from what the records keep: the actor of an audit entry, or a name that was given at the command line.

/** Who acts: by the actor of an audit entry. */
export type Acting = Pick<Actor, 'kind' | 'id'>

/** Who acts, by all that is known: the user of the console or of an account at the command line, and that account. */
export async function personActing(sql: Sql | Tx, { kind, id }: Acting): Promise<Person> {
  const user = await selectCommandUser(sql, kind === 'USER' ? { userId: id } : { account: id })
  return personFrom({
    ...(user && { user: user.userId, name: user.email }),
    ...(kind === 'USER' ? {} : { account: id }),
  })
}

/**
 * The person behind a name that a record keeps as one text: an account at the command line, or a name or address that was given there. Who has
 * two accounts, or an account and that address, is one person.
 */
export async function personNamed(sql: Sql | Tx, name: string): Promise<Person> {
  const [linked, addressed] = await Promise.all([
    selectCommandUser(sql, { account: name }),
    selectCommandUser(sql, { email: personName(name) }),
  ])
  const user = linked ?? addressed
  return new Set([
    ...personFrom({ account: name, name }),
    ...(user === undefined ? [] : personFrom({ user: user.userId, name: user.email })),
  ])
}
