// The page's texts about bank transfers in euro, in every language. The type of the first language is the type of all: a language
// that lacks a text does not compile.
import type { Sent } from '../sentences.ts'

const en = {
  waiting: {
    headline: (amount: string) => `Transfer ${amount}`,
    message: (until: string) =>
      `Send exactly this amount to this account ${until}, and enter the reference. Without it we can’t recognize your payment.`,
  },
  topUp: ({ received, amount }: Sent, missing: string, until: string) =>
    `We received ${received} of ${amount}. Transfer ${missing} more with the same reference ${until}.`,
  qr: 'QR code of the transfer',
  labels: {
    sepaAmount: 'Exact amount',
    sepaBeneficiary: 'Beneficiary',
    sepaIban: 'IBAN',
    sepaBic: 'BIC',
    sepaReference: 'Reference',
    sepaQrHint: 'Many banks’ apps can scan this code and fill in everything.',
    sepaAfter: 'This page updates when our bank reports the transfer. You can close it.',
  },
}

type Words = typeof en
/** The labels of the view's panel. */
export type SepaLabels = Words['labels']

const ptBr: Words = {
  waiting: {
    headline: (amount) => `Transfira ${amount}`,
    message: (until) =>
      `Envie exatamente este valor para esta conta ${until} e informe a referência. Sem ela não reconhecemos o pagamento.`,
  },
  topUp: ({ received, amount }, missing, until) =>
    `Recebemos ${received} de ${amount}. Transfira mais ${missing} com a mesma referência ${until}.`,
  qr: 'QR Code da transferência',
  labels: {
    sepaAmount: 'Valor exato',
    sepaBeneficiary: 'Beneficiário',
    sepaIban: 'IBAN',
    sepaBic: 'BIC',
    sepaReference: 'Referência',
    sepaQrHint: 'O app de muitos bancos lê este código e preenche tudo.',
    sepaAfter: 'Esta página é atualizada quando o nosso banco informar a transferência. Você pode fechá-la.',
  },
}

const es: Words = {
  waiting: {
    headline: (amount) => `Transfiera ${amount}`,
    message: (until) =>
      `Envíe exactamente este monto a esta cuenta ${until} e indique la referencia. Sin ella no reconocemos el pago.`,
  },
  topUp: ({ received, amount }, missing, until) =>
    `Recibimos ${received} de ${amount}. Transfiera ${missing} más con la misma referencia ${until}.`,
  qr: 'Código QR de la transferencia',
  labels: {
    sepaAmount: 'Monto exacto',
    sepaBeneficiary: 'Beneficiario',
    sepaIban: 'IBAN',
    sepaBic: 'BIC',
    sepaReference: 'Referencia',
    sepaQrHint: 'La app de muchos bancos lee este código y completa todo.',
    sepaAfter: 'Esta página se actualiza cuando nuestro banco informe la transferencia. Puede cerrarla.',
  },
}

export const sepaWords = { en, 'pt-BR': ptBr, es }
