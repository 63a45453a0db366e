// The payment events of a batch of settlement. They show each payment as it is after the whole batch: at most one change of its
// state, and at most one credit after it. Otherwise thousands of receipts of one payment would make thousands of events.
import { must } from '#/kernel/check.ts'
import type { PaymentId } from '#/kernel/id.ts'
import type { Batch } from '#/ledger/kind.ts'
import { describePayments, paymentEvent, type Descriptions } from '#/payments/describe.ts'
import type { EventDraft, EventType } from '#/webhooks/event.ts'
import type { News, PaymentNews } from './decision.ts'
import type { View } from './view.ts'

/** Events of a credit without a change of state. A credit before a change of state in the same batch is part of that event. */
const notes: readonly EventType[] = ['payment.underpaid', 'payment.received_after_close']

/**
 * Keeps, of each share in the batch, the last news of each type. A payment may get thousands of receipts at once, and each
 * could change every share.
 */
function lastOfShares(news: readonly News[]): readonly News[] {
  const last = new Map<string, News>()
  const nameOf = (each: News) =>
    !isOfPayment(each) && each.type.startsWith('share.') ? `${each.type} ${each.resourceId}` : undefined
  for (const each of news) {
    const name = nameOf(each)
    if (name !== undefined) last.set(name, each)
  }
  return news.filter((each) => {
    const name = nameOf(each)
    return name === undefined || last.get(name) === each
  })
}

/** The events of the batch: the events of each payment at the position of its first news, and all others as they are. */
export async function eventsOf(
  { tx }: Pick<Batch, 'tx'>,
  view: View,
  news: readonly News[],
): Promise<readonly EventDraft[]> {
  const types = new Map<PaymentId, readonly EventType[]>()
  for (const each of news) {
    if (!isOfPayment(each)) continue
    const changes = (types.get(each.paymentId) ?? []).filter((type) => !notes.includes(type))
    types.set(each.paymentId, notes.includes(each.type) ? [...changes, each.type] : [each.type])
  }
  const described = await describe(tx, view, [...types.keys()])
  const notified = new Set<PaymentId>()
  return lastOfShares(news).flatMap((each) => {
    if (!isOfPayment(each)) return [each]
    const { paymentId } = each
    if (notified.has(paymentId)) return []
    notified.add(paymentId)
    const paymentTypes = must(types.get(paymentId), 'a payment with news has a type of event')
    return paymentTypes.map((type) => paymentEvent(type, paymentOf(view, paymentId), described))
  })
}

async function describe(tx: Batch['tx'], view: View, ids: readonly PaymentId[]): Promise<Descriptions> {
  const described = await describePayments(
    tx,
    view.facts.rails,
    ids.map((id) => paymentOf(view, id)),
    'brief',
  )
  const paymentIds = new Set(ids)
  for (const { id, paymentId, amountMinor: minor, status } of view.draft.refunds.values())
    if (paymentIds.has(paymentId))
      described.setRefund({ id, paymentId, minor, isPending: status === 'PENDING' })
  for (const { attempt, outcome, providerRef, means } of view.draft.additions) {
    if (!paymentIds.has(attempt.paymentId)) continue
    if (outcome === 'paid') described.addPaid(attempt.paymentId, attempt, providerRef)
    if (means !== undefined) described.addMeans(attempt.paymentId, attempt, means)
  }
  return described
}

function paymentOf({ draft }: View, id: PaymentId) {
  return must(draft.payments.get(id), 'a payment with news was loaded')
}

function isOfPayment(news: News): news is PaymentNews {
  return 'paymentId' in news
}
