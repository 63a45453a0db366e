// The parts that every entry and balance of a camt file has: its side, amount and day.
import { booleanOf, dayIn, decimalOf, ibanIn, type Decimal } from './lexical.ts'
import { UnreadableFile } from './unreadable.ts'
import { textAt, type Element } from './xml.ts'

export function currencyOf(amount: Element | undefined): string {
  return amount?.attributes['Ccy'] ?? ''
}

export function isCredit(element: Element, of: string): boolean {
  const side = textAt(element, 'CdtDbtInd')
  if (side !== 'CRDT' && side !== 'DBIT') throw new UnreadableFile(`${of} is neither credit nor debit`)
  return side === 'CRDT'
}

/** A decimal of at most two places that count (ISO 20022 allows five), as minor units. Never through a float. */
export function amountOf(
  element: Element | undefined,
  of: string,
): { readonly minor: bigint; readonly currency: string } {
  const { whole, fraction, currency } = decimalIn(element, of)
  if (fraction.length > 2) throw new UnreadableFile(`${of} has an amount with a fraction of a cent`)
  return { minor: BigInt(whole + fraction.padEnd(2, '0')), currency }
}

/** The digits of an amount that an account can hold, and its currency. */
function decimalIn(element: Element | undefined, of: string): Decimal & { readonly currency: string } {
  const decimal = decimalOf(element?.text ?? '')
  const currency = currencyOf(element)
  if (decimal === undefined || !/^[A-Z]{3}$/.test(currency)) throw new UnreadableFile(`${of} has no amount`)
  if (decimal.whole.length > wholeMax)
    throw new UnreadableFile(
      `${of} has an amount of ${decimal.whole.length} digits before the point, which no account holds`,
    )
  return { ...decimal, currency }
}

/** The database holds the cents of 16 digits; sums of them have to fit too. */
const wholeMax = 15

/** A day, or an instant of which the bank's own day counts. */
export function dayOf(element: Element, name: string, of: string): string {
  const text = textAt(element, `${name}/Dt`, `${name}/DtTm`)
  if (text === undefined) throw new UnreadableFile(`${of} has no day in ${name}`)
  const day = dayIn(text)
  if (day === undefined)
    throw new UnreadableFile(`${of} has the day ${text.slice(0, 30)} in ${name}, which there is not`)
  return day
}

/** An amount in a currency whose places we do not know, as a decimal that always looks the same. */
export function decimalText(element: Element | undefined, of: string): string {
  const { whole, fraction } = decimalIn(element, of)
  return `${whole}.${fraction.padEnd(2, '0')}`
}

/** The IBAN of the account at this path. */
export function ibanAt(element: Element | undefined, account: string): string | undefined {
  const iban = textAt(element, `${account}/Id/IBAN`)
  return iban === undefined ? undefined : ibanIn(iban)
}

/** A statement may come in parts; a part does not add up, and a notification's other parts could be missing. */
export function requireWhole(element: Element, id: string): void {
  const isLast = booleanOf(textAt(element, ...pagingOf('LastPgInd')), 'LastPgInd', true)
  const page = textAt(element, ...pagingOf('PgNb')) ?? '1'
  if (!isLast || !/^0*1$/.test(page))
    throw new UnreadableFile(`${id} is one page of several: ask the bank for whole files`)
}

/** The paths of a statement, a notification and a report of the day. */
function pagingOf(name: string): readonly string[] {
  return ['StmtPgntn', 'NtfctnPgntn', 'RptPgntn'].map((each) => `${each}/${name}`)
}
