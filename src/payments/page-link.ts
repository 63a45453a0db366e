// The link of a payer's page. Whoever has it may see what a payer may see, so it cannot be guessed; it carries the code of
// its cell, so a growing installation knows where to look.
import { randomBytes } from 'node:crypto'

export type PageLink = { readonly token: string; readonly url: string }

/** The hosts of our pages, without a slash at their end. */
export type PageHosts = { readonly cell: string; readonly checkout: string; readonly partner: string }

/** A new link on one of our hosts: 192 bits that nobody can guess. */
export function newPageLink(hosts: PageHosts, host: 'CHECKOUT' | 'PARTNER'): PageLink {
  const token = `${hosts.cell}${randomBytes(24).toString('base64url')}`
  return { token, url: `${host === 'PARTNER' ? hosts.partner : hosts.checkout}/c/${token}` }
}

/** Whether the text looks like a token, so that nothing else is looked up. */
export function isPageToken(text: string): boolean {
  return /^[a-z0-9]{2}[A-Za-z0-9_-]{32}$/.test(text)
}
