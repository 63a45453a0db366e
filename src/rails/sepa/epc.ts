// The code that a bank's app scans to fill in a SEPA credit transfer: EPC069-12 version 002. Its lines are fixed by their place.
import { invariant } from '#/kernel/check.ts'
import { toDecimal } from '#/kernel/money.ts'

export type EpcTransfer = {
  readonly beneficiary: string
  readonly iban: string
  readonly bic?: string
  readonly amountMinor: bigint
  /** ISO 11649, without spaces. */
  readonly reference: string
}

/** EPC069-12 §3: from 0.01 to 999999999.99 EUR. */
export const epcLimits = { min: 1n, max: 99_999_999_999n }
/** Version 13 with error correction M holds this many bytes, and EPC069-12 allows no larger code. */
const bytesMax = 331

/** Returns the text of the code: lines with LF between them and nothing behind the last one. Fails when it is too long. */
export function epcText({ beneficiary, iban, bic = '', amountMinor, reference }: EpcTransfer): string {
  invariant(amountMinor >= epcLimits.min && amountMinor <= epcLimits.max, 'an amount that the code can hold')
  const amount = `EUR${toDecimal({ minor: amountMinor, currency: 'EUR' })}`
  // Service tag, version, UTF-8, SEPA credit transfer, then the recipient, the amount, no purpose, and the reference.
  const text = ['BCD', '002', '1', 'SCT', bic, beneficiary, iban, amount, '', reference].join('\n')
  invariant(Buffer.byteLength(text) <= bytesMax, 'a code of at most version 13')
  return text
}
