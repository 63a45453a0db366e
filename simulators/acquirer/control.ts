// The control calls: they cause what a payer, a bank or an accident would. For callers on this machine.
import { clockRoute } from '../kit/account-clock.ts'
import { iso } from '../kit/clock.ts'
import { choice, type Choice } from '../kit/control-choice.ts'
import { bad, integer, oneOf } from '../kit/control-fields.ts'
import { route } from '../kit/control-route.ts'
import { asInteger, asText, type Fields } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import type { Reply, Route } from '../kit/http.ts'
import { eventsRoute } from '../kit/log.ts'
import { webhookModes } from '../kit/outbox.ts'
import { controlProblem } from '../kit/refusal.ts'
import type { Table } from '../kit/store.ts'
import { accountClock } from './account-time.ts'
import { accountView, createAccount, setWebhook } from './accounts.ts'
import { faultModes, refundModes, refundOutcomes, type Acquirer } from './acquirer.ts'
import { pay } from './control-pay.ts'
import {
  canChange,
  disputable,
  disputeReasons,
  endDispute,
  escalate,
  isInquiry,
  isOpen,
  openDispute,
} from './disputes.ts'
import { post, webhookModeOf } from './events.ts'
import { endFaults } from './faults.ts'
import { canEnd, endRefund } from './refunds.ts'

export function controlRoutes(acquirer: Acquirer): readonly Route[] {
  const { store } = acquirer
  const at = (path: string, work: (body: Fields, id: string) => unknown, status = 200) =>
    route('POST', `/_sim/${path}`, (body, call): Reply => {
      const id = call.params['id'] ?? ''
      return { status, body: store.together(() => work(body, id)) }
    })
  return [
    at(
      'accounts',
      (body) => {
        const { id: accountId, ...account } = createAccount(acquirer, body)
        return { accountId, ...account }
      },
      201,
    ),
    at('accounts/:id/webhook', (body, id) => {
      const account = found(acquirer.accounts, id)
      const { url } = body
      if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))
        throw bad('url is where webhooks go')
      return setWebhook(acquirer, account, url)
    }),
    at('pay', (body) => pay(acquirer, body)),
    ...moneyRoutes(acquirer, at),
    ...settingRoutes(acquirer, at),
    ...choicesOf(acquirer).map((each) => each.route),
    route('GET', '/_sim/files/:id', (_, { params }) => {
      const { wire, content } = found(acquirer.files, params['id'] ?? '')
      return { status: 200, body: { ...wire, content } }
    }),
    route('GET', '/_sim/state', (_, { query }) => ({
      status: 200,
      body: stateOf(acquirer, query.get('account') ?? undefined),
    })),
    eventsRoute({ recent: acquirer.log.recent, shown: (each) => ({ ...each, at: iso(each.at) }) }),
  ]
}

type At = (path: string, work: (body: Fields, id: string) => unknown, status?: number) => Route

function moneyRoutes(acquirer: Acquirer, at: At): readonly Route[] {
  return [
    at(
      'disputes',
      (body) => {
        const charge = disputable(acquirer, asText(body['paymentIntent'], 100) ?? '')
        if (charge === undefined) throw controlProblem(409, 'not_paid', 'No such paid PaymentIntent')
        const left = charge.wire.amount - charge.wire.amount_refunded
        const amount = body['amount'] === undefined ? left : asInteger(body['amount'], 1, left)
        if (amount === undefined || amount === 0) throw bad(`amount is a whole number from 1 to ${left}`)
        const { reason = 'fraudulent', inquiry = false } = body
        const allowed: readonly unknown[] = disputeReasons
        if (!allowed.includes(reason)) throw bad(`reason is one of ${disputeReasons.join(', ')}`)
        if (typeof inquiry !== 'boolean') throw bad('inquiry is true or false')
        return openDispute(acquirer, charge, { reason: String(reason), amount, isInquiry: inquiry })
      },
      201,
    ),
    at('disputes/:id', (body, id) => {
      const { outcome } = body
      const dispute = found(acquirer.disputes, id)
      const { status } = dispute.wire
      if (!isOpen(status) && !canChange(status, outcome))
        throw controlProblem(409, 'already_ended', `The dispute is ${status} already`)
      if ((outcome === 'warning' || outcome === 'escalate') && !isInquiry(status))
        throw controlProblem(409, 'no_inquiry', 'Only an inquiry can end so')
      if (outcome === 'escalate') return escalate(acquirer, dispute)
      return endDispute(acquirer, dispute, oneOf(body, 'outcome', ['won', 'lost', 'warning']))
    }),
    at('refunds/:id', (body, id) => {
      const refund = found(acquirer.refunds, id)
      const end = oneOf(body, 'outcome', refundOutcomes)
      if (!canEnd(refund, end))
        throw controlProblem(409, 'already_ended', `The refund is ${refund.wire.status} already`)
      return endRefund(acquirer, refund, end)
    }),
  ]
}

