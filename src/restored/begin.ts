// The first steps after a restore, in batches of the ledger lane: the epoch that makes the gap visible, the jump of the event
// numbers, and the event that notifies each merchant. Meanwhile no process may use the books (ledger/queries.ts,
// selectStanding).
// Inspected by audit/restores.ts.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { toJsonInteger } from '#/kernel/money.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { insertFreeze } from '#/merchants/queries.ts'
import type { By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { type EventDraft, restoreRecord } from '#/webhooks/event.ts'
import * as queries from './queries.ts'
import type { Epoch, Gap, Restore } from './queries.ts'

type Lane = Pick<LedgerLane<EventDraft>, 'submit'>
type Deps = { readonly sql: Sql; readonly lane: Lane }

/** Far more events than a merchant can have had since any backup that is worth restoring, and far from what a JSON number holds. */
export const usualJump = 1_000_000n

export type Opening = {
  readonly by: By
  /** What records show of the person. */
  readonly name: string
  readonly reason: string
  readonly eventJump: bigint
}

/** `running`: the repair of an earlier restore has not ended, and is continued. */
export type EpochVerdict = { readonly kind: 'started' | 'running'; readonly number: number }

/**
 * Begins an epoch and does the steps that need no person, or continues them. If it is killed at any point and run again, it
 * leaves nothing out and does nothing twice. `onProgress` is called with the number of merchants that a step has reached.
 */
export async function beginRepair(
  { sql, lane }: Deps,
  opening: Opening,
  onProgress?: (merchants: number) => void,
): Promise<EpochVerdict> {
  const verdict = await lane.submit(epochKind, opening)
  await endAllSessions({ sql })
  await runStep({ lane }, 'jump', onProgress)
  await runStep({ lane }, 'tell', onProgress)
  return verdict
}

type View = { readonly end: queries.End; readonly before: Restore | undefined; isTaken: boolean }
type Change = { readonly epoch: Epoch; readonly opening: Opening }

/** Begins an epoch, and lets no money out from then on. */
const epochKind: RunnableKind<Opening, EpochVerdict, EventDraft> = runnable<
  Opening,
  View,
  Change,
  EpochVerdict,
  EventDraft
>({
  name: 'begin an epoch',
  async load({ tx }) {
    const end = must(await queries.selectEnd(tx), 'a batch has a head')
    return { end, before: await queries.selectRestore(tx), isTaken: false }
  },
  decide(view, opening, { at }) {
    const { end, before } = view
    if (before !== undefined && before.openedAt === null)
      return { verdict: { kind: 'running', number: before.number } }
    const number = end.epoch + 1
    if (view.isTaken) return { verdict: { kind: 'running', number } }
    view.isTaken = true
    const epoch: Epoch = {
      number,
      id: newId<'restore'>(),
      lastBatch: end.batch,
      lastHash: end.hash,
      lastAt: end.at,
      eventJump: opening.eventJump,
      at,
    }
    return { verdict: { kind: 'started', number }, change: { epoch, opening } }
  },
  async write({ tx }, changes) {
    for (const { epoch, opening } of changes) {
      const { by, name, reason } = opening
      await queries.insertEpoch(tx, epoch)
      const freeze = { kind: 'RESTORE', merchantId: null, rail: null, reason, decidedBy: name } as const
      await insertFreeze(tx, { id: newId<'freeze'>(), ...freeze })
      const subject = `epoch:${epoch.number}`
      await writeAudit(tx, [{ ...by, action: 'books.restore', subject, after: epochRecord(epoch), reason }])
    }
  },
})

/** An epoch as the audit log has it, which the chain seals. */
function epochRecord({ id, lastBatch, lastHash, lastAt, eventJump }: Epoch) {
  return {
    id,
    lastBatch: String(lastBatch),
    lastHash: lastHash.toString('hex'),
    lastAt: lastAt.toISOString(),
    eventJump: String(eventJump),
  }
}

// ---- Merchant by merchant

type Member = { readonly id: MerchantId; readonly mode: Mode }
type Page = { readonly members: readonly Member[]; readonly gaps: ReadonlyMap<MerchantId, Gap> }
type StepView = { readonly restore: Restore; readonly page: Page; isTaken: boolean }
type StepVerdict = { readonly merchants: number }
type StepChange = { readonly restore: Restore; readonly members: readonly Member[] }
type StepName = 'jump' | 'tell'

/** The merchants of one batch: each costs an event of two kilobytes at most. */
const pageMax = 200

/**
 * Does one page of a step for each item; a page without merchants ends the step. The same batch records how far the step has
 * come, so the next run continues one that was killed.
 */
function stepKind(step: StepName): RunnableKind<StepName, StepVerdict, EventDraft> {
  const isDone = ({ jumpedAt, notifiedAt }: Restore) => (step === 'jump' ? jumpedAt : notifiedAt) !== null
  return runnable<StepName, StepView, StepChange, StepVerdict, EventDraft>({
    name: step === 'jump' ? 'jump over lost event numbers' : 'notify merchants of a restore',
    async load({ tx }) {
      const restore = must(await queries.selectRestore(tx), 'an epoch has begun')
      const after = step === 'jump' ? restore.jumpedTo : restore.notifiedTo
      const members = isDone(restore) ? [] : await queries.selectMerchantsAfter(tx, after, pageMax)
      const ids = members.map(({ id }) => id)
      const gaps = step === 'tell' ? await queries.selectGaps(tx, restore.number, ids) : []
      return {
        restore,
        page: { members, gaps: new Map(gaps.map((gap) => [gap.merchantId, gap])) },
        isTaken: false,
      }
    },
    decide(view) {
      const { restore, page } = view
      if (view.isTaken || isDone(restore)) return { verdict: { merchants: 0 } }
      view.isTaken = true
      const { members } = page
      const events = step === 'tell' ? members.flatMap((member) => eventsFor(restore, member, page.gaps)) : []
      return { verdict: { merchants: members.length }, change: { restore, members }, events }
    },
    async write({ tx }, changes) {
      for (const { restore, members } of changes) {
        const ids = members.map(({ id }) => id)
        if (step === 'jump' && ids.length > 0) await queries.jumpCounters(tx, restore, ids)
        await queries.moveStep(tx, restore.number, step, ids.at(-1) ?? null)
      }
    },
  })
}

/** A merchant that was made after the jump lost no numbers. */
function eventsFor(
  restore: Restore,
  { id: merchantId, mode }: Member,
  gaps: ReadonlyMap<MerchantId, Gap>,
): readonly EventDraft[] {
  const gap = gaps.get(merchantId)
  if (gap === undefined) return []
  const data = restoreRecord({
    id: restore.id,
    mode,
    lostFrom: restore.lastAt.toISOString(),
    lostTo: restore.at.toISOString(),
    lastSequence: toJsonInteger(gap.lastNumber),
    firstSequence: toJsonInteger(gap.firstNumber),
  })
  return [{ merchantId, mode, type: 'service.restored', resourceId: restore.id, data }]
}

/** Does the rest of a step, page by page. */
async function runStep(
  { lane }: Pick<Deps, 'lane'>,
  step: StepName,
  onProgress?: (merchants: number) => void,
): Promise<void> {
  const kind = stepKind(step)
  for (let total = 0; ;) {
    const { merchants } = await lane.submit(kind, step)
    if (merchants === 0) return
    total += merchants
    onProgress?.(total)
  }
}

const sessionsMax = 1_000

/** Ends every session and link for one use: some had been ended, or used, in what was lost. */
async function endAllSessions({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  for (;;) if ((await queries.endSessions(sql, sessionsMax)) === 0) return
}
