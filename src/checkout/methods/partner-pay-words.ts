// The page's texts about the partner's wallet app, in every language. The type of the first language is the type of all: a language
// that lacks a text does not compile.

const en = {
  waiting: {
    headline: 'Pay in your wallet app',
    message: (until: string) =>
      `Scan the QR code with the app or, on a phone, tap the button to open it. Pay ${until}.`,
  },
  qr: 'QR code for the wallet app',
  /** By the code that the rail gives the decline. */
  declines: {
    order_canceled: 'The payment was canceled in the app. Nothing was charged. Try again.',
    order_failed: 'The app couldn’t complete the payment. Nothing was charged. Try again.',
  },
  labels: {
    appOpen: 'Open the app',
    appScan: 'Or scan the code with the app on another device',
  },
}

type Words = typeof en
/** The labels of the view's panel. */
export type PartnerPayLabels = Words['labels']

const ptBr: Words = {
  waiting: {
    headline: 'Pague no app da carteira',
    message: (until) =>
      `Escaneie o QR Code com o app ou, no celular, toque no botão para abrir o app. Válido ${until}.`,
  },
  qr: 'QR Code para o app da carteira',
  declines: {
    order_canceled: 'O pagamento foi cancelado no app. Nada foi cobrado. Tente de novo.',
    order_failed: 'O app não conseguiu concluir o pagamento. Nada foi cobrado. Tente de novo.',
  },
  labels: {
    appOpen: 'Abrir o app',
    appScan: 'Ou escaneie com o app em outro aparelho',
  },
}

const es: Words = {
  waiting: {
    headline: 'Pague en la app de su billetera',
    message: (until) =>
      `Escanee el código QR con la app o, en el celular, toque el botón para abrirla. Válido ${until}.`,
  },
  qr: 'Código QR para la app de la billetera',
  declines: {
    order_canceled: 'El pago se canceló en la app. No se cobró nada. Intente de nuevo.',
    order_failed: 'La app no pudo completar el pago. No se cobró nada. Intente de nuevo.',
  },
  labels: {
    appOpen: 'Abrir la app',
    appScan: 'O escanee el código con la app en otro dispositivo',
  },
}

export const partnerPayWords = { en, 'pt-BR': ptBr, es }
