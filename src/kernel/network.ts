// Addresses of callers: which belong to one caller, and which belong to trusted proxies.
import { BlockList, isIPv6 } from 'node:net'

/** The network of one caller: an IPv4 address, or a whole /64 of IPv6. */
export function networkOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Whether an address is one of these: addresses or networks, such as `10.1.0.7` and `fd00::/8`. */
export function within(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', length] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (length === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(length), family)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** The fields of a request that show its sender. `socket`: the connection to us, which may be a proxy's. */
type Sent = {
  readonly headers: Readonly<Record<string, unknown>>
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * Warns once when a proxy that is not configured forwards a request: then all callers behind it have one address, the proxy's.
 */
export function createProxyWarning(
  log: { warn(fields: object, message: string): void },
  trusted: readonly string[],
): (request: Sent) => void {
  const isTrusted = within(trusted)
  let hasWarned = false
  return ({ headers, socket }) => {
    if (hasWarned) return
    if (headers['x-forwarded-for'] === undefined && headers['forwarded'] === undefined) return
    const from = socket.remoteAddress ?? ''
    if (isTrusted(from)) return
    hasWarned = true
    log.warn(
      { from },
      'a proxy that is not named in VINTEM_TRUSTED_PROXIES passes requests on: its address is taken for that of every caller',
    )
  }
}
