// What letters say, in plain text, in each language.
import type { Locale } from '#/kernel/language.ts'

export type Text = { readonly subject: string; readonly text: string }

/** One line, whatever a person typed: a line break would begin another header, or another sentence of ours. */
function inline(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200)
}

type Words = {
  readonly invitation: (of: { merchantName: string; inviter: string; url: string }) => Text
  readonly reset: (of: { url: string }) => Text
}

const languages = {
  en: {
    invitation: ({ merchantName, inviter, url }) => ({
      subject: `Invitation to ${inline(merchantName)}`,
      text: `${inline(inviter)} invites you to work with ${inline(merchantName)} in Vintem.

Open this link to accept. It works once, for seven days:
${url}

If you do not know this person, do nothing.
`,
    }),
    reset: ({ url }) => ({
      subject: 'A new password',
      text: `Somebody asked for a new password of your account in Vintem.

Open this link to choose one. It works once, for one hour:
${url}

If it was not you, do nothing: your password stays as it is.
`,
    }),
  },
  'pt-BR': {
    invitation: ({ merchantName, inviter, url }) => ({
      subject: `Convite para ${inline(merchantName)}`,
      text: `${inline(inviter)} convida você para trabalhar com ${inline(merchantName)} no Vintem.

Abra este link para aceitar. Ele funciona uma vez, por sete dias:
${url}

Se você não conhece esta pessoa, não faça nada.
`,
    }),
    reset: ({ url }) => ({
      subject: 'Uma nova senha',
      text: `Alguém pediu uma nova senha para a sua conta no Vintem.

Abra este link para escolher uma. Ele funciona uma vez, por uma hora:
${url}

Se não foi você, não faça nada: sua senha continua como está.
`,
    }),
  },
  es: {
    invitation: ({ merchantName, inviter, url }) => ({
      subject: `Invitación a ${inline(merchantName)}`,
      text: `${inline(inviter)} le invita a trabajar con ${inline(merchantName)} en Vintem.

Abra este enlace para aceptar. Funciona una vez, durante siete días:
${url}

Si no conoce a esta persona, no haga nada.
`,
    }),
    reset: ({ url }) => ({
      subject: 'Una contraseña nueva',
      text: `Alguien pidió una contraseña nueva para su cuenta en Vintem.

Abra este enlace para elegir una. Funciona una vez, durante una hora:
${url}

Si no fue usted, no haga nada: su contraseña sigue igual.
`,
    }),
  },
} as const satisfies Partial<Record<Locale, Words>>

/** The words of a language; English for those that letters do not have. */
export function wordsOf(language: string): Words {
  return language in languages ? languages[language as keyof typeof languages] : languages.en
}
