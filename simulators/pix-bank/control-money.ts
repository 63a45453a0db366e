// Control calls that move money: payments, refunds, MED, returned payouts.
import { instantOf, iso, now } from '../kit/clock.ts'
import {
  bad,
  field,
  flag,
  matching,
  name,
  oneOf,
  optional,
  text,
  usually,
  whole,
  type Values,
} from '../kit/control-fields.ts'
import { choice, control } from '../kit/control.ts'
import { asFields, asText } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import { controlProblem, found } from '../kit/refusal.ts'
import type { Bank } from './bank.ts'
import { readCode } from './br-code.ts'
import { webhookWays } from './dispatch.ts'
import { naturezas, type PayoutStatus, type RefundStatus } from './events.ts'
import { refusalCodes } from './magic.ts'
import { brl, centsOf, isAmount } from './money.ts'
import { pay, receive } from './payments.ts'
import { endPayout, payoutView, returnPayout } from './payouts.ts'
import { payoutItem, pixView, refundView } from './pix-view.ts'
import { endRefund, takeBack } from './refunds.ts'
import { termsOf, type Account, type Charge, type Payout, type Pix, type Refund } from './state.ts'

const refundStatuses = [
  'EM_PROCESSAMENTO',
  'DEVOLVIDO',
  'NAO_REALIZADO',
] as const satisfies readonly RefundStatus[]
const payoutEnds = ['REALIZADO', 'NAO_REALIZADO'] as const satisfies readonly PayoutStatus[]

const amount = field(
  'a text such as "10.00"',
  (value) => (isAmount(value) && centsOf(value) !== 0n ? value : undefined),
  {
    inputmode: 'decimal',
    pattern: '\\d{1,10}[.,]\\d{2}',
    title: 'An amount with two decimals, such as 12,34',
    required: '',
  },
)

/** How a Pix comes: when, from whom, and how its webhook is sent. */
const coming = {
  webhook: optional(oneOf(webhookWays)),
  happenedAt: optional(
    field('an RFC 3339 instant', (at) => (typeof at === 'string' ? instantOf(at) : undefined)),
  ),
  payer: optional(field('{name?, cpf?, cnpj?}', asFields)),
  infoPagador: optional(text(140)),
}

/** What can be paid by which payment: the charge's own, or another one that the payer's bank lets through. */
const paying = {
  ...coming,
  txid: optional(name),
  copyPaste: optional(text(1000)),
  amount: optional(amount),
  times: usually(1, whole(1, 1000)),
  force: usually(false, flag),
}

export function moneyTable(bank: Bank) {
  return { ...payingControls(bank), ...returningControls(bank), ...payoutControls(bank) }
}

function payingControls(bank: Bank) {
  const { eventStore } = bank
  return {
    pay: control(eventStore, {
      path: 'pay',
      status: 201,
      fields: paying,
      run: (values) => ({ pix: payWhat(bank, values).map(brief) }),
      names: ({ txid }: Charge) => ({ txid }),
      buttons: (charge) => {
        const when = isOpen(charge)
        return [
          [`Pay ${brl(termsOf(charge).amount)}`, {}, { when }],
          ['Pay late', { force: true }, { when: charge.status === 'ATIVA' && !when }],
        ]
      },
      leads: true,
      more: (charge) => {
        const isActive = { when: charge.status === 'ATIVA' }
        const isOver = { when: !isActive.when }
        const force = isOpen(charge) ? {} : { force: true }
        const late = { happenedAt: iso(Math.max(now(), charge.endsAt + 1000)), force: true }
        const again = charge.status === 'CONCLUIDA' ? 'Pay again' : 'Pay all the same'
        return [
          [again, { force: true }, isOver],
          ['Pay twice', { ...force, times: 2 }, isActive],
          ['Pay late', late, { when: isOpen(charge) }],
          ['Pay, lose the webhook', { ...force, webhook: 'lose' }],
          ['Pay, webhook three times', { ...force, webhook: 'repeat' }],
          ['Pay, webhook late', { ...force, webhook: 'late' }],
        ]
      },
      form: (charge) => ({
        labels: { amount: 'Another amount' },
        placeholders: { amount: '12,34' },
        submit: 'Pay this',
        sent: isOpen(charge) ? {} : { force: true },
      }),
    }),
    payKey: control(eventStore, {
      path: 'pay-key',
      status: 201,
      fields: {
        ...coming,
        pixKey: name,
        amount,
        txid: optional(matching('1 to 35 letters and digits', /^[a-zA-Z0-9]{1,35}$/)),
      },
      run: ({ pixKey, amount, txid, ...values }) => {
        const how = { ...howOf(values), ...given({ txid }), amount }
        return { pix: [brief(receive(bank, accountOf(bank, pixKey), how))] }
      },
    }),
    resend: control(eventStore, {
      path: 'webhooks/resend',
      status: 202,
      fields: { endToEndId: name },
      run: ({ endToEndId }) => ({ pix: resend(bank, endToEndId) }),
      names: ({ endToEndId }: Pix) => ({ endToEndId }),
      buttons: () => [['Webhook again', {}]],
    }),
  }
}

