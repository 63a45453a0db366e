// The texts of the wallet's page, in the payer's language.

const english = {
  confirmTitle: 'Confirm payment',
  payTo: 'Pay to',
  balance: 'Your balance',
  order: 'Order',
  expires: 'Expires in',
  confirm: 'Confirm',
  refuse: 'Decline',
  short: 'Insufficient balance in your wallet',
  shortMore: 'Nothing was charged. Add USDT to your wallet, or use another wallet, and confirm again.',
  pending: 'Payment in progress',
  pendingMore: 'The order stays open while the payment is being completed.',
  tryShort: 'Try it with an empty wallet',
  paid: 'Payment confirmed',
  paidMore: 'The store has received your payment. You can close this page.',
  transaction: 'Transaction',
  refunding: 'Refund on its way',
  refunded: 'Partially refunded',
  fullyRefunded: 'Refunded',
  refundedMore: 'The money is back in your wallet:',
  refused: 'You declined this payment',
  closed: 'The store closed this order',
  expired: 'The time to pay has run out',
  nothing: 'Nothing was charged. If you still want to pay, go back to the store and start again.',
  back: 'Back to the store',
  unknown: 'Order not found',
  unknownMore: 'The link may be incomplete. Open it again from the store’s page.',
  simulated: 'This is a simulator: no real money moves here.',
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
  pendingMore: 'O pedido fica aberto até o pagamento ser concluído.',
  tryShort: 'Testar com a carteira vazia',
  paid: 'Pagamento confirmado',
  paidMore: 'A loja recebeu seu pagamento. Você pode fechar esta página.',
  transaction: 'Transação',
  refunding: 'Reembolso a caminho',
  refunded: 'Reembolsado em parte',
  fullyRefunded: 'Reembolsado',
  refundedMore: 'O dinheiro voltou para sua carteira:',
  refused: 'Você recusou este pagamento',
  closed: 'A loja encerrou este pedido',
  expired: 'O prazo para pagar terminou',
  nothing: 'Nada foi cobrado. Se quiser pagar, volte à loja e comece de novo.',
  back: 'Voltar à loja',
  unknown: 'Pedido não encontrado',
  unknownMore: 'O link pode estar incompleto. Abra de novo pela página da loja.',
  simulated: 'Isto é um simulador: nenhum dinheiro real é movimentado.',
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
  shortMore: 'No se cobró nada. Agregue USDT a su billetera, o use otra, y confirme de nuevo.',
  pending: 'Pago en curso',
  pendingMore: 'El pedido sigue abierto hasta que se complete el pago.',
  tryShort: 'Probar con la billetera vacía',
  paid: 'Pago confirmado',
  paidMore: 'La tienda recibió su pago. Puede cerrar esta página.',
  transaction: 'Transacción',
  refunding: 'Reembolso en camino',
  refunded: 'Reembolsado en parte',
  fullyRefunded: 'Reembolsado',
  refundedMore: 'El dinero volvió a su billetera:',
  refused: 'Rechazó este pago',
  closed: 'La tienda cerró este pedido',
  expired: 'Se terminó el plazo para pagar',
  nothing: 'No se cobró nada. Si desea pagar, vuelva a la tienda y empiece de nuevo.',
  back: 'Volver a la tienda',
  unknown: 'No encontramos este pedido',
  unknownMore: 'El enlace puede estar incompleto. Ábralo de nuevo desde la página de la tienda.',
  simulated: 'Esto es un simulador: no se mueve dinero real.',
}

const languages = { 'pt-BR': portuguese, en: english, es: spanish } as const
export type Language = keyof typeof languages

export function textsOf(language: Language): Texts {
  return languages[language]
}

/** The first supported language of an `Accept-Language`; default English. */
export function languageOf(accepted: string | undefined): Language {
  const preferences = (accepted ?? '')
    .split(',')
    .map((preference) => {
      const [tag = '', ...parameters] = preference.trim().toLowerCase().split(';')
      const quality = parameters.find((each) => each.trim().startsWith('q='))
      return { tag, weight: quality === undefined ? 1 : Number.parseFloat(quality.trim().slice(2)) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  for (const { tag } of preferences) {
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
