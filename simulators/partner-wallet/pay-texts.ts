// The words of the wallet's page, in the payer's language.

const english = {
  confirmTitle: 'Confirm payment',
  payTo: 'Pay to',
  balance: 'Your balance',
  order: 'Order',
  expires: 'Expires in',
  confirm: 'Confirm',
  refuse: 'Refuse',
  short: 'Not enough in your wallet',
  shortMore: 'Nothing was charged. Add USDT to your wallet, or use another one, and confirm again.',
  pending: 'Payment under way',
  pendingMore: 'The order stays open until the payment ends.',
  tryShort: 'Try it with an empty wallet',
  paid: 'Paid',
  paidMore: 'The store has your payment. You can close this page.',
  transaction: 'Transaction',
  refunding: 'Refund on its way',
  refunded: 'Partly refunded',
  fullyRefunded: 'Refunded',
  refundedMore: 'The money is back in your wallet:',
  refused: 'You refused this payment',
  closed: 'The store closed this order',
  expired: 'The time to pay is over',
  nothing: 'Nothing was charged. To pay after all, start again at the store.',
  back: 'Back to the store',
  unknown: 'We do not know this order',
  unknownMore: 'The link may be incomplete. Open it again from the store’s page.',
  simulated: 'A simulator: no real money moves here.',
}
export type Texts = Readonly<typeof english>

const portuguese: Texts = {
  confirmTitle: 'Confirmar pagamento',
  payTo: 'Pagar a',
  balance: 'Seu saldo',
  order: 'Pedido',
  expires: 'Expira em',
  confirm: 'Confirmar',
  refuse: 'Recusar',
  short: 'Saldo insuficiente na carteira',
  shortMore: 'Nada foi cobrado. Adicione USDT à sua carteira, ou use outra, e confirme de novo.',
  pending: 'Pagamento em andamento',
  pendingMore: 'O pedido fica aberto até o pagamento terminar.',
  tryShort: 'Experimentar com a carteira vazia',
  paid: 'Pago',
  paidMore: 'A loja recebeu seu pagamento. Você pode fechar esta página.',
  transaction: 'Transação',
  refunding: 'Reembolso a caminho',
  refunded: 'Reembolsado em parte',
  fullyRefunded: 'Reembolsado',
  refundedMore: 'O dinheiro voltou para sua carteira:',
  refused: 'Você recusou este pagamento',
  closed: 'A loja encerrou este pedido',
  expired: 'O prazo para pagar terminou',
  nothing: 'Nada foi cobrado. Para pagar, comece de novo na loja.',
  back: 'Voltar para a loja',
  unknown: 'Não conhecemos este pedido',
  unknownMore: 'O link pode estar incompleto. Abra-o de novo na página da loja.',
  simulated: 'Um simulador: nenhum dinheiro de verdade é movido aqui.',
}

const spanish: Texts = {
  confirmTitle: 'Confirmar pago',
  payTo: 'Pagar a',
  balance: 'Su saldo',
  order: 'Pedido',
  expires: 'Vence en',
  confirm: 'Confirmar',
  refuse: 'Rechazar',
  short: 'Saldo insuficiente en su billetera',
  shortMore: 'No se cobró nada. Añada USDT a su billetera, o use otra, y confirme de nuevo.',
  pending: 'Pago en curso',
  pendingMore: 'El pedido sigue abierto hasta que termine el pago.',
  tryShort: 'Probar con la billetera vacía',
  paid: 'Pagado',
  paidMore: 'La tienda recibió su pago. Puede cerrar esta página.',
  transaction: 'Transacción',
  refunding: 'Reembolso en camino',
  refunded: 'Reembolsado en parte',
  fullyRefunded: 'Reembolsado',
  refundedMore: 'El dinero volvió a su billetera:',
  refused: 'Usted rechazó este pago',
  closed: 'La tienda cerró este pedido',
  expired: 'El plazo para pagar terminó',
  nothing: 'No se cobró nada. Para pagar, empiece de nuevo en la tienda.',
  back: 'Volver a la tienda',
  unknown: 'No conocemos este pedido',
  unknownMore: 'El enlace puede estar incompleto. Ábralo de nuevo desde la página de la tienda.',
  simulated: 'Un simulador: aquí no se mueve dinero de verdad.',
}

const languages = { 'pt-BR': portuguese, en: english, es: spanish } as const
export type Language = keyof typeof languages

export function textsOf(language: Language): Texts {
  return languages[language]
}

/** The first language of an `Accept-Language` that we speak; English when there is none. */
export function languageOf(accepted: string | undefined): Language {
  const wishes = (accepted ?? '')
    .split(',')
    .map((wish) => {
      const [tag = '', ...parameters] = wish.trim().toLowerCase().split(';')
      const quality = parameters.find((each) => each.trim().startsWith('q='))
      return { tag, weight: quality === undefined ? 1 : Number.parseFloat(quality.trim().slice(2)) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  for (const { tag } of wishes) {
    if (/^pt\b/.test(tag)) return 'pt-BR'
    if (/^es\b/.test(tag)) return 'es'
    if (/^en\b/.test(tag)) return 'en'
  }
  return 'en'
}

/** An amount in units as a reader of that language writes it: "10,00 USDT". Intl knows no USDT. */
export function coins(language: Language, amount: string): string {
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 8 })
  return `${format.format(amount as `${number}`)} USDT`
}
