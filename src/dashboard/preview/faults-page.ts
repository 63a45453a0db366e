// The pages in a preview's frame that are not the payer's: the faults of a draft, and what stands for the provider's card form.
import type { Theme } from '#/checkout/template.ts'
import type { CheckoutView } from '#/checkout/view.ts'
import type { FieldFault } from '#/kernel/error.ts'
import type { Locale } from '#/kernel/language.ts'
import { toHtml, type Markup } from '../../../web/live/markup.ts'
import { previewPath, previewSheet } from './files.ts'
import { previewWords } from './words.ts'

/** A page that lists what is wrong beside the name of each field. */
export function faultsPage(
  faults: readonly FieldFault[],
  { locale, theme }: { readonly locale: Locale; readonly theme: Theme },
  { style }: Pick<CheckoutView, 'style'>,
): string {
  const { title, lead } = previewWords[locale].faults
  const rows = faults.map(({ pointer, message }): Markup => [
    'div',
    {},
    ['dt', {}, nameOf(pointer)],
    ['dd', {}, message],
  ])
  const main: Markup = ['main', { class: 'faults' }, ['h1', {}, title], ['p', {}, lead], ['dl', {}, ...rows]]
  return documentOf(title, { lang: locale, 'data-theme': theme }, main, [`${previewPath}/assets/${style}`])
}

/** `/methods/0/limits` as `methods[0].limits`, as people write the path of a field. */
function nameOf(pointer: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'))
  const name = parts.map((each) => (/^\d+$/.test(each) ? `[${each}]` : `.${each}`)).join('')
  return name === '' ? '{}' : name.replace(/^\./, '')
}

/** In the place of the provider's form, which is opened for real payments alone. */
export function cardFormPage(locale: Locale, theme: Theme): string {
  const { cardForm } = previewWords[locale]
  const attributes = { lang: locale, 'data-theme': theme, class: 'card-form' }
  return documentOf(cardForm, attributes, ['p', {}, cardForm], [])
}

function documentOf(
  title: string,
  attributes: Readonly<Record<string, string>>,
  content: Markup,
  sheets: readonly string[],
): string {
  const styles = [...sheets, previewSheet.path].map((href): Markup => ['link', { rel: 'stylesheet', href }])
  const head: Markup = [
    'head',
    {},
    ['meta', { charset: 'utf-8' }],
    ['title', {}, title],
    ['meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }],
    ['link', { rel: 'icon', href: 'data:,' }],
    ...styles,
  ]
  return `<!doctype html>${toHtml(['html', attributes, head, ['body', {}, content]])}`
}
