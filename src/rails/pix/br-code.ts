// The BR Code: the text behind "Pix Copia e Cola" and its picture. EMV QRCPS Merchant Presented Mode, as narrowed by the Manual
// do BR Code and the Manual de Padrões para Iniciação do Pix (§2.6 static, §2.7 dynamic, §2.8 composite). We write it strictly.
// We read it tolerantly, because PSPs write what the manuals forbid (bacen/pix-api issue 189).
import { invariant } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { toDecimal } from '#/kernel/money.ts'
import { inAscii } from '#/rails/kit/latin.ts'

/** The receiver in the code. The payer's app shows the name from the key's directory instead. */
export type Receiver = {
  /** At most 25 characters, counted as they are written in ASCII. */
  readonly name: string
  /** At most 15 characters. */
  readonly city: string
  readonly postalCode?: string
}

/**
 * - `STATIC`: a key, and perhaps an amount and a txid. Anyone can create one; the PSP does not know it.
 * - `DYNAMIC`: a location at the PSP of the charge, with its amount and txid.
 * - `RECURRENCE`: a location of the consent to a recurring charge, without a charge.
 * With `recurrenceUrl` the first two are composite: the payer pays and is asked for that consent.
 */
export type BrCode = {
  readonly receiver: Receiver
  /** Object 01. It is not reliable: many dynamic codes have none. */
  readonly use?: 'REUSABLE' | 'SINGLE_USE'
  readonly recurrenceUrl?: string
} & (
  | {
      readonly kind: 'STATIC'
      readonly key: string
      /** Object 26-02, shown to the payer. */
      readonly info?: string
      /** Object 26-03: the ISPB of the institution that pays out the cash of a Pix Saque. */
      readonly withdrawalIspb?: string
      /** Centavos. Absent: the payer enters the amount. */
      readonly amount?: bigint
      /** Absent: `***`. */
      readonly txid?: string
    }
  | {
      readonly kind: 'DYNAMIC'
      /** Without a scheme; it is https. */
      readonly url: string
    }
  | { readonly kind: 'RECURRENCE'; readonly recurrenceUrl: string }
)

export type ParsedBrCode =
  | { readonly ok: true; readonly code: BrCode }
  | { readonly ok: false; readonly fault: string }

/** Returns the text of a code. Throws InvariantError for values that the manuals forbid: validate outside input first. */
export function buildBrCode(code: BrCode): string {
  const { receiver, use, recurrenceUrl } = code
  const name = within(inAscii(receiver.name), 25, 'the name')
  const city = within(inAscii(receiver.city), 15, 'the city')
  invariant(use !== 'SINGLE_USE' || code.kind === 'DYNAMIC', 'only a dynamic code is for one use')
  const body = [
    object('00', '01'),
    use === undefined ? '' : object('01', use === 'SINGLE_USE' ? '12' : '11'),
    object('26', accountOf(code)),
    object('52', '0000'),
    object('53', brl),
    code.kind === 'STATIC' && code.amount !== undefined ? object('54', amountText(code.amount)) : '',
    object('58', 'BR'),
    object('59', name),
    object('60', city),
    receiver.postalCode === undefined ? '' : object('61', within(receiver.postalCode, 8, 'the postal code')),
    object('62', object('05', code.kind === 'STATIC' ? txidText(code.txid) : anyTxid)),
    recurrenceUrl === undefined ? '' : object('80', object('00', gui) + object('25', recurrenceUrl)),
    '6304',
  ].join('')
  if (recurrenceUrl !== undefined) {
    invariant(isLocation(recurrenceUrl), 'a recurrence is at a place without a scheme')
    invariant(
      code.kind !== 'DYNAMIC' || hostOf(code.url) === hostOf(recurrenceUrl),
      'one PSP for both places',
    )
  }
  const text = body + crc16(body)
  invariant(text.length <= textMax, `a code has at most ${textMax} characters`)
  return text
}

