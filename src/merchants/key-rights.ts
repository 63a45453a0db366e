// What rights one key may give to another: a key never grants more than it has itself.
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { contains, parseCidr, type Cidr } from '#/kernel/network.ts'
import type { Scope } from './api-key.ts'

/** What a key may do, until when, and from where. */
export type Rights = {
  readonly scopes: readonly Scope[]
  /** Null: it does not end. */
  readonly expiresAt: Date | null
  /** Null: from everywhere. */
  readonly allowedCidrs: readonly string[] | null
}

/** Throws 403, with every point in which the requested rights are more than those of the calling key. */
export function requireWithin(calling: Rights, requested: Rights): void {
  const faults = [
    ...scopeFaults(calling.scopes, requested.scopes),
    ...expiryFaults(calling.expiresAt, requested.expiresAt),
    ...cidrFaults(calling.allowedCidrs, requested.allowedCidrs),
  ]
  if (faults.length > 0)
    throw new AppError('forbidden', 'A key grants no more than it has itself.', { faults })
}

/** Throws 403 unless the calling key has every scope of the key that it wants to change. */
export function requireScopesOf(calling: Pick<Rights, 'scopes'>, target: Pick<Rights, 'scopes'>): void {
  const faults = scopeFaults(calling.scopes, target.scopes)
  if (faults.length > 0)
    throw new AppError('forbidden', 'A key changes no key that may do more than itself.', { faults })
}

function scopeFaults(calling: readonly Scope[], requested: readonly Scope[]): readonly FieldFault[] {
  return requested.flatMap((scope, index) =>
    calling.includes(scope)
      ? []
      : [{ pointer: `/scopes/${index}`, code: 'not_held', message: `is ${scope}, which this key lacks` }],
  )
}

function expiryFaults(calling: Date | null, requested: Date | null): readonly FieldFault[] {
  if (calling === null || (requested !== null && requested <= calling)) return []
  const message = `is at most ${calling.toISOString()}, when this key ends`
  return [{ pointer: '/expiresAt', code: 'too_large', message }]
}

function cidrFaults(
  calling: readonly string[] | null,
  requested: readonly string[] | null,
): readonly FieldFault[] {
  if (calling === null) return []
  const outer = readCidrs(calling)
  if (requested === null)
    return [{ pointer: '/allowedCidrs', code: 'too_wide', message: 'must be within the list of this key' }]
  return readCidrs(requested).flatMap((inner, index) =>
    outer.some((each) => contains(each, inner))
      ? []
      : [
          {
            pointer: `/allowedCidrs/${index}`,
            code: 'too_wide',
            message: `is ${inner.text}, which is in no network of this key’s list`,
          },
        ],
  )
}

/** The networks of a stored list. */
export function readCidrs(texts: readonly string[]): readonly Cidr[] {
  return texts.flatMap((text) => {
    const parsed = parseCidr(text)
    return typeof parsed === 'object' ? [parsed] : []
  })
}

const cidrMessages = {
  malformed: 'must be an address or a network such as 203.0.113.0/24 or 2001:db8::/32',
  host_bits: 'has bits beyond the length of its network',
  mapped: 'must be written as IPv4',
} as const

/** The texts of these networks as they are stored, each once. Throws 400 for one that cannot be read. */
export function cidrTexts(written: readonly string[]): readonly string[] {
  const texts: string[] = []
  const faults: FieldFault[] = []
  for (const [index, text] of written.entries()) {
    const parsed = parseCidr(text)
    if (typeof parsed === 'object') texts.push(parsed.text)
    else faults.push({ pointer: `/allowedCidrs/${index}`, code: 'malformed', message: cidrMessages[parsed] })
  }
  if (faults.length === 0) return [...new Set(texts)]
  throw new AppError('invalid_request', 'The list of networks cannot be read.', { faults })
}
