// What notices and receipts say, in plain text, in each language.
import type { Mode } from '#/kernel/mode.ts'
import type { UserNews } from '#/people/user.ts'
import type { Notice } from './notices.ts'

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
  readonly mode: Mode
  readonly amount: string
  readonly isRefund: boolean
  readonly paymentId: string
  readonly description?: string
}

type Text = { readonly subject: string; readonly text: string }
type Words = {
  /** `due`: what its time is. */
  readonly notices: Readonly<Record<Notice, readonly [subject: string, sentence: string, due?: string]>>
  readonly news: Readonly<Record<UserNews['what'], readonly [subject: string, sentence: string]>>
  readonly notYou: string
  readonly address: string
  readonly about: string
  readonly amount: string
  readonly choose: string
  readonly receipt: readonly [paid: string, refunded: string]
  readonly what: string
  readonly reference: string
  readonly test: string
}

const languages = {
  en: {
    notices: {
      WITHDRAWAL_APPROVAL: [
        'A withdrawal waits for approval',
        'Somebody requested a withdrawal. Another person must approve it.',
      ],
      DISPUTE_OPENED: [
        'A dispute was opened',
        'A payer wants the money of a payment back. Look at it before the time for evidence is over.',
        'Evidence due',
      ],
      DISPUTE_DUE: [
        'Evidence is due soon',
        'Send the evidence before this time, or the dispute is lost.',
        'Evidence due',
      ],
      ENDPOINT_FAILING: [
        'A webhook endpoint is failing',
        'It accepts no events. If nothing changes, it will be disabled, and nothing is sent there any more.',
        'Disabled at',
      ],
      ENDPOINT_DISABLED: [
        'A webhook endpoint is disabled',
        'It did not accept events for a long time, so nothing is sent there any more.',
      ],
      KEY_EXPIRING: [
        'An API key expires soon',
        'Requests with it are refused from this time on. Roll the key before.',
        'Expires',
      ],
    },
    news: {
      NEW_ADDRESS: [
        'A sign-in from a new address',
        'Somebody signed in to your account from an address that was not used before.',
      ],
      FACTOR_ADDED: [
        'A second factor was added',
        'A passkey or an authenticator app was added to your account.',
      ],
      FACTOR_REMOVED: [
        'A second factor was removed',
        'A passkey or an authenticator app was removed from your account.',
      ],
    },
    notYou: 'If it was not you, end the sessions that you do not know and change your password here:',
    address: 'Address',
    about: 'About',
    amount: 'Amount',
    choose: 'You choose in Settings → Notices which of these letters you get.',
    receipt: ['Receipt of your payment', 'Your money is on its way back'],
    what: 'For',
    reference: 'Payment',
    test: 'This is a test. No money was moved.',
  },
  'pt-BR': {
    notices: {
      WITHDRAWAL_APPROVAL: [
        'Um saque espera aprovação',
        'Alguém pediu um saque. Outra pessoa precisa aprovar.',
      ],
      DISPUTE_OPENED: [
        'Uma disputa foi aberta',
        'Um pagador quer o dinheiro de um pagamento de volta. Veja antes que o prazo da defesa termine.',
        'Prazo da defesa',
      ],
      DISPUTE_DUE: [
        'O prazo da defesa está perto',
        'Envie a defesa antes deste prazo, ou a disputa é perdida.',
        'Prazo da defesa',
      ],
      ENDPOINT_FAILING: [
        'Um endpoint de webhook está falhando',
        'Ele não aceita eventos. Se nada mudar, será desativado, e nada mais será enviado para lá.',
        'Desativado em',
      ],
      ENDPOINT_DISABLED: [
        'Um endpoint de webhook foi desativado',
        'Ele não aceitou eventos por muito tempo, então nada mais é enviado para lá.',
      ],
      KEY_EXPIRING: [
        'Uma chave de API expira em breve',
        'Requisições com ela são recusadas a partir deste momento. Troque a chave antes.',
        'Expira em',
      ],
    },
    news: {
      NEW_ADDRESS: [
        'Um acesso de um endereço novo',
        'Alguém entrou na sua conta a partir de um endereço que não tinha sido usado antes.',
      ],
      FACTOR_ADDED: [
        'Um segundo fator foi adicionado',
        'Uma chave de acesso ou um aplicativo autenticador foi adicionado à sua conta.',
      ],
      FACTOR_REMOVED: [
        'Um segundo fator foi removido',
        'Uma chave de acesso ou um aplicativo autenticador foi removido da sua conta.',
      ],
    },
    notYou: 'Se não foi você, encerre as sessões que não conhece e troque a senha aqui:',
    address: 'Endereço',
    about: 'Sobre',
    amount: 'Valor',
    choose: 'Em Configurações → Avisos você escolhe quais destas mensagens recebe.',
    receipt: ['Recibo do seu pagamento', 'Seu dinheiro está voltando'],
    what: 'Referente a',
    reference: 'Pagamento',
    test: 'Isto é um teste. Nenhum dinheiro se moveu.',
  },
  es: {
    notices: {
      WITHDRAWAL_APPROVAL: [
        'Un retiro espera aprobación',
        'Alguien pidió un retiro. Otra persona debe aprobarlo.',
      ],
      DISPUTE_OPENED: [
        'Se abrió una disputa',
        'Un pagador quiere que se le devuelva un pago. Véalo antes de que venza el plazo de las pruebas.',
        'Plazo de las pruebas',
      ],
      DISPUTE_DUE: [
        'El plazo de las pruebas está cerca',
        'Envíe las pruebas antes de este plazo, o la disputa se pierde.',
        'Plazo de las pruebas',
      ],
      ENDPOINT_FAILING: [
        'Un endpoint de webhook está fallando',
        'No acepta eventos. Si nada cambia, se desactivará y ya no se le enviará nada.',
        'Se desactiva',
      ],
      ENDPOINT_DISABLED: [
        'Se desactivó un endpoint de webhook',
        'No aceptó eventos por mucho tiempo, así que ya no se le envía nada.',
      ],
      KEY_EXPIRING: [
        'Una clave de API vence pronto',
        'Las solicitudes con ella se rechazan desde ese momento. Renueve la clave antes.',
        'Vence',
      ],
    },
    news: {
      NEW_ADDRESS: [
        'Un acceso desde una dirección nueva',
        'Alguien entró en su cuenta desde una dirección que no se había usado antes.',
      ],
      FACTOR_ADDED: [
        'Se añadió un segundo factor',
        'Se añadió una clave de acceso o una aplicación de autenticación a su cuenta.',
      ],
      FACTOR_REMOVED: [
        'Se quitó un segundo factor',
        'Se quitó una clave de acceso o una aplicación de autenticación de su cuenta.',
      ],
    },
    notYou: 'Si no fue usted, cierre las sesiones que no conozca y cambie la contraseña aquí:',
    address: 'Dirección',
    about: 'Sobre',
    amount: 'Importe',
    choose: 'En Configuración → Avisos elige cuáles de estos mensajes recibe.',
    receipt: ['Recibo de su pago', 'Su dinero está en camino de vuelta'],
    what: 'Por',
    reference: 'Pago',
    test: 'Esto es una prueba. No se movió dinero.',
  },
} as const satisfies Readonly<Record<string, Words>>

function wordsOf(language: string): Words {
  return language in languages ? languages[language as keyof typeof languages] : languages.en
}

/** One line, whatever a person typed. */
function inline(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200)
}

function written(lines: readonly (string | false | undefined)[]): string {
  return `${lines.filter((line) => typeof line === 'string').join('\n')}\n`
}

/** A notice to a member. */
export function noticeText(language: string, of: NoticeOf): Text {
  const words = wordsOf(language)
  const [subject, sentence, due] = words.notices[of.notice]
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
  const words = wordsOf(language)
  const [subject, sentence] = words.news[of.what]
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
  const words = wordsOf(language)
  const name = inline(of.merchantName)
  const title = words.receipt[of.isRefund ? 1 : 0]
  return {
    subject: `${of.mode === 'SANDBOX' ? '[SANDBOX] ' : ''}${title} · ${name}`,
    text: written([
      `${title}: ${name}`,
      '',
      of.mode === 'SANDBOX' && words.test,
      `${words.amount}: ${of.amount}`,
      of.description !== undefined && `${words.what}: ${inline(of.description)}`,
      `${words.reference}: ${of.paymentId}`,
    ]),
  }
}
