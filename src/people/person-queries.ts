// The SQL of which user a person is.
import type { Sql, Tx } from '#/db/client.ts'
import type { UserId } from './user.ts'

type CommandUser = { readonly userId: UserId; readonly email: string }

/** The user of this id or address, or whose account at the command line this is. */
export async function selectCommandUser(
  sql: Sql | Tx,
  by: { readonly userId: string } | { readonly email: string } | { readonly account: string },
): Promise<CommandUser | undefined> {
  const [row] =
    'account' in by
      ? await sql<CommandUser[]>`
          select app_user.id as "userId", app_user.email
            from command_account join app_user on app_user.id = command_account.user_id
           where command_account.account = ${by.account}`
      : await sql<CommandUser[]>`
          select id as "userId", email from app_user
           where ${'userId' in by ? sql`id = ${by.userId}` : sql`email = ${by.email}`}`
  return row
}
