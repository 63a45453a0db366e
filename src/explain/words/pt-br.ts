// The sentences in Brazilian Portuguese.
import { moneyText, type ExactMoney } from '#/kernel/money-text.ts'
import { byMethod } from '#/rails/methods.ts'
import type { PaymentSums, Sentences, Summaries } from '../sentence-types.ts'
import type { AccountRole, Delivered, Failed } from '../step.ts'

const m = (money: ExactMoney) => moneyText('pt-BR', money)

/** Who reports, and what is paid by. */
const names = byMethod(({ who, by, label }) => ({ who: who['pt-BR'], by: (by ?? label)['pt-BR'] }))

/** With the preposition. */
const from: Readonly<Record<AccountRole, string>> = {
  AVAILABLE: 'do saldo disponível',
  PENDING: 'do saldo pendente',
  HELD: 'do saldo retido',
  RECEIVABLE: 'da sua dívida',
  FEES: 'das tarifas',
  OUTSIDE: 'de fora',
}
const to: Readonly<Record<AccountRole, string>> = {
  AVAILABLE: 'para o saldo disponível',
  PENDING: 'para o saldo pendente',
  HELD: 'para o saldo retido',
  RECEIVABLE: 'para a sua dívida',
  FEES: 'para as tarifas',
  OUTSIDE: 'para fora',
}

const why = ({ code, message }: Pick<Failed, 'code' | 'message'>) =>
  message === '' ? code || 'nenhum motivo foi dado' : message.replace(/\.$/, '')

const tries = (count: number) => (count === 1 ? '1 tentativa' : `${count} tentativas`)

const answer = ({ delivery: { responseStatus, error } }: Delivered) =>
  responseStatus === undefined
    ? (error ?? 'não houve resposta')
    : `a última resposta foi HTTP ${responseStatus}`