function settingRoutes(acquirer: Acquirer, at: At): readonly Route[] {
  const { passing } = acquirer
  return [
    at('webhooks/resend', ({ event }) => {
      const { wire, account } = found(acquirer.events, asText(event, 100) ?? '')
      const mine = [...acquirer.endpoints.all()].filter((each) => each.account === account)
      for (const endpoint of mine) post(acquirer, { event: wire.id, endpoint: endpoint.wire.id })
      return { event: wire.id, endpoints: mine.length }
    }),
    at('vouchers', ({ spoiled }) => {
      if (typeof spoiled !== 'boolean') throw bad('spoiled is true or false')
      passing.spoilsVouchers = spoiled
      return { spoiled }
    }),
    clockRoute(accountClock(acquirer)),
  ]
}

/** How webhooks, calls and refunds go: each is a control call, and switches on the page. */
export function choicesOf(acquirer: Acquirer): readonly Choice[] {
  const { passing, store, refundModes: refunds, webhookModes: webhooks } = acquirer
  return [
    choice({
      path: '/_sim/webhooks',
      title: 'Webhooks',
      words: named(webhookModes),
      current: () => webhookModeOf(acquirer),
      set: (mode) => store.together(() => ({ mode: webhooks.put('mode', mode) })),
    }),
    choice({
      path: '/_sim/faults',
      title: 'Calls to the API',
      words: named(faultModes),
      current: () => passing.fault,
      set: (mode, body) => {
        const times = integer(body, 'times', 1, 1_000_000)
        endFaults(passing)
        passing.fault = mode
        if (times !== undefined) passing.faultsLeft = times
        return { mode, ...given({ times }) }
      },
    }),
    choice({
      path: '/_sim/refunds',
      title: 'Refunds',
      words: named(refundModes),
      current: () => refunds.get('mode') ?? 'succeed',
      set: (mode) => store.together(() => ({ mode: refunds.put('mode', mode) })),
    }),
  ]
}

/** Modes whose names are their labels. */
function named<Mode extends string>(modes: readonly Mode[]): Readonly<Record<Mode, string>> {
  return Object.fromEntries(modes.map((mode) => [mode, mode.replaceAll('_', ' ')])) as Record<Mode, string>
}

function stateOf(acquirer: Acquirer, account: string | undefined) {
  const wires = <T>(table: Table<{ readonly account: string; readonly wire: T }>): readonly T[] =>
    [...table.all()]
      .filter((each) => account === undefined || each.account === account)
      .map(({ wire }) => wire)
  const { sessions, intents, charges, refunds, disputes, events, endpoints } = acquirer
  return {
    seed: acquirer.store.seed,
    webhooks: { mode: webhookModeOf(acquirer), waiting: acquirer.outbox.waiting() },
    faults: { mode: acquirer.passing.fault },
    refundMode: acquirer.refundModes.get('mode') ?? 'succeed',
    accounts: [...acquirer.accounts.all()].map(accountView),
    sessions: wires(sessions),
    paymentIntents: wires(intents),
    charges: wires(charges),
    refunds: wires(refunds),
    disputes: wires(disputes),
    events: wires(events),
    webhookEndpoints: wires(endpoints),
  }
}

function found<T>(table: Table<T>, id: string): T {
  const value = table.get(id)
  if (value === undefined) throw controlProblem(404, 'not_found', `There is no ${id} here`)
  return value
}
