// What letters say, in plain text, in each language.
import { commonWords } from '#/kernel/common-words.ts'
import { dictionary, wordsOf, type Texts } from '#/kernel/dictionary.ts'
import { localeOf } from '#/kernel/language.ts'
import type { Mode } from '#/kernel/mode.ts'
import { writtenTaxId } from '#/kernel/tax-id.ts'
import type { UserNews } from '#/people/user.ts'
import type { Notice } from './notices.ts'

export type InvitationOf = {
  readonly merchantName: string
  readonly inviter: string
  readonly url: string
}

export type NoticeOf = {
  readonly notice: Notice
  readonly merchantName: string
  readonly mode: Mode
  readonly amount?: string
  readonly dueAt?: string
  /** Of a key, or the address of an endpoint. */
  readonly name?: string
  readonly url: string
}

export type UserNewsOf = Pick<UserNews, 'what' | 'address'> & { readonly url: string }

export type ReceiptOf = {
  readonly merchantName: string
  /** Who the merchant is before the law. Its tax id is of `merchantCountry`, and without one of Brazil. */
  readonly merchantLegalName?: string
  readonly merchantTaxId?: string
  readonly merchantCountry?: string
  readonly mode: Mode
  readonly amount: string
  readonly isRefund: boolean
  readonly paymentId: string
  readonly description?: string
}

export type Text = { readonly subject: string; readonly text: string }

const evidenceDue = ['Prazo da defesa', 'Evidence due', 'Plazo de las pruebas'] as const

