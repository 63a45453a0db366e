// Inspects money in suspense: each receipt that fits no payment was booked there once, and a person's decision moved it at most
// once.
// Inspects what settlement/resolve.ts decides.
import { selectDisputesOfCredited } from '#/audit/disputes-queries.ts'
import type { Tx } from '#/db/client.ts'
import { inSnapshot, type Inspector, type RowFault, type SubjectKind } from '#/db/inspection.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'
import { replayDispute, type DisputeGround } from './dispute.ts'
import { explainParentRepaid, leftFree, loadParentOf } from './parent-debt.ts'
import { selectTransferRows, selectWallets, type TransferRow } from './queries.ts'
import {
  type ArrivalOf,
  type Grounds,
  explainPot,
  explainStep,
  receiptName,
  unexplainedOf,
  type ParentOf,
} from './replay.ts'
import * as queries from './suspense-queries.ts'

/** Money in suspense, as subjects of transfers. */
export function suspenseSubjects(arrivalOf: ArrivalOf): SubjectKind {
  return {
    inspect: (inspector) => inspectUnmatched(inspector, arrivalOf),
    among: queries.selectUnmatchedAmong,
  }
}

const pageRows = 500

async function inspectUnmatched(
  { sql, upTo, inspected, fault }: Inspector,
  arrivalOf: ArrivalOf,
): Promise<bigint> {
  let explained = 0n
  let last: queries.UnmatchedRow | undefined
  for (;;) {
    const { rows, transfers, ...disputed } = await inSnapshot(sql, (tx) => loadPage(tx, last))
    last = rows.at(-1)
    if (last === undefined) return explained
    inspected('receipts without a payment', rows.length)
    const transfersOf = Map.groupBy(transfers, (transfer) => transfer.subject)
    for (const row of rows) {
      for (const what of faultsOf(row, transfersOf.get(row.id) ?? [], arrivalOf, disputed.parentOf))
        fault(nameOf(row), what)
      for (const { row: name, what } of replayDisputesOf(row, { ...disputed, transfersOf, arrivalOf }))
        fault(name, what)
    }
    explained += BigInt(transfers.filter(({ number }) => number >= 1n && number <= upTo.transfer).length)
  }
}

async function loadPage(tx: Tx, last: queries.UnmatchedRow | undefined) {
  const rows = await queries.selectUnmatchedRows(tx, last, pageRows)
  const ids = rows.map(({ id }) => id)
  const disputes = await selectDisputesOfCredited(tx, ids)
  const merchants = [...new Set(disputes.map(({ merchantId }) => merchantId))]
  const [transfers, reports, wallets] = await Promise.all([
    selectTransferRows(tx, [...rows, ...disputes]),
    disputes.length === 0
      ? []
      : queries.selectDisputeReports(
          tx,
          disputes.map(({ id }) => id),
        ),
    merchants.length === 0 ? [] : selectWallets(tx, merchants),
  ])
  const parentOf = await loadParentOf(tx, [...rows, ...disputes], transfers)
  return { rows, transfers, disputes, reports, wallets, parentOf }
}

type Disputed = Pick<
  Awaited<ReturnType<typeof loadPage>>,
  'disputes' | 'reports' | 'wallets' | 'parentOf'
> & {
  readonly transfersOf: ReadonlyMap<string, readonly TransferRow[]>
  readonly arrivalOf: ArrivalOf
}

/** Replays disputes of money that was credited out of suspense. Their receipts are stored with the unmatched ones. */
function replayDisputesOf(
  { id, mode, walletId, merchantId }: queries.UnmatchedRow,
  { disputes, reports, wallets, transfersOf, arrivalOf, parentOf }: Disputed,
): readonly RowFault[] {
  const faults: RowFault[] = []
  for (const dispute of disputes.filter(({ unmatchedId }) => unmatchedId === id)) {
    if (merchantId !== dispute.merchantId)
      faults.push({ row: `dispute ${dispute.id}`, what: 'is of another merchant than its money' })
    const owned = wallets.filter((wallet) => wallet.merchantId === dispute.merchantId)
    const ground: DisputeGround = {
      payment: { id: id as string as PaymentId, merchantId: dispute.merchantId, mode, walletId },
      refunds: [],
      disputes: [],
      transfersOf: (subject) => transfersOf.get(subject) ?? [],
      shareMoves: [],
      arrivalOf,
      ownsWallet: (wallet, currency) =>
        owned.some((each) => each.id === wallet && each.currency === currency),
    }
    const receipts = reports
      .filter(({ disputeId }) => disputeId === dispute.id)
      .map((report) => ({ ...report, bookedMinor: dispute.amountMinor }))
    replayDispute(ground, dispute, receipts, faults, parentOf)
  }
  return faults
}

