// Control calls that move money: payments, refunds, MED, returned payouts.
import { instantOf, now } from '../kit/clock.ts'
import { bad } from '../kit/control-fields.ts'
import { route } from '../kit/control-route.ts'
import { asFields, asInteger, asText, type Fields } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import type { Route } from '../kit/http.ts'
import { controlProblem } from '../kit/refusal.ts'
import type { Bank } from './bank.ts'
import { readCode } from './br-code.ts'
import { webhookWays, type WebhookWay } from './dispatch.ts'
import { naturezas, type Payer, type PayoutStatus, type RefundStatus } from './events.ts'
import { refusalCodes } from './magic.ts'
import { centsOf, isAmount } from './money.ts'
import { pay, receive } from './payments.ts'
import { endPayout, payoutView, returnPayout } from './payouts.ts'
import { payoutItem, pixView, refundView } from './pix-view.ts'
import { endRefund, takeBack } from './refunds.ts'
import type { Account, Charge, Payout, Pix } from './state.ts'

const refundStatuses = [
  'EM_PROCESSAMENTO',
  'DEVOLVIDO',
  'NAO_REALIZADO',
] as const satisfies readonly RefundStatus[]
const payoutEnds = ['REALIZADO', 'NAO_REALIZADO'] as const satisfies readonly PayoutStatus[]

export function moneyRoutes(bank: Bank): readonly Route[] {
  return [
    route('POST', '/_sim/pay', (body) => ({ status: 201, body: { pix: payWhat(bank, body).map(brief) } })),
    route('POST', '/_sim/pay-key', (body) => {
      const account = accountOf(bank, body['pixKey'])
      const pix = receive(bank, account, { ...howOf(body), ...txidOf(body), amount: mustAmount(body) })
      return { status: 201, body: { pix: [brief(pix)] } }
    }),
    route('POST', '/_sim/med', (body) => med(bank, body)),
    route('POST', '/_sim/refunds', (body) => {
      const mode = oneOf(body, 'mode', ['done', 'pending', 'fail'])
      if (mode === undefined) throw bad('mode is done, pending or fail')
      setRefunds(bank, mode)
      return { status: 200, body: { mode } }
    }),
    route('POST', '/_sim/refunds/:e2eid/:id', (body, { params }) => {
      const status = oneOf(body, 'status', refundStatuses)
      if (status === undefined) throw bad(`status is one of ${refundStatuses.join(', ')}`)
      const again = body['again'] === true
      const refund = endRefund(bank, pixOf(bank, params['e2eid']), params['id'] ?? '', status, { again })
      return { status: 200, body: refundView(refund) }
    }),
    route('POST', '/_sim/payouts/:idEnvio', (body, { params }) => {
      const payout = payoutOf(bank, params['idEnvio'])
      const status = oneOf(body, 'status', payoutEnds)
      if (status === undefined) throw bad(`status is one of ${payoutEnds.join(', ')}`)
      const code = status === 'NAO_REALIZADO' ? (asText(body['code'], 10) ?? refusalCodes[0]) : undefined
      if (payout.status !== 'EM_PROCESSAMENTO')
        throw controlProblem(409, 'already_ended', `The payout is ${payout.status} already`)
      endPayout(bank, payout, status, code)
      return { status: 200, body: payoutView(payout) }
    }),
    route('POST', '/_sim/return-payout', (body) => {
      const payout = payoutOf(bank, body['idEnvio'])
      returnPayout(bank, payout, amountIn(body))
      return { status: 201, body: payoutView(payout) }
    }),
    route('POST', '/_sim/webhooks/resend', (body) => resend(bank, body['endToEndId'])),
  ]
}

function setRefunds({ eventStore }: Bank, refunds: 'done' | 'pending' | 'fail'): void {
  eventStore.record({ type: 'modes.set', at: now(), modes: { ...eventStore.state.modes, refunds } })
}

/** A charge by its txid or its code; or a static code of one of the bank's keys. */
function payWhat(bank: Bank, body: Fields): readonly Pix[] {
  const { times: wanted = 1, force = false } = body
  const times = asInteger(wanted, 1, 1000)
  if (times === undefined) throw bad('times is a whole number from 1 to 1000')
  if (typeof force !== 'boolean') throw bad('force is true or false')
  const amount = amountIn(body)
  const found = targetOf(bank, body)
  if ('charge' in found)
    return pay(bank, found.charge, {
      ...howOf(body),
      times,
      force,
      ...given({ amount }),
    })
  const { account, code } = found
  const sum = amount ?? code.amount
  if (sum === undefined) throw bad('The code names no amount; give one')
  const txid = code.txid === undefined ? {} : { txid: code.txid }
  return Array.from({ length: times }, () => receive(bank, account, { ...howOf(body), ...txid, amount: sum }))
}

type Target =
  | { readonly charge: Charge }
  | { readonly account: Account; readonly code: { readonly amount?: string; readonly txid?: string } }

