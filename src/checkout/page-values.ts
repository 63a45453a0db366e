// The smallest values that a payer's page shows.
import type { MethodMark } from '#/rails/descriptor.ts'

/** An amount as it is shown and as it is copied: `R$ 1.234,50` and `1234.50`. */
export type ShownAmount = { readonly text: string; readonly value: string }

/** An instant as it is shown (in the page's language and time zone) and in ISO 8601, UTC. */
export type ShownInstant = { readonly text: string; readonly at: string }

/** Dark on white, as modules of a square: an SVG path within `0 0 size size`, quiet zone included. */
export type QrCode = { readonly size: number; readonly path: string; readonly label: string }

/** Our drawings of logos that payers recognise. */
export type Mark = MethodMark | 'binance' | 'visa' | 'mastercard' | 'elo' | 'amex'
