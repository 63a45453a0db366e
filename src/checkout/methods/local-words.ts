// The page's texts about the acquirer's local methods, in every language. The type of the first language is the type of all: a
// language that lacks a text does not compile. Labels of panels that several methods share are in one of those methods.

const en = {
  MULTIBANCO: {
    label: 'Multibanco',
    hint: 'At an ATM or in your bank’s app, confirmed within days.',
    headline: 'Pay with Multibanco',
    message: (until: string) =>
      `At an ATM or in your bank’s app, choose payment of services and enter these three lines ${until}.`,
    labels: {
      voucherEntity: 'Entity',
      voucherReference: 'Reference',
      voucherAmount: 'Amount',
      voucherPrint: 'Print',
    },
  },
  MB_WAY: {
    label: 'MB WAY',
    hint: 'Confirm in the app on your phone.',
    /** `phone`: its last digits. */
    headline: 'Confirm in the MB WAY app',
    message: (until: string, phone: string) =>
      `We sent the payment to your phone ending in ${phone}. Open the app and confirm ${until}.`,
    labels: { pushAgain: 'Send it again', pushWaiting: 'This page updates by itself once you confirm.' },
  },
  IDEAL: {
    label: 'iDEAL',
    hint: 'With your Dutch bank.',
    headline: 'Pay with iDEAL',
    message: 'You’ll go to your bank to confirm, then come back here.',
    labels: { redirectGo: 'Continue' },
  },
  BANCONTACT: {
    label: 'Bancontact',
    hint: 'With your Belgian card or app.',
    headline: 'Pay with Bancontact',
    message: 'You’ll go to Bancontact to confirm, then come back here.',
    labels: {},
  },
  BIZUM: {
    label: 'Bizum',
    hint: 'With your Spanish bank’s app.',
    headline: 'Pay with Bizum',
    message: 'You’ll go to Bizum to confirm, then come back here.',
    labels: {},
  },
  BOLETO: {
    label: 'Boleto',
    hint: 'At any bank in Brazil, confirmed within 2 business days.',
    headline: 'Pay the boleto',
    message: (until: string) => `Copy the line into your bank’s app, or scan the bar code. Pay ${until}.`,
    labels: {
      boletoLine: 'Line of the boleto',
      boletoCopy: 'Copy the line',
      boletoPdf: 'Open the PDF',
    },
    /** For screen readers. */
    bars: 'Bar code of the boleto',
  },
  /** Of a delayed method. */
  delayed: 'The store is told when the money arrives.',
  /** Of every debit; `iban`: the end of the account's number. */
  debit: {
    headline: 'Your bank has the debit',
    message: (iban: string) =>
      `We asked your bank to debit the account ending in ${iban}. It answers within some business days.`,
    waiting: 'There is nothing else to do. You can close this page.',
  },
  declines: {
    not_confirmed:
      'The payment was not confirmed. Nothing was charged. Try again, or choose another way to pay.',
    not_confirmed_in_time: 'The payment was not confirmed in time. Nothing was charged. Try again.',
  },
}

type Words = typeof en
export type LocalLabels = Words['MULTIBANCO']['labels'] &
  Words['MB_WAY']['labels'] &
  Words['IDEAL']['labels'] &
  Words['BOLETO']['labels']

