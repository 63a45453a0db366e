// Who stands behind an API key, as far as this service knows: all keys that came of one key by rotation have one lineage.
import type { ApiKeyId } from '#/kernel/id.ts'

/** The lineage of each key: the id of the first key of its chain of rotations. See selectLineages. */
export type Lineages = ReadonlyMap<ApiKeyId, ApiKeyId>

/**
 * Whether these two keys count as one person where two are asked for. True for one key, and for two that came of the same key by
 * rotation, however often. False for keys that were issued apart, whatever their names: who holds them is not known here.
 */
export function isSameLineage(lineages: Lineages, a: ApiKeyId, b: ApiKeyId): boolean {
  return (lineages.get(a) ?? a) === (lineages.get(b) ?? b)
}
