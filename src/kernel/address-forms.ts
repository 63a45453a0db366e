// The forms of addresses in the settings, and of those that servers bind to.
import { isIP } from 'node:net'

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
