// Inspects our own coins:
// - every booked movement made the transfer that it must make;
// - each place holds the sum of its movements;
// - all units together equal the cents of the accounts plus the residues.
// Inspects what treasury/coin-movements.ts decides.
import { explainParentRepaid, leftFree, loadParentOf } from '#/audit/settlement/parent-debt.ts'
import { unexplainedOf, type ParentOf } from '#/audit/settlement/replay.ts'
import { baseUnitsPerCent, wholeCents } from '#/coins/units.ts'
import type { Tx } from '#/db/client.ts'
import { eachPage, inSnapshot, type Inspection, type Inspector, type SubjectKind } from '#/db/inspection.ts'
import { hexOf } from '#/evm/address.ts'
import { toBigint, weiPerGwei } from '#/evm/wire.ts'
import * as queries from './crypto-coins-queries.ts'
import type { ChainRow } from './crypto-queries.ts'

/** Movements of our own coins, gas and gas fills, as subjects of transfers. */
export const coinSubjects: SubjectKind = {
  async inspect(inspector) {
    const counts = [
      await inspectSubjects(inspector, 'movements', queries.selectMoveRows, compareMove),
      await inspectSubjects(inspector, 'transactions', queries.selectGasRows, compareGas),
      await inspectSubjects(inspector, 'gas fills', queries.selectFillRows, compareFill),
    ]
    return counts.reduce((sum, each) => sum + each, 0n)
  },
  among: queries.selectCoinsAmong,
}

/** The inspections, run for each chain of this database. */
export function coinInspections(chains: readonly ChainRow[]): readonly Inspection[] {
  const each =
    (inspect: (inspector: Inspector, chain: ChainRow) => Promise<void>) => async (inspector: Inspector) => {
      for (const chain of chains) if (chain.mode !== null) await inspect(inspector, chain)
    }
  return [
    { name: 'places of coins', inspect: each(inspectPlaces) },
    { name: 'payouts on chains', inspect: each(inspectPayouts) },
  ]
}

const pageRows = 500

/** A transfer as it must be. */
type Expected = Pick<queries.TransferRow, 'step' | 'kind' | 'debit' | 'credit' | 'minor'> & {
  readonly cause: Buffer | null
}

type Comparison = { readonly name: string; readonly faults: readonly string[] }

async function inspectSubjects<Row extends { readonly id: string; readonly merchantId?: string | null }>(
  { sql, upTo, inspected, fault }: Inspector,
  what: string,
  select: (tx: Tx, after: string, limit: number) => Promise<readonly Row[]>,
  compare: (row: Row, transfers: readonly queries.TransferRow[], parentOf: ParentOf) => Comparison,
): Promise<bigint> {
  let after = queries.minId
  let explained = 0n
  for (;;) {
    const { rows, transfers, parentOf } = await inSnapshot(sql, async (tx) => {
      const page = await select(tx, after, pageRows)
      const ids = page.map(({ id }) => id)
      const moved = ids.length === 0 ? [] : await queries.selectTransfersOf(tx, ids)
      return { rows: page, transfers: moved, parentOf: await loadParentOf(tx, page, moved) }
    })
    const last = rows.at(-1)
    if (last === undefined) return explained
    after = last.id
    inspected(what, rows.length)
    const transfersOf = Map.groupBy(transfers, ({ subject }) => subject)
    for (const row of rows) {
      const { name, faults } = compare(row, transfersOf.get(row.id) ?? [], parentOf)
      for (const each of faults) fault(name, each)
    }
    explained += BigInt(transfers.filter(({ number }) => number <= upTo.transfer).length)
  }
}

function compareMove(
  row: queries.MoveRow,
  transfers: readonly queries.TransferRow[],
  parentOf: ParentOf,
): Comparison {
  const { bookedAs, minor, value, from, to, isDeposit, isPayout } = row
  const faults: string[] = []
  const kind =
    from === 'hot' && isPayout
      ? 'PAID'
      : to === null
        ? 'LEFT'
        : from !== null
          ? 'MOVED'
          : isDeposit
            ? 'SWEPT'
            : 'FOUND'
  if (bookedAs !== null && bookedAs !== kind) faults.push(`is booked as ${bookedAs}, but is ${kind}`)
  const cents = wholeCents(BigInt(value))
  const isWhole = kind === 'FOUND' || (kind === 'MOVED' && from !== to)
  if (bookedAs !== null && kind !== 'SWEPT' && minor !== (isWhole ? cents : 0n))
    faults.push(`is booked with ${minor} cents for ${value} units`)
  // Residues of earlier sweeps from the address count too, so the sum may be one cent more.
  if (kind === 'SWEPT' && minor !== null && minor !== cents && minor !== cents + 1n)
    faults.push(`is booked with ${minor} cents for ${value} units`)
  const { others, wrong } = withoutRepaid(row, transfers, parentOf)
  faults.push(...wrong, ...compareTransfers(row, expectedOfMove(row), others))
  return { name: `movement ${row.name}`, faults }
}

