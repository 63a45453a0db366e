// The scenes of local methods and of bank transfers in euro: each panel, what a method asks its payer for, and what went wrong, in every
// language.
import { fieldsOf, type Faults, type Typed } from '#/checkout/fields.ts'
import { formatFor } from '#/checkout/format.ts'
import { flowWords } from '#/checkout/methods/flow-words.ts'
import { sepa } from '#/checkout/methods/sepa.ts'
import type { PageState } from '#/checkout/page-state.ts'
import { locales, type Locale } from '#/kernel/language.ts'
import { localMethods, type LocalName } from '#/rails/acquirer/methods/all.ts'
import { defaultDocument } from '#/templates/template.ts'
import {
  chosen,
  endsAt,
  methodsOf,
  now,
  panelOf,
  scene,
  texts,
  waiting,
  type Scene,
} from './gallery-parts.ts'

const zone = 'Europe/Lisbon'

/** The name of a scene says its language, unless it is Portuguese. */
function named(locale: Locale, name: string, state: PageState): Scene {
  return scene(locale === 'pt-BR' ? name : `${locale}-${name}`, state)
}

/** The page with the fields that the method needs, as the server makes it. */
function fieldsPage(
  locale: Locale,
  method: LocalName,
  said: { typed?: Typed; faults?: Faults } = {},
): PageState {
  const needs = localMethods.find((each) => each.method === method)?.needs ?? []
  const fields = fieldsOf({
    payment: { request: { amount: 1_000 }, currency: method === 'BOLETO' ? 'BRL' : 'EUR' },
    template: defaultDocument,
    locale,
    sentences: texts(locale),
    needs: { needs, only: false },
    ...said,
  })
  const others = localMethods.filter(({ currency }) => currency === (method === 'BOLETO' ? 'BRL' : 'EUR'))
  return {
    ...chosen({ locale, fields }),
    ...(method === 'BOLETO' ? {} : { amount: formatFor(locale, zone).money(1_000n, 'EUR') }),
    methods: methodsOf(locale, method, [
      ...others.map((each) => each.method),
      ...(method === 'BOLETO' ? (['PIX'] as const) : (['SEPA_TRANSFER'] as const)),
      'CREDIT_CARD',
    ]),
  }
}

/** A half of 10.00 came by bank transfer. */
function underpaidTransfer(locale: Locale): PageState {
  const format = formatFor(locale, zone)
  const { text, isToday } = format.instant(endsAt, now)
  const message = sepa.topUp?.({
    sent: { received: format.money(500n, 'EUR').text, amount: format.figure(1_000n, 'EUR') },
    missing: format.figure(500n, 'EUR'),
    until: texts(locale).until(text, isToday),
    locale,
  })
  if (message === undefined) throw new Error('a bank transfer can be topped up')
  return {
    ...waiting('SEPA_TRANSFER', 'EUR', locale),
    step: 'underpaid',
    headline: texts(locale).underpaid.headline,
    message,
    panel: panelOf('SEPA_TRANSFER', locale, 500n),
  }
}

function declined(locale: Locale): PageState {
  return { ...waiting('MB_WAY', 'EUR', locale), problem: flowWords[locale].declines.not_confirmed_in_time }
}

const address = { country: 'BR', line1: 'Rua das Flores, 10', city: 'São Paulo' }

function scenesIn(locale: Locale): readonly Scene[] {
  const { faults, fields } = texts(locale)
  return [
    ...localMethods.map(({ method, currency }) =>
      named(locale, `waiting-${method.toLowerCase().replace('_', '-')}`, waiting(method, currency, locale)),
    ),
    named(locale, 'waiting-mb-way-declined', declined(locale)),
    named(locale, 'waiting-sepa', waiting('SEPA_TRANSFER', 'EUR', locale)),
    named(locale, 'underpaid-sepa', underpaidTransfer(locale)),
    named(locale, 'asked-phone', fieldsPage(locale, 'MB_WAY')),
    named(
      locale,
      'asked-phone-error',
      fieldsPage(locale, 'MB_WAY', { typed: { phone: '12' }, faults: { phone: faults.phone } }),
    ),
    named(locale, 'asked-address', fieldsPage(locale, 'BOLETO')),
    named(
      locale,
      'asked-address-error',
      fieldsPage(locale, 'BOLETO', {
        typed: {
          name: 'Ana Souza',
          email: 'ana@loja.example',
          taxId: '1',
          postcode: '',
          region: '',
          ...address,
        },
        faults: {
          taxId: faults.taxId,
          postcode: faults.required(fields.postcode),
          region: faults.required(fields.region),
        },
      }),
    ),
  ]
}

export const localScenes: readonly Scene[] = locales.flatMap(scenesIn)
