// The sentences in Spanish.
import { moneyText, type ExactMoney } from '#/kernel/money-text.ts'
import { byMethod } from '#/rails/methods.ts'
import type { PaymentSums, Sentences, Summaries } from '../sentence-types.ts'
import type { AccountRole, Delivered, Failed } from '../step.ts'

const m = (money: ExactMoney) => moneyText('es', money)

/** Who reports, and what is paid by. */
const names = byMethod(({ who, by, label }) => ({ who: who.es, by: (by ?? label).es }))

/** With the preposition. */
const from: Readonly<Record<AccountRole, string>> = {
  AVAILABLE: 'del saldo disponible',
  PENDING: 'del saldo pendiente',
  HELD: 'del saldo retenido',
  RECEIVABLE: 'de su deuda',
  FEES: 'de las comisiones',
  OUTSIDE: 'de fuera',
}
const to: Readonly<Record<AccountRole, string>> = {
  AVAILABLE: 'al saldo disponible',
  PENDING: 'al saldo pendiente',
  HELD: 'al saldo retenido',
  RECEIVABLE: 'a su deuda',
  FEES: 'a las comisiones',
  OUTSIDE: 'afuera',
}

const why = ({ code, message }: Pick<Failed, 'code' | 'message'>) =>
  message === '' ? code || 'no se dio ningún motivo' : message.replace(/\.$/, '')

const tries = (count: number) => (count === 1 ? '1 intento' : `${count} intentos`)

const answer = ({ delivery: { responseStatus, error } }: Delivered) =>
  responseStatus === undefined
    ? (error ?? 'no hubo respuesta')
    : `la última respuesta fue HTTP ${responseStatus}`

