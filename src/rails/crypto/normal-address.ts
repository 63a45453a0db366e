// An address as withdrawals keep it.
import { parseAddress, toChecksum } from '#/evm/address.ts'

/** The address with its checksum (EIP-55); undefined for a text that is no address. A search needs no checksum. */
export function normalAddress(text: string): string | undefined {
  const address = parseAddress(text.toLowerCase())
  return address === undefined ? undefined : toChecksum(address)
}