export const sentences: Sentences = {
  DEPOSIT_SEEN: ({ amount }) => `A rede mostra uma transferência de ${m(amount)} que ainda não é final.`,
  DEPOSIT_VANISHED: ({ amount }) =>
    `Uma transferência de ${m(amount)} saiu da rede com o seu bloco antes de ser final.`,
  DEPOSIT_FINAL: ({ amount }) => `Uma transferência de ${m(amount)} é final na rede.`,
  MONEY_REPORTED: ({ amount, method }) => `${names[method].who} informou a chegada de ${m(amount)}.`,
  AUTHORISATION_REPORTED: ({ amount, method }) =>
    `${names[method].who} informou uma autorização de ${m(amount)}, ainda não capturada.`,
  CAPTURE_REPORTED: ({ amount, authorised, method }) =>
    `${names[method].who} informou a captura de ${m(amount)} da autorização de ${m(authorised)}.`,
  VOID_REPORTED: ({ amount, method }) =>
    `${names[method].who} informou que a autorização de ${m(amount)} terminou sem captura.`,
  DECLINE_REPORTED: ({ method }) => `${names[method].who} informou que uma tentativa de pagar foi recusada.`,
  REFUND_REPORTED: ({ amount, method }) =>
    `${names[method].who} informou que o reembolso de ${m(amount)} chegou ao pagador.`,
  REFUND_FAILURE_REPORTED: ({ amount, method }) =>
    `${names[method].who} informou que o reembolso de ${m(amount)} falhou.`,
  DISPUTE_REPORTED: ({ amount, method }) =>
    `${names[method].who} informou que o pagador quer ${m(amount)} de volta.`,
  DISPUTE_TAKING_REPORTED: ({ amount, method }) =>
    `${names[method].who} informou que tomou o valor de ${m(amount)} em disputa.`,
  DISPUTE_WIN_REPORTED: ({ amount, method }) =>
    `${names[method].who} informou que a disputa de ${m(amount)} foi ganha.`,
  DISPUTE_LOSS_REPORTED: ({ amount, method }) =>
    `${names[method].who} informou que a disputa de ${m(amount)} foi perdida.`,
  NOTHING_BOOKED: ({ method }) =>
    `${names[method].who} enviou uma informação pela qual nenhum dinheiro foi lançado.`,
  PAYOUT_REPORTED: ({ amount }) => `O provedor informou que o valor de ${m(amount)} chegou ao destinatário.`,
  PAYOUT_REFUSAL_REPORTED: (facts) => `O provedor recusou o envio de ${m(facts.amount)}: ${why(facts)}.`,
  PAYOUT_RETURN_REPORTED: ({ amount }) =>
    `O provedor informou que o valor de ${m(amount)} no total voltou do destinatário.`,

  PAYMENT_REQUESTED: ({ amount }) => `Um pagamento de ${m(amount)} foi pedido.`,
  METHOD_CHOSEN: ({ amount, method }) => `O valor de ${m(amount)} pode ser pago por ${names[method].by}.`,
  READY_TO_PAY: ({ amount }) => `O pagador pode pagar ${m(amount)} a partir de agora.`,
  AUTHORISED: ({ amount }) => `O total de ${m(amount)} está autorizado: o pagamento está aprovado.`,
  PAID_IN_FULL: ({ received }) => `O pagamento está pago, com ${m(received)}.`,
  PAID_TOO_MUCH: ({ amount, received }) =>
    `O pagamento está pago, com ${m(received)}, mais do que o valor pedido de ${m(amount)}.`,
  PAID_LATE: ({ received }) => `O pagamento está pago com atraso, com ${m(received)}.`,
  PAID_LATE_AND_TOO_MUCH: ({ amount, received }) =>
    `O pagamento está pago com atraso, com ${m(received)}, mais do que o valor pedido de ${m(amount)}.`,
  PAID_BY_PARTIAL_CAPTURE: ({ amount, received }) =>
    `O pagamento está pago com a captura de ${m(received)} de ${m(amount)}.`,
  PAID_TOO_LITTLE: ({ received, missing }) =>
    `Até agora foi recebido o valor de ${m(received)}; falta o valor de ${m(missing)}, e o pagamento continua esperando.`,
  PAID_TOO_LITTLE_AFTER_END: ({ received, missing }) =>
    `Dinheiro chegou depois do fim do pagamento: ${m(received)} no total, com falta de ${m(missing)}.`,
  PAID_AGAIN: ({ received, amount }) =>
    `Mais dinheiro chegou depois que o pagamento foi pago: ${m(received)} no total, por ${m(amount)}.`,
  PAID_AFTER_CANCELING: ({ received }) =>
    `Dinheiro chegou depois do cancelamento: ${m(received)} no total; o pagamento continua cancelado.`,
  TIME_RAN_OUT: ({ amount, received }) =>
    `O pagamento expirou com ${m(received)} de ${m(amount)}: o prazo acabou.`,
  AUTHORISATION_LAPSED: ({ amount }) => `O pagamento de ${m(amount)} expirou porque a autorização terminou.`,
  REFUSED_BY_PROVIDER: (facts) => `O pagamento de ${m(facts.amount)} falhou: ${why(facts)}.`,
  PAYMENT_CANCELED: ({ amount }) => `O pagamento de ${m(amount)} foi cancelado.`,
  AUTHORISATION_VOIDED: ({ amount }) =>
    `O pagamento de ${m(amount)} foi cancelado, e a autorização foi liberada.`,
  REFUND_REQUESTED: ({ amount }) => `Um reembolso de ${m(amount)} foi pedido.`,
  REFUND_NEEDS_APPROVAL: ({ amount }) =>
    `Um reembolso de ${m(amount)} foi pedido e espera uma segunda pessoa.`,
  REFUND_HELD_FOR_APPROVAL: ({ amount }) =>
    `O reembolso de ${m(amount)} não foi enviado: a partir de agora espera uma segunda pessoa.`,
  REFUND_APPROVED: ({ amount }) => `Uma segunda pessoa aprovou o reembolso de ${m(amount)}.`,
  REFUND_REJECTED: ({ amount }) => `Uma segunda pessoa rejeitou o reembolso de ${m(amount)}.`,
  REFUND_DONE: ({ amount }) => `O reembolso de ${m(amount)} está concluído.`,
  REFUND_DONE_AFTER_ALL: ({ amount }) => `O reembolso de ${m(amount)} tinha falhado e acabou concluído.`,
  REFUND_REFUSED: (facts) => `O reembolso de ${m(facts.amount)} falhou: ${why(facts)}.`,
  REFUND_CAME_BACK: (facts) =>
    `O reembolso de ${m(facts.amount)} estava concluído e falhou depois: ${why(facts)}.`,
  REFUND_ENDED_BY_OPERATOR: (facts) =>
    `O operador encerrou o reembolso de ${m(facts.amount)}: ${why(facts)}.`,
  REFUND_DISPUTED: ({ amount }) =>
    `O reembolso de ${m(amount)} falhou: uma disputa perdida já devolveu esse dinheiro.`,
  REFUND_UNCOVERED: ({ amount }) =>
    `O reembolso de ${m(amount)} falhou: depois da disputa a carteira não tinha esse valor.`,
  DISPUTE_OPENED: ({ amount }) => `Uma disputa de ${m(amount)} foi aberta.`,
  DISPUTE_OPENED_AGAIN: ({ amount }) => `A disputa de ${m(amount)} está aberta de novo.`,
  EVIDENCE_SUBMITTED: ({ amount }) => `A defesa da disputa de ${m(amount)} foi enviada.`,
  DISPUTE_WON: ({ amount }) => `A disputa foi ganha: o valor de ${m(amount)} é seu de novo.`,
  DISPUTE_REINSTATED: ({ amount }) =>
    `A disputa tinha sido perdida e acabou ganha: o valor de ${m(amount)} é seu de novo.`,
  DISPUTE_LOST: ({ amount }) => `A disputa foi perdida: o valor de ${m(amount)} voltou ao pagador.`,
  WITHDRAWAL_REQUESTED: ({ amount, fee }) => `Um saque de ${m(amount)} foi pedido, com tarifa de ${m(fee)}.`,
  WITHDRAWAL_NEEDS_APPROVAL: ({ amount }) => `O saque de ${m(amount)} espera uma segunda pessoa.`,
  WITHDRAWAL_APPROVED: ({ amount }) => `Uma segunda pessoa aprovou o saque de ${m(amount)}.`,
  WITHDRAWAL_REJECTED: ({ amount }) =>
    `Uma segunda pessoa rejeitou o saque de ${m(amount)}: ele está cancelado.`,
  WITHDRAWAL_SENT: ({ amount }) => `O saque de ${m(amount)} está sendo enviado.`,
  WITHDRAWAL_DONE: ({ amount }) => `O saque de ${m(amount)} está concluído.`,
  WITHDRAWAL_DONE_AFTER_ALL: ({ amount }) =>
    `O saque de ${m(amount)} tinha terminado sem envio e acabou concluído.`,
  WITHDRAWAL_REFUSED: (facts) => `O saque de ${m(facts.amount)} falhou: ${why(facts)}.`,
  WITHDRAWAL_CANCELED: ({ amount }) => `O saque de ${m(amount)} foi cancelado antes do envio.`,
  WITHDRAWAL_RETURNED: ({ amount, returned }) => `Do saque de ${m(amount)} voltou o valor de ${m(returned)}.`,
  WITHDRAWAL_RESOLVED_BY_OPERATOR: ({ amount }) =>
    `O operador registrou como o saque de ${m(amount)} terminou.`,
  WITHDRAWAL_STOPPED_BY_OPERATOR: ({ amount }) =>
    `O operador pediu que o valor de ${m(amount)} não seja enviado.`,

  ANNOUNCED: ({ amount }) => `O valor de ${m(amount)}, que está a caminho, entrou no saldo pendente.`,
  NO_LONGER_ANNOUNCED: ({ amount }) =>
    `O valor de ${m(amount)}, que estava a caminho, saiu do saldo pendente.`,
  CREDITED: ({ amount }) => `O valor de ${m(amount)} foi creditado no saldo disponível.`,
  CREDITED_TO_PENDING: ({ amount }) =>
    `O valor de ${m(amount)} foi creditado no saldo pendente até o fim do prazo de liquidação.`,
  FEE_TAKEN: (facts) => `Uma tarifa de ${m(facts.amount)} saiu ${from[facts.from]}.`,
  DEBT_REPAID: (facts) => `O valor de ${m(facts.amount)} ${from[facts.from]} pagou o que você devia.`,
  PARENT_DEBT_REPAID: ({ amount }) => `O valor de ${m(amount)} pagou o que você devia à sua plataforma.`,
  DEBT_MADE: ({ amount }) => `Faltou nas carteiras o valor de ${m(amount)}, que agora você deve.`,
  RELEASED: ({ amount }) => `O valor de ${m(amount)} do saldo pendente ficou disponível.`,
  HELD_FOR_REFUND: (facts) =>
    `O valor de ${m(facts.amount)} ${from[facts.from]} foi reservado para o reembolso.`,
  HELD_FOR_DISPUTE: (facts) =>
    `O valor de ${m(facts.amount)} ${from[facts.from]} foi reservado para a disputa.`,
  HELD_FOR_WITHDRAWAL: (facts) =>
    `O valor de ${m(facts.amount)} ${from[facts.from]} foi reservado para o saque.`,
  FEE_HELD: (facts) => `O valor de ${m(facts.amount)} ${from[facts.from]} foi reservado para a tarifa.`,
  HELD_MONEY_LEFT: ({ amount }) => `O valor de ${m(amount)} saiu do saldo retido e foi pago.`,
  DISPUTED_MONEY_CAME_BACK: ({ amount }) => `O valor de ${m(amount)} voltou para o saldo retido.`,
  DISPUTED_MONEY_FREED: ({ amount }) =>
    `O valor de ${m(amount)}, reservado para a disputa, voltou para o saldo disponível.`,
  DISPUTE_FEE_TAKEN: (facts) =>
    `A tarifa de ${m(facts.amount)} do provedor pela disputa saiu ${from[facts.from]}.`,
  REFUND_MONEY_BACK: (facts) => `O valor de ${m(facts.amount)} do reembolso voltou ${to[facts.to]}.`,
  WITHDRAWAL_MONEY_BACK: (facts) => `O valor de ${m(facts.amount)} do saque voltou ${to[facts.to]}.`,
  FEE_BACK: (facts) => `A tarifa de ${m(facts.amount)} voltou ${to[facts.to]}.`,
  WITHDRAWAL_DEBITED: (facts) =>
    `O valor de ${m(facts.amount)} saiu ${from[facts.from]}, porque o envio chegou ao destinatário afinal.`,
  MOVED: (facts) => `O valor de ${m(facts.amount)} foi movido ${from[facts.from]} ${to[facts.to]}.`,

  DELIVERY_PENDING: (facts) =>
    facts.delivery.attempts === 0
      ? `O evento ${facts.eventType} está para ser enviado ao seu servidor.`
      : `O evento ${facts.eventType} não chegou ao seu servidor após ${tries(facts.delivery.attempts)} (${answer(facts)}), e será enviado de novo.`,
  DELIVERED: ({ eventType, delivery: { attempts } }) =>
    `O evento ${eventType} chegou ao seu servidor após ${tries(attempts)}.`,
  DELIVERY_EXHAUSTED: (facts) =>
    `O evento ${facts.eventType} não chegou ao seu servidor após ${tries(facts.delivery.attempts)} (${answer(facts)}), e não será mais enviado.`,
  DELIVERY_CANCELED: ({ eventType }) =>
    `O evento ${eventType} não será mais enviado a um de seus endpoints, porque o endpoint foi excluído.`,
}

