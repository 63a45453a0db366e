// Networks in CIDR notation: which addresses are inside, and which networks are inside others.
import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net'

/** A network. IPv4 and IPv6 are separate: `::/0` contains no IPv4 address. */
export type Cidr = {
  /** One text for each network: `10.0.0.0/8`, `2001:db8::/32`; a single address has the length 32 or 128. */
  readonly text: string
  readonly family: 'ipv4' | 'ipv6'
  readonly address: string
  readonly length: number
}

export type CidrFault = 'malformed' | 'host_bits' | 'mapped'

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
