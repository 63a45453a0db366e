// Failed sign-ins in the audit log.
// - Bounded: a row is written for a guess that was checked and was wrong, so there are no more rows than the guesses which throttle.ts lets
//   through: of one user ten at once, then one for each wait, which grows to 15 minutes.
// - An email without a user has no row: anybody could fill the log with such emails. The work for it is the same, so the time of an answer
//   does not say which emails have a user.
import { waitForNoDisk } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import { writeAudit } from './audit-log.ts'
import type { Origin, PeopleDeps, UserId } from './user.ts'

/** Notes a wrong password or code. `userId`: undefined for an email without a user. */
export async function noteRefusedSignIn(
  { sql }: Pick<PeopleDeps, 'sql'>,
  { address, requestId }: Origin,
  {
    userId,
    how,
  }: { readonly userId: UserId | undefined; readonly how: 'password' | 'totp' | 'recovery_code' },
): Promise<void> {
  await sql
    .begin(async (tx) => {
      // A row that a crash loses tells of nothing that changed: the answer does not wait for the disk.
      await waitForNoDisk(tx)
      await writeAudit(tx, [
        {
          actor: { kind: 'SYSTEM', id: 'sign-in' },
          address,
          ...given({ requestId }),
          action: 'session.refuse',
          subject: `user:${userId ?? 'nobody'}`,
          after: { how },
        },
      ])
      if (userId === undefined) throw new Nobody()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Nobody)) throw error
    })
}

/** Rolls the row back. */
class Nobody extends Error {
  override name = 'Nobody'
}
