// The events of a payment.
import { given } from '#/kernel/given.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { Descriptions } from './describe.ts'
import type { Payment } from './payment.ts'
import { paymentEventRecord } from './record.ts'

/** A draft of the event, with what rails add to the record. */
export function paymentEvent(
  type: EventDraft['type'],
  payment: Payment,
  described: Pick<Descriptions, 'of'>,
): EventDraft {
  const { webhookUrl } = payment.request
  return {
    merchantId: payment.merchantId,
    mode: payment.mode,
    type,
    resourceId: payment.id,
    data: paymentEventRecord(payment, described.of(payment)),
    ...given({ webhookUrl }),
  }
}
