// The page's texts about Pix, in every language. The type of the first is the type of all: a sentence that one of them lacks does not
// compile.

const en = {
  label: 'Pix',
  hint: 'With your bank’s app, approved instantly.',
  waiting: {
    headline: 'Pay with Pix',
    message: (until: string) => `Scan the QR code with your bank’s app, or copy the code. Pay ${until}.`,
  },
  qr: 'QR code of the Pix payment',
  labels: {
    pixCopy: 'Copy Pix code',
    pixCode: 'Pix Copia e Cola',
    /** The recipient as the bank's app names it. */
    pixReceiver: 'Recipient',
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
  label: 'Pix',
  hint: 'Pelo app do seu banco, com aprovação na hora.',
  waiting: {
    headline: 'Pague com Pix',
    message: (until) => `Escaneie o QR Code com o app do seu banco ou copie o código. Válido ${until}.`,
  },
  qr: 'QR Code do pagamento Pix',
  labels: {
    pixCopy: 'Copiar código Pix',
    pixCode: 'Pix Copia e Cola',
    pixReceiver: 'Recebedor',
    pixSteps: 'Como pagar',
    pixStep1: 'Abra o app do seu banco e acesse a área Pix.',
    pixStep2: 'Escaneie o QR Code ou cole o código em Pix Copia e Cola.',
    pixStep3: 'Confira os dados e confirme o pagamento. Esta página é atualizada automaticamente.',
  },
}

const es: Words = {
  label: 'Pix',
  hint: 'Con la app de su banco, aprobación al instante.',
  waiting: {
    headline: 'Pague con Pix',
    message: (until) => `Escanee el código QR con la app de su banco o copie el código. Válido ${until}.`,
  },
  qr: 'Código QR del pago Pix',
  labels: {
    pixCopy: 'Copiar código Pix',
    pixCode: 'Pix Copia e Cola',
    pixReceiver: 'Destinatario',
    pixSteps: 'Cómo pagar',
    pixStep1: 'Abra la app de su banco y elija Pix.',
    pixStep2: 'Escanee el código QR o pegue el código en Pix Copia e Cola.',
    pixStep3: 'Revise los datos y confirme el pago. Esta página se actualiza sola.',
  },
}

export const pixWords = { en, 'pt-BR': ptBr, es }
