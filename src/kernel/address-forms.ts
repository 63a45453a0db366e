// The forms of addresses in the settings.
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
