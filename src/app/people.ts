// The dependencies of users, their sessions and their factors, for the processes that need them.
import { deriveKey } from '#/kernel/secret.ts'
import { userTeller } from '#/mail/letter.ts'
import type { PeopleDeps } from '#/people/user.ts'
import type { Core } from './core.ts'

/** The dashboard's host name is what passkeys belong to. */
export function peopleDeps({
  config,
  sql,
  masterKey,
}: Pick<Core, 'config' | 'sql' | 'masterKey'>): PeopleDeps {
  const { origin, hostname } = new URL(config.VINTEM_DASHBOARD_URL)
  return {
    sql,
    key: deriveKey(masterKey, 'people'),
    site: { name: 'Vintem', rpId: hostname, origin },
    ...(config.VINTEM_SMTP_URL === '' ? {} : { tell: userTeller(masterKey, origin) }),
  }
}
