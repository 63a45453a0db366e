// The HAProxy of this machine, as the settings describe it.
import path from 'node:path'
import type { ProxySites } from '#/cells/proxy-config.ts'
import type { ProxyPlace } from '#/cells/proxy.ts'
import { ConfigError, type Config } from '#/config.ts'
import type { Clock } from '#/kernel/time.ts'

/** Undefined when the settings name no folder. Throws ConfigError when URLs with https have no certificate. */
export function proxyDeps(
  config: Config,
  clock: Clock,
): { readonly sites: ProxySites; readonly place: ProxyPlace } | undefined {
  const { VINTEM_PROXY_DIR: folder, VINTEM_PROXY_SOCKET: socket, VINTEM_PROXY_CERT: certificate } = config
  if (folder === '') return undefined
  const urls = {
    api: config.VINTEM_API_URL,
    checkout: config.VINTEM_CHECKOUT_URL,
    partner: config.VINTEM_PARTNER_CHECKOUT_URL,
    dashboard: config.VINTEM_DASHBOARD_URL,
    callbacks: config.VINTEM_CALLBACK_URL,
  }
  const { callbacks: _, ...shown } = urls
  if (certificate === '' && Object.values(shown).some((url) => url.startsWith('https:')))
    throw new ConfigError(
      'VINTEM_PROXY_CERT is not set, and a public URL has https.',
      'Set it to a file with the certificate and its key (PEM), for all those host names.',
    )
  const [vouchingHeader = ''] = config.VINTEM_CALLBACK_PROXY_HEADER.split(':')
  return {
    place: { folder, socket: path.resolve(folder, socket || 'master.sock'), clock },
    sites: {
      folder,
      address: config.VINTEM_HOST,
      urls,
      ...(certificate === '' ? {} : { certificate: path.resolve(folder, certificate) }),
      ...(config.VINTEM_RATE_LIMIT === 0 ? {} : { keyLimit: config.VINTEM_RATE_BURST }),
      ...(vouchingHeader === '' ? {} : { vouchingHeader }),
    },
  }
}
