// Seals with the first master key what is sealed with another one. It may run beside all processes that have both keys, and may
// stop at any point: the next run leaves out what is already sealed with the first key.
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { firstKey, seal, unseal, type KeyRing } from '#/kernel/secret.ts'
import { sleep } from '#/kernel/time.ts'
import { sealedPlaces, type SealedPlace } from './places.ts'
import * as queries from './queries.ts'
import type { ResealedRow, SealedRow } from './queries.ts'

/** `read`: all sealed values. `resealed`: those that this run changed. `unopened`: the rows that no key of ours opens. */
export type MasterCounts = {
  readonly read: number
  readonly resealed: number
  readonly unopened: readonly string[]
}

export type ResealMasterDeps = {
  readonly sql: Sql
  readonly masterKey: KeyRing
  /** Called after each batch is committed. */
  readonly onProgress?: (counts: MasterCounts) => void
  /** Default: 100. */
  readonly batchMax?: number
}

const nothing: MasterCounts = { read: 0, resealed: 0, unopened: [] }
/** Processes still seal with the other key while it is being replaced, so passes are repeated until one finds nothing. */
const passesMax = 5
const triesMax = 10

/** Goes through everything that is sealed under the master key, until a pass finds nothing to do. */
export async function resealUnderMaster(deps: ResealMasterDeps): Promise<MasterCounts> {
  let resealed = 0
  for (let pass = 1; ; pass += 1) {
    const counts = await passOver(deps)
    resealed += counts.resealed
    if (counts.resealed === 0 || pass === passesMax) return { ...counts, resealed }
  }
}

async function passOver(deps: ResealMasterDeps): Promise<MasterCounts> {
  const { sql, onProgress, batchMax = 100 } = deps
  let counts = nothing
  for (const place of sealedPlaces) {
    for (let after: SealedRow | undefined; ;) {
      const page = await queries.selectSealedValues(sql, place, after, batchMax)
      after = page.at(-1)
      if (after === undefined) break
      counts = await resealPage(deps, place, page, counts)
      onProgress?.(counts)
    }
  }
  return counts
}

async function resealPage(
  { sql, masterKey }: ResealMasterDeps,
  place: SealedPlace,
  page: readonly SealedRow[],
  before: MasterCounts,
): Promise<MasterCounts> {
  const ring = place.keyOf(masterKey)
  const unopened: string[] = []
  const rows = page.flatMap((row): readonly ResealedRow[] => {
    const where = place.placeOf(row.id)
    if (opened(firstKey(ring), where, row.sealed) !== undefined) return []
    const plain = opened(ring, where, row.sealed)
    if (plain !== undefined) return [{ ...row, resealed: seal(ring, where, plain) }]
    unopened.push(`${place.table} ${row.id} (${place.column})`)
    return []
  })
  const changed = rows.length === 0 ? 0 : await store(sql, place, rows)
  return {
    read: before.read + page.length,
    resealed: before.resealed + changed,
    unopened: [...before.unopened, ...unopened],
  }
}

/** Others may hold the rows for a moment, or lock them in another order. */
async function store(sql: Sql, place: SealedPlace, rows: readonly ResealedRow[]): Promise<number> {
  for (let remaining = triesMax; ; remaining -= 1) {
    try {
      let changed = 0
      await sql.begin(async (tx) => {
        changed = await queries.updateSealedValues(tx, place, rows)
      })
      return changed
    } catch (error) {
      if (remaining === 0 || classify(error) !== 'again') throw error
      await sleep(200)
    }
  }
}

/** Undefined: no key of the ring opens it. */
function opened(ring: KeyRing, place: string, sealed: Buffer): Buffer | undefined {
  try {
    return unseal(ring, place, sealed)
  } catch {
    return undefined
  }
}
