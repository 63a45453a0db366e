// The addresses of the shop to which a payer's page may lead. The payer's browser opens them, not we: any host is allowed, but the URL must
// be one that a browser opens as a page. Every door that takes such an address reads it here: the API, templates, the merchant's settings,
// and the page itself.
import type { Fault, FieldFault } from './error.ts'
import type { Mode } from './mode.ts'

export type PageUrl = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly fault: Fault }

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The URL, or its fault. Plain http only for a sandbox, to the developer's own machine. */
export function readPageUrl(text: string, mode: Mode): PageUrl {
  // None of them belongs in a URL unescaped (RFC 3986), and no page needs to be trusted to escape them.
  if (/[\s\p{Cc}\\<>"`]/u.test(text))
    return fault(
      'malformed',
      'must not hold spaces, control characters, quotes, angle brackets or backslashes',
    )
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return fault('malformed', 'is not an absolute URL')
  if (url.username !== '' || url.password !== '')
    return fault('userinfo_not_allowed', 'must not carry a user or a password')
  const isOwnMachine = url.protocol === 'http:' && mode === 'SANDBOX' && loopback.test(url.hostname)
  return url.protocol === 'https:' || isOwnMachine
    ? { ok: true, url }
    : fault('scheme_not_allowed', 'must be https')
}

/** The fault of an address that a request may have, at its place in the body. */
export function pageUrlFaults(pointer: string, text: string | undefined, mode: Mode): readonly FieldFault[] {
  if (text === undefined) return []
  const read = readPageUrl(text, mode)
  return read.ok ? [] : [{ pointer, ...read.fault }]
}

function fault(code: string, message: string): PageUrl {
  return { ok: false, fault: { code, message } }
}
