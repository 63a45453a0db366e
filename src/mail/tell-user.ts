// Notifies users by mail when the way they sign in was changed, so that they see what somebody else did in their name. Nobody can turn this
// off.
import { given } from '#/kernel/given.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { selectUser } from '#/people/user-queries.ts'
import type { TellUser } from '#/people/user.ts'
import { writeLetter } from './letter.ts'

/** Writes the letter in the transaction of what happened. `origin`: of the dashboard. */
export function userTeller(masterKey: KeyRing, origin: string): TellUser {
  return async (tx, { userId, what, address }) => {
    const user = await selectUser(tx, userId)
    if (user === undefined) return
    await writeLetter(tx, masterKey, {
      kind: 'USER_NEWS',
      to: user.email,
      language: user.language,
      what,
      ...given({ address }),
      url: `${origin}/settings/security`,
    })
  }
}
