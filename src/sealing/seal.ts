// Seals the audit log: the hash of a batch covers the digests of entries, so somebody who can write to the database cannot
// remove or change an entry without being detected. From its own transaction on, an entry waits in audit_unsealed.
// Inspected by audit/audit-log.ts and audit/ledger-chain.ts.
import type { Sql } from '#/db/client.ts'
import { auditEntryDigest, sealsMax } from '#/ledger/chain.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import * as queries from './queries.ts'
import type { SealRow } from './queries.ts'

/** An entry of the audit log, and the digest of what it says. */
type Candidate = Omit<SealRow, 'position'>

/** How many entries the batch seals for the item. None: others had sealed them, and nothing is committed. */
type SealVerdict = { readonly sealed: number }

type View = {
  /** Those that a batch covers, this one included. */
  readonly sealed: Set<string>
  /** The last position that this batch gave. */
  position: number
}

type SealKind<Draft> = RunnableKind<readonly Candidate[], SealVerdict, Draft>

export type SealerDeps<Draft> = {
  readonly sql: Sql
  readonly lane: Pick<LedgerLane<Draft>, 'submit'>
}

/**
 * Seals the first waiting entries, at most a thousand, and returns how many it sealed. Any number of processes may do it at
 * once: the lane's lock decides which of them seals an entry. Without waiting entries it costs one query and commits nothing.
 */
export function createSealer<Draft>({ sql, lane }: SealerDeps<Draft>): { poll(): Promise<number> } {
  const kind = sealKind<Draft>()
  return {
    async poll() {
      // Read outside of the lock, because entries never change: only who seals them is decided under it.
      const waiting = await queries.selectUnsealed(sql, sealsMax)
      if (waiting.length === 0) return 0
      const candidates = waiting.map((entry) => ({ id: entry.id, digest: auditEntryDigest(entry) }))
      return (await lane.submit(kind, candidates)).sealed
    },
  }
}

/** The bytes of one candidate: a UUID as text, and a digest. */
const candidateBytes = 36 + 32

/** Seals entries, as a kind of work for the ledger lane. */
function sealKind<Draft>(): SealKind<Draft> {
  return runnable<readonly Candidate[], View, readonly SealRow[], SealVerdict, Draft>({
    name: 'seal the audit log',
    bytesOf: (candidates) => candidates.length * candidateBytes,
    weightOf: (candidates) => candidates.length * candidateBytes,
    async load({ tx }, items) {
      const ids = items.flatMap((candidates) => candidates.map(({ id }) => id))
      return { sealed: new Set(await queries.selectSealed(tx, ids)), position: 0 }
    },
    decide(view, candidates) {
      const seals = candidates.flatMap(({ id, digest }) => {
        if (view.sealed.has(id) || view.position === sealsMax) return []
        view.sealed.add(id)
        view.position += 1
        return [{ id, digest, position: view.position }]
      })
      const verdict = { sealed: seals.length }
      return seals.length === 0 ? { verdict } : { verdict, change: seals }
    },
    write: ({ tx, number }, changes) => queries.writeSeals(tx, changes.flat(), number),
    sealedBy: (changes) => changes.flat().map(({ digest }) => digest),
  })
}
