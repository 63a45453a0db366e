// The format of an API key: `vtm_live_` or `vtm_test_`, the cell's code, 30 random base62 digits (178 bits), and six base62 digits
// of a CRC-32 over all that comes before. A typing error or a guess fails the checksum and costs no look-up.
import { createHmac, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { scopes } from '#/contract/keys.ts'
import { invariant } from '#/kernel/check.ts'
import type { Mode } from '#/kernel/mode.ts'

export type Scope = (typeof scopes)[number]

/** The scopes of a key that is made without a list of scopes: all, except to make keys and to act for sub-accounts, which must be named. */
export const usualScopes: readonly Scope[] = scopes.filter(
  (scope) => scope !== 'keys:write' && scope !== 'subaccounts:act',
)

/** What the owner of a wrong key is told. */
export const notValid = 'This API key is not a valid one.'

const prefixes = { LIVE: 'vtm_live_', SANDBOX: 'vtm_test_' } as const satisfies Record<Mode, string>
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretDigits = 30
const checksumDigits = 6

const shape = /^(vtm_live_|vtm_test_)([a-z0-9]{2})[0-9A-Za-z]{30}[0-9A-Za-z]{6}$/

/** A new key, from the operating system's random numbers. It is shown once and never stored. */
export function newApiKey(mode: Mode, cell: string): string {
  invariant(/^[a-z0-9]{2}$/.test(cell), 'a cell code has two characters')
  const secret = Array.from({ length: secretDigits }, () => alphabet.charAt(randomInt(alphabet.length))).join(
    '',
  )
  const body = prefixes[mode] + cell + secret
  return body + checksumOf(body)
}

/** The mode and cell in a key; undefined when it cannot be one of our keys. */
export function parseApiKey(text: string): { readonly mode: Mode; readonly cell: string } | undefined {
  const [, prefix, cell] = shape.exec(text) ?? []
  if (cell === undefined) return undefined
  if (text.slice(-checksumDigits) !== checksumOf(text.slice(0, -checksumDigits))) return undefined
  return { mode: prefix === prefixes.LIVE ? 'LIVE' : 'SANDBOX', cell }
}

/** The stored form of a key. Its 178 random bits need no slow hash; the pepper makes a stolen table useless. */
export function digestApiKey(pepper: Buffer, key: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest()
}

function checksumOf(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let digit = 0; digit < checksumDigits; digit += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
