// A bank corrects a statement: the same name and balances, other entries. Two people accept it together with what it takes back: a credit
// that only the statement before it has goes back like one that the bank recalled, and what only the correction has is imported.
// Inspected by audit/rails/sepa-files.ts.
import type { Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import { parseCamt } from './camt.ts'
import type { AccountReport, Movement } from './movement.ts'
import * as corrections from './correct-queries.ts'
import type { Matched } from './entry.ts'
import { followOn, holdNotifications, keptText, newMovements, reportedText } from './follow.ts'
import type { KeptEntry } from './identity-queries.ts'
import { entryOf, storeHeld, storeMovements, tellOf, type EntryPlace, type ImportDeps } from './import.ts'
import { providerRefOf } from './receipts.ts'
import { selectCredit } from './recall-queries.ts'
import { insertEntries, lockAccount, writeFile } from './statement-queries.ts'
import { UnreadableFile } from './unreadable.ts'

/** What a correction does, for the people who accept it. */
export type Correction = {
  readonly statement: string
  readonly takenBack: readonly string[]
  readonly added: readonly string[]
  /** The names of the credits that it takes back, and the merchants whose payments it changes. */
  readonly credits: readonly string[]
  readonly merchants: readonly MerchantId[]
}

export type Corrected =
  | { readonly kind: 'corrected'; readonly correction: Correction }
  | { readonly kind: 'not_found' }
  /** Why it cannot be accepted, for a person. */
  | { readonly kind: 'refused'; readonly reason: string }

type Order = {
  readonly connection: ConnectionId
  /** Of the file that was refused. */
  readonly sha256: Buffer
  /** Runs in the transaction of the correction; what it throws undoes all of it. */
  readonly note: (tx: Tx, correction: Correction) => Promise<void>
}

/** Accepts a refused file as the correction of its statement. */
export async function correctStatement(deps: ImportDeps, order: Order): Promise<Corrected> {
  try {
    return await deps.sql.begin((tx) => correct(tx, deps, order))
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: 'refused', reason: error.message }
    throw error
  }
}

async function correct(
  tx: Tx,
  { connections, keep }: ImportDeps,
  { connection, sha256, note }: Order,
): Promise<Corrected> {
  await lockAccount(tx, connection)
  const refused = await corrections.selectRefused(tx, connection, sha256)
  const iban = connections.all('SEPA_TRANSFER').find(({ id }) => id === connection)?.settings['iban']
  if (refused === undefined || iban === undefined) return { kind: 'not_found' }
  const report = onlyReport(parseCamt(refused.bytes).reports.filter((each) => each.iban === iban))
  const statement = await followOn(tx, connection, report, sha256)
  if (statement?.isKnown !== true)
    throw new UnreadableFile('its statement was not imported before: hand it in like any file')
  const { fresh, held, lacking } = await newMovements(tx, connection, report, {
    ...statement,
    isCorrection: true,
  })
  const place = { connection, statement: statement.number, file: sha256 }
  const credits = await takeBack(tx, keep, place, lacking)
  const matched: Matched[] = []
  for (const side of [true, false]) {
    const movements = fresh.filter(({ isCredit }) => isCredit === side)
    matched.push(...(await storeMovements(tx, keep, place, movements)))
  }
  matched.push(...(await storeHeld(tx, place, held)))
  await corrections.correctStatementRow(
    tx,
    { connection, currency: report.currency },
    { number: statement.number, file: sha256 },
  )
  await holdNotifications(tx, connection, report, statement.number)
  const { bytes, name, message, handedInBy } = refused
  const file = { connection, sha256, message, name, bytes, handedInBy, entries: matched.length }
  await writeFile(tx, { ...file, state: 'IMPORTED', reason: null })
  const owners = matched.flatMap((each) => ('owner' in each ? [each.owner.merchantId] : []))
  const correction = {
    statement: report.id,
    takenBack: lacking.map(keptText),
    added: [...fresh, ...held.map(({ movement }) => movement)].map(reportedText),
    credits: lacking.filter(({ credit }) => credit).map(providerRefOf),
    merchants: [...new Set([...credits, ...owners])],
  }
  await note(tx, correction)
  return { kind: 'corrected', correction }
}

function onlyReport(reports: readonly AccountReport[]): AccountReport {
  const [report, ...more] = reports
  if (report === undefined || more.length > 0)
    throw new UnreadableFile(
      'it has more than this statement: ask the bank for the corrected statement alone',
    )
  return report
}

/** Takes entries back that the correction has not, and returns the merchants whose payments they were. */
async function takeBack(
  tx: Tx,
  keep: ImportDeps['keep'],
  { connection, statement, file }: EntryPlace,
  lacking: readonly KeptEntry[],
): Promise<readonly MerchantId[]> {
  if (lacking.length === 0) return []
  const movements: Movement[] = []
  const matched: Matched[] = []
  const merchants: MerchantId[] = []
  for (const row of lacking) {
    movements.push(undoing(row, file))
    const found = await undoneBy(tx, connection, row)
    matched.push(found)
    if (found.kind === 'RECALL' && found.credit.merchantId !== null) merchants.push(found.credit.merchantId)
  }
  const rows = movements.map((movement, at) =>
    entryOf(movement, matched[at] ?? { kind: 'UNDONE', like: undefined }, statement, file),
  )
  await insertEntries(tx, connection, rows)
  await corrections.markCorrected(tx, connection, [...lacking, ...rows])
  await tellOf(tx, keep, connection, { movements, matched, rows })
  return merchants
}

async function undoneBy(tx: Tx, connection: ConnectionId, row: KeptEntry): Promise<Matched> {
  const { kind, reference, part, minor } = row
  const name = keptText(row)
  if (kind === 'OTHER') return { kind: 'UNDONE', like: { reference, part } }
  if (kind === 'HELD') throw new UnreadableFile(`${name} is held: decide it first`)
  const credit = await selectCredit(tx, connection, row)
  if (credit === undefined)
    throw new UnreadableFile(
      `${name} is about a payout or a recall (${kind}), which a correction cannot undo`,
    )
  if (credit.leftMinor !== minor)
    throw new UnreadableFile(`${name} was taken back already, or a part of it was`)
  return { kind: 'RECALL', credit }
}

/** What takes an entry back, as if the bank had reported it: one for each correction. */
function undoing({ reference, part, credit, minor, currency, bookedOn }: KeptEntry, file: Buffer): Movement {
  return {
    entry: 0,
    reference: `${reference}~${file.toString('hex').slice(0, 12)}`,
    part,
    isCredit: !credit,
    minor,
    currency,
    bookedOn,
    remittance: [],
    ids: {},
    names: [],
    returned: { reason: 'CORRECTED' },
  }
}
