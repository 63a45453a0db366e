// The page's texts about cards, in every language. The type of the first language is the type of all: a language that lacks a text
// does not compile.

const en = {
  waiting: {
    headline: 'Pay by card',
    message: 'Your bank may ask you to confirm. You won’t be charged before you do.',
    /** Without a frame. */
    hosted: 'You’ll go to the payment processor’s secure page, then come back here.',
  },
  authorised: {
    headline: 'Payment authorized',
    message: (merchant: string) =>
      `The amount is on hold on your card. ${merchant} will charge it when your order is confirmed.`,
  },
  /** By the code that the rail gives the decline. */
  declines: {
    insufficient_funds: 'Your card has insufficient funds. Try another card.',
    expired_card: 'Your card has expired. Try another card.',
    incorrect_cvc: 'The security code is incorrect. Check it and try again.',
    incorrect_number: 'The card number is incorrect. Check it and try again.',
    card_not_supported: 'This type of card isn’t accepted. Try another card.',
    limit_exceeded: 'The amount is over your card’s limit. Try another card.',
    authentication_failed: 'Your bank couldn’t verify your identity. Try again, or use another card.',
    processing_error: 'We couldn’t reach the bank. Try again in a moment.',
    card_declined: 'Your bank declined the card. Try another card, or contact your bank.',
  },
  labels: {
    /** The name of the frame, for screen readers. */
    cardFrame: 'Card details',
    cardSafe: 'Your card details go straight to the payment processor. The store never sees them.',
    cardLoading: 'Opening the secure card form…',
    cardContinue: 'Pay by card',
    cardElsewhere: 'Open the form on a separate page',
  },
}

type Words = typeof en
/** The labels of the view's panel. */
export type CardLabels = Words['labels']

const ptBr: Words = {
  waiting: {
    headline: 'Pague com cartão',
    message: 'Seu banco pode pedir uma confirmação. Nada é cobrado antes disso.',
    hosted: 'Você vai para a página segura da processadora do pagamento e depois volta para cá.',
  },
  authorised: {
    headline: 'Pagamento autorizado',
    message: (merchant) =>
      `O valor está reservado no seu cartão. ${merchant} fará a cobrança ao confirmar o pedido.`,
  },
  declines: {
    insufficient_funds: 'Cartão sem saldo ou limite para este valor. Tente outro cartão.',
    expired_card: 'O cartão está vencido. Tente outro cartão.',
    incorrect_cvc: 'Código de segurança incorreto. Confira e tente de novo.',
    incorrect_number: 'Número do cartão incorreto. Confira e tente de novo.',
    card_not_supported: 'Este tipo de cartão não é aceito aqui. Tente outro cartão.',
    limit_exceeded: 'O valor ultrapassa o limite do cartão. Tente outro cartão.',
    authentication_failed: 'Seu banco não confirmou sua identidade. Tente de novo ou use outro cartão.',
    processing_error: 'Não conseguimos contato com o banco. Tente de novo em instantes.',
    card_declined: 'O banco recusou o cartão. Tente outro cartão ou fale com seu banco.',
  },
  labels: {
    cardFrame: 'Dados do cartão',
    cardSafe: 'Os dados do cartão vão direto para a processadora do pagamento. A loja não tem acesso a eles.',
    cardLoading: 'Abrindo o formulário seguro do cartão…',
    cardContinue: 'Pagar com cartão',
    cardElsewhere: 'Abrir o formulário em outra página',
  },
}

const es: Words = {
  waiting: {
    headline: 'Pague con tarjeta',
    message: 'Su banco puede pedirle una confirmación. No se cobra nada antes de eso.',
    hosted: 'Irá a la página segura del procesador de pagos y luego volverá aquí.',
  },
  authorised: {
    headline: 'Pago autorizado',
    message: (merchant) =>
      `El monto está reservado en su tarjeta. ${merchant} lo cobrará al confirmar su pedido.`,
  },
  declines: {
    insufficient_funds: 'La tarjeta no tiene fondos suficientes para este monto. Pruebe con otra.',
    expired_card: 'La tarjeta está vencida. Pruebe con otra.',
    incorrect_cvc: 'El código de seguridad es incorrecto. Revíselo e intente de nuevo.',
    incorrect_number: 'El número de la tarjeta es incorrecto. Revíselo e intente de nuevo.',
    card_not_supported: 'No se acepta este tipo de tarjeta. Pruebe con otra.',
    limit_exceeded: 'El monto supera el límite de la tarjeta. Pruebe con otra.',
    authentication_failed: 'Su banco no confirmó su identidad. Intente de nuevo o use otra tarjeta.',
    processing_error: 'No pudimos comunicarnos con el banco. Intente de nuevo en un momento.',
    card_declined: 'El banco rechazó la tarjeta. Pruebe con otra o consulte a su banco.',
  },
  labels: {
    cardFrame: 'Datos de la tarjeta',
    cardSafe:
      'Los datos de la tarjeta van directo al procesador de pagos. La tienda no tiene acceso a ellos.',
    cardLoading: 'Abriendo el formulario seguro de la tarjeta…',
    cardContinue: 'Pagar con tarjeta',
    cardElsewhere: 'Abrir el formulario en otra página',
  },
}

export const cardWords = { en, 'pt-BR': ptBr, es }
