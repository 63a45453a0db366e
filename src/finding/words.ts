// The words of finding by metadata.

/** The records that are found by metadata. */
export const metadataResources = ['PAYMENT', 'WITHDRAWAL'] as const
export type MetadataResource = (typeof metadataResources)[number]

/** FILLING: records of before are being filled in. REMOVING: it was taken from the list, and its values are being cleared away. */
export type MetadataKeyStatus = 'FILLING' | 'READY' | 'REMOVING'

/** Longer values are not found: nobody types them. */
export const valueLengthMax = 500
