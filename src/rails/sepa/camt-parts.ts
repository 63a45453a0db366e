// The parts that every entry and balance of a camt file has: its side, amount and day.
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
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,5}))?$/.exec(element?.text ?? '') ?? []
  const currency = element?.attributes['Ccy'] ?? ''
  if (whole === undefined || !/^[A-Z]{3}$/.test(currency)) throw new UnreadableFile(`${of} has no amount`)
  if (/[^0]/.test(fraction.slice(2)))
    throw new UnreadableFile(`${of} has an amount with a fraction of a cent`)
  return { minor: BigInt(whole + fraction.slice(0, 2).padEnd(2, '0')), currency }
}

/** A day, or an instant of which the bank's own day counts. */
export function dayOf(element: Element, name: string, of: string): string {
  const text = textAt(element, `${name}/Dt`, `${name}/DtTm`)?.slice(0, 10) ?? ''
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDay) throw new UnreadableFile(`${of} has no day in ${name}`)
  return text
}

/** An amount in a currency whose places we do not know, as a decimal that always looks the same. */
export function decimalOf(element: Element | undefined, of: string): string {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,5}))?$/.exec(element?.text ?? '') ?? []
  if (whole === undefined) throw new UnreadableFile(`${of} has no amount`)
  return `${BigInt(whole)}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}
