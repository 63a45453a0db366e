// A boleto's line of 47 digits and its bar code of 44: their content, and whether their check digits are correct. The line has the
// digits of the bar code in another order, and a check digit after each of its first three fields (FEBRABAN, "Layout padrão de
// código de barras").
import { dayMs } from '#/kernel/time.ts'

export type BoletoLine = {
  readonly barcode: string
  /** In cents; 0 where the payer may choose. */
  readonly amountMinor: bigint
  /** Days since the base of the cycle; undefined where the boleto has no due date. */
  readonly dueFactor: number | undefined
}

/** Reads a line, with or without its punctuation. Undefined: it is not a line, or a check digit is wrong. */
export function readBoletoLine(text: string): BoletoLine | undefined {
  const line = text.replaceAll(/[\s.]/g, '')
  if (!/^\d{47}$/.test(line)) return undefined
  const fields = [line.slice(0, 10), line.slice(10, 21), line.slice(21, 32)]
  if (!fields.every((field) => mod10(field.slice(0, -1)) === Number(field.at(-1)))) return undefined
  const free = line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31)
  const barcode = line.slice(0, 4) + line.slice(32) + free
  return isBoletoBarcode(barcode) ? { barcode, ...contentOf(barcode) } : undefined
}

/** Whether the text is the bar code of a boleto, with a correct check digit. */
export function isBoletoBarcode(text: string): boolean {
  return /^\d{44}$/.test(text) && mod11(text.slice(0, 4) + text.slice(5)) === Number(text[4])
}

/** The line of a bar code. */
export function boletoLineOf(barcode: string): string {
  const free = barcode.slice(19)
  const fields = [barcode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)]
  return fields.map((field) => `${field}${mod10(field)}`).join('') + barcode.slice(4, 19)
}

function contentOf(barcode: string): Omit<BoletoLine, 'barcode'> {
  const factor = Number(barcode.slice(5, 9))
  // Below 1000 the digits belong to the amount or mean no date.
  return { amountMinor: BigInt(barcode.slice(9, 19)), dueFactor: factor < 1_000 ? undefined : factor }
}

/** The day that factor 0 would mean. The factor reached 9999 on 2025-02-21 and began again at 1000 on the next day. */
const base = Date.UTC(1997, 9, 7)
const cycle = 9_000

/**
 * The due date of a factor, as UTC midnight. A factor means one day in each cycle of 9,000 days. We take the day nearest to `at`,
 * because no rule is published.
 */
export function dueDateOf(factor: number, at: Date): Date {
  const first = base + factor * dayMs
  const turns = Math.max(0, Math.round((at.getTime() - first) / (cycle * dayMs)))
  return new Date(first + turns * cycle * dayMs)
}

/** Weights 2 and 1 from the right; the digits of each product are added. */
function mod10(digits: string): number {
  const sum = fromRight(digits).reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (product > 9 ? product - 9 : product)
  }, 0)
  return (10 - (sum % 10)) % 10
}

/** Weights 2 to 9 from the right, repeated; the results 0, 10 and 11 become 1. */
function mod11(digits: string): number {
  const sum = fromRight(digits).reduce((total, digit, index) => total + Number(digit) * (2 + (index % 8)), 0)
  const rest = 11 - (sum % 11)
  return rest > 9 ? 1 : rest
}

function fromRight(digits: string): readonly string[] {
  return digits.split('').toReversed()
}