const ptBr: Words = {
  MULTIBANCO: {
    label: 'Multibanco',
    hint: 'No caixa eletrônico ou no app do banco, confirmado em alguns dias.',
    headline: 'Pague com Multibanco',
    message: (until) =>
      `No caixa eletrônico ou no app do banco, escolha pagamento de serviços e informe estas três linhas. Válido ${until}.`,
    labels: {
      voucherEntity: 'Entidade',
      voucherReference: 'Referência',
      voucherAmount: 'Valor',
      voucherPrint: 'Imprimir',
    },
  },
  MB_WAY: {
    label: 'MB WAY',
    hint: 'Confirme no app do celular.',
    headline: 'Confirme no app MB WAY',
    message: (until, phone) =>
      `Enviamos o pagamento para o seu celular de final ${phone}. Abra o app e confirme. Válido ${until}.`,
    labels: {
      pushAgain: 'Enviar de novo',
      pushWaiting: 'Esta página é atualizada automaticamente quando você confirmar.',
    },
  },
  IDEAL: {
    label: 'iDEAL',
    hint: 'Com o seu banco holandês.',
    headline: 'Pague com iDEAL',
    message: 'Você vai para a página do seu banco para confirmar e depois volta para cá.',
    labels: { redirectGo: 'Continuar' },
  },
  BANCONTACT: {
    label: 'Bancontact',
    hint: 'Com o seu cartão ou app da Bélgica.',
    headline: 'Pague com Bancontact',
    message: 'Você vai para a página do Bancontact para confirmar e depois volta para cá.',
    labels: {},
  },
  BIZUM: {
    label: 'Bizum',
    hint: 'Com o app do seu banco espanhol.',
    headline: 'Pague com Bizum',
    message: 'Você vai para a página do Bizum para confirmar e depois volta para cá.',
    labels: {},
  },
  BOLETO: {
    label: 'Boleto',
    hint: 'Em qualquer banco, confirmado em até 2 dias úteis.',
    headline: 'Pague o boleto',
    message: (until) =>
      `Copie a linha digitável no app do seu banco ou escaneie o código de barras. Válido ${until}.`,
    labels: {
      boletoLine: 'Linha digitável',
      boletoCopy: 'Copiar linha digitável',
      boletoPdf: 'Abrir o PDF',
    },
    bars: 'Código de barras do boleto',
  },
  delayed: 'A loja é avisada quando o dinheiro chegar.',
  debit: {
    headline: 'O seu banco recebeu o débito',
    message: (iban) =>
      `Pedimos ao seu banco o débito na conta de final ${iban}. Ele responde em alguns dias úteis.`,
    waiting: 'Não há mais nada a fazer. Você pode fechar esta página.',
  },
  declines: {
    not_confirmed:
      'O pagamento não foi confirmado. Nada foi cobrado. Tente de novo ou escolha outra forma de pagar.',
    not_confirmed_in_time: 'O pagamento não foi confirmado a tempo. Nada foi cobrado. Tente de novo.',
  },
}

const es: Words = {
  MULTIBANCO: {
    label: 'Multibanco',
    hint: 'En un cajero o en la app de su banco, confirmado en unos días.',
    headline: 'Pague con Multibanco',
    message: (until) =>
      `En un cajero o en la app de su banco, elija pago de servicios e ingrese estas tres líneas ${until}.`,
    labels: {
      voucherEntity: 'Entidad',
      voucherReference: 'Referencia',
      voucherAmount: 'Monto',
      voucherPrint: 'Imprimir',
    },
  },
  MB_WAY: {
    label: 'MB WAY',
    hint: 'Confirme en la app de su teléfono.',
    headline: 'Confirme en la app MB WAY',
    message: (until, phone) =>
      `Enviamos el pago a su teléfono terminado en ${phone}. Abra la app y confirme ${until}.`,
    labels: {
      pushAgain: 'Enviar de nuevo',
      pushWaiting: 'Esta página se actualiza sola cuando usted confirme.',
    },
  },
  IDEAL: {
    label: 'iDEAL',
    hint: 'Con su banco neerlandés.',
    headline: 'Pague con iDEAL',
    message: 'Irá a la página de su banco para confirmar y luego volverá aquí.',
    labels: { redirectGo: 'Continuar' },
  },
  BANCONTACT: {
    label: 'Bancontact',
    hint: 'Con su tarjeta o app de Bélgica.',
    headline: 'Pague con Bancontact',
    message: 'Irá a la página de Bancontact para confirmar y luego volverá aquí.',
    labels: {},
  },
  BIZUM: {
    label: 'Bizum',
    hint: 'Con la app de su banco español.',
    headline: 'Pague con Bizum',
    message: 'Irá a la página de Bizum para confirmar y luego volverá aquí.',
    labels: {},
  },
  BOLETO: {
    label: 'Boleto',
    hint: 'En cualquier banco de Brasil, confirmado en hasta 2 días hábiles.',
    headline: 'Pague el boleto',
    message: (until) =>
      `Copie la línea en la app de su banco o escanee el código de barras. Páguelo ${until}.`,
    labels: {
      boletoLine: 'Línea del boleto',
      boletoCopy: 'Copiar la línea',
      boletoPdf: 'Abrir el PDF',
    },
    bars: 'Código de barras del boleto',
  },
  delayed: 'Avisamos a la tienda cuando llegue el dinero.',
  debit: {
    headline: 'Su banco recibió el adeudo',
    message: (iban) =>
      `Pedimos a su banco el adeudo en la cuenta terminada en ${iban}. Responde en unos días hábiles.`,
    waiting: 'No tiene que hacer nada más. Puede cerrar esta página.',
  },
  declines: {
    not_confirmed: 'El pago no se confirmó. No se cobró nada. Intente de nuevo o elija otra forma de pagar.',
    not_confirmed_in_time: 'El pago no se confirmó a tiempo. No se cobró nada. Intente de nuevo.',
  },
}

export const localWords = { en, 'pt-BR': ptBr, es }
