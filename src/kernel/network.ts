// Addresses of callers: which belong to one caller, and which belong to trusted proxies.
import { BlockList, isIPv6, isIP, SocketAddress } from 'node:net'

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

// Networks in CIDR notation: which addresses are inside, and which networks are inside others.

/** A network. IPv4 and IPv6 are separate: `::/0` contains no IPv4 address. */
export type Cidr = {
  /** One text for each network: `10.0.0.0/8`, `2001:db8::/32`; a single address has the length 32 or 128. */
  readonly text: string
  readonly family: 'ipv4' | 'ipv6'
  readonly address: string
  readonly length: number
}

type CidrFault = 'malformed' | 'host_bits' | 'mapped'

const shape = /^([0-9a-f.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/i

/** Reads `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`. Returns what is wrong with any other text. */
export function parseCidr(text: string): Cidr | CidrFault {
  const [, written = '', lengthText] = shape.exec(text) ?? []
  const version = isIP(written)
  if (version === 0) return 'malformed'
  const family = version === 6 ? 'ipv6' : 'ipv4'
  const bits = version === 6 ? 128 : 32
  const length = lengthText === undefined ? bits : Number(lengthText)
  if (length > bits) return 'malformed'
  // The platform's spelling: small letters, the longest run of zeros left out.
  const { address } = new SocketAddress({ address: written, family })
  if (plainAddress(address) !== address) return 'mapped'
  if (bitsOf(address) % 2n ** BigInt(bits - length) !== 0n) return 'host_bits'
  return { text: `${address}/${length}`, family, address, length }
}

/** Whether every address of `inner` is in `outer`. */
export function contains(outer: Cidr, inner: Cidr): boolean {
  if (outer.family !== inner.family || outer.length > inner.length) return false
  const rest = BigInt((outer.family === 'ipv6' ? 128 : 32) - outer.length)
  return bitsOf(outer.address) >> rest === bitsOf(inner.address) >> rest
}

/** A check whether an address is in one of these networks. A text that is no address is in none. */
export function insideOf(networks: readonly Cidr[]): (address: string) => boolean {
  const list = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const { family, address, length } of networks) list[family].addSubnet(address, length, family)
  return (text) => {
    const address = plainAddress(text)
    const version = isIP(address)
    if (version === 0) return false
    const family = version === 6 ? 'ipv6' : 'ipv4'
    return list[family].check(address, family)
  }
}

/** The address without its zone. An IPv4 address that is written as IPv6 (`::ffff:10.0.0.7`, `::ffff:a00:7`) becomes IPv4. */
export function plainAddress(text: string): string {
  const [address = ''] = text.split('%')
  if (!isIPv6(address)) return address
  const bits = bitsOf(address)
  if (bits >> 32n !== 0xffffn) return address
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.')
}

function bitsOf(address: string): bigint {
  if (!isIPv6(address)) return fromParts(address.split('.'), 10, 8n)
  // The last 32 bits may be written as IPv4.
  const [, head = '', dotted] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? []
  const groups = dotted === undefined ? address : `${head}${groupsOf(fromParts(dotted.split('.'), 10, 8n))}`
  const [before = '', after] = groups.split('::')
  const left = before === '' ? [] : before.split(':')
  const right = after === undefined || after === '' ? [] : after.split(':')
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return fromParts([...left, ...zeros, ...right], 16, 16n)
}

function groupsOf(bits: bigint): string {
  return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`
}

function fromParts(parts: readonly string[], radix: number, width: bigint): bigint {
  return parts.reduce((bits, part) => (bits << width) + BigInt(Number.parseInt(part, radix)), 0n)
}

// The forms of addresses in the settings, and of those that servers bind to.

/** Links, cookies and passkeys are made for whole hosts. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash, username, password } = new URL(text)
  const isHttp = protocol === 'https:' || protocol === 'http:'
  return (
    isHttp && /^\/*$/.test(pathname) && !/[?#]/.test(text) && `${search}${hash}${username}${password}` === ''
  )
}

/** An IP address, or one with the length of its prefix after a slash (RFC 4632 §3.1, RFC 4291 §2.3). */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || more.length > 0) return false
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128))
}

/** An address without a zone, or the name of a host: what a server can bind to, and a URL can name. */
export function isBindable(text: string): boolean {
  if (isIP(text) !== 0) return !text.includes('%')
  return (
    /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text) &&
    !/^[\d.]+$/.test(text)
  )
}

/**
 * Where this machine reaches a server that is bound to `bound`. `name`: how people name this machine. It leads to 127.0.0.1, and not
 * everywhere to ::1.
 */
export function urlHere(bound: string, port: number, scheme = 'http', name = '127.0.0.1'): string {
  const at = isBindable(bound) ? urlHostOf(bound) : '127.0.0.1'
  return `${scheme}://${at === '127.0.0.1' ? name : at}:${port}`
}

/** The host, as URLs write it, at which this machine reaches a server that is bound to `text`. */
function urlHostOf(text: string): string {
  if (isIP(text) === 4) return /^0(?:\.0){3}$/.test(text) ? '127.0.0.1' : text
  if (isIP(text) === 6) {
    const { hostname } = new URL(`http://[${text}]`)
    // All addresses of this machine, of both families.
    return hostname === '[::]' ? '127.0.0.1' : hostname
  }
  return text
}
