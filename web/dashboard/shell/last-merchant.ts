// The merchant that was last open on this device: the start page leads to it.
import type { Membership } from '../api/session.ts'

const place = 'vintem-merchant'

export function rememberMerchant(id: string): void {
  localStorage.setItem(place, id)
}

/** Undefined when the user has none. */
export function startMerchant(merchants: readonly Membership[]): Membership | undefined {
  const last = localStorage.getItem(place)
  return merchants.find(({ id }) => id === last) ?? merchants[0]
}
