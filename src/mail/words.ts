// What letters say, in plain text, in each language.
import { commonWords } from '#/kernel/common-words.ts'
import { dictionary, wordsOf, type Texts } from '#/kernel/dictionary.ts'
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
      `${inviter} invites you to work with ${merchant} in Vintem.

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
      `Alguém pediu uma nova senha para a sua conta no Vintem.

Abra este link para escolher uma. Ele funciona uma vez, por uma hora:
${url}

Se não foi você, não faça nada: sua senha continua como está.
`,
      `Somebody asked for a new password of your account in Vintem.

Open this link to choose one. It works once, for one hour:
${url}

If it was not you, do nothing: your password stays as it is.
`,
      `Alguien pidió una contraseña nueva para su cuenta en Vintem.

Abra este enlace para elegir una. Funciona una vez, durante una hora:
${url}

Si no fue usted, no haga nada: su contraseña sigue igual.
`,
    ],
  },
  notices: {
    WITHDRAWAL_APPROVAL: {
      subject: [
        'Um saque espera aprovação',
        'A withdrawal waits for approval',
        'Un retiro espera aprobación',
      ],
      sentence: [
        'Alguém pediu um saque. Outra pessoa precisa aprovar.',
        'Somebody requested a withdrawal. Another person must approve it.',
        'Alguien pidió un retiro. Otra persona debe aprobarlo.',
      ],
    },
    DISPUTE_OPENED: {
      subject: ['Uma contestação foi aberta', 'A dispute was opened', 'Se abrió una disputa'],
      sentence: [
        'Um pagador quer o dinheiro de um pagamento de volta. Veja antes que o prazo da defesa termine.',
        'A payer wants the money of a payment back. Look at it before the time for evidence is over.',
        'Un pagador quiere que se le devuelva un pago. Véalo antes de que venza el plazo de las pruebas.',
      ],
      due: evidenceDue,
    },
    DISPUTE_DUE: {
      subject: ['O prazo da defesa está perto', 'Evidence is due soon', 'El plazo de las pruebas está cerca'],
      sentence: [
        'Envie a defesa antes deste prazo, ou a contestação é perdida.',
        'Send the evidence before this time, or the dispute is lost.',
        'Envíe las pruebas antes de este plazo, o la disputa se pierde.',
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
        'Ele não aceita eventos. Se nada mudar, será desativado, e nada mais será enviado para lá.',
        'It accepts no events. If nothing changes, it will be disabled, and nothing is sent there any more.',
        'No acepta eventos. Si nada cambia, se desactivará y ya no se le enviará nada.',
      ],
      due: ['Desativado em', 'Disabled at', 'Se desactiva'],
    },
    ENDPOINT_DISABLED: {
      subject: [
        'Um endpoint de webhook foi desativado',
        'A webhook endpoint is disabled',
        'Se desactivó un endpoint de webhook',
      ],
      sentence: [
        'Ele não aceitou eventos por muito tempo, então nada mais é enviado para lá.',
        'It did not accept events for a long time, so nothing is sent there any more.',
        'No aceptó eventos por mucho tiempo, así que ya no se le envía nada.',
      ],
    },
    KEY_EXPIRING: {
      subject: [
        'Uma chave de API expira em breve',
        'An API key expires soon',
        'Una clave de API vence pronto',
      ],
      sentence: [
        'Requisições com ela são recusadas a partir deste momento. Troque a chave antes.',
        'Requests with it are refused from this time on. Rotate the key first.',
        'Las solicitudes con ella se rechazan desde ese momento. Cambie la clave antes.',
      ],
      due: ['Expira em', 'Expires', 'Vence'],
    },
  } satisfies Record<Notice, { subject: Texts; sentence: Texts; due?: Texts }>,
  news: {
    NEW_ADDRESS: {
      subject: [
        'Um acesso de um endereço novo',
        'A sign-in from a new address',
        'Un acceso desde una dirección nueva',
      ],
      sentence: [
        'Alguém entrou na sua conta a partir de um endereço que não tinha sido usado antes.',
        'Somebody signed in to your account from an address that was not used before.',
        'Alguien entró en su cuenta desde una dirección que no se había usado antes.',
      ],
    },
    FACTOR_ADDED: {
      subject: [
        'Um segundo fator foi adicionado',
        'A second factor was added',
        'Se añadió un segundo factor',
      ],
      sentence: [
        'Uma chave de acesso ou um aplicativo autenticador foi adicionado à sua conta.',
        'A passkey or an authenticator app was added to your account.',
        'Se añadió una clave de acceso o una aplicación de autenticación a su cuenta.',
      ],
    },
    FACTOR_REMOVED: {
      subject: ['Um segundo fator foi removido', 'A second factor was removed', 'Se quitó un segundo factor'],
      sentence: [
        'Uma chave de acesso ou um aplicativo autenticador foi removido da sua conta.',
        'A passkey or an authenticator app was removed from your account.',
        'Se quitó una clave de acceso o una aplicación de autenticación de su cuenta.',
      ],
    },
  } satisfies Record<UserNews['what'], { subject: Texts; sentence: Texts }>,
  notYou: [
    'Se não foi você, encerre as sessões que não conhece e troque a senha aqui:',
    'If it was not you, end the sessions that you do not know and change your password here:',
    'Si no fue usted, cierre las sesiones que no conozca y cambie la contraseña aquí:',
  ],
  about: ['Sobre', 'About', 'Sobre'],
  choose: [
    'Em Configurações → Avisos você escolhe quais destas mensagens recebe.',
    'You choose in Settings → Notices which of these letters you get.',
    'En Configuración → Avisos elige cuáles de estos mensajes recibe.',
  ],
  what: ['Referente a', 'For', 'Por'],
  test: [
    'Isto é um teste. Nenhum dinheiro se moveu.',
    'This is a test. No money was moved.',
    'Esto es una prueba. No se movió dinero.',
  ],
  address: commonWords.address,
  amount: commonWords.amount,
  reference: commonWords.payment,
  legalName: commonWords.legalName,
  taxId: commonWords.taxId,
  paid: ['Recibo do seu pagamento', 'Receipt of your payment', 'Recibo de su pago'],
  refunded: [
    'Seu dinheiro está voltando',
    'Your money is on its way back',
    'Su dinero está en camino de vuelta',
  ],
})

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
      due !== undefined && of.dueAt !== undefined && `${due}: ${of.dueAt.slice(0, 16).replace('T', ' ')} UTC`,
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
      `${words.amount}: ${of.amount}`,
      of.description !== undefined && `${words.what}: ${inline(of.description)}`,
      `${words.reference}: ${of.paymentId}`,
    ]),
  }
}
