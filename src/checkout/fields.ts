// The fields of the payer's form, and the values of a submitted form.
import { holdsCardNumber } from '#/kernel/card-number.ts'
import { countries, isCountry } from '#/kernel/country.ts'
import { parseTaxIdOf } from '#/kernel/foreign-tax-id.ts'
import { given } from '#/kernel/given.ts'
import { findUncleanText } from '#/kernel/json.ts'
import type { Locale } from '#/kernel/language.ts'
import { parsePhone } from '#/kernel/phone.ts'
import { lackingNeeds, payerDetailsOf } from '#/payments/payer-choice.ts'
import { phoneCountry, statedCountry, taxCountries } from '#/payments/payer-country.ts'
import type { Payer, Payment } from '#/payments/payment.ts'
import type { PayerNeed } from '#/rails/descriptor.ts'
import type { Method } from '#/rails/method.ts'
import { descriptorOf } from '#/rails/methods.ts'
import type { PayerAddress } from '#/rails/rail.ts'
import { normalIban } from '#/rails/sepa/settings.ts'
import type { PageField } from './page-state.ts'
import type { Sentences } from './sentences.ts'
import type { PageTemplate } from './template.ts'

/** The values that were typed, by the name of the field. */
export type Typed = Readonly<Record<string, string>>

/** The faults, by the name of the field. */
export type Faults = Readonly<Record<string, string>>

type FormField = {
  readonly name: Exclude<keyof Sentences['fields'], 'foreignTaxId'>
  readonly kind: PageField['kind']
  /** HTML, autofill detail tokens. */
  readonly autocomplete: string
  readonly isRequired: boolean
  readonly lengthMax: number
}

/** What the chosen method needs and nobody has provided. `only`: the template's own fields were filled in before. */
export type Needs = {
  readonly needs: readonly PayerNeed[]
  readonly only: boolean
  readonly method?: Method
}

/** What this method needs, on this page. */
export function needsOf(payment: Payment, method: Method | undefined): Needs {
  const needs: readonly PayerNeed[] = method === undefined ? [] : (descriptorOf[method].needs ?? [])
  return {
    needs: lackingNeeds(needs, payerDetailsOf(payment)),
    only: payment.method !== undefined,
    ...given({ method }),
  }
}

/**
 * The fields that the template collects and the method needs, in the order of the form. A tax id that the merchant sent is never
 * shown.
 */
function formFieldsOf(
  { fields, address }: Pick<PageTemplate, 'fields' | 'address'>,
  { request }: Pick<Payment, 'request'>,
  { needs, only }: Needs,
): readonly FormField[] {
  const collected: FormField[] = []
  const person = [
    { name: 'name', kind: 'text', autocomplete: 'name', lengthMax: 200 },
    { name: 'email', kind: 'email', autocomplete: 'email', lengthMax: 254 },
    { name: 'phone', kind: 'tel', autocomplete: 'tel', lengthMax: 30 },
    { name: 'taxId', kind: 'text', autocomplete: 'off', lengthMax: 20 },
  ] as const
  for (const field of person) {
    const collection = only ? 'hidden' : fields[field.name]
    const isGiven = field.name === 'taxId' && request.customerTaxId !== undefined
    const isNeeded = needs.includes(field.name)
    if (isNeeded || (collection !== 'hidden' && !isGiven))
      collected.push({ ...field, isRequired: isNeeded || collection === 'required' })
  }
  if (needs.includes('iban'))
    collected.push({ name: 'iban', kind: 'text', autocomplete: 'off', lengthMax: 42, isRequired: true })
  const isNeeded = needs.includes('address')
  if (!isNeeded && (only || address === 'none')) return collected
  return [...collected, ...addressOf(address === 'none' ? 'billing' : address, isNeeded)]
}

/** `isWhole`: with region and postcode. */
function addressOf(use: 'billing' | 'shipping', isWhole: boolean): readonly FormField[] {
  const field = (
    name: FormField['name'],
    token: string,
    isRequired: boolean,
    kind: 'text' | 'select' = 'text',
  ): FormField => ({ name, kind, autocomplete: `${use} ${token}`, isRequired, lengthMax: 200 })
  return [
    field('country', 'country', true, 'select'),
    field('postcode', 'postal-code', isWhole),
    field('line1', 'address-line1', true),
    field('line2', 'address-line2', false),
    field('district', 'address-level3', false),
    field('city', 'address-level2', true),
    field('region', 'address-level1', isWhole),
  ]
}

export type FieldsInput = {
  readonly payment: Pick<Payment, 'request' | 'payer' | 'currency'>
  readonly template: Pick<PageTemplate, 'fields' | 'address' | 'name'>
  readonly locale: Locale
  readonly sentences: Sentences
  readonly typed?: Typed
  readonly faults?: Faults
  readonly needs: Needs
}