const since = ({ refunded, disputed }: PaymentSums) => [
  ...(refunded.minor > 0n ? [`o valor de ${m(refunded)} foi reembolsado ou está voltando`] : []),
  ...(disputed.minor > 0n ? [`o valor de ${m(disputed)} está em disputa ou perdido`] : []),
]

const sum = (facts: PaymentSums, text: string) => `${[text, ...since(facts)].join('; ')}.`
const soFar = (facts: PaymentSums) =>
  facts.received.minor > 0n
    ? `${m(facts.received)} de ${m(facts.amount)} recebidos`
    : `${m(facts.amount)}, nada recebido`

export const summaries: Summaries = {
  payment: {
    PENDING: (facts) => sum(facts, `Ainda não pode ser pago: ${soFar(facts)}`),
    WAITING_PAYMENT: (facts) => sum(facts, `Esperando o pagador: ${soFar(facts)}`),
    APPROVED: (facts) => sum(facts, `Autorizado e ainda não capturado: ${soFar(facts)}`),
    PAID: (facts) => sum(facts, `Pago: ${soFar(facts)}`),
    EXPIRED: (facts) => sum(facts, `Expirado: ${soFar(facts)}`),
    FAILED: (facts) => sum(facts, `Falhou: ${soFar(facts)}`),
    CANCELED: (facts) => sum(facts, `Cancelado: ${soFar(facts)}`),
  },
  refund: {
    PENDING: ({ amount, isHeldBack, approvalRequired }) =>
      isHeldBack
        ? `O reembolso de ${m(amount)} espera o fim de uma disputa sobre o mesmo dinheiro.`
        : approvalRequired
          ? `O reembolso de ${m(amount)} espera uma segunda pessoa.`
          : `O reembolso de ${m(amount)} está a caminho, e ainda não se sabe o seu fim.`,
    COMPLETED: ({ amount }) => `O reembolso de ${m(amount)} está com o pagador.`,
    FAILED: ({ amount }) => `O reembolso de ${m(amount)} falhou, e o dinheiro é seu de novo.`,
  },
  withdrawal: {
    PENDING: ({ amount }) => `O saque de ${m(amount)} espera o envio.`,
    PENDING_APPROVAL: ({ amount }) => `O saque de ${m(amount)} espera uma segunda pessoa.`,
    PROCESSING: ({ amount, reviewRequired }) =>
      reviewRequired
        ? `O saque de ${m(amount)} foi enviado, e uma pessoa precisa descobrir como terminou.`
        : `O saque de ${m(amount)} foi enviado, e ainda não se sabe o seu fim.`,
    COMPLETED: ({ amount, returned }) =>
      returned.minor > 0n
        ? `O saque de ${m(amount)} chegou ao destinatário, e o valor de ${m(returned)} voltou.`
        : `O saque de ${m(amount)} chegou ao destinatário.`,
    FAILED: ({ amount }) => `O saque de ${m(amount)} falhou, e o dinheiro é seu de novo.`,
    CANCELED: ({ amount }) => `O saque de ${m(amount)} foi cancelado, e o dinheiro é seu de novo.`,
  },
}
