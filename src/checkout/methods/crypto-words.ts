// The page's texts about coins on a chain, in every language. The type of the first language is the type of all: a language that
// lacks a text does not compile.
import type { Sent } from '../sentences.ts'

const en = {
  waiting: {
    headline: (amount: string) => `Send ${amount}`,
    message: (amount: string, network: string, until: string) =>
      `Send exactly ${amount} on the ${network} network to this address ${until}.`,
  },
  /** Coins on their way, sent in time or after the deadline. */
  confirming: {
    inTime: ({ received }: Sent) =>
      `We see ${received} on the network. It will be confirmed automatically in a few minutes; you can close this page.`,
    late: ({ received }: Sent) =>
      `We see ${received} on the network, sent after the deadline. Once the network confirms it, it will be credited and we’ll tell the store.`,
  },
  /** A part arrived: how to send the rest. */
  topUp: ({ received, amount }: Sent, missing: string, until: string) =>
    `We received ${received} of ${amount}. Send ${missing} more to this address ${until}.`,
  qr: {
    address: 'QR code of the address',
    wallet: 'QR code with address and amount, for wallets',
  },
  labels: {
    /** `{token}`, `{network}`. */
    networkWarning:
      'Send only {token}, and only on the {network} network. Anything sent on another network is lost.',
    /** Shows the other code. */
    otherCode: 'My wallet can’t read this code',
    otherCodeHint: 'This code also carries the amount and the token. Check all three before you send.',
    exactAmount: 'Exact amount',
    address: 'Address',
    feesNote: 'Your exchange may charge a fee on top: this is the amount that has to arrive.',
    openWallet: 'Open in wallet',
    received: 'Received',
    transaction: 'Transaction',
    /** `{done}`, `{needed}`. */
    confirmations: 'Confirmed by the network, {done} of {needed}',
    confirmed: 'Confirmed by the network',
  },
}

type Words = typeof en
/** The labels of the view's panel. */
export type CryptoLabels = Words['labels']

const ptBr: Words = {
  waiting: {
    headline: (amount) => `Envie ${amount}`,
    message: (amount, network, until) =>
      `Envie exatamente ${amount} pela rede ${network} para este endereço ${until}.`,
  },
  confirming: {
    inTime: ({ received }) =>
      `Identificamos ${received} na rede. A confirmação é automática e leva poucos minutos; você pode fechar esta página.`,
    late: ({ received }) =>
      `Identificamos ${received} na rede, enviados depois do prazo. Quando a rede confirmar, o valor será creditado e a loja, avisada.`,
  },
  topUp: ({ received, amount }, missing, until) =>
    `Recebemos ${received} de ${amount}. Envie mais ${missing} para este endereço ${until}.`,
  qr: {
    address: 'QR Code do endereço',
    wallet: 'QR Code com endereço e valor, para carteiras',
  },
  labels: {
    networkWarning:
      'Envie somente {token} e somente pela rede {network}. Valores enviados por outra rede serão perdidos.',
    otherCode: 'Minha carteira não lê este código',
    otherCodeHint: 'Este código também traz o valor e o token. Confira os três antes de enviar.',
    exactAmount: 'Valor exato',
    address: 'Endereço',
    feesNote: 'A taxa de saque da corretora é cobrada à parte: este é o valor que precisa chegar.',
    openWallet: 'Abrir na carteira',
    received: 'Recebido',
    transaction: 'Transação',
    confirmations: 'Confirmado pela rede, {done} de {needed}',
    confirmed: 'Confirmado pela rede',
  },
}

const es: Words = {
  waiting: {
    headline: (amount) => `Envíe ${amount}`,
    message: (amount, network, until) =>
      `Envíe exactamente ${amount} por la red ${network} a esta dirección ${until}.`,
  },
  confirming: {
    inTime: ({ received }) =>
      `Detectamos ${received} en la red. La confirmación es automática y tarda pocos minutos; puede cerrar esta página.`,
    late: ({ received }) =>
      `Detectamos ${received} en la red, enviados después del plazo. Cuando la red los confirme, se acreditarán y avisaremos a la tienda.`,
  },
  topUp: ({ received, amount }, missing, until) =>
    `Recibimos ${received} de ${amount}. Envíe ${missing} más a esta dirección ${until}.`,
  qr: {
    address: 'Código QR de la dirección',
    wallet: 'Código QR con dirección y monto, para billeteras',
  },
  labels: {
    networkWarning: 'Envíe solo {token} y solo por la red {network}. Lo que envíe por otra red se perderá.',
    otherCode: 'Mi billetera no lee este código',
    otherCodeHint: 'Este código también lleva el monto y el token. Revise los tres antes de enviar.',
    exactAmount: 'Monto exacto',
    address: 'Dirección',
    feesNote: 'La comisión de retiro de su exchange se cobra aparte: este es el monto que debe llegar.',
    openWallet: 'Abrir en la billetera',
    received: 'Recibido',
    transaction: 'Transacción',
    confirmations: 'Confirmado por la red, {done} de {needed}',
    confirmed: 'Confirmado por la red',
  },
}

export const cryptoWords = { en, 'pt-BR': ptBr, es }
