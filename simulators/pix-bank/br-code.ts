// BR Codes (EMV merchant-presented mode): the text behind a Pix QR code. The bank writes dynamic ones and reads both.
import { given } from '../kit/given.ts'

const gui = 'br.gov.bcb.pix'

export type BrCode = {
  /** Of a dynamic code: host and path of its payment location, without the scheme. */
  readonly location?: string
  /** Of a static code. */
  readonly pixKey?: string
  readonly amount?: string
  readonly txid?: string
}

/** A dynamic code: it can be used once, and its location holds all else. `name` and `city` as the payer's app shows them. */
export function dynamicCode(
  location: string,
  receiver: { readonly name: string; readonly city: string },
): string {
  const account = field('00', gui) + field('25', location)
  const start =
    field('00', '01') +
    field('01', '12') +
    field('26', account) +
    field('52', '0000') +
    field('53', '986') +
    field('58', 'BR') +
    field('59', plain(receiver.name, 25)) +
    field('60', plain(receiver.city, 15)) +
    field('62', field('05', '***')) +
    '6304'
  return start + crcOf(start)
}

/** Parses a code; undefined when it is none, or its checksum is wrong. */
export function readCode(text: string): BrCode | undefined {
  if (text.slice(-8, -4) !== '6304' || crcOf(text.slice(0, -4)) !== text.slice(-4).toUpperCase())
    return undefined
  const fields = fieldsOf(text)
  const account = fieldsOf(fields?.get('26') ?? '')
  if (fields === undefined || account?.get('00')?.toLowerCase() !== gui) return undefined
  const location = account.get('25')
  const pixKey = account.get('01')
  if ((location === undefined) === (pixKey === undefined) || location?.includes('://') === true)
    return undefined
  if (location !== undefined) return { location }
  const amount = fields.get('54')
  const txid = fieldsOf(fields.get('62') ?? '')?.get('05')
  return {
    ...given({ pixKey, amount }),
    ...(txid === undefined || txid === '***' ? {} : { txid }),
  }
}

function field(id: string, value: string): string {
  return id + value.length.toString().padStart(2, '0') + value
}

function fieldsOf(text: string): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>()
  for (let at = 0; at < text.length;) {
    const head = /^\d{4}$/.exec(text.slice(at, at + 4))?.[0]
    if (head === undefined) return undefined
    const length = Number.parseInt(head.slice(2), 10)
    const value = text.slice(at + 4, at + 4 + length)
    if (value.length !== length) return undefined
    fields.set(head.slice(0, 2), value)
    at += 4 + length
  }
  return fields
}

/** Letters without accents: a payer's app counts bytes. */
function plain(text: string, max: number): string {
  const ascii = text
    .normalize('NFD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, max)
    .trim()
  return ascii === '' ? 'N' : ascii
}

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
  return crc & 0xffff
})

/** CRC-16/CCITT-FALSE: polynomial 1021, start FFFF, as four upper-case hexadecimal digits. */
export function crcOf(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) crc = ((crc << 8) ^ (crcTable[(crc >> 8) ^ byte] ?? 0)) & 0xffff
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
