// The merchant API: every call is a signed POST.
import type { Fields } from '../kit/fields.ts'
import type { Call, Reply, Route } from '../kit/http.ts'
import { admit } from './access.ts'
import { readBalance } from './balance.ts'
import { abnormal } from './errors.ts'
import type { Permission } from './events.ts'
import { closeOrder, createOrder, queryOrder } from './orders.ts'
import { queryRefund, requestRefund } from './refunds.ts'
import type { Merchant } from './state.ts'
import type { Wallet } from './wallet.ts'

export const apiRoot = '/binancepay/openapi'

type Handler = (wallet: Wallet, merchant: Merchant, body: Fields) => unknown

export function apiRoutes(wallet: Wallet): readonly Route[] {
  const post = (path: string, handle: Handler, permission?: Permission): readonly Route[] => {
    const answer = (call: Call): Reply => {
      const { merchant, body } = admit(wallet, call, permission)
      const data = handle(wallet, merchant, body)
      return { status: 200, body: { status: 'SUCCESS', code: '000000', data } }
    }
    const refuse = () => {
      throw abnormal(405)
    }
    return [
      { method: 'POST', path: `${apiRoot}${path}`, handle: answer },
      ...['GET', 'PUT', 'DELETE'].map((method) => ({ method, path: `${apiRoot}${path}`, handle: refuse })),
    ]
  }
  return [
    ...post('/v3/order', createOrder, 'orders'),
    ...post('/v2/order/query', queryOrder),
    ...post('/order/close', closeOrder, 'orders'),
    ...post('/order/refund', requestRefund, 'refunds'),
    ...post('/order/refund/query', queryRefund),
    ...post('/certificates', ({ certificates }) => certificates.served()),
    ...post('/v2/balance', readBalance),
  ]
}
