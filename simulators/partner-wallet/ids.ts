// Names that the wallet gives. The same seed and the same sequence of events give the same names.
import { hash, randomBytes } from 'node:crypto'

/**
 * 18 digits, as prepay and refund ids are. Above 2^53 and odd, so that a reader that parses the number as a double loses
 * digits.
 */
export function longNumber(seed: number, kind: string, n: number): string {
  const wide = BigInt(`0x${hash('sha256', `${seed}:${kind}:${n}`, 'hex').slice(0, 16)}`)
  const number = 10n ** 17n + (wide % (9n * 10n ** 17n))
  return (number - (number % 10n) + 7n).toString()
}

export function transactionId(seed: number, n: number): string {
  return `M_P_${longNumber(seed, 'transaction', n)}`
}

/** The payer's id: 32 hexadecimal digits. */
export function openUserId(seed: number, n: number): string {
  return hash('sha256', `${seed}:payer:${n}`, 'hex').slice(0, 32)
}

export function merchantNumber(seed: number, n: number): number {
  return Number.parseInt(hash('sha256', `${seed}:merchant:${n}`, 'hex').slice(0, 7), 16) + 10 ** 8
}

/** 64 letters and digits: an API key, or its secret. Never from the seed. */
export function freshKeyText(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return [...randomBytes(64)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('')
}
