// Replays withdrawals. Of a provider's reports on a payout only the SHA-256 is kept, so the row is derived from the transfers:
// what was held, what left, what was released, what came back.
// Inspects what settlement/payout.ts decides.
import {
  selectReplayed,
  selectWithdrawalsAmong,
  type ReplayedWithdrawal,
} from '#/audit/withdrawals-queries.ts'
import { inSnapshot, type Inspector, type SubjectKind } from '#/db/inspection.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { WithdrawalStatus } from '#/withdrawals/withdrawal.ts'
import { explainParentRepaid, leftFree, loadParentOf } from './parent-debt.ts'
import { selectTransferRows, selectWallets, type TransferRow } from './queries.ts'
import {
  ordinalsOf,
  explainStep,
  unexplainedOf,
  type Grounds,
  type Step,
  type Unexplained,
  type ParentOf,
} from './replay.ts'
import { hasDebit, explainWalletDebit, type Owner, type Debit } from './taking.ts'

/** Withdrawals, as subjects of transfers. */
export const withdrawalSubjects: SubjectKind = { inspect: inspectWithdrawals, among: selectWithdrawalsAmong }

const pageRows = 500

async function inspectWithdrawals({ sql, upTo, inspected, fault }: Inspector): Promise<bigint> {
  let explained = 0n
  let last: ReplayedWithdrawal | undefined
  for (;;) {
    const { rows, transfers, wallets, parentOf } = await inSnapshot(sql, async (tx) => {
      const page = await selectReplayed(tx, last, pageRows)
      const merchants = [...new Set(page.map(({ merchantId }) => merchantId))]
      const moved = await selectTransferRows(tx, page)
      return {
        rows: page,
        transfers: moved,
        parentOf: await loadParentOf(tx, page, moved),
        wallets: merchants.length === 0 ? [] : await selectWallets(tx, merchants),
      }
    })
    last = rows.at(-1)
    if (last === undefined) return explained
    inspected('withdrawals', rows.length)
    const transfersOf = Map.groupBy(transfers, (transfer) => transfer.subject)
    const owned = new Set(wallets.map(({ merchantId, id, currency }) => `${merchantId}/${id}/${currency}`))
    for (const row of rows) {
      const ownsWallet = (id: string, currency: string) => owned.has(`${row.merchantId}/${id}/${currency}`)
      for (const what of faultsOf(row, transfersOf.get(row.id) ?? [], { ownsWallet, parentOf }))
        fault(`withdrawal ${row.id}`, what)
    }
    explained += BigInt(transfers.filter(({ number }) => number >= 1n && number <= upTo.transfer).length)
  }
}

type Standing = {
  /** Absent until the withdrawal ended. */
  readonly status?: WithdrawalStatus
  readonly returned: bigint
  readonly completedAt?: Date
}

function faultsOf(
  row: ReplayedWithdrawal,
  transfers: readonly TransferRow[],
  { ownsWallet, parentOf }: Pick<Turn, 'ownsWallet' | 'parentOf'>,
): readonly string[] {
  const faults: string[] = []
  const unexplained = unexplainedOf(transfers)
  const { mode, walletId, amountMinor, feeMinor } = row
  const [available, held] = [`wallet:${walletId}:available`, `wallet:${walletId}:held`]
  const explain: Explain = (ordinal, grounds, steps) => {
    for (const { minor, ...step } of steps) {
      const { what } = explainStep(unexplained, ordinal, step, { minor, grounds })
      if (what !== undefined) faults.push(what)
    }
  }
  explain(1, { mode, cause: row.fingerprint, at: row.createdAt, of: 'a withdrawal' }, [
    { name: 'hold', kind: 'WITHDRAWAL', debit: available, credit: held, minor: amountMinor },
    { name: 'hold-fee', kind: 'WITHDRAWAL_FEE', debit: available, credit: held, minor: feeMinor },
  ])

  let now: Standing = { returned: 0n }
  for (const ordinal of ordinalsOf(unexplained)) {
    const lead = transfers.find(({ step }) => step.startsWith(`${ordinal}.`))
    if (lead === undefined || lead.at === null) break
    if (ordinal > row.version) faults.push(`has step ${ordinal}, but version ${row.version}`)
    const grounds: Grounds = { mode, cause: lead.cause, at: lead.at, of: 'a withdrawal' }
    const fault = (what: string) => faults.push(what)
    const turn = { row, ordinal, lead, unexplained, grounds, ownsWallet, parentOf, transfers, fault }
    const next = turnOf(turn, now, explain)
    if (next === undefined) break
    now = next
  }
  for (const { number } of unexplained.values()) faults.push(`moved transfer ${number} without a reason`)
  return [...faults, ...compare(row, now)]
}

type Explain = (
  ordinal: number,
  grounds: Grounds,
  steps: readonly (Step & { readonly minor: bigint })[],
) => void

