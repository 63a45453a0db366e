// Outgoing money: the payout API, in the shape of Efí's (the standard has none).
import { iso, now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { asFields, asText, type Fields } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import type { Reply } from '../kit/http.ts'
import { controlProblem } from '../kit/refusal.ts'
import { span, type Bank } from './bank.ts'
import type { PayoutStatus } from './events.ts'
import { endToEndId, returnId } from './ids.ts'
import { recipientMagic, type PayoutMagic } from './magic.ts'
import { amountOf, centsOf, isAmount } from './money.ts'
import { payoutItem, payoutReturns } from './pix-view.ts'
import { payoutProblem } from './problem.ts'
import { keyOf, type Account, type Application, type Payout } from './state.ts'

const settleSeconds = 1
const pendingSeconds = 60
const returnSeconds = 2
/** The cost of directory queries: one for an unknown key is expensive (BACEN, DICT, "Prevenção a ataques de leitura"). */
const lookups = { most: 1000, missing: 20, perSecond: 2 }

/**
 * PUT /v3/gn/pix/{idEnvio}. The same id with the same request is the same payout; with another request it is refused.
 * The payer's key must have a webhook.
 */
export function send(bank: Bank, application: Application, idEnvio: string, body: Fields): Reply {
  const request = readRequest(idEnvio, body)
  const { pixKey } = application
  const account = present(bank.eventStore.state.accounts.get(pixKey))
  const existing = bank.eventStore.state.payouts.get(keyOf(pixKey, idEnvio))
  if (existing !== undefined) {
    if (!isSame(existing, request))
      throw payoutProblem(409, 'id_envio_duplicado', 'O idEnvio já foi usado para outro envio')
    return { status: 201, body: sentView(existing) }
  }
  if (request.from !== pixKey)
    throw payoutProblem(403, 'chave_invalida', 'A chave do pagador não pertence a esta conta')
  if (account.webhook === undefined)
    throw payoutProblem(400, 'webhook_nao_cadastrado', 'A chave do pagador não tem webhook cadastrado')
  const magic = bank.options.magic && application.magic ? recipientMagic(request.to) : undefined
  if (typeof magic === 'string') refuse(bank, account, idEnvio, magic)
  if (centsOf(request.amount) > balanceOf(bank, account).free)
    throw payoutProblem(422, 'saldo_insuficiente', 'O saldo da conta não cobre o envio')
  const payout = accept(bank, account, idEnvio, request, magic)
  if (magic === '500then') throw payoutProblem(500, 'erro_aplicacao', 'Ocorreu um erro interno')
  return { status: 201, body: sentView(payout), ...(magic === 'timeout' ? { cut: 'all' } : {}) }
}

type PayoutRequest = {
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly info?: string
}

function readRequest(idEnvio: string, body: Fields): PayoutRequest {
  const bad = (field: string) => payoutProblem(400, 'json_invalido', `O campo ${field} não respeita o schema`)
  if (!/^[a-zA-Z0-9]{1,35}$/.test(idEnvio)) throw bad('idEnvio')
  const amount = body['valor']
  if (!isAmount(amount) || centsOf(amount) === 0n) throw bad('valor')
  const payer = asFields(body['pagador'])
  const from = asText(payer?.['chave'], 77)
  if (from === undefined) throw bad('pagador.chave')
  const info = payer?.['infoPagador']
  if (info !== undefined && asText(info, 140) === undefined) throw bad('pagador.infoPagador')
  const to = asText(asFields(body['favorecido'])?.['chave'], 77)
  if (to === undefined) throw bad('favorecido.chave')
  return { from, to, amount, ...(typeof info === 'string' ? { info } : {}) }
}

function isSame(payout: Payout, request: PayoutRequest): boolean {
  const { account, to, amount, info } = payout
  return (
    account.pixKey === request.from && to === request.to && amount === request.amount && info === request.info
  )
}

/** Refuses before anything is written. */
function refuse(bank: Bank, account: Account, idEnvio: string, magic: PayoutMagic): void {
  if (magic === 'night')
    throw payoutProblem(422, 'limite_noturno_excedido', 'O valor ultrapassa o limite noturno da conta')
  if (magic === '429') {
    const { refused } = bank.passing
    const name = `429 ${keyOf(account.pixKey, idEnvio)}`
    const times = (refused.get(name) ?? 0) + 1
    refused.set(name, times)
    if (times <= 2)
      throw payoutProblem(429, 'limite_requisicoes', 'Muitas requisições', { 'retry-after': '1' })
  }
  if (magic !== 'notfound') return
  const left = lookupsLeft(bank, account)
  if (left < lookups.missing)
    throw payoutProblem(429, 'limite_consultas', 'O limite de consultas ao DICT foi atingido', {
      'retry-after': '10',
    })
  bank.passing.lookups.set(account.pixKey, { left: left - lookups.missing, at: now() })
  throw payoutProblem(404, 'chave_nao_encontrada', 'A chave do favorecido não foi encontrada no DICT')
}

function lookupsLeft(bank: Bank, account: Account): number {
  const last = bank.passing.lookups.get(account.pixKey)
  if (last === undefined) return lookups.most
  const seconds = ((now() - last.at) * bank.options.speed) / 1000
  return Math.min(lookups.most, last.left + seconds * lookups.perSecond)
}

type Magic = ReturnType<typeof recipientMagic>

function accept(bank: Bank, account: Account, idEnvio: string, request: PayoutRequest, magic: Magic): Payout {
  const { eventStore, options } = bank
  return eventStore.together(() => {
    const at = now()
    const payout = endToEndId(eventStore.seed, 'out', eventStore.state.counts.out + 1, at)
    eventStore.record({
      type: 'payout.accepted',
      at,
      pixKey: account.pixKey,
      idEnvio,
      endToEndId: payout,
      amount: request.amount,
      to: request.to,
      ...given({ info: request.info }),
      ...(magic === 'lost' ? { silent: true } : {}),
    })
    const after = (seconds: number) => span(options, seconds)
    if (typeof magic === 'object') {
      const code = magic.refusedWith
      eventStore.schedule(after(settleSeconds), { do: 'end-payout', payout, status: 'NAO_REALIZADO', code })
    } else if (magic !== 'approve') {
      const seconds = magic === 'pending' ? pendingSeconds : settleSeconds
      eventStore.schedule(after(seconds), { do: 'end-payout', payout, status: 'REALIZADO' })
    }
    if (magic === 'returned')
      eventStore.schedule(after(settleSeconds + returnSeconds), { do: 'return-payout', payout })
    return present(eventStore.state.payoutsByEndToEndId.get(payout))
  })
}

/** Ends a payout and sends its webhook. One that has ended stays as it is. */
export function endPayout(bank: Bank, payout: Payout, status: PayoutStatus, code?: string): void {
  if (payout.status !== 'EM_PROCESSAMENTO' || status === 'EM_PROCESSAMENTO') return
  bank.eventStore.together(() => {
    const why = code === undefined ? {} : { code }
    bank.eventStore.record({ type: 'payout.ended', at: now(), payout: payout.endToEndId, status, ...why })
    if (!payout.silent) bank.dispatch.notify(payout.account, [payoutItem(payout)])
  })
}

/** The recipient sends money back. Default: all that is left of it. */
export function returnPayout(bank: Bank, payout: Payout, requested?: string): void {
  if (payout.status !== 'REALIZADO')
    throw controlProblem(
      409,
      'not_settled',
      `The payout is ${payout.status}: only what arrived can come back`,
    )
  const left = payout.returns.reduce((rest, { amount }) => rest - centsOf(amount), centsOf(payout.amount))
  const amount = requested ?? amountOf(left)
  if (centsOf(amount) === 0n || centsOf(amount) > left)
    throw controlProblem(409, 'nothing_left', `Of this payout only ${amountOf(left)} can still come back`)
  const { eventStore } = bank
  eventStore.together(() => {
    const at = now()
    const rtrId = returnId(eventStore.seed, 'in', eventStore.state.counts.returns + 1, at)
    eventStore.record({ type: 'payout.returned', at, payout: payout.endToEndId, rtrId, amount })
    bank.dispatch.notify(payout.account, [payoutItem(payout)])
  })
}

/** The answer to a PUT. */
function sentView(payout: Payout): Record<string, unknown> {
  return {
    idEnvio: payout.idEnvio,
    e2eId: payout.endToEndId,
    valor: payout.amount,
    horario: { solicitacao: iso(payout.requestedAt) },
    status: payout.status,
  }
}

export function payoutView(payout: Payout): Record<string, unknown> {
  const { info, code, returns, endedAt } = payout
  return {
    endToEndId: payout.endToEndId,
    idEnvio: payout.idEnvio,
    valor: payout.amount,
    chave: payout.account.pixKey,
    status: payout.status,
    ...given({ infoPagador: info }),
    horario: {
      solicitacao: iso(payout.requestedAt),
      ...(payout.status === 'REALIZADO' && endedAt !== undefined ? { liquidacao: iso(endedAt) } : {}),
    },
    favorecido: { chave: payout.to },
    ...(code === undefined ? {} : { erro: { codigo: code } }),
    ...(returns.length === 0 ? {} : { devolucoes: payoutReturns(payout) }),
  }
}

/** The account's balance, in cents. `free`: without what is on its way out. */
export function balanceOf(bank: Bank, account: Account): { readonly total: bigint; readonly free: bigint } {
  const total = centsOf(bank.options.capital) + account.moved
  return { total, free: total - account.leaving }
}
