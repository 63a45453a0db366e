// Letters to people: an invitation, a link to a new password. Who has something to say writes a letter in its transaction; a worker sends
// it.
import type { Sql, Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import type { Locale } from '#/kernel/language.ts'
import { deriveKey, seal, unseal, type KeyRing } from '#/kernel/secret.ts'
import { selectUser } from '#/people/user-queries.ts'
import type { TellUser } from '#/people/user.ts'
import * as queries from './queries.ts'
import type { LetterId } from './queries.ts'
import type { InvitationOf, NoticeOf, ReceiptOf, UserNewsOf } from './words.ts'

/** What a letter says. Its words are in words.ts. */
export type Letter =
  | ({ readonly kind: 'INVITATION'; readonly to: string; readonly language: Locale } & InvitationOf)
  /**
   * Somebody requested a new password for this email. Whether there is such a user is looked up when the letter is sent, so that the
   * request takes the same time for an unknown email.
   */
  | { readonly kind: 'RESET_REQUEST'; readonly email: string }
  | ({ readonly kind: 'NOTICE'; readonly to: string; readonly language: string } & NoticeOf)
  | ({ readonly kind: 'USER_NEWS'; readonly to: string; readonly language: string } & UserNewsOf)
  | ({ readonly kind: 'RECEIPT'; readonly to: string; readonly language: string } & ReceiptOf)

/** Stores a letter to be sent. `tx`: the transaction of what it tells of. `merchantId`: whose notice or receipt it is. */
export async function writeLetter(
  tx: Sql | Tx,
  masterKey: KeyRing,
  letter: Letter,
  merchantId?: MerchantId,
): Promise<void> {
  const id = newId<'letter'>()
  const plain = Buffer.from(JSON.stringify(letter))
  await queries.insertLetter(tx, id, seal(letterKey(masterKey), letterPlace(id), plain), merchantId)
}

/** The letter of a stored row. */
export function openLetter(masterKey: KeyRing, id: LetterId, sealed: Buffer): Letter {
  return JSON.parse(unseal(letterKey(masterKey), letterPlace(id), sealed).toString('utf8')) as Letter
}

/** Encrypts letters. */
export function letterKey(masterKey: KeyRing): KeyRing {
  return deriveKey(masterKey, 'letters')
}

/** The place to which a sealed letter is bound. */
export function letterPlace(id: LetterId): string {
  return `letter/sealed/${id}`
}

// Notifies users by mail when the way they sign in was changed, so that they see what somebody else did in their name. Nobody can turn this
// off.

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
