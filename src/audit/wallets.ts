// Inspects wallets: compares own transfers with the books, and the tally with the entries.
// Inspects what wallets/transfer.ts and wallets/tally.ts decide.
import { fingerprintOf } from '#/wallets/own-transfer.ts'
import { eachPage, inSnapshot, type Inspection, type Inspector, type SubjectKind } from '#/db/inspection.ts'
import { toJsonInteger } from '#/kernel/money.ts'
import {
  selectKeptMarks,
  selectMarkKeys,
  selectSteps,
  selectTallied,
  type MarkKey,
  type Total,
} from './tally-queries.ts'
import * as queries from './wallets-queries.ts'

export const walletInspections: readonly Inspection[] = [
  { name: 'wallets', inspect: inspectWallets },
  { name: 'tally', inspect: inspectTally },
]

/** Own transfers, as subjects of transfers. */
export const ownTransferSubjects: SubjectKind = {
  inspect: inspectOwnTransfers,
  among: queries.selectOwnTransfersAmong,
}

const walletsMax = 1_000
const transfersMax = 1_000
const marksMax = 200

/** The accounts of a wallet are in the wallet's currency. */
async function inspectWallets({ sql, saw, fault }: Inspector): Promise<void> {
  await eachPage<queries.WalletRow>(
    (after) => queries.selectAccountCurrencies(sql, after, walletsMax),
    (wallets) => {
      saw('wallets', wallets.length)
      for (const { id, currency, others } of wallets)
        for (const other of others) fault(`wallet ${id}`, `is in ${currency}, but has an account in ${other}`)
    },
  )
}

/** Each own transfer moved its money once, between wallets of its merchant, with the hash of its request and at its time. */
async function inspectOwnTransfers({ sql, upTo, saw, fault }: Inspector): Promise<bigint> {
  let explained = 0n
  await eachPage<queries.OwnTransferRow>(
    (after) => queries.selectOwnTransferRows(sql, after, transfersMax),
    async (rows) => {
      saw('own transfers', rows.length)
      const booked = await queries.selectBooked(
        sql,
        rows.map(({ id }) => id),
      )
      const bookedOf = Map.groupBy(booked, ({ subject }) => subject)
      for (const row of rows) {
        for (const what of faultsOf(row, bookedOf.get(row.id) ?? [])) fault(`own transfer ${row.id}`, what)
      }
      explained += BigInt(booked.filter(({ number }) => number >= 1n && number <= upTo.transfer).length)
    },
  )
  return explained
}

function faultsOf(row: queries.OwnTransferRow, booked: readonly queries.BookedRow[]): readonly string[] {
  const faults: string[] = []
  const { mode, fromWalletId, toWalletId, amountMinor, description, metadata } = row
  const fingerprint = fingerprintOf({
    fromWalletId,
    toWalletId,
    amount: toJsonInteger(amountMinor),
    ...(description === null ? {} : { description }),
    ...(metadata === null ? {} : { metadata }),
  })
  if (!row.isOwn) faults.push('is not between two wallets of its merchant and currency')
  if (!fingerprint.equals(row.fingerprint)) faults.push('is not what its fingerprint says')
  const [moved, ...more] = booked
  if (moved === undefined) return [...faults, 'moved nothing in the books']
  if (more.length > 0) faults.push(`moved ${booked.length} times in the books`)
  const isSame =
    moved.kind === 'TRANSFER' &&
    moved.minor === amountMinor &&
    moved.debit === `${mode}/wallet:${fromWalletId}:available` &&
    moved.credit === `${mode}/wallet:${toWalletId}:available`
  if (!isSame) faults.push(`is not what transfer ${moved.number} moved`)
  if (!moved.cause.equals(fingerprint)) faults.push(`has another cause in transfer ${moved.number}`)
  if (moved.at?.getTime() !== row.createdAt.getTime())
    faults.push(`has another time than transfer ${moved.number}`)
  return faults
}

/** Each mark is the sum of the mark before it and of the entries in between, by kind. */
async function inspectTally({ sql, saw, fault }: Inspector): Promise<void> {
  const { watermark, head } = await selectTallied(sql)
  if (watermark > head) fault('tally watermark', `is ${watermark}, but the last transfer is ${head}`)
  for (let last: MarkKey | undefined; ;) {
    const { marks, totals, steps } = await inSnapshot(sql, async (tx) => {
      const page = await selectMarkKeys(tx, last, marksMax)
      const wanted = page.flatMap(({ account, transfer, before }) => [
        { account, transfer },
        { account, transfer: before },
      ])
      return {
        marks: page,
        totals: await selectKeptMarks(tx, unique(wanted)),
        steps: await selectSteps(tx, page),
      }
    })
    if (marks.length === 0) return
    saw('marks', marks.length)
    const [totalsOf, stepsOf] = [totals, steps].map((each) => Map.groupBy(each, keyOf))
    for (const { account, transfer, before } of marks) {
      const row = `tally of account ${account} at transfer ${transfer}`
      if (transfer > watermark) fault(row, `lies after the watermark ${watermark}`)
      const expected = added(totalsOf?.get(`${account}/${before}`), stepsOf?.get(`${account}/${transfer}`))
      if (expected !== added(totalsOf?.get(`${account}/${transfer}`)))
        fault(row, 'is not what the entries add up to')
    }
    last = marks.at(-1)
  }
}

function keyOf({ account, transfer }: MarkKey): string {
  return `${account}/${transfer}`
}

function unique(marks: readonly MarkKey[]): readonly MarkKey[] {
  return [...new Map(marks.map((each) => [keyOf(each), each])).values()]
}

/** The sum of totals by kind, as one text that is equal when the sums are. */
function added(...parts: readonly (readonly Total[] | undefined)[]): string {
  const sums = new Map<string, { count: bigint; inflow: bigint; outflow: bigint }>()
  for (const { kind, count, inflow, outflow } of parts.flatMap((part) => part ?? [])) {
    const sum = sums.get(kind) ?? { count: 0n, inflow: 0n, outflow: 0n }
    sums.set(kind, {
      count: sum.count + count,
      inflow: sum.inflow + inflow,
      outflow: sum.outflow + outflow,
    })
  }
  return [...sums]
    .map(([kind, sum]) => `${kind} ${sum.count} ${sum.inflow} ${sum.outflow}`)
    .sort()
    .join('; ')
}
