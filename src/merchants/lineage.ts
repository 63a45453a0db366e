// Who holds an API key, as far as this service knows. All keys that came of one key, by rolling or because a key made them, have one
// lineage. The operator may also say which person holds a key.
import type { ApiKeyId } from '#/kernel/id.ts'

/**
 * Who holds a key. `lineage`: the first of the keys from which it came; the key itself, when a command made it. `person`: the name that the
 * operator gave, or null.
 */
export type Holder = { readonly lineage: ApiKeyId; readonly person: string | null }

/** The holder of each key. See selectLineages. */
export type Lineages = ReadonlyMap<ApiKeyId, Holder>

/**
 * Whether these two keys count as one person where two people are required. True for one key, for two keys of one lineage, and for two keys
 * that one person holds by the operator's word. False for other keys, whatever their names: who holds them is not known here.
 */
export function isSamePerson(lineages: Lineages, a: ApiKeyId, b: ApiKeyId): boolean {
  const [one, two] = [lineages.get(a), lineages.get(b)]
  if ((one?.lineage ?? a) === (two?.lineage ?? b)) return true
  return one !== undefined && one.person !== null && one.person === two?.person
}
