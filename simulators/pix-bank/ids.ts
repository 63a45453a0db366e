// Names that the bank gives. The same seed and the same sequence of events give the same names.
import { hash } from 'node:crypto'
import { iso } from '../kit/clock.ts'
import { seededText } from '../kit/seed.ts'

/** The ISPB of the payer's bank, and of this bank, in the Pix network. Neither exists. */
const payersIspb = '99999008'
const ownIspb = '99999004'

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

/** yyyyMMddHHmm in UTC, as end-to-end ids carry it. */
function minuteStamp(at: number): string {
  return iso(at).replaceAll(/\D/g, '').slice(0, 12)
}
