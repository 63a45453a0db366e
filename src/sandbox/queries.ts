// All SQL of the sandbox's inbox.
import type { Sql } from '#/db/client.ts'
import type { Id } from '#/kernel/id.ts'
import type { HeaderValues } from './verify-webhook.ts'

export type ReceivedWebhook = {
  readonly id: Id<'received-webhook'>
  readonly receivedAt: Date
  readonly headers: HeaderValues
  readonly body: Buffer
  readonly verified: boolean
}

/** How many webhooks are kept: the newest. */
export const keptMax = 200

/** Writes the webhook and deletes all but the newest 199 before it. */
export async function keepWebhook(sql: Sql, webhook: ReceivedWebhook): Promise<void> {
  await sql`
    with kept as (
      insert into sandbox_inbox (id, received_at, headers, body, verified)
      values (${webhook.id}, ${webhook.receivedAt}, ${sql.json(webhook.headers)}, ${webhook.body}, ${webhook.verified})
    )
    delete from sandbox_inbox
     where id < (select id from sandbox_inbox order by id desc offset ${keptMax - 2} limit 1)`
}

/** The webhooks received last, newest first. */
export function latestWebhooks(sql: Sql, limit: number): Promise<readonly ReceivedWebhook[]> {
  return sql<ReceivedWebhook[]>`
    select id, received_at as "receivedAt", headers, body, verified
      from sandbox_inbox
     order by id desc
     limit ${limit}`
}
