// What proves a payment to a bank, a provider or an accountant: for each method the name by which others find the money.
import type { Payment } from '#/payments/payment.ts'
import { inGroups } from '#/rails/sepa/reference.ts'
import type { Means } from './means.ts'
import { checkoutMethods } from './methods/all.ts'
import { inFields } from './methods/flow.ts'
import type { CheckoutMethod, ProofRow } from './methods/method.ts'
import type { Sentences } from './sentences.ts'

/** The rows of the receipt that prove what came. */
export function proofOf(payment: Payment, means: Means, { receipt: labels }: Sentences): readonly ProofRow[] {
  const { method } = payment
  const own: CheckoutMethod['proof'] = method === undefined ? undefined : checkoutMethods[method].proof
  if (own !== undefined) return own({ payment, means, labels, named })
  const { proof } = means
  if (proof === undefined) return []
  const { refs } = proof
  const { voucher, sepa } = proof.fields
  if (voucher?.line !== undefined)
    return [{ label: labels.line, value: inFields(voucher.line), copy: voucher.line }]
  if (sepa !== undefined)
    return [
      { label: labels.reference, value: inGroups(sepa.reference), copy: sepa.reference },
      { label: labels.account, value: maskedIban(sepa.iban) },
      ...refs.map((ref) => named(labels.bankReference, ref)),
    ]
  const { entity, reference } = voucher ?? {}
  return [
    ...(entity === undefined || reference === undefined
      ? []
      : [{ label: labels.voucher, value: `${entity} · ${reference}` }]),
    ...refs.map((ref) => named(labels.transactionReference, ref)),
  ]
}

/** A name that people compare by its start and its end, and copy whole. */
function named(label: string, ref: string): ProofRow {
  const value = ref.length <= 20 ? ref : `${ref.slice(0, 10)}…${ref.slice(-8)}`
  return { label, value, copy: ref }
}

/** The country and the last four: enough to recognise an account. */
function maskedIban(iban: string): string {
  return `${iban.slice(0, 2)} •••• ${iban.slice(-4)}`
}

/** As Brazilian receipts print it: the middle of a CPF or a CNPJ; of another tax id its last three characters. */
export function maskedTaxId(taxId: string): string {
  const cpf = /^\d{3}(\d{3})(\d{3})\d{2}$/.exec(taxId)
  if (cpf !== null) return `***.${cpf[1]}.${cpf[2]}-**`
  const cnpj = /^[\dA-Z]{2}([\dA-Z]{3})([\dA-Z]{3})([\dA-Z]{4})\d{2}$/.exec(taxId)
  if (cnpj !== null) return `**.${cnpj[1]}.${cnpj[2]}/${cnpj[3]}-**`
  return `***${taxId.slice(-3)}`
}
