// Inspects money that left and is in no record of the books: it was booked once, from its provider's account, and a decision of
// two people moved it at most once.
// Inspects what settlement/unrecorded.ts and settlement/resolve-unrecorded.ts decide.
import { eachPage, inSnapshot, type Inspection, type Inspector, type SubjectKind } from '#/db/inspection.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { currencies } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { selectTransferRows, selectWallets, type TransferRow } from './queries.ts'
import { explainStep, unexplainedOf, type Grounds, type Step, type Unexplained } from './replay.ts'
import * as queries from './suspense-queries.ts'
import type { UnrecordedRow } from './suspense-queries.ts'
import { explainWalletDebit, type Owner } from './taking.ts'

/** Money that left unrecorded, as subjects of transfers. */
export const unrecordedSubjects: SubjectKind = {
  inspect: inspectUnrecorded,
  among: queries.selectUnrecordedAmong,
}

export const unrecordedSums: Inspection = { name: 'money that left unrecorded', inspect: inspectSums }

const pageRows = 500
const connectionsMax = 100
const allCurrencies = Object.keys(currencies)

async function inspectUnrecorded({ sql, upTo, inspected, fault }: Inspector): Promise<bigint> {
  let explained = 0n
  let last: UnrecordedRow | undefined
  for (;;) {
    const { rows, transfers, wallets } = await inSnapshot(sql, async (tx) => {
      const page = await queries.selectUnrecordedRows(tx, last, pageRows)
      const merchants = [...new Set(page.flatMap(({ chargedTo }) => chargedTo ?? []))]
      return {
        rows: page,
        transfers: await selectTransferRows(tx, page),
        wallets: merchants.length === 0 ? [] : await selectWallets(tx, merchants),
      }
    })
    last = rows.at(-1)
    if (last === undefined) return explained
    inspected('payouts and refunds without a record', rows.length)
    const transfersOf = Map.groupBy(transfers, (transfer) => transfer.subject)
    const owned = new Set(wallets.map(({ merchantId, id, currency }) => `${merchantId}/${id}/${currency}`))
    for (const row of rows) {
      const ownsWallet: Owner['ownsWallet'] = (id, currency) =>
        owned.has(`${row.chargedTo}/${id}/${currency}`)
      for (const what of faultsOf(row, transfersOf.get(row.id) ?? [], ownsWallet))
        fault(`unrecorded ${row.kind.toLowerCase()} ${row.reference}`, what)
    }
    explained += BigInt(transfers.filter(({ number }) => number >= 1n && number <= upTo.transfer).length)
  }
}

function faultsOf(
  row: UnrecordedRow,
  transfers: readonly TransferRow[],
  ownsWallet: Owner['ownsWallet'],
): readonly string[] {
  const { mode, amountMinor: minor } = row
  const unexplained = unexplainedOf(transfers)
  const grounds: Grounds = { mode, cause: row.cause, at: row.recordedAt, of: 'money' }
  const step = { name: 'find', kind: 'SUSPENSE', debit: unrecordedOf(row), credit: arrivalOf(row) }
  const { what } = explainStep(unexplained, 1, step, { minor, grounds })
  const decided = row.resolvedAt === null ? [] : explainDecision(row, row.resolvedAt, unexplained, ownsWallet)
  return [
    ...compareRecord(row),
    ...(what === undefined ? [] : [what]),
    ...compareDecision(row),
    ...decided,
    ...[...unexplained.values()].map(({ number }) => `moved transfer ${number} without a reason`),
  ]
}

