// What the state of a payment is called, on every page for merchants and in the documents.
import { commonWords } from './common-words.ts'
import type { Entries } from './dictionary.ts'

export const paymentStatusWords = {
  PENDING: commonWords.created,
  WAITING_PAYMENT: ['Aguardando pagamento', 'Awaiting payment', 'Pago pendiente'],
  APPROVED: ['Autorizado', 'Authorized', 'Autorizado'],
  PAID: commonWords.paid,
  EXPIRED: ['Expirado', 'Expired', 'Vencido'],
  FAILED: ['Recusado', 'Declined', 'Rechazado'],
  CANCELED: commonWords.canceled,
} as const satisfies Entries

/** What went back of a payment that is PAID. */
export const refundStatusWords = {
  PARTIAL: ['Reembolsado em parte', 'Partially refunded', 'Reembolsado en parte'],
  FULL: commonWords.refunded,
} as const satisfies Entries

/** What is unusual about the money of a payment. */
export const exceptionWords = {
  UNDERPAID: ['Pago a menos', 'Underpaid', 'Pagado de menos'],
  OVERPAID: ['Pago a mais', 'Overpaid', 'Pagado de más'],
  LATE: ['Pago após o vencimento', 'Paid late', 'Pagado fuera de plazo'],
  DUPLICATE: ['Pago em dobro', 'Paid twice', 'Pagado dos veces'],
} as const satisfies Entries