export const sentences: Sentences = {
  DEPOSIT_SEEN: ({ amount }) => `La red muestra una transferencia de ${m(amount)} que aún no es final.`,
  DEPOSIT_VANISHED: ({ amount }) =>
    `Una transferencia de ${m(amount)} salió de la red con su bloque antes de ser final.`,
  DEPOSIT_FINAL: ({ amount }) => `Una transferencia de ${m(amount)} es final en la red.`,
  MONEY_REPORTED: ({ amount, method }) => `${names[method].who} informó de la llegada de ${m(amount)}.`,
  AUTHORISATION_REPORTED: ({ amount, method }) =>
    `${names[method].who} informó de una autorización de ${m(amount)}, aún sin capturar.`,
  CAPTURE_REPORTED: ({ amount, authorised, method }) =>
    `${names[method].who} informó de la captura de ${m(amount)} de la autorización de ${m(authorised)}.`,
  VOID_REPORTED: ({ amount, method }) =>
    `${names[method].who} informó de que la autorización de ${m(amount)} terminó sin captura.`,
  DECLINE_REPORTED: ({ method }) => `${names[method].who} informó de que se rechazó un intento de pago.`,
  REFUND_REPORTED: ({ amount, method }) =>
    `${names[method].who} informó de que el reembolso de ${m(amount)} llegó al pagador.`,
  REFUND_FAILURE_REPORTED: ({ amount, method }) =>
    `${names[method].who} informó de que el reembolso de ${m(amount)} falló.`,
  DISPUTE_REPORTED: ({ amount, method }) =>
    `${names[method].who} informó de que el pagador reclama ${m(amount)}.`,
  DISPUTE_TAKING_REPORTED: ({ amount, method }) =>
    `${names[method].who} informó de que tomó el importe disputado de ${m(amount)}.`,
  DISPUTE_WIN_REPORTED: ({ amount, method }) =>
    `${names[method].who} informó de que la disputa de ${m(amount)} está ganada.`,
  DISPUTE_LOSS_REPORTED: ({ amount, method }) =>
    `${names[method].who} informó de que la disputa de ${m(amount)} está perdida.`,
  NOTHING_BOOKED: ({ method }) => `${names[method].who} envió un informe por el que no se asentó dinero.`,
  PAYOUT_REPORTED: ({ amount }) =>
    `El proveedor informó de que el importe de ${m(amount)} llegó al destinatario.`,
  PAYOUT_REFUSAL_REPORTED: (facts) => `El proveedor rechazó el envío de ${m(facts.amount)}: ${why(facts)}.`,
  PAYOUT_RETURN_REPORTED: ({ amount }) =>
    `El proveedor informó de que el importe de ${m(amount)} en total volvió del destinatario.`,

  PAYMENT_REQUESTED: ({ amount }) => `Se solicitó un pago de ${m(amount)}.`,
  METHOD_CHOSEN: ({ amount, method }) => `El importe de ${m(amount)} se puede pagar por ${names[method].by}.`,
  READY_TO_PAY: ({ amount }) => `El pagador puede pagar ${m(amount)} a partir de ahora.`,
  AUTHORISED: ({ amount }) => `El total de ${m(amount)} está autorizado: el pago está aprobado.`,
  PAID_IN_FULL: ({ received }) => `El pago está pagado, con ${m(received)}.`,
  PAID_TOO_MUCH: ({ amount, received }) =>
    `El pago está pagado, con ${m(received)}, más que el importe solicitado de ${m(amount)}.`,
  PAID_LATE: ({ received }) => `El pago está pagado con retraso, con ${m(received)}.`,
  PAID_LATE_AND_TOO_MUCH: ({ amount, received }) =>
    `El pago está pagado con retraso, con ${m(received)}, más que el importe solicitado de ${m(amount)}.`,
  PAID_BY_PARTIAL_CAPTURE: ({ amount, received }) =>
    `El pago está pagado con la captura de ${m(received)} de ${m(amount)}.`,
  PAID_TOO_LITTLE: ({ received, missing }) =>
    `Hasta ahora llegó el importe de ${m(received)}; falta el importe de ${m(missing)}, y el pago sigue en espera.`,
  PAID_TOO_LITTLE_AFTER_END: ({ received, missing }) =>
    `Llegó dinero después del fin del pago: ${m(received)} en total, con falta de ${m(missing)}.`,
  PAID_AGAIN: ({ received, amount }) =>
    `Llegó más dinero después de pagado el pago: ${m(received)} en total, por ${m(amount)}.`,
  PAID_AFTER_CANCELING: ({ received }) =>
    `Llegó dinero después de la cancelación: ${m(received)} en total; el pago sigue cancelado.`,
  TIME_RAN_OUT: ({ amount, received }) =>
    `El pago venció con ${m(received)} de ${m(amount)}: se acabó el plazo.`,
  AUTHORISATION_LAPSED: ({ amount }) => `El pago de ${m(amount)} venció porque terminó su autorización.`,
  REFUSED_BY_PROVIDER: (facts) => `El pago de ${m(facts.amount)} falló: ${why(facts)}.`,
  PAYMENT_CANCELED: ({ amount }) => `El pago de ${m(amount)} se canceló.`,
  AUTHORISATION_VOIDED: ({ amount }) => `El pago de ${m(amount)} se canceló, y se liberó su autorización.`,
  REFUND_REQUESTED: ({ amount }) => `Se solicitó un reembolso de ${m(amount)}.`,
  REFUND_NEEDS_APPROVAL: ({ amount }) =>
    `Se solicitó un reembolso de ${m(amount)}, que espera a una segunda persona.`,
  REFUND_HELD_FOR_APPROVAL: ({ amount }) =>
    `El reembolso de ${m(amount)} no se envió: desde ahora espera a una segunda persona.`,
  REFUND_APPROVED: ({ amount }) => `Una segunda persona aprobó el reembolso de ${m(amount)}.`,
  REFUND_REJECTED: ({ amount }) => `Una segunda persona rechazó el reembolso de ${m(amount)}.`,
  REFUND_DONE: ({ amount }) => `El reembolso de ${m(amount)} está completado.`,
  REFUND_DONE_AFTER_ALL: ({ amount }) =>
    `El reembolso de ${m(amount)} había fallado y al final está completado.`,
  REFUND_REFUSED: (facts) => `El reembolso de ${m(facts.amount)} falló: ${why(facts)}.`,
  REFUND_CAME_BACK: (facts) =>
    `El reembolso de ${m(facts.amount)} estaba completado y falló después: ${why(facts)}.`,
  REFUND_ENDED_BY_OPERATOR: (facts) =>
    `El operador dio por terminado el reembolso de ${m(facts.amount)}: ${why(facts)}.`,
  REFUND_DISPUTED: ({ amount }) =>
    `El reembolso de ${m(amount)} falló: una disputa perdida ya devolvió ese dinero.`,
  REFUND_UNCOVERED: ({ amount }) =>
    `El reembolso de ${m(amount)} falló: tras la disputa, el monedero no tenía ese importe.`,
  DISPUTE_OPENED: ({ amount }) => `Se abrió una disputa de ${m(amount)}.`,
  DISPUTE_OPENED_AGAIN: ({ amount }) => `La disputa de ${m(amount)} está abierta de nuevo.`,
  EVIDENCE_SUBMITTED: ({ amount }) => `Se enviaron las pruebas de la disputa de ${m(amount)}.`,
  DISPUTE_WON: ({ amount }) => `La disputa está ganada: el importe de ${m(amount)} es suyo de nuevo.`,
  DISPUTE_REINSTATED: ({ amount }) =>
    `La disputa se había perdido y al final está ganada: el importe de ${m(amount)} es suyo de nuevo.`,
  DISPUTE_LOST: ({ amount }) => `La disputa está perdida: el importe de ${m(amount)} volvió al pagador.`,
  WITHDRAWAL_REQUESTED: ({ amount, fee }) =>
    `Se solicitó un retiro de ${m(amount)}, con una comisión de ${m(fee)}.`,
  WITHDRAWAL_NEEDS_APPROVAL: ({ amount }) => `El retiro de ${m(amount)} espera a una segunda persona.`,
  WITHDRAWAL_APPROVED: ({ amount }) => `Una segunda persona aprobó el retiro de ${m(amount)}.`,
  WITHDRAWAL_REJECTED: ({ amount }) =>
    `Una segunda persona rechazó el retiro de ${m(amount)}: está cancelado.`,
  WITHDRAWAL_SENT: ({ amount }) => `El retiro de ${m(amount)} se está enviando.`,
  WITHDRAWAL_DONE: ({ amount }) => `El retiro de ${m(amount)} está completado.`,
  WITHDRAWAL_DONE_AFTER_ALL: ({ amount }) =>
    `El retiro de ${m(amount)} había terminado sin envío y al final está completado.`,
  WITHDRAWAL_REFUSED: (facts) => `El retiro de ${m(facts.amount)} falló: ${why(facts)}.`,
  WITHDRAWAL_CANCELED: ({ amount }) => `El retiro de ${m(amount)} se canceló antes del envío.`,
  WITHDRAWAL_RETURNED: ({ amount, returned }) =>
    `Del retiro de ${m(amount)} volvió el importe de ${m(returned)}.`,
  WITHDRAWAL_RESOLVED_BY_OPERATOR: ({ amount }) =>
    `El operador registró cómo terminó el retiro de ${m(amount)}.`,
  WITHDRAWAL_STOPPED_BY_OPERATOR: ({ amount }) =>
    `El operador pidió que no se envíe el importe de ${m(amount)}.`,

  ANNOUNCED: ({ amount }) => `El importe de ${m(amount)}, que está en camino, entró en el saldo pendiente.`,
  NO_LONGER_ANNOUNCED: ({ amount }) =>
    `El importe de ${m(amount)}, que estaba en camino, salió del saldo pendiente.`,
  CREDITED: ({ amount }) => `El importe de ${m(amount)} se abonó en el saldo disponible.`,
  CREDITED_TO_PENDING: ({ amount }) =>
    `El importe de ${m(amount)} se abonó en el saldo pendiente hasta el fin del plazo de liquidación.`,
  FEE_TAKEN: (facts) => `Una comisión de ${m(facts.amount)} salió ${from[facts.from]}.`,
  DEBT_REPAID: (facts) => `El importe de ${m(facts.amount)} ${from[facts.from]} pagó lo que usted debía.`,
  PARENT_DEBT_REPAID: ({ amount }) => `El importe de ${m(amount)} pagó lo que usted debía a su plataforma.`,
  DEBT_MADE: ({ amount }) => `A los monederos les faltó el importe de ${m(amount)}, que usted debe ahora.`,
  RELEASED: ({ amount }) => `El importe de ${m(amount)} del saldo pendiente quedó disponible.`,
  HELD_FOR_REFUND: (facts) =>
    `El importe de ${m(facts.amount)} ${from[facts.from]} se apartó para el reembolso.`,
  HELD_FOR_DISPUTE: (facts) =>
    `El importe de ${m(facts.amount)} ${from[facts.from]} se apartó para la disputa.`,
  HELD_FOR_WITHDRAWAL: (facts) =>
    `El importe de ${m(facts.amount)} ${from[facts.from]} se apartó para el retiro.`,
  FEE_HELD: (facts) => `El importe de ${m(facts.amount)} ${from[facts.from]} se apartó para la comisión.`,
  HELD_MONEY_LEFT: ({ amount }) => `El importe de ${m(amount)} salió del saldo retenido y se pagó.`,
  DISPUTED_MONEY_CAME_BACK: ({ amount }) => `El importe de ${m(amount)} volvió al saldo retenido.`,
  DISPUTED_MONEY_FREED: ({ amount }) =>
    `El importe de ${m(amount)}, apartado para la disputa, volvió al saldo disponible.`,
  DISPUTE_FEE_TAKEN: (facts) =>
    `La comisión de ${m(facts.amount)} del proveedor por la disputa salió ${from[facts.from]}.`,
  REFUND_MONEY_BACK: (facts) => `El importe de ${m(facts.amount)} del reembolso volvió ${to[facts.to]}.`,
  WITHDRAWAL_MONEY_BACK: (facts) => `El importe de ${m(facts.amount)} del retiro volvió ${to[facts.to]}.`,
  FEE_BACK: (facts) => `La comisión de ${m(facts.amount)} volvió ${to[facts.to]}.`,
  WITHDRAWAL_DEBITED: (facts) =>
    `El importe de ${m(facts.amount)} salió ${from[facts.from]}, porque el envío llegó al destinatario después de todo.`,
  MOVED: (facts) => `El importe de ${m(facts.amount)} se movió ${from[facts.from]} ${to[facts.to]}.`,

  DELIVERY_PENDING: (facts) =>
    facts.delivery.attempts === 0
      ? `El evento ${facts.eventType} está por enviarse a su servidor.`
      : `El evento ${facts.eventType} no llegó a su servidor tras ${tries(facts.delivery.attempts)} (${answer(facts)}), y se enviará de nuevo.`,
  DELIVERED: ({ eventType, delivery: { attempts } }) =>
    `El evento ${eventType} llegó a su servidor tras ${tries(attempts)}.`,
  DELIVERY_EXHAUSTED: (facts) =>
    `El evento ${facts.eventType} no llegó a su servidor tras ${tries(facts.delivery.attempts)} (${answer(facts)}), y no se enviará más.`,
  DELIVERY_CANCELED: ({ eventType }) =>
    `El evento ${eventType} ya no se enviará a uno de sus endpoints, porque el endpoint fue eliminado.`,
}

