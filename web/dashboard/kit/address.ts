// The form of an address on an EVM chain, for a hint while somebody types. The server reads it, with its checksum, and decides.

export function hasAddressForm(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text.trim())
}
