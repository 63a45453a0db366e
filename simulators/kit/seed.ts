// Names and numbers that look random. The same seed and the same sequence of events give the same ones.
import { hash, randomInt } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The `n`th name of a kind: at most 64 letters and digits. */
export function seededText(seed: number, kind: string, n: number, length: number): string {
  const digest = hash('sha512', `${seed}:${kind}:${n}`, 'buffer')
  let text = ''
  for (let i = 0; i < length; i++) text += alphabet.charAt((digest[i] ?? 0) % alphabet.length)
  return text
}

/** A number in [0, 1) that depends only on its arguments. */
export function seededChance(seed: number, kind: string, n: number): number {
  return Number.parseInt(hash('sha256', `${seed}:${kind}:${n}`, 'hex').slice(0, 12), 16) / 2 ** 48
}

export function freshSeed(): number {
  return randomInt(1, 2 ** 31)
}
