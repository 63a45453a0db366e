// What a reported movement may be looked up by. Pure: the inspection looks movements up by queries of its own.
import { entryName } from './ids.ts'
import type { Movement } from './movement.ts'

/** What a reported movement may be looked up by. `references`: the names that an earlier program gave it. */
export type Sought = {
  readonly bookedOn: string
  readonly minor: bigint
  readonly ids: readonly string[]
  readonly references: readonly string[]
}

/** By what the stored ones that a movement may be are looked up. */
export function soughtFor({ bookedOn, minor, ids, currency }: Movement): Sought {
  const values = Object.values(ids)
  const names = [ids.entry, ids.transfer].flatMap((id) =>
    id === undefined ? [] : [id, `${id}-${currency}`, entryName(id, currency)],
  )
  return { bookedOn, minor, ids: values, references: [...new Set(names)] }
}