const since = ({ refunded, disputed }: PaymentSums) => [
  ...(refunded.minor > 0n ? [`el importe de ${m(refunded)} se reembolsó o está volviendo`] : []),
  ...(disputed.minor > 0n ? [`el importe de ${m(disputed)} está en disputa o perdido`] : []),
]

const sum = (facts: PaymentSums, text: string) => `${[text, ...since(facts)].join('; ')}.`
const soFar = (facts: PaymentSums) =>
  facts.received.minor > 0n
    ? `${m(facts.received)} de ${m(facts.amount)} recibidos`
    : `${m(facts.amount)}, nada recibido`

export const summaries: Summaries = {
  payment: {
    PENDING: (facts) => sum(facts, `Aún no se puede pagar: ${soFar(facts)}`),
    WAITING_PAYMENT: (facts) => sum(facts, `En espera del pagador: ${soFar(facts)}`),
    APPROVED: (facts) => sum(facts, `Autorizado y aún sin capturar: ${soFar(facts)}`),
    PAID: (facts) => sum(facts, `Pagado: ${soFar(facts)}`),
    EXPIRED: (facts) => sum(facts, `Vencido: ${soFar(facts)}`),
    FAILED: (facts) => sum(facts, `Falló: ${soFar(facts)}`),
    CANCELED: (facts) => sum(facts, `Cancelado: ${soFar(facts)}`),
  },
  refund: {
    PENDING: ({ amount, isHeldBack, approvalRequired }) =>
      isHeldBack
        ? `El reembolso de ${m(amount)} espera el fin de una disputa sobre el mismo dinero.`
        : approvalRequired
          ? `El reembolso de ${m(amount)} espera a una segunda persona.`
          : `El reembolso de ${m(amount)} está en camino, y aún no se conoce su fin.`,
    COMPLETED: ({ amount }) => `El reembolso de ${m(amount)} está con el pagador.`,
    FAILED: ({ amount }) => `El reembolso de ${m(amount)} falló, y el dinero es suyo de nuevo.`,
  },
  withdrawal: {
    PENDING: ({ amount }) => `El retiro de ${m(amount)} espera el envío.`,
    PENDING_APPROVAL: ({ amount }) => `El retiro de ${m(amount)} espera a una segunda persona.`,
    PROCESSING: ({ amount, reviewRequired }) =>
      reviewRequired
        ? `El retiro de ${m(amount)} se envió, y una persona debe averiguar cómo terminó.`
        : `El retiro de ${m(amount)} se envió, y aún no se conoce su fin.`,
    COMPLETED: ({ amount, returned }) =>
      returned.minor > 0n
        ? `El retiro de ${m(amount)} llegó al destinatario, y volvió el importe de ${m(returned)}.`
        : `El retiro de ${m(amount)} llegó al destinatario.`,
    FAILED: ({ amount }) => `El retiro de ${m(amount)} falló, y el dinero es suyo de nuevo.`,
    CANCELED: ({ amount }) => `El retiro de ${m(amount)} se canceló, y el dinero es suyo de nuevo.`,
  },
}
