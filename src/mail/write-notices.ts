// Writes one notice to each member who gets it.
import type { Tx } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { roleMay, roles } from '#/people/roles.ts'
import { writeLetter } from './letter.ts'
import { notices, recipientsMax, type Notice } from './notices.ts'
import * as queries from './reader-queries.ts'
import type { Reader } from './reader-queries.ts'

export type NewNotice = {
  readonly merchantId: MerchantId
  readonly notice: Notice
  /** What it is about. */
  readonly resourceId: string
  /** Letters that may be written in this hour. */
  readonly room: number
  readonly amount?: string
  /** ISO 8601. */
  readonly dueAt?: string
  readonly name?: string
  /** Called before the letters are written. False: the members were notified before, and no letter is written. */
  readonly begin?: () => Promise<boolean>
}

/**
 * Writes the letters in the transaction that has locked the merchant's reader. Returns how many, or undefined when there is no room for
 * all of them in this hour.
 */
export async function writeNotices(
  { masterKey, origin }: { readonly masterKey: KeyRing; readonly origin: string },
  tx: Tx,
  reader: Reader,
  { merchantId, notice, resourceId, room, begin, ...what }: NewNotice,
): Promise<number | undefined> {
  const { permission, page } = notices[notice]
  const may = roles.filter((role) => roleMay(role, permission))
  const recipients = await queries.selectRecipients(tx, merchantId, {
    kind: notice,
    may,
    limit: recipientsMax,
  })
  if (recipients.length > room) return undefined
  if (begin !== undefined && !(await begin())) return 0
  for (const { email, language } of recipients)
    await writeLetter(
      tx,
      masterKey,
      {
        kind: 'NOTICE',
        to: email,
        language,
        notice,
        merchantName: reader.merchantName,
        mode: reader.mode,
        ...what,
        url: `${origin}/m/${merchantId}/${page}/${resourceId}`,
      },
      merchantId,
    )
  return recipients.length
}
