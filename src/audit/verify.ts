// All inspections in their order: everything that `./vintem verify`, and the job of the same name, compute again from the
// records.
import type { Sql } from '#/db/client.ts'
import {
  inspectAll,
  type Checked,
  type Cut,
  type Inspection,
  type Place,
  type Report,
  type SubjectKind,
  type Unexplained,
} from '#/db/inspection.ts'
import { isCurrency, toDecimal } from '#/kernel/money.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { disputeInspections, disputeNotifications } from './disputes.ts'
import { erasureInspection } from './erasures.ts'
import { cutAt, inspectAnchor, ledgerInspections, type Anchor } from './ledger.ts'
import { paymentInspections, paymentNotifications, type ArtifactRulesByMethod } from './payments.ts'
import { railAudits } from './rails/all.ts'
import { refundInspections, refundNotifications } from './refunds.ts'
import { issuanceInspection } from './restores.ts'
import { connectionInspections, evidenceInspection } from './settlement/evidence.ts'
import { paymentSubjects, settlementInspections } from './settlement/inspect.ts'
import { notificationInspections } from './settlement/notified.ts'
import { withdrawalSubjects } from './settlement/payout.ts'
import { shareNotifications, splitInspection, splitSubjects } from './settlement/split.ts'
import { sumInspections } from './settlement/sums.ts'
import { suspenseSubjects } from './settlement/suspense.ts'
import { unrecordedSubjects, unrecordedSums } from './settlement/unrecorded.ts'
import { grantInspection, grantNotifications, transferCounts, transferNotifications } from './transfers.ts'
import { ownTransferSubjects, walletInspections } from './wallets.ts'
import { webhookInspections } from './webhooks.ts'
import { withdrawalInspections, withdrawalNotifications, type PlacesOfPayouts } from './withdrawals.ts'

