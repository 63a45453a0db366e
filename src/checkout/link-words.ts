// The texts of the page of a payment link, in each language.
import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from '#/kernel/dictionary.ts'

export const linkWords = dictionary({
  amount: commonWords.payerAmount,
  range: (least: string, most: string) => [
    `De ${least} a ${most}.`,
    `From ${least} to ${most}.`,
    `De ${least} a ${most}.`,
  ],
  fromTo: (least: string, most: string) => [
    `${least} a ${most}`,
    `${least} to ${most}`,
    `${least} a ${most}`,
  ],
  send: ['Continuar para o pagamento', 'Continue to payment', 'Continuar al pago'],
  next: [
    'Na próxima página, escolha como pagar. Nada é cobrado agora.',
    'On the next page you choose how to pay. Nothing is charged now.',
    'En la página siguiente elige cómo pagar. Ahora no se cobra nada.',
  ],
  wrongAmount: (least: string, most: string) => [
    `Digite um valor de ${least} a ${most}.`,
    `Enter an amount from ${least} to ${most}.`,
    `Ingrese un monto de ${least} a ${most}.`,
  ],
  over: {
    title: [
      'Este link não aceita mais pagamentos',
      'This link no longer accepts payments',
      'Este enlace ya no acepta pagos',
    ],
    message: (merchant: string) => [
      `Nada foi cobrado. Fale com ${merchant} se ainda quiser pagar.`,
      `Nothing was charged. Contact ${merchant} if you still want to pay.`,
      `No se cobró nada. Comuníquese con ${merchant} si aún quiere pagar.`,
    ],
  },
  usedUp: {
    title: ['Esgotado', 'Used up', 'Agotado'],
    message: (merchant: string) => [
      `Este link já foi usado todas as vezes possíveis. Se alguém desistir de pagar, ele volta a funcionar. Fale com ${merchant}.`,
      `This link has been used as often as possible. If someone ends up not paying, it works again. Contact ${merchant}.`,
      `Este enlace ya se usó todas las veces posibles. Si alguien no llega a pagar, vuelve a funcionar. Comuníquese con ${merchant}.`,
    ],
  },
  closed: {
    title: ['Não foi possível continuar', 'We couldn’t continue', 'No se pudo continuar'],
    message: (merchant: string) => [
      `Nada foi cobrado. ${merchant} não pode receber por este link agora.`,
      `Nothing was charged. ${merchant} can’t take payments through this link right now.`,
      `No se cobró nada. ${merchant} no puede cobrar con este enlace ahora.`,
    ],
  },
  notFound: {
    title: ['Link não encontrado', 'Link not found', 'Enlace no encontrado'],
    message: [
      'O link pode estar incompleto. Abra-o de novo a partir da mensagem que você recebeu.',
      'The link may be incomplete. Open it again from the message you received.',
      'El enlace puede estar incompleto. Ábralo de nuevo desde el mensaje que recibió.',
    ],
  },
})

export type LinkWords = (typeof linkWords)['en']
