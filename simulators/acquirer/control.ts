// The control calls: they cause what a payer, a bank or an accident would. For callers on this machine.
import { clockControl } from '../kit/account-clock.ts'
import { iso } from '../kit/clock.ts'
import {
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
import { eventsRoute } from '../kit/log.ts'
import { webhookModes } from '../kit/outbox.ts'
import { controlProblem, found } from '../kit/refusal.ts'
import type { Table } from '../kit/store.ts'
import { accountClock } from './account-time.ts'
import { accountView, createAccount, setWebhook } from './accounts.ts'
import {
  faultModes,
  refundModes,
  refundOutcomes,
  type Acquirer,
  type Kept,
  type KeptIntent,
} from './acquirer.ts'
import { payControl } from './control-pay.ts'
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
import type { Dispute, Refund } from './wire.ts'

export type Controls = ReturnType<typeof controlTable>

export function controlTable(acquirer: Acquirer) {
  return {
    ...accountControls(acquirer),
    pay: payControl(acquirer),
    ...disputeControls(acquirer),
    refund: refundControl(acquirer),
    ...settingControls(acquirer),
    clock: clockControl(accountClock(acquirer)),
    ...readingControls(acquirer),
  }
}

export function routesOf({ log }: Acquirer, controls: Controls): readonly Route[] {
  const events = eventsRoute({ recent: log.recent, shown: (each) => ({ ...each, at: iso(each.at) }) })
  return [...Object.values(controls).map((each) => each.route), events]
}

function named<T>(table: Table<T>, id = ''): T {
  return found(table.get(id), `There is no ${id} here`)
}

function accountControls(acquirer: Acquirer) {
  const { store, accounts } = acquirer
  return {
    account: control(store, {
      path: 'accounts',
      status: 201,
      fields: {
        name: usually('Loja Simulada', text(100)),
        country: usually('PT', text(2)),
        currencies: usually(
          ['brl', 'eur', 'usd'],
          someOf('a list of currencies', (each) => /^[a-z]{3}$/i.test(each)),
        ),
        methods: optional(someOf('a list of methods', (each) => /^[a-z_]+$/.test(each))),
        origins: optional(
          someOf(
            'a list such as https://pay.example.com',
            (each) => /^https?:\/\/\S+$/.test(each) && URL.canParse(each) && new URL(each).origin === each,
          ),
        ),
      },
      run: (terms) => {
        const { id: accountId, ...account } = createAccount(acquirer, terms)
        return { accountId, ...account }
      },
    }),
    webhook: control(store, {
      path: 'accounts/:id/webhook',
      fields: { url: webAddress },
      find: ({ id }) => named(accounts, id),
      run: ({ url }, account) => setWebhook(acquirer, account, url),
    }),
  }
}

function disputeControls(acquirer: Acquirer) {
  const { store, disputes } = acquirer
  return {
    dispute: control(store, {
      path: 'disputes',
      status: 201,
      fields: {
        paymentIntent: name,
        amount: optional(whole(1, 99_999_999)),
        reason: usually('fraudulent', oneOf(disputeReasons)),
        inquiry: usually(false, flag),
      },
      run: ({ paymentIntent, amount: wanted, reason, inquiry: isInquiry }) => {
        const charge = disputable(acquirer, paymentIntent)
        if (charge === undefined) throw controlProblem(409, 'not_paid', 'No such paid PaymentIntent')
        const left = charge.wire.amount - charge.wire.amount_refunded
        const amount = whole(1, left).read(wanted ?? left, 'amount')
        return openDispute(acquirer, charge, { reason, amount, isInquiry })
      },
      names: ({ wire }: KeptIntent) => ({ paymentIntent: wire.id }),
      buttons: ({ wire }) => {
        const ofIntent = [...disputes.all()].filter((each) => each.wire.payment_intent === wire.id)
        const when = wire.status === 'succeeded' && ofIntent.every((each) => !isOpen(each.wire.status))
        return [
          ['Dispute', { inquiry: false }, { when }],
          ['Inquiry', { inquiry: true }, { when }],
        ]
      },
    }),
    decision: control(store, {
      path: 'disputes/:id',
      fields: { outcome: oneOf(['won', 'lost', 'warning', 'escalate']) },
      find: ({ id }) => named(disputes, id),
      run: ({ outcome }, dispute) => {
        const { status } = dispute.wire
        if (!isOpen(status) && !canChange(status, outcome))
          throw controlProblem(409, 'already_ended', `The dispute is ${status} already`)
        if ((outcome === 'warning' || outcome === 'escalate') && !isInquiry(status))
          throw controlProblem(409, 'no_inquiry', 'Only an inquiry can end so')
        return outcome === 'escalate' ? escalate(acquirer, dispute) : endDispute(acquirer, dispute, outcome)
      },
      names: ({ wire }: Kept<Dispute>) => ({ id: wire.id }),
      buttons: ({ wire: { status } }) => {
        const ofInquiry = { when: isOpen(status) && isInquiry(status) }
        const ofDispute = { when: isOpen(status) && !isInquiry(status) }
        return [
          ['Close it', { outcome: 'warning' }, ofInquiry],
          ['Make it a dispute', { outcome: 'escalate' }, ofInquiry],
          ['Won', { outcome: 'won' }, ofDispute],
          ['Lost', { outcome: 'lost' }, ofDispute],
        ]
      },
    }),
  }
}

function refundControl(acquirer: Acquirer) {
  const { store, refunds } = acquirer
  return control(store, {
    path: 'refunds/:id',
    fields: { outcome: oneOf(refundOutcomes) },
    find: ({ id }) => named(refunds, id),
    run: ({ outcome }, refund) => {
      if (!canEnd(refund, outcome))
        throw controlProblem(409, 'already_ended', `The refund is ${refund.wire.status} already`)
      return endRefund(acquirer, refund, outcome)
    },
    names: ({ wire }: Kept<Refund>) => ({ id: wire.id }),
    buttons: ({ wire: { status } }) => {
      const isAsked = { when: status === 'requires_action' }
      return [
        ['Payer names an account', { outcome: 'answer' }, isAsked],
        ['Payer never does', { outcome: 'expire' }, isAsked],
        ['Let it succeed', { outcome: 'succeed' }, { when: status === 'pending' }],
        ['Let it fail', { outcome: 'fail' }, { when: status === 'pending' || status === 'succeeded' }],
      ]
    },
  })
}

/** How webhooks, calls and refunds go. */
function settingControls(acquirer: Acquirer) {
  const { passing, store, refundModes: refunds, webhookModes: webhooks } = acquirer
  return {
    resend: control(store, {
      path: 'webhooks/resend',
      fields: { event: name },
      run: ({ event: id }) => {
        const { wire, account } = named(acquirer.events, id)
        const mine = [...acquirer.endpoints.all()].filter((each) => each.account === account)
        for (const endpoint of mine) post(acquirer, { event: wire.id, endpoint: endpoint.wire.id })
        return { event: wire.id, endpoints: mine.length }
      },
    }),
    vouchers: control(store, {
      path: 'vouchers',
      fields: { spoiled: flag },
      run: ({ spoiled }) => {
        passing.spoilsVouchers = spoiled
        return { spoiled }
      },
    }),
    webhooks: choice(store, {
      path: 'webhooks',
      title: 'Webhooks',
      words: labels(webhookModes),
      current: () => webhookModeOf(acquirer),
      set: (mode) => ({ mode: webhooks.put('mode', mode) }),
    }),
    faults: choice(store, {
      path: 'faults',
      title: 'Calls to the API',
      words: labels(faultModes),
      current: () => passing.fault,
      fields: { times: optional(whole(1, 1_000_000)) },
      set: (mode, { times }) => {
        endFaults(passing)
        passing.fault = mode
        if (times !== undefined) passing.faultsLeft = times
        return { mode, ...given({ times }) }
      },
    }),
    refunds: choice(store, {
      path: 'refunds',
      title: 'Refunds',
      words: labels(refundModes),
      current: () => refunds.get('mode') ?? 'succeed',
      set: (mode) => ({ mode: refunds.put('mode', mode) }),
    }),
  }
}

/** Modes whose names are their labels. */
function labels<Mode extends string>(modes: readonly Mode[]): Readonly<Record<Mode, string>> {
  return Object.fromEntries(modes.map((mode) => [mode, mode.replaceAll('_', ' ')])) as Record<Mode, string>
}

function readingControls(acquirer: Acquirer) {
  const { store, files } = acquirer
  return {
    file: control(store, {
      method: 'GET',
      path: 'files/:id',
      find: ({ id }) => named(files, id),
      run: (_, { wire, content }) => ({ ...wire, content }),
    }),
    state: control(store, {
      method: 'GET',
      path: 'state',
      run: (_, __, { query }) => stateOf(acquirer, query.get('account')),
    }),
  }
}

function stateOf(acquirer: Acquirer, account: string | null) {
  const wires = <T>(table: Table<Kept<T>>): readonly T[] =>
    [...table.all()].filter((each) => account === null || each.account === account).map(({ wire }) => wire)
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