const letters = dictionary({
  invitation: {
    subject: (merchant: string) => [
      `Convite para ${merchant}`,
      `Invitation to ${merchant}`,
      `Invitación a ${merchant}`,
    ],
    text: (merchant: string, inviter: string, url: string) => [
      `${inviter} convida você para trabalhar com ${merchant} no Vintem.

Abra este link para aceitar. Ele funciona uma vez, por sete dias:
${url}

Se você não conhece esta pessoa, não faça nada.
`,
      `${inviter} invites you to work with ${merchant} on Vintem.

Open this link to accept. It works once, for seven days:
${url}

If you do not know this person, do nothing.
`,
      `${inviter} le invita a trabajar con ${merchant} en Vintem.

Abra este enlace para aceptar. Funciona una vez, durante siete días:
${url}

Si no conoce a esta persona, no haga nada.
`,
    ],
  },
  reset: {
    subject: ['Uma nova senha', 'A new password', 'Una contraseña nueva'],
    text: (url: string) => [
      `Alguém solicitou uma nova senha para a sua conta no Vintem.

Abra este link para escolher uma. Ele funciona uma vez, por uma hora:
${url}

Se não foi você, não faça nada: sua senha continua como está.
`,
      `Somebody requested a new password for your Vintem account.

Open this link to choose one. It works once, for one hour:
${url}

If it was not you, do nothing: your password stays as it is.
`,
      `Alguien solicitó una contraseña nueva para su cuenta en Vintem.

Abra este enlace para elegir una. Funciona una vez, durante una hora:
${url}

Si no fue usted, no haga nada: su contraseña sigue igual.
`,
    ],
  },
  notices: {
    WITHDRAWAL_APPROVAL: {
      subject: ['Um saque aguarda aprovação', 'A withdrawal needs approval', 'Un retiro espera aprobación'],
      sentence: [
        'Alguém solicitou um saque. Outra pessoa precisa aprovar.',
        'Somebody requested a withdrawal. Another person must approve it.',
        'Alguien solicitó un retiro. Otra persona debe aprobarlo.',
      ],
    },
    DISPUTE_OPENED: {
      subject: ['Uma contestação foi aberta', 'A dispute was opened', 'Se abrió una disputa'],
      sentence: [
        'Um pagador contestou um pagamento. Envie a defesa antes do fim do prazo.',
        'A payer disputed a payment. Submit your evidence before the deadline.',
        'Un pagador disputó un pago. Envíe las pruebas antes de que venza el plazo.',
      ],
      due: evidenceDue,
    },
    DISPUTE_DUE: {
      subject: ['O prazo da defesa está perto', 'Evidence is due soon', 'El plazo de las pruebas está cerca'],
      sentence: [
        'Envie a defesa até este prazo. Sem ela, a contestação é perdida.',
        'Submit the evidence before this deadline. Without it, the dispute is lost.',
        'Envíe las pruebas antes de este plazo. Sin ellas, la disputa se pierde.',
      ],
      due: evidenceDue,
    },
    ENDPOINT_FAILING: {
      subject: [
        'Um endpoint de webhook está falhando',
        'A webhook endpoint is failing',
        'Un endpoint de webhook está fallando',
      ],
      sentence: [
        'Ele não aceita eventos. Se nada mudar, será desativado e não receberá mais nada.',
        'It accepts no events. If nothing changes, it will be disabled, and no more events will be sent to it.',
        'No acepta eventos. Si nada cambia, se desactivará y ya no se le enviará nada.',
      ],
      due: ['Será desativado em', 'Will be disabled on', 'Se desactivará el'],
    },
    ENDPOINT_DISABLED: {
      subject: [
        'Um endpoint de webhook foi desativado',
        'A webhook endpoint was disabled',
        'Se desactivó un endpoint de webhook',
      ],
      sentence: [
        'Ele não aceitou eventos por muito tempo, por isso não recebe mais nada.',
        'It did not accept events for a long time, so no more events are sent to it.',
        'No aceptó eventos por mucho tiempo, así que ya no se le envía nada.',
      ],
    },
    KEY_EXPIRING: {
      subject: [
        'Uma chave de API vence em breve',
        'An API key expires soon',
        'Una clave de API vence pronto',
      ],
      sentence: [
        'A partir deste momento, as chamadas com ela serão recusadas. Troque a chave antes.',
        'From this time on, calls with it will be rejected. Rotate the key before then.',
        'A partir de ese momento, se rechazarán las llamadas con ella. Cambie la clave antes.',
      ],
      due: ['Vence em', 'Expires on', 'Vence el'],
    },
  } satisfies Record<Notice, { subject: Texts; sentence: Texts; due?: Texts }>,
  news: {
    NEW_ADDRESS: {
      subject: [
        'Acesso de um endereço novo',
        'Sign-in from a new address',
        'Acceso desde una dirección nueva',
      ],
      sentence: [
        'Alguém entrou na sua conta a partir de um endereço de rede que ainda não tinha sido usado.',
        'Somebody signed in to your account from a network address that had not been used before.',
        'Alguien entró en su cuenta desde una dirección de red que no se había usado antes.',
      ],
    },
    FACTOR_ADDED: {
      subject: [
        'Um segundo fator foi adicionado',
        'A second factor was added',
        'Se agregó un segundo factor',
      ],
      sentence: [
        'Uma chave de acesso ou um aplicativo autenticador foi adicionado à sua conta.',
        'A passkey or an authenticator app was added to your account.',
        'Se agregó una llave de acceso o una aplicación de autenticación a su cuenta.',
      ],
    },
    FACTOR_REMOVED: {
      subject: ['Um segundo fator foi removido', 'A second factor was removed', 'Se quitó un segundo factor'],
      sentence: [
        'Uma chave de acesso ou um aplicativo autenticador foi removido da sua conta.',
        'A passkey or an authenticator app was removed from your account.',
        'Se quitó una llave de acceso o una aplicación de autenticación de su cuenta.',
      ],
    },
  } satisfies Record<UserNews['what'], { subject: Texts; sentence: Texts }>,
  notYou: [
    'Se não foi você, encerre as sessões que não reconhece e troque a senha aqui:',
    'If it was not you, end the sessions that you do not recognize and change your password here:',
    'Si no fue usted, cierre las sesiones que no reconozca y cambie la contraseña aquí:',
  ],
  about: ['Sobre', 'About', 'Sobre'],
  choose: [
    'Em Configurações → Avisos, você escolhe quais destas mensagens recebe.',
    'In Settings → Notices, you choose which of these emails you get.',
    'En Ajustes → Avisos, usted elige cuáles de estos mensajes recibe.',
  ],
  what: ['Referente a', 'For', 'Concepto'],
  test: [
    'Isto é um teste: nenhum dinheiro real foi movimentado.',
    'This is a test: no real money was moved.',
    'Esto es una prueba: no se movió dinero real.',
  ],
  address: commonWords.address,
  amount: commonWords.amount,
  paidAmount: commonWords.payerAmount,
  reference: commonWords.payment,
  legalName: commonWords.legalName,
  taxId: commonWords.taxId,
  paid: ['Recibo do seu pagamento', 'Receipt of your payment', 'Recibo de su pago'],
  refunded: ['Seu reembolso está a caminho', 'Your refund is on its way', 'Su reembolso está en camino'],
})

