// Where webhooks may go. Merchants choose the URLs, and without this check they could make us call our own network (server-side
// request forgery). An address that is not public is refused in every form: as a literal, in any spelling, or as the answer of a
// name server. A URL is checked when it comes in, so that the merchant learns of a fault early, and again at each connection, which
// goes to the very addresses that were checked.
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { messageOf, type Fault } from '#/kernel/error.ts'
import type { Mode } from '#/kernel/mode.ts'

export type GuardPolicy = {
  readonly allowHttp: boolean
  readonly allowLoopback: boolean
  /** Internal networks that are allowed as well: `10.1.0.0/16`, `fd00::/8`. */
  readonly allowCidrs?: readonly string[]
}

/** The operator's settings of the guard. */
type GuardSettings = { readonly VINTEM_SANDBOX: 'on' | 'off'; readonly VINTEM_WEBHOOK_ALLOW: string }

/**
 * Where webhooks may go. A sandbox on a developer's machine also allows plain HTTP and that machine itself. Other
 * addresses that are not public are allowed only in networks that the operator named.
 */
export function guardPolicies({
  VINTEM_SANDBOX,
  VINTEM_WEBHOOK_ALLOW,
}: GuardSettings): Readonly<Record<Mode, GuardPolicy>> {
  const isSandbox = VINTEM_SANDBOX === 'on'
  const allowCidrs = VINTEM_WEBHOOK_ALLOW.split(',').filter((cidr) => cidr !== '')
  return {
    LIVE: { allowHttp: false, allowLoopback: false, allowCidrs },
    SANDBOX: { allowHttp: isSandbox, allowLoopback: isSandbox, allowCidrs },
  }
}

const urlLengthMax = 2_048

/** RFC 1035 §2.3.4. Counted as it is sent: a short name in another script can be a long one in ASCII. */
const hostLengthMax = 253

export type UrlVerdict =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly fault: Fault }

/**
 * Whether webhooks may be sent to `text`, judged by the URL alone: names are looked up when sending. Send to the URL that is
 * returned; do not parse the text a second time.
 */
export function checkUrl(text: string, policy: GuardPolicy): UrlVerdict {
  if (text.length > urlLengthMax) return fault('too_long', `has more than ${urlLengthMax} characters`)
  if (/[\s\p{Cc}\\]/u.test(text))
    return fault('malformed', 'must not hold spaces, control characters or backslashes')
  const url = URL.parse(text)
  if (url === null || url.hostname === '' || url.hostname.length > hostLengthMax) {
    return fault('malformed', 'is not an absolute URL')
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowHttp)) {
    return fault('scheme_not_allowed', policy.allowHttp ? 'must be https or http' : 'must be https')
  }
  if (url.username !== '' || url.password !== '')
    return fault('userinfo_not_allowed', 'must not carry a user or a password')
  if (!isHostAllowed(url, policy)) return fault('address_not_allowed', 'must lead to a public address')
  return { ok: true, url }
}

function fault(code: string, message: string): UrlVerdict {
  return { ok: false, fault: { code, message } }
}

/** The host without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

function isHostAllowed(url: URL, policy: GuardPolicy): boolean {
  const host = hostOf(url)
  if (isIP(host) !== 0) return isAddressAllowed(host, policy)
  return !isLocalName(host) || localAddresses.some((address) => isAddressAllowed(address, policy))
}

/** Names that mean this machine, even when a name server says otherwise (RFC 6761 §6.3). */
function isLocalName(host: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(host)
}

const localAddresses: readonly string[] = ['127.0.0.1', '::1']

/** Whether a connection to this IP address may be made: it is public, or the policy names its network. */
export function isAddressAllowed(address: string, policy: GuardPolicy): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0) return false
  if (allowListOf(policy).check(address, family)) return true
  if (family === 'ipv6' && !publicV6.check(address, 'ipv6')) return false
  return !denied.check(address, family)
}

// Ranges that the IANA special-purpose registries do not call globally reachable.
const denied = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])

/** The only range of IPv6 that is assigned to the Internet: mapped, translated, local and multicast addresses all lie outside. */
const publicV6 = blockList(['2000::/3'])

const loopback: readonly string[] = ['127.0.0.0/8', '::1/128']

const allowLists = new WeakMap<GuardPolicy, BlockList>()

function allowListOf(policy: GuardPolicy): BlockList {
  const list = allowLists.get(policy)
  if (list !== undefined) return list
  const made = blockList([...(policy.allowLoopback ? loopback : []), ...(policy.allowCidrs ?? [])])
  allowLists.set(policy, made)
  return made
}

function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = '', bits = ''] = cidr.split('/')
    list.addSubnet(network, Number(bits), isIP(network) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** The addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** The policy forbids the address: no connection was tried. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
}

/**
 * For a socket's `lookup`: returns only addresses that may be connected to. The address that was checked is the one that is used, so
 * a name server that changes its answer afterwards (DNS rebinding) changes nothing. Sockets do not call it for literal addresses;
 * `checkUrl` covers those.
 */
export function guardedLookup(policy: GuardPolicy, resolve: Resolve): LookupFunction {
  async function answer(...[host, options, callback]: Parameters<LookupFunction>): Promise<void> {
    try {
      const found = isLocalName(host) ? localAddresses : await resolve(host)
      const addresses = found.filter((address) => isAddressAllowed(address, policy))
      const [first] = addresses
      if (first === undefined) throw new AddressRefused(`${host} has no address that may be called`)
      if (options.all)
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        )
      else callback(null, first, isIP(first))
    } catch (error) {
      callback(error instanceof Error ? error : new Error(messageOf(error)), '', 0)
    }
  }
  return (...call) => void answer(...call)
}

/**
 * Queries the name servers directly. The operating system's own resolver has four threads for the whole process, and one merchant's
 * dead name server would block them all. It is used only for names that no server knows, which may stand in the hosts file.
 */
export function createResolve(): Resolve {
  const servers = new Resolver({ timeout: 1_500, tries: 2 })
  return async (host) => {
    const answers = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const failed = answers.find((answer) => answer.status === 'rejected' && !isUnknownName(answer.reason))
    if (failed?.status === 'rejected') throw failed.reason
    return (await systemLookup(host, { all: true })).map(({ address }) => address)
  }
}

function isUnknownName(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
}