function nameOf(row: queries.UnmatchedRow): string {
  return `${receiptName(row)}, which fits nothing,`
}

function faultsOf(
  row: queries.UnmatchedRow,
  transfers: readonly TransferRow[],
  arrivalOf: ArrivalOf,
  parentOf: ParentOf,
): readonly string[] {
  const faults: string[] = []
  const unexplained = unexplainedOf(transfers)
  const suspense = `suspense:${row.connection}:${row.currency}`
  const arrival = arrivalOf(row.connection, row.currency)
  const isMoney = row.outcome === 'paid' && row.amountMinor > 0n
  if (row.connectionMode !== row.mode)
    faults.push(`is ${row.mode}, but its connection is ${row.connectionMode ?? 'not there'}`)
  if (row.isCounted) faults.push('is counted for a payment too')
  if (isMoney) {
    const grounds: Grounds = { mode: row.mode, cause: row.cause, at: row.recordedAt, of: 'money' }
    const step = { name: 'suspend', kind: 'SUSPENSE', debit: arrival, credit: suspense }
    const { what } = explainStep(unexplained, 1, step, { minor: row.amountMinor, grounds })
    if (what !== undefined) faults.push(what)
  }
  faults.push(...compareDecision(row, isMoney))
  if (isMoney && row.resolvedAt !== null)
    faults.push(
      ...explainDecision(row, row.resolvedAt, unexplained, { suspense, arrival, parentOf, transfers }),
    )
  for (const { number } of unexplained.values()) faults.push(`moved transfer ${number} without a reason`)
  return faults
}

/** A decision is complete or absent, and exists only for money. */
function compareDecision(row: queries.UnmatchedRow, isMoney: boolean): readonly string[] {
  const { resolvedAt, resolution, walletId, note, merchantId, merchantMode, mode } = row
  const faults: string[] = []
  const isDecided = resolvedAt !== null
  if (isDecided && !isMoney) faults.push('was decided about, but is no money')
  if (isDecided !== (resolution !== null)) faults.push('has half a decision')
  if (!isDecided && (walletId !== null || note !== null)) faults.push('has half a decision')
  if ((resolution === 'CREDITED') !== (walletId !== null))
    faults.push(`is ${resolution ?? 'not decided'} ${walletId === null ? 'without' : 'with'} a wallet`)
  if (walletId !== null && merchantId === null)
    faults.push(`names wallet ${walletId}, which is nobody's in ${row.currency}`)
  if (walletId !== null && merchantId !== null && merchantMode !== mode)
    faults.push(`names a wallet in ${merchantMode}`)
  return faults
}

function explainDecision(
  row: queries.UnmatchedRow,
  resolvedAt: Date,
  unexplained: ReturnType<typeof unexplainedOf>,
  {
    suspense,
    arrival,
    parentOf,
    transfers,
  }: {
    readonly suspense: string
    readonly arrival: string
    readonly parentOf: ParentOf
    readonly transfers: readonly TransferRow[]
  },
): readonly string[] {
  const { id, mode, currency, resolution, walletId, note, merchantId, amountMinor: minor } = row
  // The cause of a decision's transfers is the hash of the decision as its row keeps it.
  const decision = {
    id,
    resolution,
    ...(walletId === null ? {} : { walletId }),
    ...(note === null ? {} : { note }),
  }
  const grounds: Grounds = { mode, cause: sha256(canonicalJson(decision)), at: resolvedAt, of: 'money' }
  if (resolution === 'CREDITED') {
    const steps = [
      { name: 'repay', kind: 'REPAID', debit: suspense, credit: `receivable:${merchantId}:${currency}` },
      { name: 'credit', kind: 'ADJUSTMENT', debit: suspense, credit: `wallet:${walletId}:available` },
    ]
    const faults = explainPot(unexplained, 2, steps, { minor, grounds })
    const repaying = { merchantId: merchantId ?? '', walletId, currency }
    const remaining = { minor: leftFree(transfers, walletId), grounds }
    return [...faults, ...explainParentRepaid(unexplained, 2, repaying, parentOf, remaining)]
  }
  const step = { name: 'return', kind: 'SUSPENSE', debit: suspense, credit: arrival }
  const { what } = explainStep(unexplained, 2, step, { minor, grounds })
  return what === undefined ? [] : [what]
}
