// What each case is about, in words for the developer of the receiver. The scripts are in scripts.ts.

type CaseText = {
  readonly title: string
  /** What a right receiver does. */
  readonly expected: string
  /** What to change in one that does not. */
  readonly fix: string
  /** The section of the documentation. */
  readonly docs: string
}

/** In the order in which they are played. */
export const caseNames = [
  'GOOD_DELIVERY',
  'RAW_BODY',
  'TWO_SIGNATURES',
  'FORGED_DELIVERY',
  'OLD_DELIVERY',
  'REPLAYED_DELIVERY',
  'NEW_TYPE',
  'NEW_FIELD',
  'MANY_AT_ONCE',
  'DUPLICATED_DELIVERY',
  'REORDERED_DELIVERIES',
  'LATE_PAYMENT',
  'SPLIT_PAYMENT',
  'PAID_TWICE',
  'REFUND_AND_DISPUTE',
] as const
export type CaseName = (typeof caseNames)[number]

export const caseTexts: Readonly<Record<CaseName, CaseText>> = {
  GOOD_DELIVERY: {
    title: 'A signed event is accepted',
    expected: 'A 2xx within 15 seconds.',
    fix: 'Answer 2xx as soon as the event is stored, and do the work afterwards. If you answer 4xx, check the webhook secret: it must be that of the sandbox’s merchant.',
    docs: 'docs/webhooks.md#what-to-answer',
  },
  RAW_BODY: {
    title: 'The signature is verified over the bytes that came',
    expected: 'A 2xx to a body whose numbers and letters a JSON parser would write in another way.',
    fix: 'Verify the raw bytes of the request before you parse them. A body that was parsed and written again is another body: 10.50 becomes 10.5. Turn off the JSON middleware of your framework for this route.',
    docs: 'docs/webhooks.md#what-is-sent',
  },
  TWO_SIGNATURES: {
    title: 'One valid signature of two is enough',
    expected:
      'A 2xx when the first signature is by a secret that you do not have, and the second one is valid.',
    fix: 'Split webhook-signature at the spaces, and accept when any of the signatures is valid. While a secret is changed, each webhook has two.',
    docs: 'docs/webhooks.md#changing-the-secret',
  },
  FORGED_DELIVERY: {
    title: 'Forged deliveries are refused',
    expected: 'A 4xx to each delivery whose signature is not valid.',
    fix: 'Compute the HMAC over webhook-id, webhook-timestamp and the raw body, compare it in constant time, and answer 4xx when no signature is equal or none is there. Do it before anything else.',
    docs: 'docs/webhooks.md#what-is-sent',
  },
  OLD_DELIVERY: {
    title: 'Old deliveries are refused',
    expected:
      'A 4xx to each delivery whose time is more than five minutes off, although its signature is valid.',
    fix: 'Compare webhook-timestamp with your clock, and answer 4xx when it is more than five minutes off, to either side. Otherwise who once saw a delivery can send it again later.',
    docs: 'docs/webhooks.md#what-is-sent',
  },
  REPLAYED_DELIVERY: {
    title: 'A delivery that comes again is accepted',
    expected: 'A 2xx again, to the same request and to a further attempt of the same event.',
    fix: 'Answer 2xx to an event that you have already: your first answer may have been lost. Otherwise it is sent again for three days.',
    docs: 'docs/webhooks.md#order',
  },
  NEW_TYPE: {
    title: 'A type that is not known is accepted',
    expected: 'A 2xx to an event of a type that your program does not know.',
    fix: 'Ignore types that you do not know, and answer 2xx. New ones may be added at any time.',
    docs: 'docs/webhooks.md#events',
  },
  NEW_FIELD: {
    title: 'Fields that are not known are accepted',
    expected: 'A 2xx to a payment.completed with fields that your program does not know.',
    fix: 'Let your parser ignore fields that it does not know. New ones may be added at any time.',
    docs: 'docs/integrating.md#errors',
  },
  MANY_AT_ONCE: {
    title: 'Many deliveries at once are answered in time',
    expected: 'A 2xx within 15 seconds to each of twelve deliveries that come at the same time.',
    fix: 'Store the event, answer, and do the work afterwards: deliveries that wait for the work of others are answered too late. Let several requests run at once.',
    docs: 'docs/webhooks.md#what-to-answer',
  },
  DUPLICATED_DELIVERY: {
    title: 'An event that comes twice counts once',
    expected: 'One fulfilment of each order, also when both deliveries come at the same time.',
    fix: 'Store the event’s id under a unique key, in the transaction of its effect, and do nothing for an id that is there. Looking it up first is not enough: two deliveries can come at the same time.',
    docs: 'docs/webhooks.md#order',
  },
  REORDERED_DELIVERIES: {
    title: 'An older event does not set the state back',
    expected: 'Each payment is PAID and fulfilled once, although an older event came last.',
    fix: 'Keep data.version of each payment, and drop an event whose version is not higher. Decide by data.status and not by the type: the event that you dropped may have been payment.completed.',
    docs: 'docs/webhooks.md#order',
  },
  LATE_PAYMENT: {
    title: 'A payment that comes late counts',
    expected:
      'An expired payment that is then paid in full is PAID and fulfilled once; one that is paid in part stays EXPIRED, and is not fulfilled.',
    fix: 'Do not treat EXPIRED as the end: a later event can say PAID, with the exception LATE. Take status and amountReceived of each newer event.',
    docs: 'docs/integrating.md#states',
  },
  SPLIT_PAYMENT: {
    title: 'A payment in two parts counts in full',
    expected:
      'A payment that is underpaid and then completed is PAID and fulfilled once; one that is only underpaid still waits, and is not fulfilled.',
    fix: 'payment.underpaid is no end: keep the amount, fulfil nothing, and wait for status PAID. amountReceived of each newer event is the whole sum; do not add it up yourself.',
    docs: 'docs/integrating.md#states',
  },
  PAID_TWICE: {
    title: 'A payment that is paid twice is fulfilled once',
    expected: 'Still PAID and fulfilled once, with amountReceived of both payments.',
    fix: 'Remember that the order is fulfilled, and not only which events came: payment.received_after_close has status PAID too. Keep its amountReceived, so that you can give the second payment back.',
    docs: 'docs/integrating.md#states',
  },
  REFUND_AND_DISPUTE: {
    title: 'A refund and a dispute of the same money count once',
    expected:
      'When the dispute is lost and the refund fails, only the disputed amount is gone; when the dispute is won and the refund completes, only the refunded amount. The payment stays PAID.',
    fix: 'Keep refunds and disputes as records of their own by data.id, each with its own version. Count a refund unless it is FAILED, and a dispute while it is OPEN or LOST. refund.created is no end: refund.failed takes it back.',
    docs: 'docs/integrating.md#disputes',
  },
}