/**
 * Reads a code.
 * - Accepted: over-long names and txids, txids with other characters, any spelling of the GUI, and an amount or txid in a dynamic
 *   code (both mean nothing there).
 * - Refused: a wrong checksum, a key beside a URL, a URL with a scheme, and another currency than BRL.
 */
export function parseBrCode(untrimmed: string): ParsedBrCode {
  const text = untrimmed.trim()
  if (text.length > textMax) return fault(`is over ${textMax} characters`)
  if (!/6304[0-9a-f]{4}$/i.test(text)) return fault('does not end in a checksum')
  if (crc16(text.slice(0, -4)) !== text.slice(-4).toUpperCase()) return fault('has a wrong checksum')
  const objects = readObjects(text)
  if (objects === undefined) return fault('is not made of whole objects, each once')
  const [first] = objects
  if (first?.[0] !== '00' || first[1] !== '01') return fault('does not begin with version 01')
  const at = new Map(objects)
  if (at.get('53') !== brl) return fault('is in another currency than BRL')
  if (at.get('58') !== 'BR') return fault('is of another country than BR')
  const [name, city] = [at.get('59'), at.get('60')]
  if (name === undefined || city === undefined) return fault('names no receiver')
  const accounts = templatesOf(objects, 26, 51)
  const recurrences = templatesOf(objects, 80, 99)
  if (accounts.length > 1 || recurrences.length > 1) return fault('has two accounts for Pix')
  const recurrenceUrl = recurrences[0]?.get('25')
  const part = readAccount(accounts[0] ?? new Map(), at, recurrenceUrl)
  if (!part.ok) return part
  const use = at.get('01')
  const postalCode = at.get('61')
  const code: BrCode = {
    ...part.code,
    receiver: { name, city, ...given({ postalCode }) },
    ...(use === '12' ? { use: 'SINGLE_USE' } : use === '11' ? { use: 'REUSABLE' } : {}),
    ...given({ recurrenceUrl }),
  }
  return { ok: true, code }
}

/** Whether `text` is a valid location at a PSP: host and path, no scheme, at most 77 characters. */
export function isLocation(text: string): boolean {
  return (
    text.length <= locationMax && /^[a-z0-9.-]+(?::\d{1,5})?\/[!-~]+$/i.test(text) && !text.includes('://')
  )
}

/** CRC-16/IBM-3740 (CCITT-FALSE): polynomial 0x1021, starts with 0xFFFF, neither reflected nor inverted. Four hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

/** The limit of API Pix for a whole code (pixCopiaECola). */
const textMax = 512
const locationMax = 77
const gui = 'br.gov.bcb.pix'
const brl = '986'
/** Always used in a dynamic code: the charge's own txid is longer than the object and is stored at the PSP. */
const anyTxid = '***'

function accountOf(code: BrCode): string {
  const pix = object('00', gui)
  switch (code.kind) {
    case 'STATIC': {
      const { key, info, withdrawalIspb } = code
      invariant(/^[!-~]{1,77}$/.test(key), 'a key has 1 to 77 characters without spaces')
      invariant(
        withdrawalIspb === undefined || /^[0-9A-Z]{8}$/.test(withdrawalIspb),
        'an ISPB has 8 characters',
      )
      const shown = info === undefined ? '' : object('02', within(inAscii(info), 72, 'the information'))
      return (
        pix + object('01', key) + shown + (withdrawalIspb === undefined ? '' : object('03', withdrawalIspb))
      )
    }
    case 'DYNAMIC':
      invariant(isLocation(code.url), 'a charge is at a place without a scheme')
      return pix + object('25', code.url)
    case 'RECURRENCE':
      return pix
  }
}

/** Id, length in two digits, value. */
function object(id: string, value: string): string {
  invariant(value.length >= 1 && value.length <= 99, `object ${id} has 1 to 99 characters`)
  return id + value.length.toString().padStart(2, '0') + value
}

function within(text: string, max: number, name: string): string {
  invariant(/^[ -~]+$/.test(text) && text.length <= max, `${name} has 1 to ${max} plain characters`)
  return text
}

