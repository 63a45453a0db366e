// Names that the bank gives. The same seed and the same course of events give the same names.
import { hash, randomInt } from 'node:crypto'
import { minuteStamp } from './clock.ts'

/** Who the payer's bank, and this bank, are in the Pix network (ISPB). Neither exists. */
const payersIspb = '99999008'
const ownIspb = '99999004'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The `n`th name of a kind: letters and digits. */
export function seededText(seed: number, kind: string, n: number, length: number): string {
  const digest = hash('sha512', `${seed}:${kind}:${n}`, 'buffer')
  let text = ''
  for (let i = 0; i < length; i++) text += alphabet.charAt((digest[i] ?? 0) % alphabet.length)
  return text
}

/** The access token of a charge's location. */
export function locationToken(seed: number, n: number): string {
  return hash('sha256', `${seed}:location:${n}`, 'hex').slice(0, 32)
}

/** 32 characters: E, the payer's bank, the minute in UTC, and 11 more. `way`: money in, or money out. */
export function endToEndId(seed: number, way: 'in' | 'out', n: number, at: number): string {
  const ispb = way === 'in' ? payersIspb : ownIspb
  return `E${ispb}${minuteStamp(at)}${seededText(seed, `e2e-${way}`, n, 11)}`
}

/** The same for money that goes back: D. */
export function returnId(seed: number, way: 'in' | 'out', n: number, at: number): string {
  const ispb = way === 'in' ? payersIspb : ownIspb
  return `D${ispb}${minuteStamp(at)}${seededText(seed, `rtr-${way}`, n, 11)}`
}

/** A number in [0, 1) that depends on nothing but its arguments. */
export function seededChance(seed: number, kind: string, n: number): number {
  return Number.parseInt(hash('sha256', `${seed}:${kind}:${n}`, 'hex').slice(0, 12), 16) / 2 ** 48
}

export function freshSeed(): number {
  return randomInt(1, 2 ** 31)
}
