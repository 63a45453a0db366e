// What differs between two contents of a template, field by field, in words.
import { languageNames, locales } from '#/kernel/language.ts'
import { currencies, paymentMethods } from '../../api/generated.ts'
import type { Format } from '../../kit/format.ts'
import type { stateWords } from '../../words/states.ts'
import type { templateFieldWords } from '../../words/template-fields.ts'
import { fieldNames, sentOf, textNames, type Draft, type Typed } from './model.ts'

export type Words = {
  readonly fields: (typeof templateFieldWords)['en']
  readonly states: (typeof stateWords)['en']
  readonly format: Format
}

export type Shown = { readonly text: string; readonly picture?: string; readonly colour?: string }

export type Difference = {
  readonly id: string
  readonly label: string
  /** Undefined: there was nothing. */
  readonly before: Shown | undefined
  readonly after: Shown | undefined
}

type Entry = readonly [id: string, label: string, value: Shown | undefined]

/** In the order of the editor. */
export function differences(before: Draft, after: Draft, words: Words): readonly Difference[] {
  const old = new Map(entriesOf(before, words).map(([id, , value]) => [id, value]))
  return entriesOf(after, words).flatMap(([id, label, value]) => {
    const was = old.get(id)
    const isSame = was?.text === value?.text && was?.picture === value?.picture
    return isSame ? [] : [{ id, label, before: was, after: value }]
  })
}

/** Whether both are the same template. */
export function isSame(a: Draft, b: Draft, words: Words): boolean {
  return differences(a, b, words).length === 0
}

/** The same fields in the same order for every template. */
function entriesOf(given: Draft, words: Words): readonly Entry[] {
  const draft = sentOf(given)
  return [
    ...brandEntries(draft, words),
    ...methodEntries(draft, words),
    ...payerEntries(draft, words),
    ...textEntries(draft, words),
    ...linkEntries(draft, words),
  ]
}

function brandEntries({ name, brand }: Draft, { fields }: Words): readonly Entry[] {
  const { logo, colors } = brand
  return [
    ['name', fields.name, text(name)],
    ['displayName', fields.displayName, text(brand.displayName)],
    ['logo', fields.logo, logo === undefined ? undefined : { text: fields.logo, picture: logo }],
    ['accent', fields.accent, { text: colors.accent, colour: colors.accent }],
    ['radius', fields.radius, text(`${brand.radius} px`)],
    ['font', fields.font, text(fields.fonts[brand.font])],
    ['theme', fields.theme, text(fields.themes[brand.theme])],
  ]
}

function methodEntries(draft: Draft, { fields, states, format }: Words): readonly Entry[] {
  const enabled = draft.methods.filter(({ enabled: isOn }) => isOn !== false)
  const named = (list: Draft['methods']) =>
    list.length === 0 ? undefined : { text: list.map(({ method }) => states.method[method]).join(', ') }
  const amount = (value: Typed | undefined, currency: string) =>
    typeof value === 'number' ? format.money(value, currency) : (value ?? '…')
  const limits = paymentMethods.flatMap((method) =>
    currencies.map((currency): Entry => {
      const of = enabled.find((each) => each.method === method)?.limits?.[currency]
      const shown =
        of === undefined ? undefined : { text: `${amount(of.min, currency)} – ${amount(of.max, currency)}` }
      return [`limits ${method} ${currency}`, `${states.method[method]}: ${fields.limits} ${currency}`, shown]
    }),
  )
  const expiry = paymentMethods.map((method): Entry => {
    const seconds = draft.expiry[method]
    const shown = typeof seconds === 'number' ? { text: format.span(seconds * 1_000) } : text(seconds)
    return [`expiry ${method}`, `${states.method[method]}: ${fields.expiry}`, shown]
  })
  return [
    ['methods', fields.methods, named(enabled)],
    ['highlight', fields.highlight, named(enabled.filter(({ highlight }) => highlight === true))],
    ['localFirst', fields.localFirst, text(draft.localFirst === true ? fields.yes : fields.no)],
    ...limits,
    ...expiry,
    ['currencies', fields.currencies, text(draft.currencies.join(', '))],
  ]
}

function payerEntries({ fields: draftFields, address }: Draft, { fields }: Words): readonly Entry[] {
  return [
    ...fieldNames.map((name): Entry => [
      `asks ${name}`,
      fields.asks[name],
      text(fields.collections[draftFields[name]]),
    ]),
    ['address', fields.address, text(fields.addresses[address])],
  ]
}

function textEntries({ languages, timeZone, texts }: Draft, { fields }: Words): readonly Entry[] {
  return [
    ['languages', fields.languages, text(languages.enabled.map((each) => languageNames[each]).join(', '))],
    ['language', fields.defaultLanguage, text(languageNames[languages.default])],
    ['timeZone', fields.timeZone, text(timeZone)],
    ...locales.flatMap((locale) =>
      textNames.map((name): Entry => [
        `${locale} ${name}`,
        `${fields.texts[name]} (${languageNames[locale]})`,
        text(texts[locale]?.[name]),
      ]),
    ),
  ]
}

function linkEntries(draft: Draft, { fields }: Words): readonly Entry[] {
  const { support, legal, urls, cancelButton, autoReturnSeconds } = draft
  return [
    ['supportUrl', fields.supportUrl, text(support.url)],
    ['supportEmail', fields.supportEmail, text(support.email)],
    ['terms', fields.termsUrl, text(legal.termsUrl)],
    ['privacy', fields.privacyUrl, text(legal.privacyUrl)],
    ['success', fields.successUrl, text(urls.success)],
    ['cancel', fields.cancelUrl, text(urls.cancel)],
    ['hosts', fields.allowedHosts, text(urls.allowedHosts?.join(', '))],
    ['cancelButton', fields.cancelButton, text(cancelButton === true ? fields.yes : fields.no)],
    [
      'autoReturn',
      fields.autoReturn,
      autoReturnSeconds === undefined ? undefined : text(`${autoReturnSeconds} s`),
    ],
  ]
}

function text(value: Typed | undefined): Shown | undefined {
  return value === undefined || value === '' ? undefined : { text: String(value) }
}
