// Which user an account at the command line is. Without it nobody knows whether the person there is a member of a merchant (interest.ts).
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { UserId } from '#/kernel/id.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { selectCommandUser } from '#/people/user-queries.ts'
import type { Operator } from './deps.ts'
import { upsertCommandAccount } from './interest-queries.ts'

/** Says whose account it is. Nobody says it of their own account twice: who is linked is changed by another person. */
export async function linkAccount(
  sql: Sql,
  { by, name }: Operator,
  link: { readonly account: string; readonly userId: UserId },
): Promise<void> {
  const { account, userId } = link
  await sql.begin(async (tx) => {
    const before = await selectCommandUser(tx, { account })
    if (before !== undefined && before.userId !== userId && account === name)
      throw new AppError('forbidden', 'The account is linked to another user: another person changes that.')
    await upsertCommandAccount(tx, link)
    const entry = { ...by, action: 'user.account', subject: `user:${userId}`, after: { account } }
    await writeAudit(tx, [before === undefined ? entry : { ...entry, before: { userId: before.userId } }])
  })
}
