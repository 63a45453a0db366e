// What happens to payments, refunds, disputes and withdrawals.
import type { Entries } from '../sentence-types.ts'

export const records = {
  PAYMENT_REQUESTED: ({ amount }, { m }) => [
    `Cobrança de ${m(amount)} criada.`,
    `Payment of ${m(amount)} created.`,
    `Cobro de ${m(amount)} creado.`,
  ],
  METHOD_CHOSEN: ({ amount, method }, { m, by }) => [
    `O valor de ${m(amount)} pode ser pago por ${by(method)}.`,
    `${m(amount)} can be paid by ${by(method)}.`,
    `El importe de ${m(amount)} se puede pagar por ${by(method)}.`,
  ],
  READY_TO_PAY: ({ amount }, { m }) => [
    `O pagador já pode pagar ${m(amount)}.`,
    `The payer can now pay ${m(amount)}.`,
    `El pagador ya puede pagar ${m(amount)}.`,
  ],
  AUTHORISED: ({ amount }, { m }) => [
    `Total de ${m(amount)} autorizado no cartão.`,
    `The full ${m(amount)} was authorized.`,
    `Total de ${m(amount)} autorizado en la tarjeta.`,
  ],
  PAID_IN_FULL: ({ received }, { m }) => [
    `Pagamento confirmado: ${m(received)}.`,
    `Payment confirmed: ${m(received)}.`,
    `Pago confirmado: ${m(received)}.`,
  ],
  PAID_TOO_MUCH: ({ amount, received }, { m }) => [
    `Pagamento confirmado: ${m(received)}, mais que o valor de ${m(amount)} da cobrança.`,
    `Payment confirmed: ${m(received)}, more than the ${m(amount)} requested.`,
    `Pago confirmado: ${m(received)}, más que los ${m(amount)} del cobro.`,
  ],
  PAID_LATE: ({ received }, { m }) => [
    `Pagamento confirmado após o vencimento: ${m(received)}.`,
    `Payment confirmed late: ${m(received)}.`,
    `Pago confirmado fuera de plazo: ${m(received)}.`,
  ],
  PAID_LATE_AND_TOO_MUCH: ({ amount, received }, { m }) => [
    `Pagamento confirmado após o vencimento: ${m(received)}, mais que o valor de ${m(amount)} da cobrança.`,
    `Payment confirmed late: ${m(received)}, more than the ${m(amount)} requested.`,
    `Pago confirmado fuera de plazo: ${m(received)}, más que los ${m(amount)} del cobro.`,
  ],
  PAID_BY_PARTIAL_CAPTURE: ({ amount, received }, { m }) => [
    `Pagamento confirmado com a captura de ${m(received)} de ${m(amount)}.`,
    `Payment confirmed: ${m(received)} of ${m(amount)} captured.`,
    `Pago confirmado con la captura de ${m(received)} de ${m(amount)}.`,
  ],
  PAID_TOO_LITTLE: ({ received, missing }, { m }) => [
    `Recebido até agora: ${m(received)}. Faltam ${m(missing)}, e o pagamento continua em aberto.`,
    `Received so far: ${m(received)}. ${m(missing)} is missing, and the payment stays open.`,
    `Recibido hasta ahora: ${m(received)}. Faltan ${m(missing)}, y el pago sigue abierto.`,
  ],
  PAID_TOO_LITTLE_AFTER_END: ({ received, missing }, { m }) => [
    `Dinheiro recebido depois do fim do pagamento: ${m(received)} no total. Faltam ${m(missing)}.`,
    `Money arrived after the payment had ended: ${m(received)} in total. ${m(missing)} is missing.`,
    `Se recibió dinero después del fin del pago: ${m(received)} en total. Faltan ${m(missing)}.`,
  ],
  PAID_AGAIN: ({ received, amount }, { m }) => [
    `Mais dinheiro chegou depois do pagamento confirmado: ${m(received)} no total, por uma cobrança de ${m(amount)}.`,
    `More money arrived after the payment was confirmed: ${m(received)} in total, for a payment of ${m(amount)}.`,
    `Llegó más dinero después de confirmado el pago: ${m(received)} en total, por un cobro de ${m(amount)}.`,
  ],
  PAID_AFTER_CANCELING: ({ received }, { m }) => [
    `Dinheiro recebido depois do cancelamento: ${m(received)} no total. O pagamento continua cancelado.`,
    `Money arrived after the payment was canceled: ${m(received)} in total. The payment stays canceled.`,
    `Se recibió dinero después de la cancelación: ${m(received)} en total. El pago sigue cancelado.`,
  ],
  TIME_RAN_OUT: ({ amount, received }, { m }) => [
    `O prazo terminou e o pagamento expirou. Recebido: ${m(received)} de ${m(amount)}.`,
    `The time to pay ran out and the payment expired. Received: ${m(received)} of ${m(amount)}.`,
    `Terminó el plazo y el pago venció. Recibido: ${m(received)} de ${m(amount)}.`,
  ],
  AUTHORISATION_LAPSED: ({ amount }, { m }) => [
    `O pagamento de ${m(amount)} expirou porque a autorização terminou.`,
    `The payment of ${m(amount)} expired because its authorization ended.`,
    `El pago de ${m(amount)} venció porque terminó su autorización.`,
  ],
  REFUSED_BY_PROVIDER: (facts, { m, why }) => [
    `O pagamento de ${m(facts.amount)} falhou: ${why(facts)}.`,
    `The payment of ${m(facts.amount)} failed: ${why(facts)}.`,
    `El pago de ${m(facts.amount)} falló: ${why(facts)}.`,
  ],
  PAYMENT_CANCELED: ({ amount }, { m }) => [
    `O pagamento de ${m(amount)} foi cancelado.`,
    `The payment of ${m(amount)} was canceled.`,
    `El pago de ${m(amount)} se canceló.`,
  ],
  AUTHORISATION_VOIDED: ({ amount }, { m }) => [
    `O pagamento de ${m(amount)} foi cancelado, e a autorização foi liberada.`,
    `The payment of ${m(amount)} was canceled, and its authorization released.`,
    `El pago de ${m(amount)} se canceló, y se liberó su autorización.`,
  ],
  REFUND_REQUESTED: ({ amount }, { m }) => [
    `Um reembolso de ${m(amount)} foi solicitado.`,
    `A refund of ${m(amount)} was requested.`,
    `Se solicitó un reembolso de ${m(amount)}.`,
  ],
  REFUND_NEEDS_APPROVAL: ({ amount }, { m }) => [
    `Um reembolso de ${m(amount)} foi solicitado e aguarda uma segunda pessoa.`,
    `A refund of ${m(amount)} was requested and waits for a second person.`,
    `Se solicitó un reembolso de ${m(amount)}, que espera a una segunda persona.`,
  ],
  REFUND_HELD_FOR_APPROVAL: ({ amount }, { m }) => [
    `O reembolso de ${m(amount)} não foi enviado: agora aguarda uma segunda pessoa.`,
    `The refund of ${m(amount)} was not sent: it now waits for a second person.`,
    `El reembolso de ${m(amount)} no se envió: ahora espera a una segunda persona.`,
  ],
  REFUND_APPROVED: ({ amount }, { m }) => [
    `Uma segunda pessoa aprovou o reembolso de ${m(amount)}.`,
    `A second person approved the refund of ${m(amount)}.`,
    `Una segunda persona aprobó el reembolso de ${m(amount)}.`,
  ],
  REFUND_REJECTED: ({ amount }, { m }) => [
    `Uma segunda pessoa recusou o reembolso de ${m(amount)}.`,
    `A second person rejected the refund of ${m(amount)}.`,
    `Una segunda persona rechazó el reembolso de ${m(amount)}.`,
  ],
  REFUND_DONE: ({ amount }, { m }) => [
    `O reembolso de ${m(amount)} está concluído.`,
    `The refund of ${m(amount)} is completed.`,
    `El reembolso de ${m(amount)} se completó.`,
  ],
  REFUND_DONE_AFTER_ALL: ({ amount }, { m }) => [
    `O reembolso de ${m(amount)}, que tinha falhado, foi concluído.`,
    `The refund of ${m(amount)}, which had failed, is completed after all.`,
    `El reembolso de ${m(amount)}, que había fallado, al final se completó.`,
  ],
  REFUND_REFUSED: (facts, { m, why }) => [
    `O reembolso de ${m(facts.amount)} falhou: ${why(facts)}.`,
    `The refund of ${m(facts.amount)} failed: ${why(facts)}.`,
    `El reembolso de ${m(facts.amount)} falló: ${why(facts)}.`,
  ],
  REFUND_CAME_BACK: (facts, { m, why }) => [
    `O reembolso de ${m(facts.amount)} estava concluído e falhou depois: ${why(facts)}.`,
    `The refund of ${m(facts.amount)} was completed and has failed since: ${why(facts)}.`,
    `El reembolso de ${m(facts.amount)} se había completado y falló después: ${why(facts)}.`,
  ],
  REFUND_ENDED_BY_OPERATOR: (facts, { m, why }) => [
    `O operador encerrou o reembolso de ${m(facts.amount)}: ${why(facts)}.`,
    `The operator ended the refund of ${m(facts.amount)}: ${why(facts)}.`,
    `El operador dio por terminado el reembolso de ${m(facts.amount)}: ${why(facts)}.`,
  ],
  REFUND_DISPUTED: ({ amount }, { m }) => [
    `O reembolso de ${m(amount)} falhou: uma contestação perdida já devolveu esse dinheiro.`,
    `The refund of ${m(amount)} failed: a lost dispute has already returned that money.`,
    `El reembolso de ${m(amount)} falló: una disputa perdida ya devolvió ese dinero.`,
  ],
  REFUND_UNCOVERED: ({ amount }, { m }) => [
    `O reembolso de ${m(amount)} falhou: depois da contestação a carteira não tinha esse valor.`,
    `The refund of ${m(amount)} failed: after the dispute the wallet did not hold that much.`,
    `El reembolso de ${m(amount)} falló: tras la disputa, la billetera no tenía ese importe.`,
  ],
  DISPUTE_OPENED: ({ amount }, { m }) => [
    `Uma contestação de ${m(amount)} foi aberta.`,
    `A dispute about ${m(amount)} was opened.`,
    `Se abrió una disputa de ${m(amount)}.`,
  ],
  DISPUTE_OPENED_AGAIN: ({ amount }, { m }) => [
    `A contestação de ${m(amount)} está aberta de novo.`,
    `The dispute about ${m(amount)} is open again.`,
    `La disputa de ${m(amount)} está abierta de nuevo.`,
  ],
  EVIDENCE_SUBMITTED: ({ amount }, { m }) => [
    `A defesa da contestação de ${m(amount)} foi enviada.`,
    `Evidence was submitted in the dispute about ${m(amount)}.`,
    `Se enviaron las pruebas de la disputa de ${m(amount)}.`,
  ],
  DISPUTE_WON: ({ amount }, { m }) => [
    `A contestação foi ganha: o valor de ${m(amount)} é seu de novo.`,
    `The dispute is won: the ${m(amount)} is yours again.`,
    `La disputa está ganada: el importe de ${m(amount)} es suyo de nuevo.`,
  ],
  DISPUTE_REINSTATED: ({ amount }, { m }) => [
    `A contestação tinha sido perdida e acabou ganha: o valor de ${m(amount)} é seu de novo.`,
    `The dispute had been lost and is won after all: the ${m(amount)} is yours again.`,
    `La disputa se había perdido y al final está ganada: el importe de ${m(amount)} es suyo de nuevo.`,
  ],
  DISPUTE_LOST: ({ amount }, { m }) => [
    `A contestação foi perdida: o valor de ${m(amount)} voltou ao pagador.`,
    `The dispute is lost: the ${m(amount)} went back to the payer.`,
    `La disputa está perdida: el importe de ${m(amount)} volvió al pagador.`,
  ],
  WITHDRAWAL_REQUESTED: ({ amount, fee }, { m }) => [
    `Um saque de ${m(amount)} foi solicitado, com tarifa de ${m(fee)}.`,
    `A withdrawal of ${m(amount)} was requested, with a fee of ${m(fee)}.`,
    `Se solicitó un retiro de ${m(amount)}, con una comisión de ${m(fee)}.`,
  ],
  WITHDRAWAL_NEEDS_APPROVAL: ({ amount }, { m }) => [
    `O saque de ${m(amount)} aguarda uma segunda pessoa.`,
    `The withdrawal of ${m(amount)} waits for a second person.`,
    `El retiro de ${m(amount)} espera a una segunda persona.`,
  ],
  WITHDRAWAL_APPROVED: ({ amount }, { m }) => [
    `Uma segunda pessoa aprovou o saque de ${m(amount)}.`,
    `A second person approved the withdrawal of ${m(amount)}.`,
    `Una segunda persona aprobó el retiro de ${m(amount)}.`,
  ],
  WITHDRAWAL_REJECTED: ({ amount }, { m }) => [
    `Uma segunda pessoa recusou o saque de ${m(amount)}: ele está cancelado.`,
    `A second person rejected the withdrawal of ${m(amount)}: it is canceled.`,
    `Una segunda persona rechazó el retiro de ${m(amount)}: está cancelado.`,
  ],
  WITHDRAWAL_SENT: ({ amount }, { m }) => [
    `O saque de ${m(amount)} está sendo enviado.`,
    `The withdrawal of ${m(amount)} is being sent.`,
    `El retiro de ${m(amount)} se está enviando.`,
  ],
  WITHDRAWAL_DONE: ({ amount }, { m }) => [
    `O saque de ${m(amount)} está concluído.`,
    `The withdrawal of ${m(amount)} is completed.`,
    `El retiro de ${m(amount)} se completó.`,
  ],
  WITHDRAWAL_DONE_AFTER_ALL: ({ amount }, { m }) => [
    `O saque de ${m(amount)}, que tinha terminado sem envio, foi concluído.`,
    `The withdrawal of ${m(amount)}, which had ended without a payout, is completed after all.`,
    `El retiro de ${m(amount)}, que había terminado sin envío, al final se completó.`,
  ],
  WITHDRAWAL_REFUSED: (facts, { m, why }) => [
    `O saque de ${m(facts.amount)} falhou: ${why(facts)}.`,
    `The withdrawal of ${m(facts.amount)} failed: ${why(facts)}.`,
    `El retiro de ${m(facts.amount)} falló: ${why(facts)}.`,
  ],
  WITHDRAWAL_CANCELED: ({ amount }, { m }) => [
    `O saque de ${m(amount)} foi cancelado antes do envio.`,
    `The withdrawal of ${m(amount)} was canceled before it was sent.`,
    `El retiro de ${m(amount)} se canceló antes del envío.`,
  ],
  WITHDRAWAL_RETURNED: ({ amount, returned }, { m }) => [
    `Do saque de ${m(amount)} voltou o valor de ${m(returned)}.`,
    `${m(returned)} of the withdrawal of ${m(amount)} came back.`,
    `Del retiro de ${m(amount)} volvió el importe de ${m(returned)}.`,
  ],
  WITHDRAWAL_RESOLVED_BY_OPERATOR: ({ amount }, { m }) => [
    `O operador registrou como o saque de ${m(amount)} terminou.`,
    `The operator recorded how the withdrawal of ${m(amount)} ended.`,
    `El operador registró cómo terminó el retiro de ${m(amount)}.`,
  ],
  WITHDRAWAL_STOPPED_BY_OPERATOR: ({ amount }, { m }) => [
    `O operador solicitou que o valor de ${m(amount)} não seja enviado.`,
    `The operator requested that the ${m(amount)} is not paid out.`,
    `El operador solicitó que no se envíe el importe de ${m(amount)}.`,
  ],
} satisfies Partial<Entries>
