// Inspects wallets: compares own transfers with the books, and the tally with the entries.
// Inspects what wallets/transfer.ts and wallets/tally.ts decide.
import { eachPage, inSnapshot, type Inspection, type Inspector, type SubjectKind } from '#/db/inspection.ts'
import { toJsonInteger } from '#/kernel/money.ts'
import { comesFromSubAccount, fingerprintOf, requestedSides } from '#/wallets/own-transfer.ts'
import { isByOne } from './records-queries.ts'
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
async function inspectWallets({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.WalletRow>(
    (after) => queries.selectAccountCurrencies(sql, after, walletsMax),
    (wallets) => {
      inspected('wallets', wallets.length)
      for (const { id, currency, others } of wallets)
        for (const other of others) fault(`wallet ${id}`, `is in ${currency}, but has an account in ${other}`)
    },
  )
}

/**
 * - Each transfer moved its money once, at its time, between wallets of its merchant or of its sub-account, and has the hash of
 *   its request.
 * - The sub-account has an equal row.
 * - What the platform took was granted, by another person than the one who took it; or came for a closed sub-account.
 */
async function inspectOwnTransfers({ sql, upTo, inspected, fault }: Inspector): Promise<bigint> {
  let explained = 0n
  await eachPage<queries.OwnTransferRow>(
    (after) => queries.selectOwnTransferRows(sql, after, transfersMax),
    async (rows) => {
      inspected('own transfers', rows.length)
      const booked = await queries.selectBooked(
        sql,
        rows.map(({ id }) => id),
      )
      const bookedOf = Map.groupBy(booked, ({ subject }) => subject)
      for (const row of rows) {
        const moved = bookedOf.get(row.id) ?? []
        for (const what of faultsOf(row, moved)) fault(`own transfer ${row.id}`, what)
        // Both rows of one transfer explain the same movements.
        if (!row.isMirror)
          explained += BigInt(moved.filter(({ number }) => number >= 1n && number <= upTo.transfer).length)
      }
    },
  )
  return explained
}

function faultsOf(row: queries.OwnTransferRow, booked: readonly queries.BookedRow[]): readonly string[] {
  const faults: string[] = []
  const { description, metadata } = row
  const fingerprint = fingerprintOf({
    ...requestedSides(row),
    amount: toJsonInteger(row.amountMinor),
    ...(description === null ? {} : { description }),
    ...(metadata === null ? {} : { metadata }),
  })
  if (!row.isBetweenItsWallets) faults.push('is not between two wallets of its merchant and currency')
  if (!row.isFamily) faults.push('is with a merchant that is no sub-account of the other')
  if (!row.isPaired) faults.push('has no equal row of the other merchant')
  if (!row.isGranted) faults.push('was taken without a grant in force')
  if (isByOne(row)) faults.push('was taken by the person who gave the grant')
  if (!row.isPassedOn) faults.push('went on to the parent, but nothing had come for a closed sub-account')
  // The sub-account's row has the platform's fingerprint: they are compared as a pair.
  const cause = row.isMirror ? row.fingerprint : fingerprint
  if (!cause.equals(row.fingerprint)) faults.push('is not what its fingerprint says')
  const moved = booked.find(({ step }) => step === '1.move')
  if (moved === undefined) return [...faults, 'moved nothing in the books']
  if (row.otherId === null && booked.length > 1) faults.push(`moved ${booked.length} times in the books`)
  const isSame =
    moved.kind === (row.otherId === null ? 'TRANSFER' : 'SUB_TRANSFER') &&
    moved.minor === row.amountMinor &&
    moved.debit === `${row.mode}/wallet:${row.fromWalletId}:available` &&
    moved.credit === `${row.mode}/wallet:${row.toWalletId}:available`
  if (!isSame) faults.push(`is not what transfer ${moved.number} moved`)
  if (row.otherId !== null) faults.push(...faultsOfRepaid(row, booked))
  for (const { number, cause: bookedCause, at } of booked) {
    if (!bookedCause.equals(cause)) faults.push(`has another cause in transfer ${number}`)
    if (at?.getTime() !== row.createdAt.getTime()) faults.push(`has another time than transfer ${number}`)
  }
  return faults
}

/** What a transfer between a platform and its sub-account repaid, besides what it moved. */
function faultsOfRepaid(
  row: queries.OwnTransferRow,
  booked: readonly queries.BookedRow[],
): readonly string[] {
  const { mode, merchantId, otherId, isMirror, currency, amountMinor } = row
  const [platformId, subId] = isMirror ? [otherId, merchantId] : [merchantId, otherId]
  const isTaken = comesFromSubAccount(row)
  const [platform, sub] = isTaken ? [row.toWalletId, row.fromWalletId] : [row.fromWalletId, row.toWalletId]
  const wallet = (id: string) => `wallet:${id}:available`
  const steps: Readonly<Record<string, readonly [kind: string, debit: string, credit: string]>> = {
    '1.platform-repay': ['TRANSFER_REPAID', wallet(platform), `receivable:${platformId}:${currency}`],
    ...(isTaken
      ? {}
      : {
          '1.uncover': ['SHARE_COVERED', `owed:${platformId}:${currency}`, `owes:${subId}:${currency}`],
          '1.repay': ['TRANSFER_REPAID', wallet(sub), `receivable:${subId}:${currency}`],
          '1.repay-platform': ['TRANSFER_REPAID', wallet(sub), wallet(platform)],
        }),
  }
  const faults: string[] = []
  const sums = new Map<string, bigint>()
  for (const { number, step, kind, debit, credit, minor } of booked) {
    if (step === '1.move') continue
    const expected = steps[step]?.join(' ')
    if (expected !== [kind, debit, credit].join(' ').replaceAll(`${mode}/`, ''))
      faults.push(`is not what transfer ${number} repaid`)
    sums.set(step, minor)
  }
  const sum = (step: string) => sums.get(step) ?? 0n
  if (sum('1.uncover') !== sum('1.repay-platform')) faults.push('repaid another amount than the debt fell')
  const came = isTaken ? amountMinor : sum('1.repay-platform')
  if (sum('1.repay') + sum('1.repay-platform') > amountMinor || sum('1.platform-repay') > came)
    faults.push('repaid more than it moved')
  return faults
}

/** Each mark is the sum of the mark before it and of the entries in between, by kind. */
async function inspectTally({ sql, inspected, fault }: Inspector): Promise<void> {
  const { watermark, head } = await queries.selectTallied(sql)
  if (watermark > head) fault('tally watermark', `is ${watermark}, but the last transfer is ${head}`)
  for (let last: queries.MarkKey | undefined; ;) {
    const { marks, totals, steps } = await inSnapshot(sql, async (tx) => {
      const page = await queries.selectMarkKeys(tx, last, marksMax)
      const keys = page.flatMap(({ account, transfer, before }) => [
        { account, transfer },
        { account, transfer: before },
      ])
      return {
        marks: page,
        totals: await queries.selectKeptMarks(tx, unique(keys)),
        steps: await queries.selectSteps(tx, page),
      }
    })
    if (marks.length === 0) return
    inspected('marks', marks.length)
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

function keyOf({ account, transfer }: queries.MarkKey): string {
  return `${account}/${transfer}`
}

function unique(marks: readonly queries.MarkKey[]): readonly queries.MarkKey[] {
  return [...new Map(marks.map((each) => [keyOf(each), each])).values()]
}

/** The sum of totals by kind, as one text that is equal when the sums are. */
function added(...parts: readonly (readonly queries.Total[] | undefined)[]): string {
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
