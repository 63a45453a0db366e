// Who holds an API key, as far as this service knows: all keys made from one key by rotation have one lineage.
import type { ApiKeyId } from '#/kernel/id.ts'

/** The lineage of each key: the id of the first key of its chain of rotations. See selectLineages. */
export type Lineages = ReadonlyMap<ApiKeyId, ApiKeyId>

/**
 * Whether these two keys count as one person where two people are required. True for one key, and for two keys made from the same key
 * by rotation. False for keys that were issued separately, whatever their names: who holds them is not known here.
 */
export function isSameLineage(lineages: Lineages, a: ApiKeyId, b: ApiKeyId): boolean {
  return (lineages.get(a) ?? a) === (lineages.get(b) ?? b)
}
