// The methods of payment, and what they need of a payer.
import type { captureModes, methods } from '#/contract/words.ts'

export type Method = (typeof methods)[number]

/**
 * What a method may need of its payer before it can be opened.
 * - `address`: with region and postcode.
 * - `iban`: the account to be debited, with the mandate that its holder accepts on our page. No merchant can give it.
 */
export const payerNeeds = ['name', 'email', 'phone', 'taxId', 'address', 'iban'] as const
export type PayerNeed = (typeof payerNeeds)[number]

/** When and from where a payer accepted a mandate to debit an account. The scheme asks for it when the payer denies it later. */
export type Mandate = {
  /** ISO 8601. */
  readonly acceptedAt: string
  readonly ip: string
  readonly userAgent: string
}

/** What the payer takes to a bank, by method: entity and reference, or a line with its bar code. All of it is verified. */
export type Voucher = {
  readonly entity?: string
  readonly reference?: string
  readonly line?: string
  readonly barcode?: string
  readonly pdfUrl?: string
}

/** Whether the provider captures an authorised payment at once, or when the merchant requests it. */
export type CaptureMode = (typeof captureModes)[number]
