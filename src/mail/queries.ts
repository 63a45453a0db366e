// All SQL of letters.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow, type IsDue } from '#/db/due.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { Id, MerchantId } from '#/kernel/id.ts'

export type LetterId = Id<'letter'>

/**
 * Letters that a person waits for have one lane; notices and receipts have one for each merchant. So nobody waits behind another merchant's
 * letters, however many there are.
 */
export type Lane = 'people' | 'merchants'

const ofPeople = 'smtp'
const dueLetters: Readonly<Record<Lane, DueTable>> = {
  people: { name: 'letter', isListed: (sql) => sql`due.connection = ${ofPeople}` },
  merchants: { name: 'letter', isListed: (sql) => sql`due.connection <> ${ofPeople}` },
}

export function isLetterDue(lane: Lane): IsDue {
  return someDue(dueLetters[lane])
}

/** `merchantId`: whose notice or receipt it is. */
export async function insertLetter(
  tx: Sql | Tx,
  id: LetterId,
  sealed: Buffer,
  merchantId: MerchantId | undefined,
): Promise<void> {
  await tx`
    insert into letter (id, sealed, created_at, due_at, connection)
    values (${id}, ${sealed}, ${dueNow(tx)}, ${dueNow(tx)}, ${merchantId ?? ofPeople})`
}

export type DueLetter = {
  readonly id: LetterId
  readonly sealed: Buffer
  /** Whether it was written so long ago that it is of no use any more. */
  readonly isOld: boolean
  readonly claim: Claim
}

/** `lifeMs`: after this time a letter is old. */
export async function claimLetters(
  sql: Sql,
  lane: Lane,
  slots: Slots,
  { leaseMs, lifeMs }: { readonly leaseMs: number; readonly lifeMs: number },
): Promise<readonly DueLetter[]> {
  const rows = await sql<(Omit<DueLetter, 'claim'> & { connection: string; takes: number })[]>`
    with recursive ${chosen(sql, dueLetters[lane], slots)}
    update letter
       set due_at = ${dueIn(sql, leaseMs)}, takes = takes + 1
     where ctid = any (array(select ctid from chosen))
    returning id, sealed, created_at < ${dueIn(sql, -lifeMs)} as "isOld", connection, takes`
  return rows.map(({ connection, takes, ...letter }) => ({
    ...letter,
    claim: { id: letter.id, connection, number: takes },
  }))
}

/** Makes it due again in `waitMs`. False when another worker has claimed it since. */
export async function postponeLetter(sql: Sql, { id, claim }: DueLetter, waitMs: number): Promise<boolean> {
  const result = await sql`
    update letter set due_at = ${dueIn(sql, waitMs)} where id = ${id} and takes = ${claim.number}`
  return result.count === 1
}

/** Deletes a letter that was sent, or is given up. A worker that claimed it since sends it again, with the same id of the message. */
export async function deleteLetter(sql: Sql, id: LetterId): Promise<void> {
  await sql`delete from letter where id = ${id}`
}
