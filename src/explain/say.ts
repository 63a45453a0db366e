// What sentences are made of: amounts, who reports, and balances, in one language.
import { counted, textIn, type Texts } from '#/kernel/dictionary.ts'
import type { Locale } from '#/kernel/language.ts'
import { moneyText, type ExactMoney } from '#/kernel/money-text.ts'
import type { Method } from '#/rails/method.ts'
import type { AccountRole, Delivered, Failed } from './step.ts'

const bank: Texts = ['O banco', 'The bank', 'El banco']
const acquirer: Texts = ['O adquirente', 'The acquirer', 'El adquirente']

/** Who reports, and what is paid by. */
const names: Readonly<Record<Method, { readonly who: Texts; readonly by: Texts }>> = {
  PIX: { who: bank, by: ['Pix', 'Pix', 'Pix'] },
  CREDIT_CARD: {
    who: ['O provedor do cartão', 'The card provider', 'El proveedor de la tarjeta'],
    by: ['cartão', 'card', 'tarjeta'],
  },
  CRYPTO: { who: ['A rede', 'The chain', 'La red'], by: ['cripto', 'crypto', 'cripto'] },
  PARTNER_PAY: {
    who: ['O app de carteira', 'The wallet app', 'La app de pagos'],
    by: ['app de carteira', 'the wallet app', 'app de pagos'],
  },
  MULTIBANCO: {
    who: acquirer,
    by: ['Multibanco', 'Multibanco', 'Multibanco'],
  },
  MB_WAY: { who: acquirer, by: ['MB WAY', 'MB WAY', 'MB WAY'] },
  IDEAL: { who: acquirer, by: ['iDEAL', 'iDEAL', 'iDEAL'] },
  BANCONTACT: {
    who: acquirer,
    by: ['Bancontact', 'Bancontact', 'Bancontact'],
  },
  BIZUM: { who: acquirer, by: ['Bizum', 'Bizum', 'Bizum'] },
  BOLETO: { who: acquirer, by: ['boleto', 'boleto', 'boleto'] },
  SEPA_TRANSFER: {
    who: bank,
    by: ['transferência bancária', 'bank transfer', 'transferencia bancaria'],
  },
}

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
    who: (method: Method) => said(names[method].who),
    by: (method: Method) => said(names[method].by),
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
