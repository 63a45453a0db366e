// The page's texts about methods that it shows by their flow, in every language. What a method says by itself is in its descriptor. The type
// of the first language is the type of all: a language that lacks a text does not compile.

const en = {
  /** Of a delayed method. */
  delayed: 'We’ll tell the store when the money arrives.',
  /** Of every debit; `iban`: the end of the account's number. */
  debit: {
    headline: 'Your bank has received the debit',
    message: (iban: string) =>
      `We asked your bank to debit the account ending in ${iban}. It answers within a few business days.`,
    waiting: 'There’s nothing more to do. You can close this page.',
  },
  /** For screen readers. */
  bars: 'Bar code of the boleto',
  declines: {
    not_confirmed:
      'The payment was not confirmed. Nothing was charged. Try again, or choose another way to pay.',
    not_confirmed_in_time: 'The payment was not confirmed in time. Nothing was charged. Try again.',
  },
  labels: {
    voucherEntity: 'Entity',
    voucherReference: 'Reference',
    voucherAmount: 'Amount',
    voucherPrint: 'Print',
    pushAgain: 'Send again',
    pushWaiting: 'This page updates by itself once you confirm.',
    redirectGo: 'Continue',
    boletoLine: 'Boleto line',
    boletoCopy: 'Copy line',
    boletoPdf: 'Open the PDF',
  },
}

type Words = typeof en
/** The labels of the view's panels. */
export type FlowLabels = Words['labels']

const ptBr: Words = {
  delayed: 'Avisaremos a loja quando o dinheiro chegar.',
  debit: {
    headline: 'Seu banco recebeu o débito',
    message: (iban) =>
      `Pedimos ao seu banco o débito na conta de final ${iban}. Ele responde em alguns dias úteis.`,
    waiting: 'Não há mais nada a fazer. Você pode fechar esta página.',
  },
  bars: 'Código de barras do boleto',
  declines: {
    not_confirmed:
      'O pagamento não foi confirmado. Nada foi cobrado. Tente de novo ou escolha outra forma de pagar.',
    not_confirmed_in_time: 'O pagamento não foi confirmado a tempo. Nada foi cobrado. Tente de novo.',
  },
  labels: {
    voucherEntity: 'Entidade',
    voucherReference: 'Referência',
    voucherAmount: 'Valor',
    voucherPrint: 'Imprimir',
    pushAgain: 'Enviar de novo',
    pushWaiting: 'Esta página é atualizada automaticamente quando você confirmar.',
    redirectGo: 'Continuar',
    boletoLine: 'Linha digitável',
    boletoCopy: 'Copiar linha digitável',
    boletoPdf: 'Abrir o PDF',
  },
}

const es: Words = {
  delayed: 'Avisaremos a la tienda cuando llegue el dinero.',
  debit: {
    headline: 'Su banco recibió el adeudo',
    message: (iban) =>
      `Pedimos a su banco el adeudo en la cuenta terminada en ${iban}. Responde en unos días hábiles.`,
    waiting: 'No tiene que hacer nada más. Puede cerrar esta página.',
  },
  bars: 'Código de barras del boleto',
  declines: {
    not_confirmed: 'El pago no se confirmó. No se cobró nada. Intente de nuevo o elija otra forma de pagar.',
    not_confirmed_in_time: 'El pago no se confirmó a tiempo. No se cobró nada. Intente de nuevo.',
  },
  labels: {
    voucherEntity: 'Entidad',
    voucherReference: 'Referencia',
    voucherAmount: 'Monto',
    voucherPrint: 'Imprimir',
    pushAgain: 'Enviar de nuevo',
    pushWaiting: 'Esta página se actualiza sola cuando usted confirme.',
    redirectGo: 'Continuar',
    boletoLine: 'Línea del boleto',
    boletoCopy: 'Copiar la línea',
    boletoPdf: 'Abrir el PDF',
  },
}

export const flowWords = { en, 'pt-BR': ptBr, es }