function returningControls(bank: Bank) {
  const { eventStore } = bank
  return {
    /** Takes money back; or, with the `id` of a return that is under way, ends it. */
    med: control(eventStore, {
      path: 'med',
      status: ({ id }) => (id === undefined ? 201 : 200),
      fields: {
        endToEndId: name,
        id: optional(name),
        amount: optional(amount),
        natureza: usually('MED_FRAUDE', oneOf(naturezas)),
        outcome: usually('DEVOLVIDO', oneOf(refundStatuses)),
        webhook: optional(oneOf(webhookWays)),
      },
      run: ({ endToEndId, id, amount, natureza, outcome: status, webhook }) => {
        const pix = pixOf(bank, endToEndId)
        if (id !== undefined) return refundView(endRefund(bank, pix, id, status, { webhook }))
        return refundView(takeBack(bank, pix, { natureza, status, ...given({ amount, webhook }) }))
      },
      names: ({ endToEndId }: Pix) => ({ endToEndId }),
      buttons: () => [
        ['Refund', { natureza: 'ORIGINAL' }],
        ['Take back (MED)', { natureza: 'MED_FRAUDE' }],
      ],
    }),
    refunds: choice(eventStore, {
      path: 'refunds',
      title: 'Requested refunds',
      words: { done: 'Succeed', pending: 'Stay under way', fail: 'Fail' },
      current: () => eventStore.state.modes.refunds,
      set: (refunds) => {
        const modes = { ...eventStore.state.modes, refunds }
        eventStore.record({ type: 'modes.set', at: now(), modes })
        return { mode: refunds }
      },
    }),
    refund: control(eventStore, {
      path: 'refunds/:e2eid/:id',
      fields: { status: oneOf(refundStatuses), again: usually(false, flag) },
      find: ({ e2eid, id = '' }) => ({ pix: pixOf(bank, e2eid), id }),
      run: ({ status, again }, { pix, id }) => refundView(endRefund(bank, pix, id, status, { again })),
      names: ({ pix, refund }: { readonly pix: Pix; readonly refund: Refund }) => ({
        e2eid: pix.endToEndId,
        id: refund.id,
      }),
      buttons: ({ refund }) => {
        const isOpen = { when: refund.status === 'EM_PROCESSAMENTO' }
        return [
          ['Done', { status: 'DEVOLVIDO' }, isOpen],
          ['Failed', { status: 'NAO_REALIZADO' }, isOpen],
        ]
      },
    }),
  }
}

function payoutControls(bank: Bank) {
  const { eventStore } = bank
  return {
    payout: control(eventStore, {
      path: 'payouts/:idEnvio',
      fields: { status: oneOf(payoutEnds), code: usually(refusalCodes[0], text(10)) },
      find: ({ idEnvio }) => payoutOf(bank, idEnvio),
      run: ({ status, code }, payout) => {
        if (payout.status !== 'EM_PROCESSAMENTO')
          throw controlProblem(409, 'already_ended', `The payout is ${payout.status} already`)
        endPayout(bank, payout, status, status === 'NAO_REALIZADO' ? code : undefined)
        return payoutView(payout)
      },
    }),
    returnPayout: control(eventStore, {
      path: 'return-payout',
      status: 201,
      fields: { idEnvio: name, amount: optional(amount) },
      run: ({ idEnvio, amount }) => {
        const payout = payoutOf(bank, idEnvio)
        returnPayout(bank, payout, amount)
        return payoutView(payout)
      },
    }),
  }
}

