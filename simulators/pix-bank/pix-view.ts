// Pix and refunds as the API Pix shows them, and as webhooks carry them.
import { iso } from '../kit/clock.ts'
import { given } from '../kit/given.ts'
import type { Payout, Pix, Refund } from './state.ts'

export function pixView(pix: Pix): Record<string, unknown> {
  const { txid, info, payer, refunds } = pix
  return {
    endToEndId: pix.endToEndId,
    ...given({ txid }),
    valor: pix.amount,
    componentesValor: { original: { valor: pix.amount } },
    chave: pix.account.pixKey,
    horario: iso(pix.settledAt),
    // No longer in the standard, but banks still send it.
    ...given({ pagador: payer, infoPagador: info }),
    ...(refunds.length === 0 ? {} : { devolucoes: refunds.map(refundView) }),
  }
}

export function refundView(refund: Refund): Record<string, unknown> {
  const { descricao, motivo, status, endedAt } = refund
  const isSettled = status === 'DEVOLVIDO' && endedAt !== undefined
  return {
    id: refund.id,
    rtrId: refund.rtrId,
    valor: refund.amount,
    natureza: refund.natureza,
    ...given({ descricao }),
    horario: { solicitacao: iso(refund.requestedAt), ...(isSettled ? { liquidacao: iso(endedAt) } : {}) },
    status,
    ...given({ motivo }),
  }
}

/** A payout as its webhook shows it. */
export function payoutItem(payout: Payout): Record<string, unknown> {
  const { code, returns } = payout
  return {
    endToEndId: payout.endToEndId,
    chave: payout.account.pixKey,
    valor: payout.amount,
    horario: iso(payout.endedAt ?? payout.requestedAt),
    tipo: 'SOLICITACAO',
    status: payout.status,
    ...(returns.length === 0 ? {} : { devolucoes: payoutReturns(payout) }),
    gnExtras: {
      idEnvio: payout.idEnvio,
      ...(code === undefined
        ? {}
        : { erro: { codigo: code, motivo: `Rejeitado pelo PSP do recebedor: ${code}` } }),
    },
  }
}

export function payoutReturns({ returns }: Payout): readonly Record<string, unknown>[] {
  return returns.map(({ rtrId, amount, at }, n) => ({
    id: `DR${n + 1}`,
    rtrId,
    valor: amount,
    natureza: 'ORIGINAL',
    horario: { solicitacao: iso(at), liquidacao: iso(at) },
    status: 'DEVOLVIDO',
  }))
}