/** The minute in UTC, as the language writes it: a letter is read in any time zone. */
function momentText(language: string, at: string): string {
  const text = new Intl.DateTimeFormat(localeOf(language) ?? 'en', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(at))
  return `${text} UTC`
}

/** One line, whatever a person typed: a line break would begin another header, or another sentence of ours. */
function inline(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200)
}

function written(lines: readonly (string | false | undefined)[]): string {
  return `${lines.filter((line) => typeof line === 'string').join('\n')}\n`
}

/** A letter that invites a person to work with a merchant. */
export function invitationText(language: string, of: InvitationOf): Text {
  const { subject, text } = wordsOf(letters, language).invitation
  const merchant = inline(of.merchantName)
  return { subject: subject(merchant), text: text(merchant, inline(of.inviter), of.url) }
}

/** A letter with the link to a new password. */
export function resetText(language: string, url: string): Text {
  const { subject, text } = wordsOf(letters, language).reset
  return { subject, text: text(url) }
}

/** A notice to a member. */
export function noticeText(language: string, of: NoticeOf): Text {
  const words = wordsOf(letters, language)
  const { subject, sentence, due }: { subject: string; sentence: string; due?: string } =
    words.notices[of.notice]
  const name = inline(of.merchantName)
  return {
    subject: `${of.mode === 'SANDBOX' ? '[SANDBOX] ' : ''}${subject} · ${name}`,
    text: written([
      `${name}: ${sentence}`,
      '',
      of.amount !== undefined && `${words.amount}: ${of.amount}`,
      of.name !== undefined && `${words.about}: ${inline(of.name)}`,
      due !== undefined && of.dueAt !== undefined && `${due}: ${momentText(language, of.dueAt)}`,
      of.url,
      '',
      words.choose,
    ]),
  }
}

/** A letter to a user when the way they sign in was changed. */
export function userNewsText(language: string, of: UserNewsOf): Text {
  const words = wordsOf(letters, language)
  const { subject, sentence } = words.news[of.what]
  return {
    subject: `${subject} · Vintem`,
    text: written([
      sentence,
      of.address !== undefined && `${words.address}: ${inline(of.address)}`,
      '',
      words.notYou,
      of.url,
    ]),
  }
}

/** A receipt to a payer. */
export function receiptText(language: string, of: ReceiptOf): Text {
  const words = wordsOf(letters, language)
  const name = inline(of.merchantName)
  const title = of.isRefund ? words.refunded : words.paid
  const { merchantLegalName: legalName, merchantTaxId } = of
  const taxId = merchantTaxId === undefined ? undefined : writtenTaxId(merchantTaxId, of.merchantCountry)
  return {
    subject: `${of.mode === 'SANDBOX' ? '[SANDBOX] ' : ''}${title} · ${name}`,
    text: written([
      `${title}: ${name}`,
      legalName !== undefined && `${words.legalName}: ${inline(legalName)}`,
      taxId !== undefined && `${taxId.kind ?? words.taxId}: ${taxId.text}`,
      '',
      of.mode === 'SANDBOX' && words.test,
      `${words.paidAmount}: ${of.amount}`,
      of.description !== undefined && `${words.what}: ${inline(of.description)}`,
      `${words.reference}: ${of.paymentId}`,
    ]),
  }
}
