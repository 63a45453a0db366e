// What members and merchants choose to get by mail. Each change writes its row in the audit log.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { UserId } from '#/people/user.ts'
import * as queries from './notice-queries.ts'
import { noticeNames, type Notice } from './notices.ts'

export type MailChoice = {
  readonly notices: readonly { readonly kind: Notice; readonly isOn: boolean }[]
  /** Whether payers get receipts. */
  readonly receipts: boolean
}

/** What a member of a merchant gets, and whether its payers get receipts. */
export async function readMailChoice(sql: Sql, merchantId: MerchantId, userId: UserId): Promise<MailChoice> {
  const [chosen, receipts] = await Promise.all([
    queries.selectChosen(sql, merchantId, userId),
    queries.selectReceipts(sql, merchantId),
  ])
  const isOn = (kind: Notice) => chosen.find((each) => each.kind === kind)?.isOn ?? true
  return { notices: noticeNames.map((kind) => ({ kind, isOn: isOn(kind) })), receipts }
}

/** A member turns a notice to themselves on or off. */
export async function chooseNotice(
  sql: Sql,
  merchantId: MerchantId,
  userId: UserId,
  choice: { readonly kind: Notice; readonly isOn: boolean },
  by: By,
): Promise<void> {
  await sql.begin(async (tx) => {
    await queries.putNotice(tx, merchantId, userId, choice)
    await writeAudit(tx, [
      { ...by, action: 'mail.notices', subject: `user:${userId}`, merchantId, after: choice },
    ])
  })
}

/** Whether payers of the merchant get receipts from now on. */
export async function chooseReceipts(sql: Sql, merchantId: MerchantId, isOn: boolean, by: By): Promise<void> {
  await sql.begin(async (tx) => {
    const before = { isOn: await queries.selectReceipts(tx, merchantId) }
    await queries.putReceipts(tx, merchantId, isOn)
    const subject = `merchant:${merchantId}`
    await writeAudit(tx, [{ ...by, action: 'mail.receipts', subject, merchantId, before, after: { isOn } }])
  })
}
