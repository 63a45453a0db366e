// Vouchers as a bank prints them, with valid check digits: a Multibanco reference, and the line of a boleto of a bank that does not exist.

/** SIBS's example entity. */
export const entity = '90150'
const weights = [3, 30, 9, 90, 27, 76, 81, 34, 49, 5, 50, 15, 53, 45, 62, 38, 89, 17, 73, 51]

/** Seven digits and two check digits over entity, digits and amount (cents). */
export function referenceOf(serial: number, amount: number): string {
  const digits = String(serial % 10_000_000).padStart(7, '0')
  const all = `${entity}${digits}${String(amount).padStart(8, '0')}`
  let sum = 0
  for (let at = 0; at < all.length; at += 1) sum += Number(all[all.length - 1 - at]) * (weights[at] ?? 0)
  return `${digits}${String(98 - (sum % 97)).padStart(2, '0')}`
}

const dayMs = 86_400_000

/** The line of a boleto of bank 999, due on the day of `dueAt` (milliseconds), of `amount` cents. */
export function boletoLine(serial: number, amount: number, dueAt: number): string {
  // Days since 1997-10-07; after 9999, on 2025-02-21, the count went back to 1000.
  const days = Math.floor((dueAt - Date.UTC(1997, 9, 7)) / dayMs)
  const factor = days < 10_000 ? days : 1_000 + ((days - 10_000) % 9_000)
  const free = String(serial).padStart(25, '0')
  const rest = `${String(factor).padStart(4, '0')}${String(amount).padStart(10, '0')}`
  const check = modulo11(`9999${rest}${free}`)
  const fields = [`9999${free.slice(0, 5)}`, free.slice(5, 15), free.slice(15)]
  return `${fields.map((field) => field + modulo10(field)).join('')}${check}${rest}`
}

function modulo10(text: string): number {
  let sum = 0
  let weight = 2
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const product = Number(text[at]) * weight
    sum += Math.floor(product / 10) + (product % 10)
    weight = weight === 2 ? 1 : 2
  }
  return (10 - (sum % 10)) % 10
}

function modulo11(text: string): number {
  let sum = 0
  let weight = 2
  for (let at = text.length - 1; at >= 0; at -= 1) {
    sum += Number(text[at]) * weight
    weight = weight === 9 ? 2 : weight + 1
  }
  const digit = 11 - (sum % 11)
  return digit === 0 || digit > 9 ? 1 : digit
}
