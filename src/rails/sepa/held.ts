// Movements that are held: each has the name of another movement, or its transfers do not make its amount. A person decides once whether it
// is another movement, which is then booked like any, or that one, told in other words. Inspected by audit/rails/sepa-files.ts.
import type { Sql, Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { concernedByMatch, type Concerned } from './concerned.ts'
import type { Matched } from './entry.ts'
import * as queries from './held-queries.ts'
import { entryOf, tellOf, type ImportDeps } from './import.ts'
import { matchMovements } from './match.ts'
import type { Movement } from './movement.ts'
import { entryOfRef, providerRefOf } from './receipts.ts'
import { lockAccount } from './statement-queries.ts'

/** What waits for a person, as it is shown, beside the movement that it is like. */
export type Held = {
  readonly connection: ConnectionId
  /** Its own name, which may have a day added to the bank's. */
  readonly entry: string
  /** Negative where money left. */
  readonly minor: bigint
  readonly currency: Currency
  readonly bookedOn: string
  readonly wrote: string
  readonly party: string
  readonly like?: {
    readonly entry: string
    readonly minor: bigint
    readonly bookedOn: string
    readonly wrote: string
  }
}

/** At most this many are shown; the oldest first. */
const shownMax = 500

export async function listHeld(sql: Sql): Promise<readonly Held[]> {
  return (await queries.selectHeld(sql, { limit: shownMax })).map(heldOf)
}

export type HeldVerdict =
  | { readonly kind: 'decided'; readonly held: Held }
  /** There is none of this name, or it was decided before. */
  | { readonly kind: 'not_found' }
  /** It cannot be the movement that it is like: why, for a person. */
  | { readonly kind: 'not_same'; readonly reason: string }

/** `isSame`: it is the movement that it is like, and moves nothing. Otherwise it is another one, and is matched and booked now. */
export async function decideHeld(
  { sql, keep }: Pick<ImportDeps, 'sql' | 'keep'>,
  {
    connection,
    entry,
    isSame,
    note,
  }: Pick<Held, 'connection' | 'entry'> & {
    readonly isSame: boolean
    /** Runs in the transaction of the decision. `concerned`: whose it is if it is another movement. */
    readonly note?: (tx: Tx, concerned: Concerned) => Promise<void>
  },
): Promise<HeldVerdict> {
  return sql.begin<HeldVerdict>(async (tx): Promise<HeldVerdict> => {
    // Locked as by an import, which may be about the same movement.
    await lockAccount(tx, connection)
    const row = await queries.lockHeld(tx, { connection, ...entryOfRef(entry) })
    if (row === undefined) return { kind: 'not_found' }
    const reason = isSame ? notSame(row) : undefined
    if (reason !== undefined) return { kind: 'not_same', reason }
    const found = await matchedAs(tx, connection, row)
    const names = [...new Set(Object.values(row.fact.ids ?? {}))]
    await note?.(tx, await concernedByMatch(tx, connection, found, { ...row, names }))
    if (isSame) await queries.endAsSame(tx, row)
    else await book({ tx, keep, connection }, row, found)
    return { kind: 'decided', held: heldOf(row) }
  })
}

/** Why it cannot be the movement that it is like. */
function notSame({ likeMinor, likeCredit, likeStatement, ...row }: queries.HeldRow): string | undefined {
  if (likeMinor === null) return 'it is like no other movement'
  if (likeMinor !== row.minor || likeCredit !== row.credit) return 'the other one moved another amount'
  return row.statement !== null && likeStatement !== null
    ? 'both are in statements, whose balances moved by each of them'
    : undefined
}

/** What it is if it is another movement. */
async function matchedAs(tx: Tx, connection: ConnectionId, row: queries.HeldRow): Promise<Matched> {
  const nobodys: Matched = { kind: row.credit ? 'UNATTRIBUTED' : 'OTHER' }
  // Nobody knows whose how much is of an entry that contradicts itself: it goes to suspense.
  const [matched = nobodys] =
    row.fact.contradicts === true ? [nobodys] : await matchMovements(tx, connection, [movementOf(row)])
  // A debit that names a file of payments and is not all of it is other money, as the person says.
  return matched.kind === 'HELD' ? nobodys : matched
}

async function book(
  { tx, keep, connection }: Pick<ImportDeps, 'keep'> & { readonly tx: Tx; readonly connection: ConnectionId },
  row: queries.HeldRow,
  found: Matched,
): Promise<void> {
  const movement = movementOf(row)
  const stored = entryOf(movement, found, row.statement ?? undefined, row.file)
  await queries.endAsOther(tx, connection, stored)
  await tellOf(tx, keep, connection, { movements: [movement], matched: [found], rows: [stored] })
}

/** The movement as its file reported it. */
function movementOf({ fact, credit, ...row }: queries.HeldRow): Movement {
  const { reference, part, minor, currency, bookedOn } = row
  const { endToEndId, returned, party, ids = {}, contradicts, ofFile } = fact
  const names = [ids.transfer, ids.txId, ids.uetr].filter((each) => each !== undefined && each !== ids.entry)
  return {
    entry: 0,
    reference,
    part,
    isCredit: credit,
    minor,
    currency,
    bookedOn,
    ids,
    remittance: fact.remittance === '' ? [] : [fact.remittance],
    names: names.flatMap((each) => each ?? []),
    ...given({ endToEndId, returned, party, contradicts, ofFile }),
  }
}

/** A stored movement as a person is shown it. */
export function heldOf({ fact, credit, minor, ...row }: queries.HeldRow): Held {
  const { connection, currency, bookedOn, likeReference, likePart, likeMinor, likeBookedOn, likeFact } = row
  const party = [fact.party?.name, fact.party?.iban].filter((each) => each !== undefined).join(', ')
  const shown = {
    connection,
    entry: providerRefOf(row),
    minor: credit ? minor : -minor,
    currency,
    bookedOn,
    wrote: fact.remittance,
    party,
  }
  if (likeReference === null || likeMinor === null) return shown
  const like = {
    entry: providerRefOf({ reference: likeReference, part: likePart ?? 0 }),
    minor: row.likeCredit === true ? likeMinor : -likeMinor,
    bookedOn: likeBookedOn ?? '',
    wrote: likeFact?.remittance ?? '',
  }
  return { ...shown, like }
}
