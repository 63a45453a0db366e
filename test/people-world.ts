// A database with people in it, for tests of src/people and of what uses it.
import { randomBytes } from 'node:crypto'
import { connect, type Sql } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { By } from '#/people/audit-entry.ts'
import { addMember } from '#/people/members.ts'
import type { PasswordCost } from '#/people/password.ts'
import { refusalOf } from '#/people/refusal.ts'
import type { Role } from '#/people/roles.ts'
import type { SignedIn } from '#/people/sessions.ts'
import { signInWithPassword } from '#/people/sign-in.ts'
import type { Origin, PeopleDeps, User, UserId } from '#/people/user.ts'
import { createUser, type NewUser } from '#/people/users.ts'
import { testDatabase } from './postgres.ts'

export const goodPassword = 'correct horse battery staple'
/** The lowest that Argon2 has. `src/people/password.test.ts` tests the usual one. */
export const lowCost: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }
export const site = { name: 'Vintem', rpId: 'localhost', origin: 'http://localhost:8084' }
export const operator: By = { actor: { kind: 'OPERATOR', id: 'ana@office' } }
export const home: Origin = { address: '203.0.113.7', userAgent: 'Firefox', requestId: 'request-1' }

export type PeopleWorld = AsyncDisposable & {
  readonly deps: PeopleDeps
  /** May do everything in the database. */
  readonly owner: Sql
  readonly user: (request?: Partial<NewUser>) => Promise<User>
  readonly merchant: (name?: string, mode?: Mode) => Promise<MerchantId>
  readonly member: (merchantId: MerchantId, role: Role) => Promise<User>
  readonly signIn: (user: User, origin?: Origin) => Promise<SignedIn>
  /** The actions about a user, the oldest first. */
  readonly actionsOf: (userId: UserId) => Promise<readonly string[]>
}

export async function openPeopleWorld(): Promise<PeopleWorld> {
  const database = await testDatabase()
  const sql = connect(database.appUrl, { max: 4 })
  const owner = connect(database.ownerUrl, { max: 2 })
  const deps: PeopleDeps = { sql, key: randomBytes(32), site, passwordCost: lowCost }
  let users = 0

  const user = (request: Partial<NewUser> = {}): Promise<User> => {
    users += 1
    const email = `person${users}@example.com`
    return createUser(deps, operator, { email, name: `Person ${users}`, password: goodPassword, ...request })
  }
  return {
    deps,
    owner,
    user,
    async merchant(name = 'Padaria', mode = 'LIVE') {
      const id = newId<'merchant'>()
      await owner`insert into merchant (id, mode, name, webhook_secret, created_at)
                  values (${id}, ${mode}, ${name}, ${Buffer.alloc(1)}, now())`
      return id
    },
    async member(merchantId, role) {
      const made = await user()
      await addMember(deps, operator, { merchantId, userId: made.id, role })
      return made
    },
    signIn: ({ email }, origin = home) =>
      signInWithPassword(deps, { ...origin, email, password: goodPassword }),
    async actionsOf(userId) {
      const rows = await owner<{ action: string }[]>`
        select action from audit_log where subject = ${`user:${userId}`} order by id`
      return rows.map(({ action }) => action)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([sql.end({ timeout: 1 }), owner.end({ timeout: 1 })])
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Which refusal a promise rejects with; undefined when it does not. Another error is thrown on. */
export async function refusedAs(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise
    return undefined
  } catch (error) {
    const reason = refusalOf(error)
    if (reason === undefined) throw error
    return reason
  }
}

/** Outcomes of what ran at the same time, in one order: those that were not refused last. */
export function sorted(outcomes: readonly (string | undefined)[]): readonly (string | undefined)[] {
  return outcomes.toSorted((a = '~', b = '~') => (a < b ? -1 : 1))
}
