// The control calls: they cause what a payer, time or an accident would. For callers on this machine.
import { clockControl } from '../kit/account-clock.ts'
import { iso, now } from '../kit/clock.ts'
import {
  field,
  flag,
  name,
  oneOf,
  optional,
  someOf,
  text,
  usually,
  webAddress,
  whole,
} from '../kit/control-fields.ts'
import { choice, control } from '../kit/control.ts'
import { given } from '../kit/given.ts'
import type { Route } from '../kit/http.ts'
import { eventsRoute, integerOf, shownWithout } from '../kit/log.ts'
import { controlProblem, found } from '../kit/refusal.ts'
import { permissions, type Modes, type Permission, type RefundMode, type WebhookMode } from './events.ts'
import { freshKeyText, merchantNumber } from './ids.ts'
import { merchantClock } from './merchant-time.ts'
import { fixed, unitsOf } from './money.ts'
import { pageUrl } from './orders.ts'
import { coins } from './pay-texts.ts'
import { act, payerActions } from './payer.ts'
import { endRefund } from './refunds.ts'
import { statusOf, type Merchant, type Order, type Refund } from './state.ts'
import type { FaultMode, Wallet } from './wallet.ts'

const listed = 100
const amount = field('an amount such as 10.00', unitsOf)
const isPermission = (each: string): each is Permission => permissions.some((known) => known === each)

export type Controls = ReturnType<typeof controlTable>

export function controlTable(wallet: Wallet) {
  return { ...merchantControls(wallet), ...payerControls(wallet), ...settingControls(wallet) }
}

function merchantControls(wallet: Wallet) {
  const { eventStore } = wallet
  return {
    merchant: control(eventStore, {
      path: 'merchants',
      status: 201,
      fields: {
        name: usually('Vintem', text(64)),
        of: optional(name),
        permissions: usually(permissions, someOf(`some of ${permissions.join(', ')}`, isPermission)),
      },
      run: ({ name, of, permissions }) => createKey(wallet, name, of, permissions.filter(isPermission)),
    }),
    webhook: control(eventStore, {
      path: 'merchants/:apiKey/webhook',
      fields: { url: webAddress },
      find: ({ apiKey }) => merchantOf(wallet, apiKey),
      run: ({ url }, { merchantId }) => {
        eventStore.record({ type: 'merchant.webhook', at: now(), merchantId, url })
        return { url }
      },
    }),
    standing: control(eventStore, {
      path: 'merchants/:apiKey',
      fields: { suspended: optional(flag), balance: optional(amount) },
      find: ({ apiKey }) => merchantOf(wallet, apiKey),
      run: (changed, merchant) => {
        const { merchantId } = merchant
        const { suspended = merchant.suspended, balance = merchant.balance } = changed
        if (suspended !== merchant.suspended)
          eventStore.record({ type: 'merchant.suspended', at: now(), merchantId, suspended })
        if (balance !== merchant.balance)
          eventStore.record({ type: 'merchant.balance', at: now(), merchantId, balance: balance.toString() })
        return { merchantId, suspended, balance: fixed(balance) }
      },
    }),
  }
}

/** A merchant with its first key; or, with `of`, one more key of the merchant that has that one. */
function createKey(wallet: Wallet, name: string, of: string | undefined, permissions: readonly Permission[]) {
  const { eventStore } = wallet
  const { seed, state } = eventStore
  const at = now()
  const merchantId =
    of === undefined ? merchantNumber(seed, state.counts.merchants + 1) : merchantOf(wallet, of).merchantId
  const [apiKey, apiSecret] = [freshKeyText(), freshKeyText()]
  if (of === undefined) eventStore.record({ type: 'merchant.created', at, merchantId, name })
  eventStore.record({ type: 'key.created', at, merchantId, apiKey, apiSecret, permissions })
  return { merchantId, apiKey, apiSecret }
}

function payerControls(wallet: Wallet) {
  const { eventStore } = wallet
  const { state } = eventStore
  return {
    order: control(eventStore, {
      path: 'orders/:prepayId',
      fields: { action: oneOf(payerActions), force: usually(false, flag) },
      find: ({ prepayId = '' }) => found(state.orders.get(prepayId), 'There is no such order'),
      run: ({ action, force }, order) => ({
        prepayId: order.prepayId,
        status: act(wallet, order, action, force),
      }),
      names: ({ prepayId }: Order) => ({ prepayId }),
      buttons: ({ amount, stage }) => {
        const isOpen = { when: stage === 'INITIAL' || stage === 'PENDING' }
        const isOver = { when: !isOpen.when && stage !== 'PAID' }
        return [
          [`Pay ${coins('en', fixed(amount))}`, { action: 'confirm' }, { ...isOpen, style: 'first' }],
          ['Refuse', { action: 'refuse' }, isOpen],
          ['Too little money', { action: 'insufficient' }, isOpen],
          ['Begin, and wait', { action: 'begin' }, { when: stage === 'INITIAL' }],
          ['Expire', { action: 'expire' }, isOpen],
          ['Pay all the same', { action: 'confirm', force: true }, isOver],
        ]
      },
    }),
    refund: control(eventStore, {
      path: 'refunds/:refundId',
      fields: { outcome: oneOf(['succeed', 'fail']) },
      find: ({ refundId: named }) => {
        const all = [...state.refunds.values()]
        const isNamed = (each: Refund) => [each.refundId, each.refundRequestId].some((id) => id === named)
        return found(all.find(isNamed), 'There is no such refund')
      },
      run: ({ outcome }, refund) => {
        if (refund.status !== 'REFUND_PENDING')
          throw controlProblem(409, 'refund_over', `The refund is ${refund.status}`)
        endRefund(wallet, refund, outcome === 'succeed' ? 'REFUND_SUCCESS' : 'REFUND_FAIL')
        return refundSheet(refund)
      },
      names: ({ refundId }: Refund) => ({ refundId }),
      buttons: ({ status }) => [
        ['Done', { outcome: 'succeed' }, { when: status === 'REFUND_PENDING' }],
        ['Failed', { outcome: 'fail' }, { when: status === 'REFUND_PENDING' }],
      ],
    }),
    balance: control(eventStore, {
      path: 'payer',
      fields: { balance: amount },
      run: ({ balance }) => setModes(eventStore, { payerBalance: balance.toString() }),
    }),
  }
}