type Turn = {
  readonly row: ReplayedWithdrawal
  readonly ordinal: number
  readonly lead: TransferRow
  readonly unexplained: Unexplained
  readonly grounds: Grounds
  readonly ownsWallet: Owner['ownsWallet']
  readonly parentOf: ParentOf
  /** All of the withdrawal. */
  readonly transfers: readonly TransferRow[]
  readonly fault: (what: string) => void
}

/** The withdrawal after the transfers of one step; undefined when they do not fit the state before. */
function turnOf(turn: Turn, before: Standing, explain: Explain): Standing | undefined {
  const { row, ordinal, lead, unexplained, grounds, ownsWallet, fault } = turn
  const { id, merchantId, walletId, currency, amountMinor, feeMinor } = row
  const [available, held] = [`wallet:${walletId}:available`, `wallet:${walletId}:held`]
  const source = row.sources.find((each) => each === lead.debit || each === lead.credit) ?? row.sources.join()
  // It had ended here and was paid after all: amount and fee are debited from any wallets of the merchant that have money.
  const debitAgain = (debit: Debit, grounds: Grounds) => {
    const toFees: Debit = { ...debit, kind: 'WITHDRAWAL_FEE', step: 'take-fee', to: `fees:${currency}` }
    for (const [each, minor] of [
      [debit, amountMinor],
      [toFees, feeMinor],
    ] as const)
      for (const what of explainWalletDebit({ merchantId, ownsWallet }, unexplained, each, {
        minor,
        grounds,
      }))
        fault(what)
  }
  const has = (name: string) => unexplained.has(`${ordinal}.${name}`)
  const receivable = `receivable:${merchantId}:${currency}`
  const repay: Step = {
    name: 'repay',
    kind: 'WITHDRAWAL_REPAID',
    debit: available,
    credit: receivable,
    upTo: true,
  }
  if (has('leave') && before.status === undefined) {
    explain(ordinal, grounds, [
      { name: 'leave', kind: 'LEFT', debit: held, credit: source, minor: amountMinor },
      { name: 'fee', kind: 'LEFT', debit: held, credit: `fees:${currency}`, minor: feeMinor },
    ])
    return { ...before, status: 'COMPLETED', completedAt: grounds.at }
  }
  if (has('release') && before.status === undefined) {
    explain(ordinal, grounds, [
      { name: 'release', kind: 'WITHDRAWAL_RETURNED', debit: held, credit: available, minor: amountMinor },
      { name: 'release-fee', kind: 'WITHDRAWAL_FEE', debit: held, credit: available, minor: feeMinor },
      { ...repay, minor: amountMinor + feeMinor },
    ])
    explainRepaid(turn)
    const isCanceled = lead.cause.equals(sha256(`canceled ${id}`))
    return { ...before, status: isCanceled ? 'CANCELED' : 'FAILED' }
  }
  const again: Debit = { ordinal, walletId, currency, kind: 'WITHDRAWAL', step: 'take', to: source }
  if (hasDebit(unexplained, again) && (before.status === 'FAILED' || before.status === 'CANCELED')) {
    debitAgain(again, grounds)
    return { ...before, status: 'COMPLETED', completedAt: grounds.at }
  }
  const back = unexplained.get(`${ordinal}.return`)
  if (back === undefined || before.status !== 'COMPLETED') return undefined
  const { minor } = back
  explain(ordinal, grounds, [
    { name: 'return', kind: 'WITHDRAWAL_RETURNED', debit: source, credit: available, minor },
    { ...repay, minor },
  ])
  explainRepaid(turn)
  return { ...before, returned: before.returned + back.minor }
}

/** What came back and was left available repaid the parent of a sub-account. */
function explainRepaid({ row, ordinal, unexplained, grounds, parentOf, transfers, fault }: Turn): void {
  const moved = transfers.filter(({ step }) => step.startsWith(`${ordinal}.`))
  const remaining = { minor: leftFree(moved, row.walletId), grounds }
  for (const what of explainParentRepaid(unexplained, ordinal, row, parentOf, remaining)) fault(what)
}

const unended: readonly WithdrawalStatus[] = ['PENDING', 'PENDING_APPROVAL', 'PROCESSING']

function compare(row: ReplayedWithdrawal, now: Standing): readonly string[] {
  const faults: string[] = []
  const { status } = row
  if (now.status === undefined ? !unended.includes(status) : status !== now.status)
    faults.push(`is ${status}, but what was moved for it makes it ${now.status ?? 'open'}`)
  if (row.returnedMinor !== now.returned)
    faults.push(`says returned ${row.returnedMinor}, but ${now.returned} came back`)
  if (row.completedAt?.getTime() !== now.completedAt?.getTime())
    faults.push('was completed at another time than its money left')
  if (row.hasFailure !== (status === 'FAILED'))
    faults.push(row.hasFailure ? 'has a failure, but did not fail' : 'failed without a reason')
  return faults
}
