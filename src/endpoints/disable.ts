// Disables endpoints that only fail, because nobody receives there. Deliveries of later events are held until the merchant enables the
// endpoint.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { EndpointId, MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs } from '#/kernel/time.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { endpointRecord, type DisabledReason, type Endpoint } from './endpoint.ts'
import * as queries from './queries.ts'
import { type Failing, postponeDisabling } from './queries.ts'

type Item = { readonly merchantId: MerchantId; readonly id: EndpointId }
type Verdict = { readonly kind: 'disabled'; readonly reason: DisabledReason } | { readonly kind: 'kept' }
/** Absent `disabled`: it is disabled or deleted already, so only its failures are forgotten. */
type Change = Item & { readonly disabled?: Failing & { readonly reason: DisabledReason; readonly at: Date } }
type View = Map<EndpointId, Failing>

/** As a kind of work for the ledger lane: it checks again, under lock, so that a success a moment ago keeps the endpoint enabled. */
const disableKind: RunnableKind<Item, Verdict, EventDraft> = runnable<
  Item,
  View,
  Change,
  Verdict,
  EventDraft
>({
  name: 'disable a webhook endpoint',
  async load({ tx }, items) {
    const found = await queries.lockFailing(tx, items)
    return new Map(found.map((each) => [each.id, each]))
  },
  decide(failing, { merchantId, id }, { now }) {
    const found = failing.get(id)
    if (found?.merchantId !== merchantId) return { verdict: { kind: 'kept' } }
    // When the same endpoint comes again in this batch, it is decided already.
    failing.delete(id)
    const isOver = found.status === 'DISABLED' || found.status === 'DELETED'
    if (isOver) return { verdict: { kind: 'kept' }, change: { merchantId, id } }
    const reason = found.isGone ? 'GONE' : 'FAILING'
    const disabled: Endpoint = {
      ...found,
      status: 'DISABLED',
      disabledReason: reason,
      disabledAt: now,
      failingSince: found.since,
      version: found.version + 1,
    }
    const event: EventDraft = {
      merchantId,
      mode: found.mode,
      type: 'webhook_endpoint.disabled',
      resourceId: id,
      data: endpointRecord(disabled),
      endpoints: { except: id },
    }
    return {
      verdict: { kind: 'disabled', reason },
      change: { merchantId, id, disabled: { ...found, reason, at: now } },
      events: [event],
    }
  },
  async write({ tx }, changes) {
    const disabled = changes.flatMap((change) => (change.disabled === undefined ? [] : [change.disabled]))
    await queries.disableFailing(tx, disabled)
    await queries.deleteFailing(tx, changes)
    await writeAudit(
      tx,
      disabled.map(({ merchantId, id, reason, since, attempts }) => ({
        actor: { kind: 'SYSTEM', id: 'webhook endpoints' },
        action: 'webhook_endpoint.disable',
        subject: `webhook_endpoint:${id}`,
        merchantId,
        after: { reason, failingSince: since.toISOString(), failedAttempts: Number(attempts) },
      })),
    )
  },
})

/** The most endpoints in one poll. */
const eachMax = 100
/** How long an endpoint waits that could not be disabled: it holds up no other. */
const failedMs = 5 * minuteMs

/** Disables the endpoints that are to be disabled now. Returns how many it disabled. The warning in the log is the operator's notice. */
export async function disableDue(deps: {
  readonly sql: Sql
  readonly lane: LedgerLane<EventDraft>
  readonly log: Log
}): Promise<number> {
  const { sql, lane, log } = deps
  const due = await queries.selectToDisable(sql, eachMax)
  const disabled = await Promise.all(
    due.map(async (item) => {
      const names = { merchantId: item.merchantId, endpointId: item.id }
      try {
        const verdict = await lane.submit(disableKind, item)
        if (verdict.kind === 'kept') return 0
        log.warn({ ...names, reason: verdict.reason }, 'a webhook endpoint that only failed was disabled')
        return 1
      } catch (error) {
        log.error({ ...names, error: messageOf(error) }, 'a webhook endpoint could not be disabled')
        await postponeDisabling(sql, item, failedMs)
        return 0
      }
    }),
  )
  return disabled.reduce((sum: number, each) => sum + each, 0)
}