export type VerifyOptions = {
  readonly cell: string
  readonly auditKey: KeyRing
  /** The last batch to check; the newest when absent. */
  readonly upTo?: bigint
  /** The anchor that an earlier run printed: the chain must still contain it. */
  readonly anchor?: Anchor
  /** The names of the inspections to make; all of them when absent. */
  readonly only?: readonly string[]
  readonly onProgress?: (checked: Checked, place: Place) => void
  /** Stops between two pages: then it rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** `leftOut`: the inspections that were not run, because only others were requested. */
export type VerifyReport = Report & { readonly leftOut: readonly string[] }

/**
 * Inspects everything in short transactions while the system keeps running. The memory that it needs does not grow with the
 * books. Rejects only when it cannot read; what it finds is in the report.
 */
export async function verify(
  sql: Sql,
  { cell, auditKey, upTo, anchor, only, onProgress, signal }: VerifyOptions,
): Promise<VerifyReport> {
  const [cut, arrivals] = await Promise.all([cutAt(sql, cell, upTo), arrivalsOf(sql)])
  const arrivalOf = (connection: string, currency: string) =>
    arrivals.get(connection) ?? `provider:${connection}:${currency}`
  // Everything that money can move for: a transfer that belongs to none of them is a fault.
  const subjects: readonly SubjectKind[] = [
    paymentSubjects(arrivalOf),
    suspenseSubjects(arrivalOf),
    unrecordedSubjects,
    splitSubjects,
    withdrawalSubjects,
    ownTransferSubjects,
    ...audits.flatMap(([, { subjects = [] }]) => subjects),
  ]
  const ofRails = audits.flatMap(([, { inspections: of }]) => (of === undefined ? [] : [of]))
  const inspections: readonly Inspection[] = [
    ...ledgerInspections(auditKey),
    ...(anchor === undefined ? [] : [inspectAnchor(anchor)]),
    ...settlementInspections(subjects),
    splitInspection,
    ...sumInspections,
    unrecordedSums,
    ...paymentInspections(artifacts),
    ...refundInspections,
    ...disputeInspections,
    ...withdrawalInspections(placesOfPayouts),
    ...connectionInspections,
    ...walletInspections,
    grantInspection,
    ...notificationInspections([
      paymentNotifications(artifacts),
      refundNotifications,
      disputeNotifications,
      withdrawalNotifications,
      transferNotifications,
      grantNotifications,
      shareNotifications,
    ]),
    transferCounts,
    ...webhookInspections,
    erasureInspection,
    issuanceInspection,
    ...(await Promise.all(ofRails.map((inspectionsOf) => inspectionsOf(sql)))).flat(),
    ...audits.flatMap(([method, { faultOfEvidence }]) =>
      faultOfEvidence === undefined
        ? []
        : [
            evidenceInspection(
              `receipts of ${method.toLowerCase().replaceAll('_', '-')}`,
              method,
              faultOfEvidence,
            ),
          ],
    ),
  ]
  const made = chosen(inspections, only)
  const report = await inspectAll(made, { sql, cell, upTo: cut }, onProgress, signal)
  return { ...report, leftOut: inspections.filter((each) => !made.includes(each)).map(({ name }) => name) }
}

/** `only` contains a name that no inspection has. */
export class UnknownInspection extends Error {
  override name = 'UnknownInspection'
  readonly remedy: string
  constructor(unknown: string, names: readonly string[]) {
    super(`"${unknown}" is no inspection.`)
    this.remedy = `There are: ${names.join(', ')}.`
  }
}

function chosen(
  inspections: readonly Inspection[],
  only: readonly string[] | undefined,
): readonly Inspection[] {
  if (only === undefined) return inspections
  const names = inspections.map(({ name }) => name)
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new UnknownInspection(unknown, names)
  return inspections.filter(({ name }) => only.includes(name))
}

const audits = [...railAudits]

/** The methods whose provider gives artifacts when a payment is opened. */
const artifacts: ArtifactRulesByMethod = new Map(
  audits.flatMap(([method, { artifacts: rules }]) => (rules === undefined ? [] : [[method, rules]])),
)

const placesOfPayouts: PlacesOfPayouts = new Map(
  audits.flatMap(([method, { payouts, payoutType = method }]) =>
    payouts === undefined ? [] : [[payoutType, payouts]],
  ),
)

/** By connection, the accounts in which final money arrives that no provider holds. */
async function arrivalsOf(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const ofRails = audits.flatMap(([, { arrivals }]) => (arrivals === undefined ? [] : [arrivals]))
  const maps = await Promise.all(ofRails.map((arrivals) => arrivals(sql)))
  return new Map(maps.flatMap((each) => [...each]))
}

/** What no record explains, for people: `0.00`, or an amount for each currency that has one. */
export function unexplainedText(unexplained: readonly Unexplained[]): string {
  const found = unexplained.filter(({ minor }) => minor !== 0n)
  return found.length === 0 ? '0.00' : found.map((each) => `${decimalText(each)} ${each.currency}`).join(', ')
}

/** As a decimal number; in minor units when the currency is unknown. */
function decimalText({ currency, minor }: Unexplained): string {
  return isCurrency(currency) ? toDecimal({ minor, currency }) : String(minor)
}

/** A report for programs. `faultsMax`: the first faults only; `faultCount` counts all. */
export function verifyRecord(report: VerifyReport, faultsMax?: number) {
  const { upTo, inspections, leftOut, checked, faults, faultCount, unexplained } = report
  const { batch, transfer, account, at } = upTo
  return {
    ok: faultCount === 0,
    upTo: { batch, transfer, account, at },
    anchor: anchorText(upTo),
    inspections,
    leftOut,
    checked,
    faultCount,
    faults: faults.slice(0, faultsMax),
    unexplained: unexplained.map((each) => ({ currency: each.currency, amount: decimalText(each) })),
  }
}

/** The end of the chain, to be kept away from the database and given to a later run. */
export function anchorText({ batch, hash }: Pick<Cut, 'batch' | 'hash'>): string {
  return `${batch}:${hash.toString('hex')}`
}