function amountText(amount: bigint): string {
  const text = toDecimal({ minor: amount, currency: 'BRL' })
  invariant(amount > 0n && text.length <= 13, 'an amount is more than nothing and has at most 13 characters')
  return text
}

function txidText(txid: string | undefined): string {
  invariant(
    txid === undefined || /^[a-zA-Z0-9]{1,25}$/.test(txid),
    'a static txid has 1 to 25 letters and digits',
  )
  return txid ?? anyTxid
}

function hostOf(location: string): string {
  return location.slice(0, location.indexOf('/')).toLowerCase()
}

function fault(text: string): { readonly ok: false; readonly fault: string } {
  return { ok: false, fault: `the BR Code ${text}` }
}

type Objects = readonly (readonly [id: string, value: string])[]

/** Returns undefined when the lengths do not add up, or an id occurs twice. */
function readObjects(text: string): Objects | undefined {
  const objects: [string, string][] = []
  let at = 0
  while (at < text.length) {
    const head = /^(\d\d)(\d\d)/.exec(text.slice(at))
    if (head?.[1] === undefined || head[2] === undefined) return undefined
    const end = at + 4 + Number.parseInt(head[2], 10)
    if (end > text.length || objects.some(([id]) => id === head[1])) return undefined
    objects.push([head[1], text.slice(at + 4, end)])
    at = end
  }
  return objects
}

/** Returns the templates between two ids that belong to Pix. A code can contain other arrangements as well. */
function templatesOf(objects: Objects, from: number, to: number): readonly ReadonlyMap<string, string>[] {
  return objects.flatMap(([id, value]) => {
    const number = Number.parseInt(id, 10)
    if (number < from || number > to) return []
    const template = new Map(readObjects(value))
    return template.get('00')?.toLowerCase() === gui ? [template] : []
  })
}

type Account =
  | {
      readonly kind: 'STATIC'
      readonly key: string
      readonly info?: string
      readonly withdrawalIspb?: string
    }
  | { readonly kind: 'DYNAMIC'; readonly url: string }
  | { readonly kind: 'RECURRENCE'; readonly recurrenceUrl: string }

function readAccount(
  account: ReadonlyMap<string, string>,
  at: ReadonlyMap<string, string>,
  recurrenceUrl: string | undefined,
): { readonly ok: true; readonly code: Account } | { readonly ok: false; readonly fault: string } {
  const [key, url] = [account.get('01'), account.get('25')]
  if (key !== undefined && url !== undefined) return fault('has both a key and a URL')
  if ([url, recurrenceUrl].some((each) => each?.includes('://'))) return fault('has a URL with a scheme')
  if (url !== undefined) return { ok: true, code: { kind: 'DYNAMIC', url } }
  if (key !== undefined) return readStatic(key, account, at)
  if (recurrenceUrl === undefined) return fault('has neither a key nor a URL')
  return { ok: true, code: { kind: 'RECURRENCE', recurrenceUrl } }
}

function readStatic(key: string, account: ReadonlyMap<string, string>, at: ReadonlyMap<string, string>) {
  const [info, withdrawalIspb, sent] = [account.get('02'), account.get('03'), at.get('54')]
  const digits = sent === undefined ? undefined : /^(\d{1,10})(?:\.(\d{0,2}))?$/.exec(sent)
  if (digits === null) return fault('has an amount that is none')
  const amount = digits === undefined ? 0n : BigInt(`${digits[1]}${(digits[2] ?? '').padEnd(2, '0')}`)
  const txid = new Map(readObjects(at.get('62') ?? '')).get('05')
  const code = {
    kind: 'STATIC' as const,
    key,
    ...given({ info, withdrawalIspb }),
    // Zero means that the payer enters the amount.
    ...(amount === 0n ? {} : { amount }),
    ...(txid === undefined || txid === anyTxid ? {} : { txid }),
  }
  return { ok: true as const, code }
}