function isOpen({ status, endsAt }: Charge): boolean {
  return status === 'ATIVA' && now() <= endsAt
}

/** A charge by its txid or its code; or a static code of one of the bank's keys. */
function payWhat(bank: Bank, values: Values<typeof paying>): readonly Pix[] {
  const { txid, copyPaste, amount, times, force, ...how } = values
  const target = targetOf(bank, txid, copyPaste)
  if ('charge' in target)
    return pay(bank, target.charge, { ...howOf(how), times, force, ...given({ amount }) })
  const { account, code } = target
  const sum = amount ?? code.amount
  if (sum === undefined) throw bad('The code names no amount; give one')
  const receiving = { ...howOf(how), ...given({ txid: code.txid }), amount: sum }
  return Array.from({ length: times }, () => receive(bank, account, receiving))
}

type Target =
  | { readonly charge: Charge }
  | { readonly account: Account; readonly code: { readonly amount?: string; readonly txid?: string } }

function targetOf(bank: Bank, txid: string | undefined, copyPaste: string | undefined): Target {
  const { state } = bank.eventStore
  if (txid !== undefined) return { charge: found(state.byTxid.get(txid), 'No charge has this txid') }
  if (copyPaste === undefined) throw bad('Name a txid or a copyPaste')
  const code = readCode(copyPaste.trim())
  if (code === undefined) throw bad('copyPaste is no Pix code')
  if (code.pixKey !== undefined) return { account: accountOf(bank, code.pixKey), code }
  const [host, token] = code.location?.split('/qr/') ?? []
  const charge = host === bank.options.locationHost ? state.byToken.get(token ?? '') : undefined
  return { charge: found(charge, 'The location of this code is not of this bank') }
}

function howOf({ webhook, happenedAt: settledAt, payer, infoPagador: info }: Values<typeof coming>) {
  const { name, nome: named = name, cpf, cnpj } = payer ?? {}
  const person = given({ nome: asText(named, 200), cpf: asText(cpf, 11), cnpj: asText(cnpj, 14) })
  return given({ webhook, settledAt, payer: payer === undefined ? undefined : person, info })
}

function resend(bank: Bank, endToEndId: string): readonly unknown[] {
  const pix = bank.eventStore.state.pix.get(endToEndId)
  const payout = bank.eventStore.state.payoutsByEndToEndId.get(endToEndId)
  const account = found(pix?.account ?? payout?.account, 'No Pix has this end-to-end id')
  if (account.webhook === undefined) throw controlProblem(409, 'no_webhook', 'Its key has no webhook')
  const items = pix === undefined ? (payout === undefined ? [] : [payoutItem(payout)]) : [pixView(pix)]
  bank.dispatch.notify(account, items, 'send')
  return items
}

function brief(pix: Pix) {
  const { endToEndId, valor, horario, txid } = pixView(pix)
  return { endToEndId, valor, horario, txid }
}

function accountOf(bank: Bank, pixKey: string): Account {
  return found(bank.eventStore.state.accounts.get(pixKey), 'No account of this bank has this Pix key')
}

function pixOf(bank: Bank, endToEndId = ''): Pix {
  return found(bank.eventStore.state.pix.get(endToEndId), 'No Pix was received with this end-to-end id')
}

/** An idEnvio is unique within one account; if several accounts use the same, the last is meant. */
function payoutOf(bank: Bank, idEnvio: string | undefined): Payout {
  const payouts = [...bank.eventStore.state.payouts.values()]
  const last = payouts.findLast((each) => each.idEnvio === idEnvio)
  return found(last, 'No payout has this idEnvio')
}
