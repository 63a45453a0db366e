// The evidence of `POST /v1/disputes/{id}`: texts and names of files, and the evidence that card networks' programs require.
import { badParam } from './api-error.ts'
import {
  choiceOf,
  flagOf,
  listOf,
  mustHave,
  nameOf,
  only,
  textOf,
  textOrNothing,
  under,
  type FormFields,
  type Params,
} from './params.ts'
import {
  evidenceFields,
  fileFields,
  type EnhancedEvidence,
  type Evidence,
  type EvidenceField,
  type FileObject,
} from './wire.ts'

/** The limit of all texts together (https://docs.stripe.com/api/disputes/update). */
const charactersMax = 150_000
/** The limit of all files together. We found none documented: this is our assumption, below the limit of one file (files.ts). */
const filesBytesMax = 4_500_000
/** A network requires exactly this number of earlier undisputed payments. */
const priorCount = 2

export const noEvidence = {
  ...(Object.fromEntries(evidenceFields.map((name) => [name, null])) as Record<EvidenceField, null>),
  enhanced_evidence: {},
} as const satisfies Evidence

/** The evidence after the call: fields it does not name stay, fields it names as empty are removed. */
export function evidenceAfter(
  params: Params,
  before: Evidence,
  fileOf: (id: string) => FileObject | undefined,
): Evidence {
  const given = under(params, 'evidence')
  only(given, [...evidenceFields, 'enhanced_evidence'])
  const texts = Object.fromEntries(
    evidenceFields.flatMap((name) => {
      const text = textOrNothing(given, name, charactersMax)
      return text === undefined ? [] : [[name, text]]
    }),
  ) as Partial<Evidence>
  const after = { ...before, ...texts, enhanced_evidence: enhancedAfter(given, before.enhanced_evidence) }
  const characters = evidenceFields.reduce((sum, name) => sum + (after[name]?.length ?? 0), 0)
  if (characters > charactersMax)
    throw badParam(
      'evidence',
      `The combined length of all evidence must be at most ${charactersMax} characters.`,
    )
  const files = fileFields.flatMap((name) => {
    const id = after[name]
    if (id === null) return []
    const file = fileOf(id)
    if (file === undefined)
      throw badParam(`evidence[${name}]`, `No such file upload: '${id}'`, 'resource_missing')
    return [file]
  })
  if (files.reduce((sum, { size }) => sum + size, 0) > filesBytesMax)
    throw badParam('evidence', `The combined size of all files must be at most ${filesBytesMax} bytes.`)
  return after
}

export function hasEvidence(evidence: Evidence): boolean {
  return (
    evidenceFields.some((name) => evidence[name] !== null) ||
    Object.keys(evidence.enhanced_evidence).length > 0
  )
}

function enhancedAfter(evidence: Params, before: EnhancedEvidence): EnhancedEvidence {
  if (evidence.fields['enhanced_evidence'] === '') return {}
  const given = under(evidence, 'enhanced_evidence')
  only(given, ['mastercard_compliance', 'visa_compelling_evidence_3', 'visa_compliance'])
  const isNamed = (name: string) => given.fields[name] !== undefined
  return {
    ...before,
    ...(isNamed('mastercard_compliance')
      ? { mastercard_compliance: complianceOf(under(given, 'mastercard_compliance')) }
      : {}),
    ...(isNamed('visa_compelling_evidence_3')
      ? { visa_compelling_evidence_3: priorOf(under(given, 'visa_compelling_evidence_3'), before) }
      : {}),
    ...(isNamed('visa_compliance') ? { visa_compliance: complianceOf(under(given, 'visa_compliance')) } : {}),
  }
}

function complianceOf(given: Params): { readonly fee_acknowledged: boolean } {
  only(given, ['fee_acknowledged'])
  return { fee_acknowledged: flagOf(given, 'fee_acknowledged') ?? false }
}

function priorOf(
  given: Params,
  { visa_compelling_evidence_3: before }: EnhancedEvidence,
): NonNullable<EnhancedEvidence['visa_compelling_evidence_3']> {
  only(given, ['disputed_transaction', 'prior_undisputed_transactions'])
  const isDisputed = given.fields['disputed_transaction'] !== undefined
  return {
    disputed_transaction: isDisputed
      ? disputedOf(under(given, 'disputed_transaction'))
      : (before?.disputed_transaction ?? null),
    prior_undisputed_transactions: priorTransactionsOf(given) ?? before?.prior_undisputed_transactions ?? [],
  }
}

/** Lengths: https://docs.stripe.com/api/disputes/update. */
const buyerFields = [
  ['customer_account_id', 1],
  ['customer_device_fingerprint', 20],
  ['customer_device_id', 15],
  ['customer_email_address', 1],
  ['customer_purchase_ip', 1],
  ['product_description', 1],
] as const
const buyerNames = [...buyerFields.map(([name]) => name), 'shipping_address']

function disputedOf(given: Params) {
  only(given, [...buyerNames, 'merchandise_or_services'])
  return {
    ...buyerOf(given),
    merchandise_or_services: choiceOf(given, 'merchandise_or_services', ['merchandise', 'services']) ?? null,
  }
}

function priorTransactionsOf(given: Params): readonly Readonly<Record<string, unknown>>[] | undefined {
  const list = listOf(given, 'prior_undisputed_transactions')
  if (list === undefined) return undefined
  const at = nameOf(given, 'prior_undisputed_transactions')
  if (list.length > priorCount) throw badParam(at, `You can provide at most ${priorCount} transactions.`)
  return list.map((fields, i) => {
    const name = `${at}[${i}]`
    if (typeof fields === 'string' || Array.isArray(fields)) throw badParam(name, 'Invalid object')
    const each = { fields: fields as FormFields, at: name }
    only(each, ['charge', ...buyerNames])
    return { charge: mustHave(each, 'charge', textOf(each, 'charge')), ...buyerOf(each) }
  })
}

function buyerOf(given: Params) {
  const texts = buyerFields.map(([name, min]) => {
    const text = textOrNothing(given, name) ?? null
    if (text !== null && text.length < min)
      throw badParam(nameOf(given, name), `Invalid string: must be at least ${min} characters`)
    return [name, text] as const
  })
  return { ...Object.fromEntries(texts), shipping_address: addressOf(given) }
}

const addressFields = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'] as const

function addressOf(given: Params): Readonly<Record<string, string | null>> | null {
  if (given.fields['shipping_address'] === undefined) return null
  const address = under(given, 'shipping_address')
  only(address, addressFields)
  return Object.fromEntries(addressFields.map((name) => [name, textOrNothing(address, name) ?? null]))
}