/** The form's fields with their values: what was just typed, or name and e-mail as the merchant sent them. */
export function fieldsOf(input: FieldsInput): readonly PageField[] {
  const { payment, template, locale, sentences, typed, faults, needs } = input
  const { request, payer } = payment
  const given: Typed = {
    name: payer?.name ?? request.customerName ?? '',
    email: payer?.email ?? request.customerEmail ?? '',
  }
  const usual = new Set(formFieldsOf(template, payment, { ...needs, needs: [] }).map(({ name }) => name))
  // An id of Brazil is asked for by its name; the country may also be one that the payer chooses in this form.
  const isOfBrazil = needs.needs.includes('taxId') || hasBrazilianId(payment, template)
  // A field that the chosen method adds was not on the form before, so it is shown without a fault.
  const isNew = (name: string) => !usual.has(name as FormField['name']) && typed?.[name] === undefined
  return formFieldsOf(template, payment, needs).map(({ name, kind, autocomplete, isRequired }) => ({
    name,
    label: name === 'taxId' && !isOfBrazil ? sentences.fields.foreignTaxId : sentences.fields[name],
    kind,
    autocomplete,
    isRequired,
    value: shownValue((typed ?? given)[name] ?? ''),
    ...(kind === 'select' ? { options: countryOptions(locale) } : {}),
    ...(name === 'iban' ? { note: sentences.mandate(template.name) } : {}),
    ...(faults?.[name] === undefined || isNew(name) ? {} : { error: faults[name] }),
  }))
}

function hasBrazilianId(
  { request, currency }: Pick<Payment, 'request' | 'currency'>,
  { address }: Pick<PageTemplate, 'address'>,
): boolean {
  const country = statedCountry(request)
  if (country === undefined && address !== 'none' && currency !== 'BRL') return false
  return taxCountries(country, currency).includes('BR')
}

/** A card number typed by mistake is not sent back. */
function shownValue(value: string): string {
  const isOther = parsePhone(value) !== undefined || normalIban(value) !== undefined
  return !isOther && holdsCardNumber(value) ? '' : value
}

function countryOptions(locale: Locale): NonNullable<PageField['options']> {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const options = countries.map((value) => ({ value, label: names.of(value) ?? value }))
  return [{ value: '', label: '' }, ...options.toSorted((a, b) => a.label.localeCompare(b.label, locale))]
}

export type FormVerdict =
  | { readonly ok: true; readonly payer: Payer }
  | { readonly ok: false; readonly faults: Faults }

/** The payer as the form describes them. A card number is refused in every field, and is not shown again. */
export function readPayer(
  payment: Payment,
  template: PageTemplate,
  typed: Typed,
  { sentences, needs }: { readonly sentences: Sentences; readonly needs: Needs },
): FormVerdict {
  const faults: Record<string, string> = {}
  const values: Record<string, string> = {}
  const { taxCountry, ...readers } = readersOf(payment, typed, needs)
  for (const field of formFieldsOf(template, payment, needs)) {
    const value = (typed[field.name] ?? '').trim()
    const plain = readers[field.name]?.(value)
    const fault = faultOf(field, value, { plain, taxCountry }, sentences)
    if (fault !== undefined) faults[field.name] = fault
    else if (value !== '') values[field.name] = plain ?? value
  }
  if (Object.keys(faults).length > 0) return { ok: false, faults }
  return { ok: true, payer: payerOf(values) }
}

type Reader = (text: string) => string | undefined

/** Reads the fields that have a normal form. The country is the one that is typed beside them, else what the merchant said. */
function readersOf(
  { request, currency }: Pick<Payment, 'request' | 'currency'>,
  typed: Typed,
  { needs, method }: Needs,
): Partial<Readonly<Record<FormField['name'], Reader>>> & { readonly taxCountry: string } {
  const chosen = typed['country'] ?? ''
  const country = isCountry(chosen) ? chosen : statedCountry(request)
  // A method that needs a tax id needs one of Brazil.
  const taxed = needs.includes('taxId') ? (['BR'] as const) : taxCountries(country, currency)
  return {
    taxCountry: taxed[0],
    taxId: (text) => taxed.flatMap((each) => parseTaxIdOf(each, text) ?? [])[0],
    phone: (text) => parsePhone(text, phoneCountry(method, country, currency)),
    iban: normalIban,
  }
}

/** `plain`: its normal form, of a field that has one. */
function faultOf(
  { name, isRequired, lengthMax }: FormField,
  value: string,
  { plain, taxCountry }: { readonly plain: string | undefined; readonly taxCountry: string },
  { faults, fields }: Sentences,
): string | undefined {
  if (value === '') return isRequired ? faults.required(fields[name]) : undefined
  if (value.length > lengthMax || findUncleanText(value) !== undefined) return faults.tooLong
  if (plain !== undefined) return undefined
  if (holdsCardNumber(value)) return faults.card
  if (name === 'email') return /^[^\s@]{1,64}@[^\s@]+\.[^\s@.]{2,}$/.test(value) ? undefined : faults.email
  if (name === 'phone') return faults.phone
  if (name === 'taxId') return taxCountry === 'BR' ? faults.taxId : faults.foreignTaxId
  if (name === 'iban') return faults.iban
  if (name === 'country') return isCountry(value) ? undefined : faults.country
  return undefined
}

function payerOf(values: Readonly<Record<string, string>>): Payer {
  const { name, email, phone, taxId, iban, country, line1, city } = values
  const { line2, district, region, postcode } = values
  const address: PayerAddress | undefined =
    country === undefined || line1 === undefined || city === undefined
      ? undefined
      : {
          line1,
          ...given({ line2, district }),
          city,
          ...given({ region, postcode }),
          country,
        }
  return {
    ...given({ name, email, phone, taxId, address, iban }),
  }
}
