// The texts of the card page, in the payer's language.

export const languages = ['pt-BR', 'en', 'es'] as const
export type Language = (typeof languages)[number]

export type Words = typeof english

const english = {
  title: 'Card payment',
  testTag: 'Test',
  testNote: 'This is a test: no real money moves.',
  testCards: 'Test cards',
  testSuccess: 'is accepted',
  testChallenge: 'asks your bank to confirm',
  testDecline: 'is declined',
  testFunds: 'has insufficient funds',
  to: 'To',
  email: 'Email',
  number: 'Card number',
  expiry: 'Expiry date (MM/YY)',
  cvc: 'Security code',
  cvcHint: '3 digits on the back; 4 on the front of an Amex',
  name: 'Name on the card',
  pay: 'Pay',
  busy: 'One moment…',
  held: 'The amount is held on your card and charged when the store confirms.',
  cancel: 'Cancel and go back',
  fix: 'Check the fields marked below.',
  numberMissing: 'Enter your card number.',
  numberWrong: 'This card number isn’t valid. Check the digits.',
  expiryWrong: 'Enter the month and year on the card, such as 12/30.',
  expiryPast: 'This date has passed. Check it, or use another card.',
  cvcWrong: 'Enter the {digits}-digit security code.',
  nameMissing: 'Enter the name on the card.',
  declined: 'Your bank declined this card. You were not charged. Try another card, or contact your bank.',
  funds: 'This card has insufficient funds. You were not charged. Try another card.',
  expired: 'This card has expired. You were not charged. Try another card.',
  cvcDeclined: 'The security code is incorrect. You were not charged. Check it and try again.',
  processing: 'We couldn’t process the payment right now. You were not charged. Try again in a moment.',
  unconfirmed:
    'Your bank couldn’t verify your identity. You were not charged. Try again, or use another card.',
  notTestCard: 'Only test cards work here. Use one of the numbers below, such as 4242 4242 4242 4242.',
  askTitle: 'Your bank needs to verify that it’s you',
  ask: 'Confirm the payment of {amount} to {store} with the card ending in {last4}.',
  askPass: 'Complete authentication',
  askFail: 'Fail authentication',
  doneTitle: 'Payment approved',
  done: '{amount} to {store}, with the card ending in {last4}.',
  heldTitle: 'Amount held',
  back: 'Back to the store',
  overTitle: 'This page has expired',
  over: 'Nothing was charged. Go back to the store and start again.',
  goneTitle: 'Payment not found',
  gone: 'Check the link, or go back to the store and start again.',
}

const portuguese: Words = {
  title: 'Pagamento com cartão',
  testTag: 'Teste',
  testNote: 'Isto é um teste: nenhum dinheiro real é movimentado.',
  testCards: 'Cartões de teste',
  testSuccess: 'é aceito',
  testChallenge: 'seu banco pede confirmação',
  testDecline: 'é recusado',
  testFunds: 'sem limite',
  to: 'Para',
  email: 'E-mail',
  number: 'Número do cartão',
  expiry: 'Validade (MM/AA)',
  cvc: 'Código de segurança',
  cvcHint: '3 dígitos no verso; 4 na frente do Amex',
  name: 'Nome no cartão',
  pay: 'Pagar',
  busy: 'Um momento…',
  held: 'O valor fica reservado no seu cartão e é cobrado quando a loja confirmar.',
  cancel: 'Cancelar e voltar',
  fix: 'Confira os campos marcados abaixo.',
  numberMissing: 'Digite o número do seu cartão.',
  numberWrong: 'Número de cartão inválido. Confira os dígitos.',
  expiryWrong: 'Digite o mês e o ano como no cartão, por exemplo 12/30.',
  expiryPast: 'Esta data já passou. Confira ou use outro cartão.',
  cvcWrong: 'Digite os {digits} dígitos do código de segurança.',
  nameMissing: 'Digite o nome como está no cartão.',
  declined: 'Seu banco recusou este cartão. Nada foi cobrado. Use outro cartão ou fale com seu banco.',
  funds: 'Este cartão não tem saldo ou limite suficiente. Nada foi cobrado. Use outro cartão.',
  expired: 'Este cartão está vencido. Nada foi cobrado. Use outro cartão.',
  cvcDeclined: 'Código de segurança incorreto. Nada foi cobrado. Confira e tente de novo.',
  processing: 'Não foi possível processar o pagamento agora. Nada foi cobrado. Tente de novo em instantes.',
  unconfirmed: 'Seu banco não confirmou sua identidade. Nada foi cobrado. Tente de novo ou use outro cartão.',
  notTestCard: 'Aqui só funcionam cartões de teste. Use um dos números abaixo, como 4242 4242 4242 4242.',
  askTitle: 'Seu banco precisa confirmar que é você',
  ask: 'Confirme o pagamento de {amount} para {store} com o cartão final {last4}.',
  askPass: 'Concluir autenticação',
  askFail: 'Recusar autenticação',
  doneTitle: 'Pagamento aprovado',
  done: '{amount} para {store}, com o cartão final {last4}.',
  heldTitle: 'Valor reservado',
  back: 'Voltar à loja',
  overTitle: 'Esta página expirou',
  over: 'Nada foi cobrado. Volte à loja e comece de novo.',
  goneTitle: 'Pagamento não encontrado',
  gone: 'Confira o link ou volte à loja e comece de novo.',
}

