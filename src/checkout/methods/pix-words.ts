// The page's texts about Pix, in every language. The type of the first language is the type of all: a language that lacks a text
// does not compile.
import type { Sent } from '../sentences.ts'

const en = {
  waiting: {
    headline: 'Pay with Pix',
    message: (until: string) => `Scan the QR code with your bank’s app, or copy the code. Pay ${until}.`,
  },
  rest: {
    received: ({ received, amount }: Sent) => `We received ${received} of ${amount}.`,
    returned: 'What you paid was returned to you.',
    unopened: (missing: string, until: string) =>
      `Get a new Pix code for the missing ${missing} and pay it ${until}.`,
    open: (missing: string, until: string) =>
      `This new code is for the missing ${missing}. Pay it ${until}. Earlier codes don’t work any more.`,
    button: (missing: string) => `Get a Pix code for ${missing}`,
    away: 'The bank isn’t responding, so there is no new code yet. Nothing more was charged. Try again in a moment.',
    refused: 'We couldn’t get a Pix code for the missing amount. Contact the store.',
  },
  qr: 'QR code of the Pix payment',
  labels: {
    pixCopy: 'Copy Pix code',
    pixCode: 'Pix Copia e Cola',
    /** The recipient as the bank's app names it. */
    pixReceiver: 'Recipient',
    pixAmount: 'Amount of this Pix',
    pixSteps: 'How to pay',
    pixStep1: 'Open your bank’s app and choose Pix.',
    pixStep2: 'Scan the QR code, or paste the code under Pix Copia e Cola.',
    pixStep3: 'Check the details and confirm. This page updates by itself.',
  },
}

type Words = typeof en
/** The labels of the view's panel. */
export type PixLabels = Words['labels']

const ptBr: Words = {
  waiting: {
    headline: 'Pague com Pix',
    message: (until) => `Escaneie o QR Code com o app do seu banco ou copie o código. Válido ${until}.`,
  },
  rest: {
    received: ({ received, amount }) => `Recebemos ${received} de ${amount}.`,
    returned: 'O valor que você pagou foi devolvido.',
    unopened: (missing, until) => `Gere um novo Pix com os ${missing} que faltam e pague ${until}.`,
    open: (missing, until) =>
      `Este novo código é para os ${missing} que faltam. Pague ${until}. Os códigos anteriores não valem mais.`,
    button: (missing) => `Gerar Pix de ${missing}`,
    away: 'O banco não está respondendo e ainda não há um novo código. Nada mais foi cobrado. Tente de novo em instantes.',
    refused: 'Não foi possível gerar o Pix do valor que falta. Fale com a loja.',
  },
  qr: 'QR Code do pagamento Pix',
  labels: {
    pixCopy: 'Copiar código Pix',
    pixCode: 'Pix Copia e Cola',
    pixReceiver: 'Recebedor',
    pixAmount: 'Valor deste Pix',
    pixSteps: 'Como pagar',
    pixStep1: 'Abra o app do seu banco e acesse a área Pix.',
    pixStep2: 'Escaneie o QR Code ou cole o código em Pix Copia e Cola.',
    pixStep3: 'Confira os dados e confirme o pagamento. Esta página é atualizada automaticamente.',
  },
}

const es: Words = {
  waiting: {
    headline: 'Pague con Pix',
    message: (until) => `Escanee el código QR con la app de su banco o copie el código. Válido ${until}.`,
  },
  rest: {
    received: ({ received, amount }) => `Recibimos ${received} de ${amount}.`,
    returned: 'Le devolvimos lo que pagó.',
    unopened: (missing, until) => `Genere un nuevo Pix por los ${missing} que faltan y páguelo ${until}.`,
    open: (missing, until) =>
      `Este nuevo código es por los ${missing} que faltan. Páguelo ${until}. Los códigos anteriores ya no sirven.`,
    button: (missing) => `Generar Pix de ${missing}`,
    away: 'El banco no responde y todavía no hay un nuevo código. No se cobró nada más. Intente de nuevo en un momento.',
    refused: 'No se pudo generar el Pix por lo que falta. Comuníquese con la tienda.',
  },
  qr: 'Código QR del pago Pix',
  labels: {
    pixCopy: 'Copiar código Pix',
    pixCode: 'Pix Copia e Cola',
    pixReceiver: 'Destinatario',
    pixAmount: 'Monto de este Pix',
    pixSteps: 'Cómo pagar',
    pixStep1: 'Abra la app de su banco y elija Pix.',
    pixStep2: 'Escanee el código QR o pegue el código en Pix Copia e Cola.',
    pixStep3: 'Revise los datos y confirme el pago. Esta página se actualiza sola.',
  },
}

export const pixWords = { en, 'pt-BR': ptBr, es }
