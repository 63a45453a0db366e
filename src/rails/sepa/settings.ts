// A SEPA connection: one account of the operator at a bank, which we know from the bank's files. There is no API. The only
// credential is the key with which another program may hand in those files.
import { isValidBIC, isValidIBAN } from 'ibantools'
import { Type as T } from 'typebox'
import type { Checked, FieldFault } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { inSepaLatin } from '#/rails/kit/latin.ts'
import { readParts, shaped, type Fields } from '#/rails/kit/settings.ts'
import { sepaCountries } from './countries.ts'

/** Without spaces, in capitals, as it is written into files. */
const iban = T.Refine(
  T.String({ fault: 'This is to be an IBAN of a SEPA country, without spaces: its check digits must fit.' }),
  isSepaIban,
)
const bic = T.Refine(T.String({ fault: 'This is to be a BIC of 8 or 11 characters.' }), (value) =>
  isValidBIC(value),
)

export const sepaSettings = T.Object({
  iban,
  bic: T.Optional(bic),
  /** The name of the account's holder at the bank: payers' banks compare the name with it (verification of payee). */
  beneficiary: T.Refine(
    T.String({
      fault: 'The holder’s name has 1 to 70 characters, in one line, and a letter or digit that files take.',
    }),
    (value) =>
      /^[^\s\p{C}](?:[^\p{C}]{0,68}[^\s\p{C}])?$/u.test(value) && /[A-Za-z0-9]/.test(inSepaLatin(value, 70)),
  ),
})

/** `callbackKey`: signs files that a program hands in. Absent: only the operator imports files. */
export const sepaSecrets = T.Object({
  callbackKey: T.Optional(shaped(/^[!-~]{32,128}$/, 'A key has 32 to 128 characters, without spaces.')),
})

export type SepaSettings = {
  readonly iban: string
  readonly bic?: string
  readonly beneficiary: string
}

/** Whether the check digits fit and SEPA reaches the account's country. */
function isSepaIban(value: string): boolean {
  return isValidIBAN(value) && sepaCountries.has(value.slice(0, 2))
}

/** Without spaces and in capitals; undefined when it is none of a SEPA country. */
export function normalIban(text: string): string | undefined {
  const normal = text.replaceAll(/\s/g, '').toUpperCase()
  return isSepaIban(normal) ? normal : undefined
}

/** Reads a connection's settings and secrets. */
export function checkSepaSettings(
  settings: Fields,
  secrets: Fields,
): Checked<{ readonly settings: SepaSettings; readonly callbackKey?: string }> {
  const read = readParts({ settings: sepaSettings, secrets: sepaSecrets }, { settings, secrets })
  if (!read.ok) return read
  const { callbackKey } = read.parts.secrets
  return {
    ok: true,
    settings: read.parts.settings,
    ...given({ callbackKey }),
  }
}

export function sepaFaults({
  settings,
  secrets,
}: {
  readonly settings: Fields
  readonly secrets: Fields
}): readonly FieldFault[] {
  const checked = checkSepaSettings(settings, secrets)
  return checked.ok ? [] : checked.faults
}
