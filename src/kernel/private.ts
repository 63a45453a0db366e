// Removes secrets and personal data from texts that people will read. A datum with a form of its own is found by that form.
// Names have no such form: no text of a caller is logged, and from a provider's answer, which may repeat one, what we sent is removed.
import { cpf } from 'cpf-cnpj-validator'
import { isValidIBAN } from 'ibantools'
import { maskCardNumbers } from './card-number.ts'

type Mask = { readonly form: RegExp; readonly by: string; readonly isSo?: (found: string) => boolean }

const masks: readonly Mask[] = [
  // Keys of ours and of providers, secrets of webhooks, tokens of sessions: a prefix, and a long rest.
  {
    form: /\b(?:vtm_(?:live|test)|sk|rk|pk|whsec|ek)_[A-Za-z0-9_+/=-]{8,}/g,
    by: '[key]',
  },
  { form: /\b(?:Bearer|Basic) [A-Za-z0-9._~+/=-]{8,}/gi, by: '[key]' },
  { form: /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, by: '[key]' },
  // The token of a payer's page opens it.
  { form: /(?<=\/[cl]\/)[A-Za-z0-9_-]{20,}/g, by: '[token]' },
  // The user and password of an address, and all that follows a question mark.
  { form: /(?<=\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"]+@/g, by: '' },
  { form: /(?<=\bhttps?:\/\/[^\s?"]*)\?[^\s"]*/g, by: '?[hidden]' },
  { form: /[^\s"'<>(),;:=\\]+@[^\s"'<>(),;:=\\]+\.[\p{L}0-9-]{2,}/gu, by: '[e-mail]' },
  { form: /(?<![\dA-Za-z])\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)/g, by: '[cpf]' },
  { form: /(?<![\dA-Za-z.-])\d{11}(?![\dA-Za-z-])/g, by: '[cpf]', isSo: (found) => cpf.isValid(found) },
  {
    form: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}(?![A-Za-z0-9])/g,
    by: '[iban]',
    isSo: (found) => isValidIBAN(found.replaceAll(' ', '')),
  },
  // PostgreSQL repeats a value that it cannot read.
  { form: /(?<=invalid input syntax for type [^:]+: )".*"/g, by: '[value]' },
]

/** Replaces keys, tokens, e-mail addresses, CPFs, IBANs and card numbers. The rest of the text stays as it is. */
export function maskPrivate(text: string): string {
  let masked = text
  for (const { form, by, isSo } of masks)
    masked =
      isSo === undefined
        ? masked.replaceAll(form, by)
        : masked.replaceAll(form, (found) => (isSo(found) ? by : found))
  return maskCardNumbers(masked)
}

/** A shorter text says nothing about a person, and may be a part of any word. */
const leastLength = 3

/** Removes from a provider's answer the texts that we sent, however deep they lie in `sent`, whether in capitals or not. */
export function hideTexts(text: string, sent: unknown): string {
  const texts = textsIn(sent)
    .filter(({ length }) => length >= leastLength)
    .toSorted((a, b) => b.length - a.length)
  return texts.reduce(
    (remaining, each) => remaining.replaceAll(new RegExp(RegExp.escape(each), 'giu'), '[hidden]'),
    text,
  )
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}