/** The transfers besides those by which coins that were credited to a sub-account repaid its parent, and what is wrong with these. */
function withoutRepaid(
  { mode, decision, walletId, merchantId }: queries.MoveRow,
  transfers: readonly queries.TransferRow[],
  parentOf: ParentOf,
): { readonly others: readonly queries.TransferRow[]; readonly wrong: readonly string[] } {
  const lead = transfers.find(({ kind }) => kind === 'PARENT_REPAID')
  if (lead === undefined || decision === null || merchantId === null) return { others: transfers, wrong: [] }
  const unexplained = unexplainedOf(transfers)
  const grounds = { mode, cause: decision, at: lead.at ?? new Date(0), of: 'a movement' }
  const repaying = { merchantId, walletId, currency: 'USDT' }
  const remaining = { minor: leftFree(transfers, walletId), grounds }
  const wrong = explainParentRepaid(unexplained, 2, repaying, parentOf, remaining)
  return { others: [...unexplained.values()], wrong }
}

function expectedOfMove(row: queries.MoveRow): readonly Expected[] {
  const { chain, connection, bookedAs, minor, from, to, cause, walletId, merchantId, decision } = row
  if (minor === null || minor === 0n) return []
  const coins = (place: string | null) => `coins:${chain}:USDT:${place ?? 'deposit'}`
  if (bookedAs === 'SWEPT' || bookedAs === 'MOVED')
    return [{ step: '1.coins', kind: 'COINS', debit: coins(to), credit: coins(from), minor, cause }]
  if (bookedAs !== 'FOUND') return []
  const suspense = `suspense:${connection}:USDT`
  const found = { step: '1.suspend', kind: 'SUSPENSE', debit: coins(to), credit: suspense, minor, cause }
  if (walletId === null) return [found]
  const claimed = { debit: suspense, minor, cause: decision }
  return [
    found,
    { ...claimed, step: '2.repay', kind: 'REPAID', credit: `receivable:${merchantId}:USDT` },
    { ...claimed, step: '2.credit', kind: 'ADJUSTMENT', credit: `wallet:${walletId}:available` },
  ]
}

function compareGas(row: queries.GasRow, transfers: readonly queries.TransferRow[]): Comparison {
  const { chain, wallet, gwei, isBooked, cause } = row
  const credit = `gas:${chain}:${hexOf(wallet)}`
  const expected = { step: '1.gas', kind: 'GAS', debit: 'cost:gas:BNB', credit, minor: gwei, cause }
  const faults = compareTransfers(row, isBooked && gwei > 0n ? [expected] : [], transfers)
  return { name: `transaction ${row.id}`, faults }
}

function compareFill(row: queries.FillRow, transfers: readonly queries.TransferRow[]): Comparison {
  const { chain, wallet, gwei, cause } = row
  const debit = `gas:${chain}:${hexOf(wallet)}`
  const expected = { step: '1.fill', kind: 'GAS_BOUGHT', debit, credit: 'equity:BNB', minor: gwei, cause }
  return { name: `gas fill ${row.id}`, faults: compareTransfers(row, gwei > 0n ? [expected] : [], transfers) }
}

function compareTransfers(
  { mode }: { readonly mode: string | null },
  expected: readonly Expected[],
  transfers: readonly queries.TransferRow[],
): readonly string[] {
  const faults: string[] = []
  const unexplained = new Map(transfers.map((each) => [each.step, each]))
  let shared: bigint | undefined
  for (const planned of expected) {
    const found = unexplained.get(planned.step)
    const isShared = planned.step.startsWith('2.')
    if (isShared) shared ??= planned.minor
    if (found === undefined) {
      if (!isShared) faults.push(`moved nothing as ${planned.step} instead of ${planned.minor}`)
      continue
    }
    unexplained.delete(planned.step)
    if (isShared) shared = (shared ?? 0n) - found.minor
    const isRight =
      found.kind === planned.kind &&
      found.debit === planned.debit &&
      found.credit === planned.credit &&
      found.mode === mode &&
      (isShared || found.minor === planned.minor)
    if (!isRight)
      faults.push(
        `made transfer ${found.number} (${found.kind} ${found.minor} from ${found.credit} to ${found.debit}) instead of ` +
          `${planned.kind} ${planned.minor} from ${planned.credit} to ${planned.debit}`,
      )
    if (planned.cause?.equals(found.cause) !== true)
      faults.push(`has other evidence than transfer ${found.number} was made on`)
  }
  if (shared !== undefined && shared !== 0n) faults.push(`left ${shared} of what was decided on in suspense`)
  for (const { number } of unexplained.values()) faults.push(`moved transfer ${number} without a reason`)
  return faults
}

