// Shares of split payments: those of one payment for its merchant, and a sub-account's own.
import { paymentShare, share } from '#/contract/shares.ts'
import { listOf } from '#/contract/words.ts'
import { noSuch } from '#/kernel/error.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { amountToJson } from '#/kernel/money.ts'
import { selectPayments } from '#/payments/queries.ts'
import { shareRecord } from '#/payments/shares.ts'
import { listShares, selectSharesBack, selectSplits } from '#/payments/split-queries.ts'
import * as examples from './example-records.ts'
import * as splitExamples from './example-splits.ts'
import { paging, queryOf, pageBefore } from './query.ts'
import { route, type Route } from './route.ts'

const ofPayment = route({
  route: 'GET /v1/payments/{id}/shares',
  scope: 'payments:read',
  operationId: 'listPaymentShares',
  summary: 'List the shares of a payment',
  description: 'In the order of its splits: at most 20. A payment without splits has none.',
  answer: listOf(paymentShare),
  example: {
    data: [
      {
        ...splitExamples.share,
        paymentId: examples.ids.payment,
        subAccountId: splitExamples.subAccount.id,
        amountReturned: 1_250,
        amountCovered: 0,
      },
    ],
  },
  async handle({ sql }, { merchant, id }) {
    const ref = { merchantId: merchant.id, paymentId: id as PaymentId }
    const [found] = await selectPayments(sql, [ref])
    if (found === undefined) throw noSuch('payment')
    const [split] = found.request.splits === undefined ? [] : await selectSplits(sql, [ref])
    if (split === undefined) return { record: { data: [] } }
    const back = new Map((await selectSharesBack(sql, split.id)).map((each) => [each.ordinal, each]))
    const data = split.shares.map((each) => ({
      ...shareRecord(each, split),
      paymentId: found.id,
      subAccountId: each.subAccountId,
      amountReturned: amountToJson(back.get(each.ordinal)?.returnedMinor ?? 0n),
      ...(each.keptMinor === 0n ? {} : { amountKept: amountToJson(each.keptMinor) }),
      amountCovered: amountToJson(back.get(each.ordinal)?.coveredMinor ?? 0n),
    }))
    return { record: { data } }
  },
})

const ofMerchant = route({
  route: 'GET /v1/shares',
  scope: 'wallets:read',
  operationId: 'listShares',
  summary: 'List your shares of payments of your parent, newest first',
  description:
    'For sub-accounts: what they get, without the payment and its payer. Other merchants have none.',
  answer: listOf(share),
  example: { data: [splitExamples.share] },
  query: queryOf(paging),
  handle: async ({ sql }, { merchant, query }) => ({
    record: await pageBefore(
      query,
      (page) => listShares(sql, merchant.id, page),
      (each) => shareRecord(each, each),
    ),
  }),
})

export const shareRoutes: readonly Route[] = [ofPayment, ofMerchant]
