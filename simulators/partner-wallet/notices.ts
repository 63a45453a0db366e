// The bodies of webhooks. `bizId` is a number that a double cannot hold, and `data` is JSON inside a string, as at the real
// service.
import { given } from '../kit/given.ts'
import type { Notice } from './events.ts'
import { fixed } from './money.ts'
import { paymentInfo } from './orders.ts'
import { sheet } from './refunds.ts'
import type { Order, Refund } from './state.ts'

type Written = Pick<Notice, 'bizStatus' | 'body'>

export function orderNotice(order: Order, bizStatus: 'PAY_SUCCESS' | 'PAY_CLOSED', at: number): Written {
  const { passThroughInfo } = order.terms
  const paid =
    order.payment === undefined
      ? {}
      : {
          transactionId: order.payment.transactionId,
          openUserId: order.payment.openUserId,
          paymentInfo: paymentInfo(order),
        }
  const data = {
    ...goodsOf(order),
    transactTime: order.payment?.at ?? at,
    ...paid,
    ...given({ passThroughInfo }),
    commission: 0,
  }
  return written('PAY', bizStatus, order, data)
}

export function refundNotice(refund: Refund): Written {
  const { order } = refund
  const bizStatus = refund.status === 'REFUND_SUCCESS' ? 'REFUND_SUCCESS' : 'REFUND_REJECTED'
  const data = {
    ...goodsOf(order),
    openUserId: order.payment?.openUserId,
    refundInfo: sheet(refund, 'N'),
  }
  return written('PAY_REFUND', bizStatus, order, data)
}

function goodsOf({ terms }: Order) {
  const { merchantTradeNo, goodsType, goodsName, terminalType, currency } = terms
  return {
    merchantTradeNo,
    productType: goodsType,
    productName: goodsName,
    tradeType: terminalType,
    currency,
  }
}

/** Every notice of an order has the same bizId: the order's own. */
function written(bizType: string, bizStatus: string, { prepayId, amount }: Order, data: object): Written {
  const inner = withNumber(data, 'totalFee', fixed(amount))
  const outer = { bizType, data: inner, bizIdStr: prepayId, bizStatus }
  return { bizStatus, body: withNumber(outer, 'bizId', prepayId) }
}

/** JSON with one more field, whose number is written digit by digit. */
function withNumber(fields: object, name: string, digits: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},"${name}":${digits}}`
}