function targetOf(bank: Bank, body: Fields): Target {
  const { state } = bank.eventStore
  const { txid, copyPaste } = body
  if (typeof txid === 'string') {
    const charge = state.byTxid.get(txid)
    if (charge === undefined) throw controlProblem(404, 'not_found', 'No charge has this txid')
    return { charge }
  }
  if (typeof copyPaste !== 'string') throw bad('Name a txid or a copyPaste')
  const code = readCode(copyPaste.trim())
  if (code === undefined) throw bad('copyPaste is no Pix code')
  if (code.pixKey !== undefined) return { account: accountOf(bank, code.pixKey), code }
  const [host, token] = code.location?.split('/qr/') ?? []
  const charge = host === bank.options.locationHost ? state.byToken.get(token ?? '') : undefined
  if (charge === undefined)
    throw controlProblem(404, 'not_found', 'The location of this code is not of this bank')
  return { charge }
}

/** How a Pix comes: when, from whom, and how its webhook is sent. */
function howOf(body: Fields) {
  const webhook: WebhookWay | undefined = oneOf(body, 'webhook', webhookWays)
  const settledAt = typeof body['happenedAt'] === 'string' ? instantOf(body['happenedAt']) : undefined
  if (body['happenedAt'] !== undefined && settledAt === undefined)
    throw bad('happenedAt is no RFC 3339 instant')
  const payer = payerOf(body['payer'])
  const info = body['infoPagador'] === undefined ? undefined : asText(body['infoPagador'], 140)
  return {
    ...given({ webhook, settledAt, payer, info }),
  }
}

function payerOf(value: unknown): Payer | undefined {
  if (value === undefined) return undefined
  const fields = asFields(value)
  if (fields === undefined) throw bad('payer is {name?, cpf?, cnpj?}')
  const nome = asText(fields['name'] ?? fields['nome'], 200)
  const cpf = asText(fields['cpf'], 11)
  const cnpj = asText(fields['cnpj'], 14)
  return {
    ...given({ nome, cpf, cnpj }),
  }
}

function txidOf(body: Fields): { readonly txid?: string } {
  const { txid } = body
  if (txid === undefined) return {}
  if (typeof txid !== 'string' || !/^[a-zA-Z0-9]{1,35}$/.test(txid))
    throw bad('txid is 1 to 35 letters and digits')
  return { txid }
}

function med(bank: Bank, body: Fields) {
  const pix = pixOf(bank, body['endToEndId'])
  const status = oneOf(body, 'outcome', refundStatuses) ?? 'DEVOLVIDO'
  const webhook: WebhookWay | undefined = oneOf(body, 'webhook', webhookWays)
  if (typeof body['id'] === 'string')
    return { status: 200, body: refundView(endRefund(bank, pix, body['id'], status, { webhook })) }
  const amount = amountIn(body)
  const natureza = oneOf(body, 'natureza', naturezas) ?? 'MED_FRAUDE'
  const refund = takeBack(bank, pix, {
    natureza,
    status,
    ...given({ amount, webhook }),
  })
  return { status: 201, body: refundView(refund) }
}

function resend(bank: Bank, endToEndId: unknown) {
  const name = typeof endToEndId === 'string' ? endToEndId : ''
  const pix = bank.eventStore.state.pix.get(name)
  const payout = bank.eventStore.state.payoutsByEndToEndId.get(name)
  const account = pix?.account ?? payout?.account
  if (account === undefined) throw controlProblem(404, 'not_found', 'No Pix has this end-to-end id')
  if (account.webhook === undefined) throw controlProblem(409, 'no_webhook', 'Its key has no webhook')
  const items = pix === undefined ? (payout === undefined ? [] : [payoutItem(payout)]) : [pixView(pix)]
  bank.eventStore.together(() => bank.dispatch.notify(account, items, 'send'))
  return { status: 202, body: { pix: items } }
}

function brief(pix: Pix) {
  const { endToEndId, valor, horario, txid } = pixView(pix)
  return { endToEndId, valor, horario, txid }
}

function accountOf(bank: Bank, pixKey: unknown): Account {
  const account = bank.eventStore.state.accounts.get(typeof pixKey === 'string' ? pixKey : '')
  if (account === undefined)
    throw controlProblem(404, 'not_found', 'No account of this bank has this Pix key')
  return account
}

function pixOf(bank: Bank, endToEndId: unknown): Pix {
  const pix = bank.eventStore.state.pix.get(typeof endToEndId === 'string' ? endToEndId : '')
  if (pix === undefined) throw controlProblem(404, 'not_found', 'No Pix was received with this end-to-end id')
  return pix
}

/** An idEnvio is unique within one account; if several accounts use the same, the last is meant. */
function payoutOf(bank: Bank, idEnvio: unknown): Payout {
  const payout = [...bank.eventStore.state.payouts.values()].findLast((each) => each.idEnvio === idEnvio)
  if (payout === undefined) throw controlProblem(404, 'not_found', 'No payout has this idEnvio')
  return payout
}

function amountIn(body: Fields): string | undefined {
  const { amount } = body
  if (amount === undefined) return undefined
  if (!isAmount(amount) || centsOf(amount) === 0n) throw bad('amount is a text such as "10.00"')
  return amount
}

function mustAmount(body: Fields): string {
  const amount = amountIn(body)
  if (amount === undefined) throw bad('amount is missing')
  return amount
}

function oneOf<T extends string>(body: Fields, name: string, values: readonly T[]): T | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  const found = values.find((each) => each === value)
  if (found === undefined) throw bad(`${name} is one of ${values.join(', ')}`)
  return found
}
