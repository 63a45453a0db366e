// Shares of split payments.
import { Type as T } from 'typebox'
import { instant, sum, uuid, version } from '#/kernel/schema.ts'
import { splitFields } from './payments.ts'
import { about, currency } from './words.ts'

const { subAccountId: _recipient, walletId: _wallet, ...terms } = splitFields

const fields = {
  id: uuid(),
  walletId: uuid('The wallet that is credited.'),
  currency,
  ...terms,
  amountCredited: sum('What the wallet got of the payment, less what went back.'),
  amountPending: sum('What of it waits for a settlement delay, less the fee. It cannot be withdrawn yet.'),
  fee: sum('What it has paid of the operator’s fee.'),
  version: about(version, 'Grows when shares of the payment are booked.'),
  createdAt: instant(),
}

export const share = T.Object(fields, {
  title: 'Share',
  description: 'What a sub-account gets of a payment, as the sub-account sees it.',
})

export const paymentShare = T.Object(
  {
    ...fields,
    paymentId: uuid(),
    subAccountId: uuid(),
    amountReturned: sum('What went back by refunds and disputes, all of them together.'),
    amountKept: T.Optional(sum('What you kept of it, because it came when the sub-account was closed.')),
    amountCovered: sum(
      'What of it you paid because the sub-account lacked it: its debt to you at that moment.',
    ),
  },
  { title: 'PaymentShare', description: 'What a sub-account gets of a payment, as its platform sees it.' },
)
