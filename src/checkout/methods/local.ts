// The acquirer's local methods: a page of the bank, a push to the phone, or a voucher. Each shows what its table says.
import { given } from '#/kernel/given.ts'
import { locales, type Locale } from '#/kernel/language.ts'
import { localMethods } from '#/rails/acquirer/methods/all.ts'
import { barsOf } from '../itf-bars.ts'
import type { Mark } from '../page-values.ts'
import { localWords } from './local-words.ts'
import type { CheckoutMethod, MethodWords, Ready, ReadyInput } from './method.ts'
import type { LocalName } from './panels.ts'

/** The texts of one of them, with the declines that all have in common. */
function wordsOf(name: LocalName): Readonly<Record<Locale, MethodWords>> {
  const of = (locale: Locale): MethodWords => {
    const { label, hint, labels } = localWords[locale][name]
    return { label, hint, labels, declines: localWords[locale].declines }
  }
  return Object.fromEntries(locales.map((locale) => [locale, of(locale)])) as Record<Locale, MethodWords>
}

function local<M extends LocalName>(name: M, mark: Mark): CheckoutMethod<M> {
  const table = localMethods.find(({ method }) => method === name)
  return {
    words: wordsOf(name),
    mark,
    needs: table?.needs ?? [],
    isPaidElsewhere: table?.flow !== 'REDIRECT',
    // The panel's method is the one that was asked for, which the compiler cannot follow.
    ready: (input) => readyOf(name, input) as Ready<M> | undefined,
  }
}

function readyOf(name: LocalName, { means, locale, page, until, format, openMinor }: ReadyInput) {
  const { presentation } = means
  const { headline, message } = localWords[locale][name]
  const isDelayed = localMethods.some((each) => each.method === name && each.isDelayed)
  const withDelay = (text: string) => (isDelayed ? `${text} ${localWords[locale].delayed}` : text)
  const text = (phone = '') => withDelay(typeof message === 'string' ? message : message(until, phone))
  if (presentation?.kind === 'HOSTED')
    return {
      panel: { method: name, kind: 'REDIRECT', hostedUrl: `${page}/provider` },
      notice: { headline, message: text() },
    }
  if (presentation?.kind === 'PUSH')
    return {
      panel: { method: name, kind: 'PUSH', againUrl: `${page}/provider` },
      notice: { headline, message: text(presentation.phoneEnd) },
    }
  if (presentation?.kind === 'DEBIT') {
    const { debit } = localWords[locale]
    return {
      panel: { method: name, kind: 'DEBIT', waiting: debit.waiting },
      notice: { headline: debit.headline, message: withDelay(debit.message(presentation.ibanEnd)) },
    }
  }
  if (presentation?.kind !== 'VOUCHER') return undefined
  const { entity, reference, line, barcode, pdfUrl } = presentation.voucher
  const { bars } = localWords[locale].BOLETO
  return {
    panel: {
      method: name,
      kind: 'VOUCHER',
      amount: format.money(openMinor, name === 'BOLETO' ? 'BRL' : 'EUR'),
      ...(entity === undefined || reference === undefined
        ? {}
        : { lines: { entity, reference, shown: inThrees(reference) } }),
      ...(line === undefined ? {} : { line: { value: line, shown: inFields(line) } }),
      ...(barcode === undefined ? {} : { bars: { ...barsOf(barcode), label: bars } }),
      ...given({ pdfUrl }),
    },
    notice: { headline, message: text() },
  }
}

/** As references are printed: `123 123 451`. */
function inThrees(reference: string): string {
  return reference.replaceAll(/(\d{3})(?=\d)/g, '$1 ')
}

/** As lines are printed: `00190.00009 01149.718601 68524.522114 6 75860000102656`. */
function inFields(line: string): string {
  return line.replace(/^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8')
}

export const multibanco = local('MULTIBANCO', 'multibanco')
export const mbWay = local('MB_WAY', 'mbway')
export const ideal = local('IDEAL', 'ideal')
export const bancontact = local('BANCONTACT', 'bancontact')
export const bizum = local('BIZUM', 'bizum')
export const boleto = local('BOLETO', 'boleto')