function compareRecord(row: UnrecordedRow): readonly string[] {
  const { mode, connectionMode, accountMode, knownMinor, bookedMinor, hasPayment, paymentId } = row
  const { chain, isShown, amountMinor, resolution } = row
  const faults: string[] = []
  if (connectionMode !== mode)
    faults.push(`is ${mode}, but its connection is ${connectionMode ?? 'not there'}`)
  if (chain !== null && resolution === 'RETURNED') faults.push('came back, but it was coins')
  if (accountMode !== mode) faults.push(`is ${mode}, but its account is ${accountMode ?? 'not there'}`)
  if ((bookedMinor ?? 0n) !== knownMinor)
    faults.push(`counts ${knownMinor} as known, but the books have ${bookedMinor ?? 0n} under its reference`)
  if (chain !== null && !isShown)
    faults.push(`is no movement of ${amountMinor} cents that left a wallet on ${chain}`)
  if (!hasPayment) faults.push(`names payment ${paymentId}, which its merchant does not have`)
  return faults
}

/** A decision is complete or absent, and two people made it. */
function compareDecision(row: UnrecordedRow): readonly string[] {
  const { resolvedAt, resolution, walletId, note, chargedTo, chargedMode, merchantId, mode, currency } = row
  const faults: string[] = []
  if ((resolvedAt === null) !== (resolution === null)) faults.push('has half a decision')
  if (resolvedAt === null && (walletId !== null || note !== null)) faults.push('has half a decision')
  if (resolvedAt !== null && !row.isApproved)
    faults.push('was decided about without an approved request of another person')
  if ((resolution === 'CHARGED') !== (walletId !== null))
    faults.push(`is ${resolution ?? 'not decided'} ${walletId === null ? 'without' : 'with'} a wallet`)
  if (walletId === null) return faults
  if (chargedTo === null) faults.push(`names wallet ${walletId}, which is nobody's in ${currency}`)
  else if (chargedMode !== mode) faults.push(`names a wallet in ${chargedMode}`)
  if (merchantId !== null && chargedTo !== merchantId)
    faults.push(`is charged to another merchant than that of its payment`)
  return faults
}

function explainDecision(
  row: UnrecordedRow,
  at: Date,
  unexplained: Unexplained,
  ownsWallet: Owner['ownsWallet'],
): readonly string[] {
  const { id, mode, currency, resolution, walletId, note, chargedTo, amountMinor: minor } = row
  // The cause of a decision's transfers is the hash of the decision as its row keeps it.
  const decision = {
    id,
    resolution,
    ...(walletId === null ? {} : { walletId }),
    ...(note === null ? {} : { note }),
  }
  const grounds: Grounds = { mode, cause: sha256(canonicalJson(decision)), at, of: 'money' }
  if (resolution === 'CHARGED') {
    const owner = { merchantId: chargedTo ?? '', ownsWallet }
    const wallet = { walletId: walletId ?? '', currency }
    const debit = { ordinal: 2, ...wallet, kind: 'ADJUSTMENT', step: 'take', to: unrecordedOf(row) } as const
    return explainWalletDebit(owner, unexplained, debit, { minor, grounds })
  }
  const step: Step =
    resolution === 'WRITTEN_OFF'
      ? { name: 'lose', kind: 'LOSS', debit: `cost:loss:${currency}`, credit: unrecordedOf(row) }
      : { name: 'return', kind: 'SUSPENSE', debit: arrivalOf(row), credit: unrecordedOf(row) }
  const { what } = explainStep(unexplained, 2, step, { minor, grounds })
  return what === undefined ? [] : [what]
}

function unrecordedOf({ account, currency }: UnrecordedRow): string {
  return `unrecorded:${account}:${currency}`
}

function arrivalOf({ account, chain, currency }: UnrecordedRow): string {
  return chain === null ? `provider:${account}:${currency}` : `coins:${chain}:${currency}:hot`
}

/** The balance of an account of what left unrecorded is the sum that is not decided. */
async function inspectSums({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.UnrecordedSum>(
    (after) => queries.selectUnrecordedSums(sql, after, { currencies: allCurrencies, limit: connectionsMax }),
    (sums) => {
      inspected('connections', sums.length / allCurrencies.length)
      for (const { connection, currency, owedMinor, openMinor } of sums) {
        if (owedMinor === openMinor) continue
        fault(
          `account unrecorded:${connection}:${currency}`,
          `is ${owedMinor}, but ${openMinor} is undecided`,
        )
      }
    },
  )
}
