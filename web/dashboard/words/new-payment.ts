import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** A payment that a person makes for one payer. */
export const newPaymentWords = dictionary({
  title: ['Novo pagamento', 'New payment', 'Nuevo pago'],
  lead: [
    'Um pagamento para uma só pessoa. Você recebe um link para enviar a ela.',
    'A payment for one person. You get a link to send to them.',
    'Un pago para una sola persona. Usted recibe un enlace para enviárselo.',
  ],
  amount: commonWords.amount,
  amountWrong: [
    'Digite um valor maior que zero.',
    'Enter an amount above zero.',
    'Escriba un importe mayor que cero.',
  ],
  method: commonWords.rail,
  anyMethod: ['Quem paga escolhe', 'The payer chooses', 'Quien paga elige'],
  description: ['Descrição (opcional)', 'Description (optional)', 'Descripción (opcional)'],
  descriptionHelp: [
    'Quem paga lê isto na página.',
    'The payer reads this on the page.',
    'Quien paga lo lee en la página.',
  ],
  payer: ['Quem paga', 'Who pays', 'Quién paga'],
  payerLead: [
    'Tudo é opcional. A página pede o que faltar para a forma de pagamento escolhida.',
    'All optional. The page asks for what the chosen payment method still needs.',
    'Todo es opcional. La página pide lo que falte para el medio de pago elegido.',
  ],
  create: ['Criar pagamento', 'Create payment', 'Crear pago'],
  made: (amount: string) => [
    `Pagamento de ${amount} criado`,
    `Payment of ${amount} created`,
    `Pago de ${amount} creado`,
  ],
  madeLead: [
    'Envie este link a quem vai pagar. Assim que for pago, o pagamento aparece aqui como pago.',
    'Send this link to the payer. As soon as it is paid, the payment shows here as paid.',
    'Envíe este enlace a quien va a pagar. En cuanto se pague, el pago aparece aquí como pagado.',
  ],
  link: ['Link para pagar', 'Link to pay', 'Enlace para pagar'],
  copy: ['Copiar link', 'Copy link', 'Copiar enlace'],
  whatsapp: ['Enviar por WhatsApp', 'Send by WhatsApp', 'Enviar por WhatsApp'],
  mail: ['Enviar por e-mail', 'Send by email', 'Enviar por correo'],
  see: ['Ver o pagamento', 'View the payment', 'Ver el pago'],
  another: ['Criar outro', 'Create another', 'Crear otro'],
  subject: (merchant: string) => [
    `Link para pagar a ${merchant}`,
    `Link to pay ${merchant}`,
    `Enlace para pagar a ${merchant}`,
  ],
  message: (merchant: string, amount: string, url: string) => [
    `Olá! Este é o link para pagar ${amount} a ${merchant}: ${url}`,
    `Hello! This is the link to pay ${amount} to ${merchant}: ${url}`,
    `¡Hola! Este es el enlace para pagar ${amount} a ${merchant}: ${url}`,
  ],
})