const webhookWords: Readonly<Record<WebhookMode, string>> = {
  normal: 'As usual',
  drop: 'Lose all',
  duplicate: 'Send twice',
  reorder: 'In reverse',
  delay: 'Late',
  bad_signature: 'Wrong signature',
  before_response: 'Before the answer',
  no_close: 'None of a close',
}
const faultWords: Readonly<Record<FaultMode, string>> = {
  none: 'Works',
  '5xx': 'Server errors',
  timeout: 'Never answers',
  reset_after_commit: 'Works, but cuts off',
  slow: 'Answers late',
}
const refundWords: Readonly<Record<RefundMode, string>> = {
  done: 'Succeed',
  pending: 'Stay under way',
  fail: 'Fail',
}

function settingControls(wallet: Wallet) {
  const { eventStore, certificates, passing } = wallet
  return {
    webhooks: choice(eventStore, {
      path: 'webhooks',
      title: 'Webhooks',
      words: webhookWords,
      current: () => eventStore.state.modes.webhooks,
      fields: { delaySeconds: optional(whole(0, 86_400)) },
      set: (webhooks, { delaySeconds }) => setModes(eventStore, { webhooks, ...given({ delaySeconds }) }),
    }),
    faults: choice(eventStore, {
      path: 'faults',
      title: 'The merchant API',
      words: faultWords,
      current: () => passing.fault.mode,
      fields: { times: optional(whole(1, 1_000_000)) },
      set: (mode, { times: left }) => {
        passing.fault = { mode, ...given({ left }) }
        return passing.fault
      },
    }),
    refunds: choice(eventStore, {
      path: 'refunds',
      title: 'Requested refunds',
      words: refundWords,
      current: () => eventStore.state.modes.refunds,
      set: (refunds) => setModes(eventStore, { refunds }),
    }),
    keys: control(eventStore, {
      path: 'certificates',
      fields: { action: oneOf(['rotate']) },
      run: async () => {
        const { certSerial } = await certificates.rotate()
        eventStore.record({ type: 'certificate.rotated', at: now(), certSerial })
        return { certSerial }
      },
      buttons: () => [['New webhook key', { action: 'rotate' }]],
    }),
    skew: control(eventStore, {
      path: 'skew',
      fields: { skewMs: whole(-86_400_000, 86_400_000) },
      run: ({ skewMs }) => {
        passing.skewMs = skewMs
        return { skewMs }
      },
    }),
    clock: clockControl(merchantClock(wallet)),
    state: control(eventStore, {
      method: 'GET',
      path: 'state',
      run: (_, __, { query }) => stateOf(wallet, query),
    }),
  }
}

function setModes(eventStore: Wallet['eventStore'], modes: Partial<Modes>): Modes {
  const next = { ...eventStore.state.modes, ...modes }
  eventStore.record({ type: 'modes.set', at: now(), modes: next })
  return next
}

export function routesOf({ eventStore }: Wallet, controls: Controls): readonly Route[] {
  const events = eventsRoute({ recent: eventStore.recent, shown: shownWithout('apiSecret') })
  return [...Object.values(controls).map((each) => each.route), events]
}

function stateOf(wallet: Wallet, query: URLSearchParams) {
  const { passing, certificates, webhooks } = wallet
  const { state, seed } = wallet.eventStore
  const named = query.get('prepayId')
  const found = [...state.orders.values()].filter(({ prepayId }) => named === null || named === prepayId)
  return {
    seed,
    modes: { ...state.modes, payerBalance: fixed(BigInt(state.modes.payerBalance)) },
    fault: passing.fault,
    skewMs: passing.skewMs,
    certificates: certificates.served(),
    merchants: [...state.merchants.values()].map((each) => ({ ...each, balance: fixed(each.balance) })),
    waiting: webhooks.waiting(),
    orders: found
      .slice(-integerOf(query, 'limit', listed))
      .reverse()
      .map((order) => orderSheet(wallet, order)),
  }
}

function orderSheet(wallet: Wallet, order: Order) {
  const { prepayId, terms, amount, payment, merchant, createdAt, refunds } = order
  return {
    prepayId,
    merchantId: merchant.merchantId,
    merchantTradeNo: terms.merchantTradeNo,
    status: statusOf(order),
    amount: fixed(amount),
    currency: terms.currency,
    createdAt: iso(createdAt),
    expiresInSeconds: Math.max(0, Math.ceil((order.dueAt - wallet.eventStore.clock()) / 1000)),
    ...(payment === undefined ? {} : { transactionId: payment.transactionId }),
    pageUrl: pageUrl(wallet, prepayId),
    refunds: refunds.map(refundSheet),
  }
}

function refundSheet({ refundId, refundRequestId, amount, status }: Refund) {
  return { refundId, refundRequestId, amount: fixed(amount), status }
}

function merchantOf({ eventStore }: Wallet, apiKey = ''): Merchant {
  return found(eventStore.state.keys.get(apiKey), 'No merchant has that key').merchant
}