const spanish: Words = {
  title: 'Pago con tarjeta',
  testTag: 'Prueba',
  testNote: 'Esto es una prueba: no se mueve dinero real.',
  testCards: 'Tarjetas de prueba',
  testSuccess: 'aceptada',
  testChallenge: 'su banco pide confirmación',
  testDecline: 'rechazada',
  testFunds: 'sin fondos',
  to: 'Para',
  email: 'Correo electrónico',
  number: 'Número de tarjeta',
  expiry: 'Vencimiento (MM/AA)',
  cvc: 'Código de seguridad',
  cvcHint: '3 dígitos en el reverso; 4 en el frente en Amex',
  name: 'Nombre en la tarjeta',
  pay: 'Pagar',
  busy: 'Un momento…',
  held: 'El monto queda retenido en su tarjeta y se cobra cuando la tienda confirme.',
  cancel: 'Cancelar y volver',
  fix: 'Revise los campos marcados abajo.',
  numberMissing: 'Ingrese el número de su tarjeta.',
  numberWrong: 'Número de tarjeta no válido. Revise los dígitos.',
  expiryWrong: 'Ingrese el mes y el año como en la tarjeta, por ejemplo 12/30.',
  expiryPast: 'Esta fecha ya pasó. Revísela o use otra tarjeta.',
  cvcWrong: 'Ingrese los {digits} dígitos del código de seguridad.',
  nameMissing: 'Ingrese el nombre como está en la tarjeta.',
  declined: 'Su banco rechazó esta tarjeta. No se le cobró nada. Use otra tarjeta o consulte a su banco.',
  funds: 'Esta tarjeta no tiene fondos suficientes. No se le cobró nada. Use otra tarjeta.',
  expired: 'Esta tarjeta está vencida. No se le cobró nada. Use otra tarjeta.',
  cvcDeclined: 'El código de seguridad es incorrecto. No se le cobró nada. Revíselo e intente de nuevo.',
  processing: 'No se pudo procesar el pago. No se le cobró nada. Intente de nuevo en un momento.',
  unconfirmed: 'Su banco no confirmó su identidad. No se le cobró nada. Intente de nuevo o use otra tarjeta.',
  notTestCard:
    'Aquí solo funcionan tarjetas de prueba. Use uno de los números de abajo, como 4242 4242 4242 4242.',
  askTitle: 'Su banco necesita confirmar que es usted',
  ask: 'Confirme el pago de {amount} a {store} con la tarjeta terminada en {last4}.',
  askPass: 'Completar autenticación',
  askFail: 'Rechazar autenticación',
  doneTitle: 'Pago aprobado',
  done: '{amount} a {store}, con la tarjeta terminada en {last4}.',
  heldTitle: 'Monto retenido',
  back: 'Volver a la tienda',
  overTitle: 'Esta página venció',
  over: 'No se cobró nada. Vuelva a la tienda y empiece de nuevo.',
  goneTitle: 'No encontramos este pago',
  gone: 'Revise el enlace o vuelva a la tienda y empiece de nuevo.',
}

const all: Readonly<Record<Language, Words>> = { 'pt-BR': portuguese, en: english, es: spanish }

export function wordsOf(language: Language): Words {
  return all[language]
}

/** Fills in the placeholders in braces. */
export function say(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** The session's language if it has one, else the browser's, else English. */
export function languageOf(locale: string | null, accepted = ''): Language {
  const tags =
    locale === null || locale === 'auto'
      ? accepted.split(',').map((each) => each.split(';')[0]?.trim() ?? '')
      : [locale]
  const codes = tags.map((each) => each.toLowerCase().split('-')[0])
  const code = codes.find((each) => each === 'pt' || each === 'en' || each === 'es')
  return code === 'pt' ? 'pt-BR' : code === 'es' ? 'es' : 'en'
}

/** Minor units as money, exactly. */
export function moneyOf(language: Language, amount: number, currency: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: currency.toUpperCase() })
  const scale = format.resolvedOptions().maximumFractionDigits ?? 2
  const digits = `${amount}`.padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return format.format((scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`) as `${number}`)
}