/** Each place holds what movements left there; all units equal the cents in the accounts plus the residues. */
async function inspectPlaces({ sql, inspected, fault }: Inspector, chain: ChainRow): Promise<void> {
  const { places, sums, wallets } = await inSnapshot(sql, async (tx) => ({
    places: await queries.selectPlaceRows(tx, chain),
    sums: await queries.selectCoinSums(tx, chain),
    wallets: await queries.selectWalletSums(tx, chain),
  }))
  inspected('places', places.length)
  for (const { address, place, units, derived } of places) {
    if (BigInt(units) !== BigInt(derived))
      fault(`${place} ${hexOf(address)}`, `holds ${units} units, but its movements leave ${derived} there`)
  }
  if (sums !== undefined) {
    const accounts = sums.cents * baseUnitsPerCent + BigInt(sums.residue)
    if (BigInt(sums.units) !== accounts)
      fault(
        `chain ${chain.key}`,
        `has ${sums.units} units at its places, but ${sums.cents} cents in its accounts and ${sums.residue} units below a cent`,
      )
  }
  inspected('wallets', wallets.length)
  for (const { wallet, spentWei, spentGwei, boughtWei, boughtGwei } of wallets) {
    if (BigInt(spentWei) / weiPerGwei !== spentGwei)
      fault(
        `wallet ${hexOf(wallet)}`,
        `spent ${spentWei} wei on gas, but its transactions say ${spentGwei} gwei`,
      )
    if (BigInt(boughtWei) / weiPerGwei !== boughtGwei)
      fault(`wallet ${hexOf(wallet)}`, `got ${boughtWei} wei for gas, but its fills say ${boughtGwei} gwei`)
  }
  await inspectCosts(
    { sql, fault },
    chain,
    new Map(wallets.map((each) => [hexOf(each.wallet), BigInt(each.spentWei)])),
  )
}

/**
 * The gas that a wallet spent equals the sum of the receipts of its transactions. Wallets keep spending while the receipts are
 * read, so the sum lies between what a wallet had spent before and what it has spent after the reading. When nothing is sent
 * meanwhile, the two are equal.
 */
async function inspectCosts(
  { sql, fault }: Pick<Inspector, 'sql' | 'fault'>,
  chain: ChainRow,
  before: ReadonlyMap<string, bigint>,
): Promise<void> {
  const costs = new Map<string, bigint>()
  await eachPage<queries.GasRow>(
    (last) => inSnapshot(sql, (tx) => queries.selectGasRows(tx, last?.id ?? queries.minId, pageRows)),
    (rows) => {
      for (const { chain: key, wallet, evidence } of rows) {
        if (key !== chain.key || evidence === null) continue
        costs.set(hexOf(wallet), (costs.get(hexOf(wallet)) ?? 0n) + costOf(evidence))
      }
    },
  )
  for (const { wallet, wei } of await queries.selectGasSpent(sql, chain)) {
    const name = hexOf(wallet)
    const sum = costs.get(name) ?? 0n
    if (sum < (before.get(name) ?? 0n) || sum > BigInt(wei))
      fault(`wallet ${name}`, `spent ${wei} wei on gas, but its receipts add up to ${sum}`)
  }
}

function costOf(evidence: Buffer): bigint {
  const { gasUsed, effectiveGasPrice } = JSON.parse(evidence.toString('utf8')) as {
    readonly gasUsed?: unknown
    readonly effectiveGasPrice?: unknown
  }
  return toBigint(gasUsed, 'gasUsed') * toBigint(effectiveGasPrice, 'effectiveGasPrice')
}

/** A payout is booked exactly when its withdrawal or refund is COMPLETED, with the same amount. */
async function inspectPayouts({ sql, inspected, fault }: Inspector, chain: ChainRow): Promise<void> {
  for (const id of await queries.selectUnpaidRefunds(sql, chain))
    fault(`refund ${id}`, 'is COMPLETED, but no final payout paid it')
  await eachPage<queries.PayoutRow>(
    (last) => queries.selectPayoutRows(sql, chain, last, pageRows),
    (rows) => {
      inspected('payouts', rows.length)
      for (const { id, subject, state, units, isBooked, status, amountMinor } of rows) {
        const name = `payout ${id}`
        if (status === null || amountMinor === null) {
          fault(name, `pays out ${subject}, which is no withdrawal and no refund`)
          continue
        }
        if (BigInt(units) !== amountMinor * baseUnitsPerCent)
          fault(name, `is of ${units} units for ${amountMinor} cents`)
        if (isBooked && state !== 'FINAL') fault(name, `has left the wallet by the books, but is ${state}`)
        if (isBooked !== (status === 'COMPLETED'))
          fault(
            name,
            `${isBooked ? 'has left' : 'has not left'} the wallet by the books, but what it pays out is ${status}`,
          )
      }
    },
  )
}
