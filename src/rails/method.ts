// The name of a method, and what comes with a payment by some of them.
import type { captureModes } from '#/contract/words.ts'
import type { methods } from './methods.ts'

export type Method = (typeof methods)[number]

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
