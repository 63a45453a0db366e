// Money that goes back: requested by its receiver (devolução), or taken back by the payer's bank (MED).
import { now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { asText, type Fields } from '../kit/fields.ts'
import { controlProblem } from '../kit/refusal.ts'
import { seededText } from '../kit/seed.ts'
import { span, type Bank } from './bank.ts'
import type { WebhookWay } from './dispatch.ts'
import type { Natureza, RefundStatus } from './events.ts'
import { returnId } from './ids.ts'
import { amountOf, centsOf, isAmount } from './money.ts'
import { pixView } from './pix-view.ts'
import { problem, violation } from './problem.ts'
import { type Application, type Pix, type Refund } from './state.ts'

/** How long the other bank takes. */
const settleSeconds = 1

/** PUT /pix/{e2eid}/devolucao/{id}. An id serves once, whatever its request was. */
export function requestRefund(bank: Bank, pix: Pix, id: string, body: Fields): Refund {
  const amount = body['valor']
  if (!/^[a-zA-Z0-9]{1,35}$/.test(id)) throw bad('id', 'não respeita o schema', id)
  if (!isAmount(amount) || centsOf(amount) === 0n) throw bad('valor', 'não respeita o schema', amount)
  const natureza = body['natureza'] ?? 'ORIGINAL'
  // RETIRADA is for cash withdrawals, which this bank does not offer.
  if (natureza !== 'ORIGINAL') throw bad('natureza', 'não se aplica a um Pix comum', natureza)
  const descricao = body['descricao']
  if (descricao !== undefined && asText(descricao, 140) === undefined)
    throw bad('descricao', 'não respeita o schema', descricao)
  if (pix.refunds.some((each) => each.id === id))
    throw bad('id', 'já foi utilizado por outra requisição de devolução', id)
  if (centsOf(amount) > refundable(pix)) throw bad('valor', 'excederia o valor do Pix originário', amount)
  if (now() > pix.refundableUntil)
    throw problem('PixDevolucaoInvalida', 'A devolução viola a janela de 90 dias desde a liquidação do Pix.')
  return bank.eventStore.together(() => {
    const refund = open(bank, pix, {
      id,
      amount,
      natureza,
      ...(typeof descricao === 'string' ? { descricao } : {}),
    })
    const { refunds } = bank.eventStore.state.modes
    const status: RefundStatus = refunds === 'fail' ? 'NAO_REALIZADO' : 'DEVOLVIDO'
    if (refunds !== 'pending') {
      const { endToEndId } = pix
      bank.eventStore.schedule(span(bank.options, settleSeconds), {
        do: 'end-refund',
        endToEndId,
        id,
        status,
      })
    }
    return refund
  })
}

function bad(property: string, reason: string, value: unknown) {
  return violation(
    'PixDevolucaoInvalida',
    `devolucao.${property}`,
    `O campo devolucao.${property} ${reason}.`,
    value,
  )
}

/** What was not returned and is not on its way back, in cents. */
function refundable(pix: Pix): bigint {
  return pix.refunds
    .filter(({ status }) => status !== 'NAO_REALIZADO')
    .reduce((left, { amount }) => left - centsOf(amount), centsOf(pix.amount))
}

export type Med = {
  readonly amount?: string
  readonly natureza: Natureza
  readonly status: RefundStatus
  readonly webhook?: WebhookWay
}

/** Takes money back by MED. No window applies to that. */
export function takeBack(bank: Bank, pix: Pix, med: Med): Refund {
  const left = refundable(pix)
  const amount = med.amount ?? amountOf(left)
  if (centsOf(amount) === 0n || centsOf(amount) > left)
    throw controlProblem(409, 'nothing_left', `Of this Pix only ${amountOf(left)} can still go back`)
  return bank.eventStore.together(() => {
    const id = `MED${seededText(bank.eventStore.seed, 'med', bank.eventStore.state.counts.refunds + 1, 20)}`
    const refund = open(bank, pix, { id, amount, natureza: med.natureza })
    if (med.status !== 'EM_PROCESSAMENTO') endRefund(bank, pix, id, med.status, med)
    return refund
  })
}

function open(
  bank: Bank,
  pix: Pix,
  request: {
    readonly id: string
    readonly amount: string
    readonly natureza: Natureza
    readonly descricao?: string
  },
): Refund {
  const { eventStore } = bank
  const at = now()
  const rtrId = returnId(eventStore.seed, 'out', eventStore.state.counts.refunds + 1, at)
  eventStore.record({ type: 'refund.requested', at, endToEndId: pix.endToEndId, rtrId, ...request })
  return present(pix.refunds.at(-1))
}

/** Ends a refund and sends its webhook. One that has ended stays as it is, unless the bank changes its result: `again`. */
export function endRefund(
  bank: Bank,
  pix: Pix,
  id: string,
  status: RefundStatus,
  how: { readonly webhook?: WebhookWay | undefined; readonly again?: boolean } = {},
): Refund {
  const refund = pix.refunds.find((each) => each.id === id)
  if (refund === undefined) throw controlProblem(404, 'not_found', 'No such refund of this Pix')
  if (refund.status !== 'EM_PROCESSAMENTO' && how.again !== true)
    throw controlProblem(409, 'already_ended', `The refund is ${refund.status} already`)
  if (status === 'EM_PROCESSAMENTO') return refund
  bank.eventStore.together(() => {
    const motivo = status === 'NAO_REALIZADO' ? { motivo: 'Rejeitada pelo PSP do pagador' } : {}
    bank.eventStore.record({
      type: 'refund.ended',
      at: now(),
      endToEndId: pix.endToEndId,
      id,
      status,
      ...motivo,
    })
    if (pix.txid !== undefined) bank.dispatch.notify(pix.account, [pixView(pix)], how.webhook)
  })
  return refund
}

export function findPix(bank: Bank, application: Application, endToEndId: string): Pix {
  const pix = bank.eventStore.state.pix.get(endToEndId)
  if (pix === undefined || pix.account.pixKey !== application.pixKey)
    throw problem('PixNaoEncontrado', 'Pix não encontrado para o e2eid informado.')
  return pix
}
