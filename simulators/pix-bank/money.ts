// Amounts travel as text such as "10.00" and are counted in cents.

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const amount = /^\d{1,10}\.\d{2}$/

export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && amount.test(value)
}

export function centsOf(text: string): bigint {
  return BigInt(text.replace('.', ''))
}

export function amountOf(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** "1234.50" as R$ 1.234,50: from its digits, so that no amount is rounded. */
export function brl(text: string): string {
  return money.format(text as `${number}`)
}
