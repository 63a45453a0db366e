// Methods that the page shows by their flow: a page of the bank, a push to the phone, a voucher, or a debit. What each says is in its
// descriptor.
import { textIn, type Texts } from '#/kernel/dictionary.ts'
import { given } from '#/kernel/given.ts'
import { descriptorOf, type FlowName } from '#/rails/methods.ts'
import { barsOf } from '../itf-bars.ts'
import { flowWords } from './flow-words.ts'
import type { CheckoutMethod, Ready, ReadyInput } from './method.ts'

/** What the page needs of a method that it shows by its flow. */
export function methodByFlow(name: FlowName): CheckoutMethod {
  return {
    words: flowWords,
    isPaidElsewhere: descriptorOf[name].flow !== 'REDIRECT',
    // Each kind of panel is one of the method's, which the compiler cannot follow.
    ready: (input) => readyOf(name, input) as Ready | undefined,
  }
}

function readyOf(name: FlowName, { means, locale, page, until, format, openMinor }: ReadyInput) {
  const { presentation } = means
  const { page: words, isDelayed, currencies } = descriptorOf[name]
  const { debit, delayed, bars } = flowWords[locale]
  const said = (texts: Texts | undefined) => (texts === undefined ? '' : textIn(locale, texts))
  const headline = said(words?.headline)
  const message = words?.message
  const withDelay = (text: string) => (isDelayed === true ? `${text} ${delayed}` : text)
  const text = (phone = '') =>
    withDelay(said(typeof message === 'function' ? message(until, phone) : message))
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
    return {
      panel: { method: name, kind: 'DEBIT', waiting: debit.waiting },
      notice: { headline: debit.headline, message: withDelay(debit.message(presentation.ibanEnd)) },
    }
  }
  if (presentation?.kind !== 'VOUCHER') return undefined
  const { entity, reference, line, barcode, pdfUrl } = presentation.voucher
  return {
    panel: {
      method: name,
      kind: 'VOUCHER',
      amount: format.money(openMinor, currencies[0]),
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
export function inFields(line: string): string {
  return line.replace(/^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8')
}
