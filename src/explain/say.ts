// What sentences are made of: amounts, who reports, and balances, in one language.
import { counted, textIn, type Texts } from '#/kernel/dictionary.ts'
import type { Locale } from '#/kernel/language.ts'
import { moneyText, type ExactMoney } from '#/kernel/money-text.ts'
import type { Method } from '#/rails/method.ts'
import { descriptorOf } from '#/rails/methods.ts'
import type { AccountRole, Delivered, Failed } from './step.ts'

/** With the preposition, where the language has one. */
const roles: Readonly<Record<AccountRole, { readonly outOf: Texts; readonly into: Texts }>> = {
  AVAILABLE: {
    outOf: ['do saldo disponível', 'the available balance', 'del saldo disponible'],
    into: ['para o saldo disponível', 'the available balance', 'al saldo disponible'],
  },
  PENDING: {
    outOf: ['do saldo pendente', 'the pending balance', 'del saldo pendiente'],
    into: ['para o saldo pendente', 'the pending balance', 'al saldo pendiente'],
  },
  HELD: {
    outOf: ['do saldo retido', 'the held balance', 'del saldo retenido'],
    into: ['para o saldo retido', 'the held balance', 'al saldo retenido'],
  },
  RECEIVABLE: {
    outOf: ['da sua dívida', 'what you owe', 'de su deuda'],
    into: ['para a sua dívida', 'what you owe', 'a su deuda'],
  },
  FEES: {
    outOf: ['das tarifas', 'the fees', 'de las comisiones'],
    into: ['para as tarifas', 'the fees', 'a las comisiones'],
  },
  OUTSIDE: { outOf: ['de fora', 'outside', 'de fuera'], into: ['para fora', 'outside', 'afuera'] },
}

export type Say = ReturnType<typeof sayIn>

export function sayIn(locale: Locale) {
  const said = (texts: Texts) => textIn(locale, texts)
  return {
    m: (money: ExactMoney) => moneyText(locale, money),
    who: (method: Method) => said(descriptorOf[method].who),
    by: (method: Method) => said(descriptorOf[method].by ?? descriptorOf[method].label),
    outOf: (role: AccountRole) => said(roles[role].outOf),
    into: (role: AccountRole) => said(roles[role].into),
    why: ({ code, message }: Pick<Failed, 'code' | 'message'>) =>
      message === ''
        ? code || said(['nenhum motivo foi dado', 'no reason was given', 'no se dio ningún motivo'])
        : message.replace(/\.$/, ''),
    tries: (count: number) =>
      said(
        counted(
          count,
          [`${count} tentativa`, `${count} attempt`, `${count} intento`],
          [`${count} tentativas`, `${count} attempts`, `${count} intentos`],
        ),
      ),
    answer: ({ delivery: { responseStatus, error } }: Delivered) =>
      responseStatus === undefined
        ? (error ?? said(['não houve resposta', 'there was no answer', 'no hubo respuesta']))
        : said([
            `a última resposta foi HTTP ${responseStatus}`,
            `the last answer was HTTP ${responseStatus}`,
            `la última respuesta fue HTTP ${responseStatus}`,
          ]),
  }
}
