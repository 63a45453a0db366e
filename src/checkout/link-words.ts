// The texts of the page of a payment link, in each language.
import type { Locale } from '#/kernel/language.ts'

export type LinkWords = {
  readonly amount: string
  readonly range: (least: string, most: string) => string
  readonly fromTo: (least: string, most: string) => string
  readonly send: string
  readonly next: string
  readonly wrongAmount: (least: string, most: string) => string
  readonly over: { readonly title: string; readonly message: (merchant: string) => string }
  readonly usedUp: { readonly title: string; readonly message: (merchant: string) => string }
  readonly closed: { readonly title: string; readonly message: (merchant: string) => string }
  readonly notFound: { readonly title: string; readonly message: string }
}

export const linkWords: Readonly<Record<Locale, LinkWords>> = {
  'pt-BR': {
    amount: 'Valor',
    range: (least, most) => `De ${least} a ${most}.`,
    fromTo: (least, most) => `${least} a ${most}`,
    send: 'Continuar para o pagamento',
    next: 'Na próxima página, escolha como pagar. Nada é cobrado agora.',
    wrongAmount: (least, most) => `Digite um valor de ${least} a ${most}.`,
    over: {
      title: 'Este link não aceita mais pagamentos',
      message: (merchant) => `Nada foi cobrado. Fale com ${merchant} se ainda quiser pagar.`,
    },
    usedUp: {
      title: 'Esgotado',
      message: (merchant) =>
        `Este link já foi usado todas as vezes possíveis. Se alguém desistir de pagar, ele volta a funcionar. Fale com ${merchant}.`,
    },
    closed: {
      title: 'Não foi possível continuar',
      message: (merchant) => `Nada foi cobrado. ${merchant} não pode receber por este link agora.`,
    },
    notFound: {
      title: 'Link não encontrado',
      message: 'O link pode estar incompleto. Abra-o de novo a partir da mensagem que você recebeu.',
    },
  },
  en: {
    amount: 'Amount',
    range: (least, most) => `From ${least} to ${most}.`,
    fromTo: (least, most) => `${least} to ${most}`,
    send: 'Continue to payment',
    next: 'On the next page you choose how to pay. Nothing is charged now.',
    wrongAmount: (least, most) => `Enter an amount from ${least} to ${most}.`,
    over: {
      title: 'This link takes no more payments',
      message: (merchant) => `Nothing was charged. Contact ${merchant} if you still want to pay.`,
    },
    usedUp: {
      title: 'Used up',
      message: (merchant) =>
        `This link was used as often as it can be. If someone does not pay in the end, it works again. Contact ${merchant}.`,
    },
    closed: {
      title: 'We couldn’t continue',
      message: (merchant) => `Nothing was charged. ${merchant} can’t be paid by this link right now.`,
    },
    notFound: {
      title: 'Link not found',
      message: 'The link may be incomplete. Open it again from the message you received.',
    },
  },
  es: {
    amount: 'Monto',
    range: (least, most) => `De ${least} a ${most}.`,
    fromTo: (least, most) => `${least} a ${most}`,
    send: 'Continuar al pago',
    next: 'En la página siguiente elige cómo pagar. Ahora no se cobra nada.',
    wrongAmount: (least, most) => `Escriba un monto de ${least} a ${most}.`,
    over: {
      title: 'Este enlace ya no acepta pagos',
      message: (merchant) => `No se cobró nada. Contacte con ${merchant} si aún quiere pagar.`,
    },
    usedUp: {
      title: 'Agotado',
      message: (merchant) =>
        `Este enlace ya se usó todas las veces posibles. Si alguien no llega a pagar, vuelve a funcionar. Contacte con ${merchant}.`,
    },
    closed: {
      title: 'No pudimos continuar',
      message: (merchant) => `No se cobró nada. ${merchant} no puede cobrar con este enlace ahora.`,
    },
    notFound: {
      title: 'Enlace no encontrado',
      message: 'El enlace puede estar incompleto. Ábralo de nuevo desde el mensaje que recibió.',
    },
  },
}
