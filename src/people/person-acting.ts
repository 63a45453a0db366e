// Which person acted, from what the records keep: the actor of an audit entry, or a name that was given at the command line.
import type { Sql, Tx } from '#/db/client.ts'
import type { Actor } from './audit-entry.ts'
import { selectCommandUser } from './person-queries.ts'
import { personFrom, personName, type Person } from './person.ts'

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
