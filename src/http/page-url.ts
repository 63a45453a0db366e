// The URLs to which a payer's page may lead. The payer's browser opens them, not we: any host is allowed, but the URL must be one that
// a browser opens as a page.
import type { Fault } from '#/kernel/error.ts'
import { hostOf, type GuardPolicy } from '#/webhooks/guard.ts'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/

/** The fault of a page's URL, if it has one. Plain http only for a sandbox, to the developer's own machine. */
export function pageUrlFault(text: string, { allowHttp }: Pick<GuardPolicy, 'allowHttp'>): Fault | undefined {
  if (/[\s\p{Cc}\\]/u.test(text))
    return { code: 'malformed', message: 'must not hold spaces, control characters or backslashes' }
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return { code: 'malformed', message: 'is not an absolute URL' }
  if (url.username !== '' || url.password !== '')
    return { code: 'userinfo_not_allowed', message: 'must not carry a user or a password' }
  const isOwnMachine = url.protocol === 'http:' && allowHttp && loopback.test(hostOf(url))
  if (url.protocol === 'https:' || isOwnMachine) return undefined
  return { code: 'scheme_not_allowed', message: 'must be https' }
}
