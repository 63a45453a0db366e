// The future of a merchant: its tasks, and the expiry of its open orders. An API key names the merchant.
import type { AccountClock, ShownAccount } from '../kit/account-clock.ts'
import { now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { isDelivery } from '../kit/outbox.ts'
import type { Notice, Task } from './events.ts'
import { openOrdersOf, type Merchant, type State } from './state.ts'
import type { Wallet } from './wallet.ts'

export function merchantClock({ eventStore }: Pick<Wallet, 'eventStore'>): AccountClock<Task> {
  const { state } = eventStore
  return {
    eventStore,
    find: (apiKey) => {
      const merchant = state.keys.get(apiKey)?.merchant
      return merchant === undefined ? undefined : accountOf(merchant)
    },
    accountOf: (task) => accountOf(merchantOf(state, task)),
    move: (account, byMs) => {
      const merchantId = Number.parseInt(account, 10)
      eventStore.record({ type: 'orders.moved', at: now(), merchantId, byMs })
      return { orders: openOrdersOf(state, merchantId).length }
    },
  }
}

/** The merchant's name as an account of the event store. */
function accountOf({ merchantId }: Pick<Merchant, 'merchantId'>): string {
  return merchantId.toString()
}

function merchantOf({ orders, refunds }: State, task: Task): Merchant {
  if (isDelivery<Notice>(task)) return present(orders.get(task.prepayId)).merchant
  switch (task.do) {
    case 'expire':
      return present(orders.get(task.prepayId)).merchant
    case 'end-refund':
      return present(refunds.get(task.refund)).order.merchant
  }
}

/** The merchants, each named by its first key, for the page. */
export function shownMerchants({ keys }: State): readonly ShownAccount[] {
  const shown = new Map<number, ShownAccount>()
  for (const { apiKey, merchant } of keys.values())
    if (!shown.has(merchant.merchantId))
      shown.set(merchant.merchantId, {
        account: accountOf(merchant),
        credentials: apiKey,
        name: merchant.name,
      })
  return [...shown.values()]
}
