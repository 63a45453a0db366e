// Disputes.
import { Type as T } from 'typebox'
import { instant, oneOf, sum, uuid, version } from '#/kernel/schema.ts'
import { payment } from './payments.ts'
import { about, currency, mode } from './words.ts'

export const disputeStatuses = ['OPEN', 'WON', 'LOST'] as const
/** `RECALL`: the payer's bank, or ours, took back a transfer; there is nothing to contest. */
export const disputeKinds = ['CHARGEBACK', 'MED', 'RECALL'] as const

export const disputeStatus = oneOf(
  'DisputeStatus',
  disputeStatuses,
  'OPEN: the money is held. LOST may become WON, when the funds are reinstated, and WON may become OPEN or LOST once more.',
)
const disputeKind = oneOf(
  'DisputeKind',
  disputeKinds,
  'MED is the return of PIX after fraud or a bank’s error.',
)

export const dispute = T.Object(
  {
    id: uuid(),
    mode,
    paymentId: T.Optional(uuid()),
    status: disputeStatus,
    kind: disputeKind,
    amount: sum('The amount that the payer wants back.'),
    currency,
    fee: sum('What the provider charges for it.'),
    reason: T.Optional(T.String()),
    evidenceDueAt: T.Optional(instant()),
    createdAt: instant(),
    closedAt: T.Optional(instant()),
    version,
    payment: T.Optional(about(payment, 'In lists with `expand=payment`: the disputed payment.')),
  },
  { title: 'Dispute', description: 'A payer who wants money back.' },
)
