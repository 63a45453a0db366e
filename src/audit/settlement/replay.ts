// What a replay has in hand, and how it compares a transfer with what it must be. Pure.
import type { ReplayedDispute } from '#/audit/disputes-queries.ts'
import type { ReplayedRefund } from '#/audit/refunds-queries.ts'
import { given } from '#/kernel/given.ts'
import type { PaymentRow, ReceiptRow, ReleaseRow, ShareMove, TransferRow } from './queries.ts'

/** One transfer that there must be. */
export type Step = {
  /** Without the number before it. */
  readonly name: string
  readonly kind: string
  readonly debit: string
  readonly credit: string
  /** Any part of the amount may move: the exact part (a fee, a debt) depended on rules and balances of that day. */
  readonly upTo?: true
}

/** The reason of a transfer: mode, hash of the evidence, and time of the decision. */
export type Grounds = {
  readonly mode: string | null
  readonly cause: Buffer
  readonly at: Date
  /** The name of the subject in a fault. */
  readonly of: string
}

/** The transfers of one subject that are not explained yet, by step. */
export type Unexplained = Map<string, TransferRow>

export function unexplainedOf(transfers: readonly TransferRow[]): Unexplained {
  return new Map(transfers.map((transfer) => [transfer.step, transfer]))
}

type Explained = {
  /** Absent when nothing moved as this step. */
  readonly found?: TransferRow
  /** What is wrong, as a sentence without its subject. */
  readonly what?: string
}

/** Explains the transfer of a step, and compares it with what it must be. */
export function explainStep(
  unexplained: Unexplained,
  ordinal: number,
  step: Step,
  { minor, grounds }: { readonly minor: bigint; readonly grounds: Grounds },
): Explained {
  const key = `${ordinal}.${step.name}`
  const found = unexplained.get(key)
  unexplained.delete(key)
  const what = faultOf(step, minor, grounds, found)
  return { ...given({ found, what }) }
}

/** Explains transfers that share one amount: each has a part of it, and together they have the whole. */
export function explainPot(
  unexplained: Unexplained,
  ordinal: number,
  steps: readonly Step[],
  { minor, grounds }: { readonly minor: bigint; readonly grounds: Grounds },
): readonly string[] {
  const faults: string[] = []
  let moved = 0n
  for (const step of steps) {
    const { found, what } = explainStep(unexplained, ordinal, { ...step, upTo: true }, { minor, grounds })
    if (what !== undefined) faults.push(what)
    moved += found?.minor ?? 0n
  }
  const names = steps.map((step) => step.name).join(' and ')
  if (moved !== minor) faults.push(`moved ${moved} as ${names} instead of ${minor}`)
  return faults
}

/** Numbers of the steps that are left, from the smallest on. */
export function ordinalsOf(unexplained: Unexplained): readonly number[] {
  const ordinals = [...unexplained.keys()].map((step) => Number.parseInt(step, 10))
  return [...new Set(ordinals)].toSorted((a, b) => a - b)
}

function faultOf(step: Step, minor: bigint, grounds: Grounds, found: TransferRow | undefined) {
  if (found === undefined)
    return minor === 0n || step.upTo ? undefined : `moved nothing as ${step.name} instead of ${minor}`
  const name = `transfer ${found.number}`
  if (step.upTo ? found.minor > minor : found.minor !== minor)
    return `made ${name} of ${found.minor} instead of ${minor}`
  if (found.debit !== step.debit || found.credit !== step.credit) {
    return `made ${name} from ${found.debit} to ${found.credit} instead of ${step.debit} to ${step.credit}`
  }
  if (found.kind !== step.kind) return `made ${name} as ${found.kind} instead of ${step.kind}`
  if (found.mode !== grounds.mode) return `made ${name} in ${found.mode} for ${grounds.of} in ${grounds.mode}`
  if (!found.cause.equals(grounds.cause)) return `has other evidence than ${name} was made on`
  if (found.at?.getTime() !== grounds.at.getTime()) return `says another time than the batch of ${name}`
  return undefined
}

/** Where final money of a connection arrives: the name of the account. */
export type ArrivalOf = (connection: string, currency: string) => string

/** The parent of this merchant, if the wallet is the parent's and in this currency. */
export type ParentOf = (merchantId: string, walletId: string, currency: string) => string | undefined

/** What the replay of a payment reads. */
export type Family = {
  readonly payment: PaymentRow
  /** In the order of their ordinals. */
  readonly receipts: readonly ReceiptRow[]
  readonly refunds: readonly ReplayedRefund[]
  readonly disputes: readonly ReplayedDispute[]
  /** Money that waits, or waited, for the end of its provider's settlement delay. */
  readonly releases: readonly ReleaseRow[]
  /** The transfers of its shares that moved pending balances. */
  readonly shareMoves: readonly ShareMove[]
  /** All transfers whose subject is the payment, one of its refunds, or one of its disputes. */
  readonly transfersOf: (subject: string) => readonly TransferRow[]
  readonly arrivalOf: ArrivalOf
  readonly parentOf: ParentOf
  /** Whether this wallet belongs to the payment's merchant and has this currency. */
  readonly ownsWallet: (walletId: string, currency: string) => boolean
}

/** The name of a receipt in a fault. */
export function receiptName({
  connection,
  providerRef,
  outcome,
  occurrence,
}: {
  readonly connection: string
  readonly providerRef: string
  readonly outcome: string
  readonly occurrence: number
}): string {
  return `receipt ${outcome} ${providerRef} (${occurrence}) of ${connection}`
}

/** A change of a sum of the payment, and the transfer that it came with. */
export type Change = { readonly number: bigint; readonly minor: bigint }
