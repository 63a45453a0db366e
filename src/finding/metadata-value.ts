// A value of metadata by which records are found, and the state of its key.
import type { MerchantId } from '#/kernel/id.ts'

/** The records that are found by metadata. */
export const metadataResources = ['PAYMENT', 'WITHDRAWAL'] as const
export type MetadataResource = (typeof metadataResources)[number]

/** FILLING: older records are being filled in. REMOVING: it was taken from the list, and its values are being deleted. */
export type MetadataKeyStatus = 'FILLING' | 'READY' | 'REMOVING'

/** Longer values are not found: nobody types them. */
export const valueLengthMax = 500

/** A value to find by, under a merchant's declared key. */
export type WantedValue = {
  readonly merchantId: MerchantId
  readonly keyId: number
  readonly name: string
  readonly value: string
}
