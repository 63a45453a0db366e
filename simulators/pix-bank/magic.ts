// Amounts and recipients with a meaning of their own, so that a test can choose what happens without a control call.
import { centsOf } from './money.ts'

/** The last two digits of the amounts 50.01 to 50.14. Any other amount waits for a payer. */
export const chargeMagic = {
  '01': 'paid after 2 s, one webhook',
  '02': 'paid after 2 s, the webhook is lost',
  '03': 'paid after 2 s, the webhook comes three times',
  '04': 'paid after 2 s, the webhook comes 30 s later',
  '05': 'paid after 2 s by two different Pix',
  '06': 'paid after 2 s, 1.00 too much',
  '07': 'paid after 2 s, 1.00 too little',
  '08': 'paid at once: the webhook comes before the answer to PUT',
  '09': 'paid after 2 s; 20 s later the money goes back (MED_FRAUDE)',
  '10': 'never paid',
  '11': 'PUT is answered with 503 twice, then works',
  '12': 'PUT is stored, but the connection is cut instead of an answer',
  '13': 'paid after 2 s and given back (MED_OPERACIONAL); the webhook of that comes before the receipt’s',
  '14': 'paid after 2 s; GET /pix lists it only 90 s after the webhook',
} as const
export type ChargeMagic = keyof typeof chargeMagic

/** The part before those digits. */
const magicUnits = 50n

/** The scenario of a new charge of this amount; undefined for one that waits for its payer. */
export function magicOf(amount: string): ChargeMagic | undefined {
  const all = centsOf(amount)
  if (all / 100n !== magicUnits) return undefined
  const cents = (all % 100n).toString().padStart(2, '0')
  return Object.keys(chargeMagic).find((each): each is ChargeMagic => each === cents)
}

/** Codes with which the other bank refuses, some time after it was sent (reasons of pacs.002). */
export const refusalCodes = [
  'AC03',
  'AC06',
  'AC07',
  'BE01',
  'DS04',
  'FRAD',
  'DUPL',
  'ED05',
  'AB03',
  'AM02',
] as const

/** Recipients of payouts: the part before @sim.pix. Any other recipient is paid after 1 s. */
export const payoutMagic = {
  ok: 'paid after 1 s',
  pending: 'paid after 60 s',
  approve: 'waits for a control call',
  notfound: 'refused: no such key',
  timeout: 'accepted, but the connection is cut instead of an answer; paid after 1 s',
  lost: 'paid after 1 s, without a webhook',
  returned: 'paid after 1 s, and comes back 2 s later',
  '500then': 'answered with 500, but accepted; paid after 1 s',
  '429': 'answered with 429 twice, then accepted; paid after 1 s',
  night: 'refused: above the night limit',
} as const
export type PayoutMagic = keyof typeof payoutMagic

/** The meaning of a recipient's key: a scenario, or a code with which the other bank refuses. */
export function recipientMagic(pixKey: string): PayoutMagic | { readonly refusedWith: string } | undefined {
  const [name, host] = pixKey.split('@')
  if (name === undefined || host !== 'sim.pix') return undefined
  const refusedWith = refusalCodes.find((code) => code.toLowerCase() === name)
  if (refusedWith !== undefined) return { refusedWith }
  return Object.keys(payoutMagic).find((each): each is PayoutMagic => each === name)
}
