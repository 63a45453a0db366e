// The link of a payer's page. Anyone who has the link sees what the payer sees, so it cannot be guessed. It contains the code of
// its cell, so that an installation with several cells finds the payment.
import { randomBytes } from 'node:crypto'

export type PageLink = { readonly token: string; readonly url: string }

/** The hosts of our pages, without a slash at their end. */
export type PageHosts = { readonly cell: string; readonly checkout: string; readonly partner: string }

/** A new link on one of our hosts, with 192 random bits. */
export function newPageLink(hosts: PageHosts, host: 'CHECKOUT' | 'PARTNER'): PageLink {
  const token = newToken(hosts)
  return { token, url: `${host === 'PARTNER' ? hosts.partner : hosts.checkout}/c/${token}` }
}

/** The page of a new payment link, with as many random bits. */
export function newLinkUrl(hosts: PageHosts): PageLink {
  const token = newToken(hosts)
  return { token, url: `${hosts.checkout}/l/${token}` }
}

function newToken({ cell }: PageHosts): string {
  return `${cell}${randomBytes(24).toString('base64url')}`
}

/** Whether the text has the format of a token, so that nothing else is looked up. */
export function isPageToken(text: string): boolean {
  return /^[a-z0-9]{2}[A-Za-z0-9_-]{32}$/.test(text)
}
