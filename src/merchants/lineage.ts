// Who holds an API key, as far as this service knows. All keys that came of one key, by rolling or because a key made them, have one
// lineage. The operator may also say which person holds a key.
import type { ApiKeyId } from '#/kernel/id.ts'

/**
 * Whose key it is. `lineage`: the first key of those that it came of; itself, when a command made it. `person`: the operator's word,
 * null when it said none.
 */
export type Holder = { readonly lineage: ApiKeyId; readonly person: string | null }

/** The holder of each key. See selectLineages. */
export type Lineages = ReadonlyMap<ApiKeyId, Holder>

/**
 * Whether these two keys count as one person where two people are required: one key, two keys of one lineage, and two keys of which
 * the operator said that one person holds both. False for other keys, whatever their names: who holds them is not known here.
 */
export function isSamePerson(lineages: Lineages, a: ApiKeyId, b: ApiKeyId): boolean {
  const [one, two] = [lineages.get(a), lineages.get(b)]
  if ((one?.lineage ?? a) === (two?.lineage ?? b)) return true
  return one !== undefined && one.person !== null && one.person === two?.person
}
