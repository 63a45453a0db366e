import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** A payment that a person makes for one payer. */
export const newPaymentWords = dictionary({
  title: ['Novo pagamento', 'New payment', 'Nuevo pago'],
  lead: [
    'Um pagamento de uma só pessoa. Você recebe um link para enviar a ela.',
    'A payment of one person. You get a link to send to them.',
    'Un pago de una sola persona. Usted recibe un enlace para enviárselo.',
  ],
  amount: commonWords.amount,
  amountWrong: [
    'Escreva quanto será pago, acima de zero.',
    'Enter how much is to be paid, above zero.',
    'Escriba cuánto se pagará, más de cero.',
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
    'Tudo opcional. O que faltar para a forma escolhida, a página pergunta.',
    'All optional. The page asks for what the chosen method still needs.',
    'Todo opcional. La página pregunta lo que falte para la forma elegida.',
  ],
  create: ['Criar pagamento', 'Create payment', 'Crear pago'],
  made: (amount: string) => [
    `Pagamento de ${amount} criado`,
    `Payment of ${amount} created`,
    `Pago de ${amount} creado`,
  ],
  madeLead: [
    'Envie este link a quem paga. O pagamento aparece como pago aqui no mesmo instante.',
    'Send this link to the payer. The payment shows as paid here at once.',
    'Envíe este enlace a quien paga. El pago aparece como pagado aquí al instante.',
  ],
  link: ['Link para pagar', 'Link to pay', 'Enlace para pagar'],
  copy: ['Copiar link', 'Copy link', 'Copiar enlace'],
  whatsapp: ['Enviar por WhatsApp', 'Send by WhatsApp', 'Enviar por WhatsApp'],
  mail: ['Enviar por e-mail', 'Send by email', 'Enviar por correo'],
  see: ['Ver o pagamento', 'See the payment', 'Ver el pago'],
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
