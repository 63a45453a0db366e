// Inspects the crypto rail: each address is the hash that it must be and holds what its receipts say; every transfer that the
// chain showed was settled or waits in the inbox.
// Inspects what rails/crypto/rail.ts decides.
import { selectBalanceAt } from '#/audit/ledger-queries.ts'
import type { PayoutPlaces } from '#/audit/withdrawals.ts'
import { baseUnitsPerCent, wholeCents } from '#/coins/units.ts'
import { eachPage, inSnapshot, type Inspection, type Inspector } from '#/db/inspection.ts'
import {
  createDepositAddresses,
  factoryAddress,
  hexOf,
  implementationAddress,
  parseAddress,
  toChecksum,
  type Address,
} from '#/evm/address.ts'
import { coinInspections, coinSubjects } from './crypto-coins.ts'
import * as queries from './crypto-queries.ts'
import type { RailAudit } from './rail-audit.ts'

/** An address with its checksum (EIP-55). */
const payouts: PayoutPlaces = {
  field: 'cryptoAddress',
  destinationOf({ cryptoAddress = '' }) {
    const address = parseAddress(cryptoAddress)
    return address === undefined ? undefined : toChecksum(address)
  },
}

export const cryptoAudit: RailAudit = {
  payouts,
  async arrivals(sql) {
    const chains = await queries.selectChains(sql)
    return new Map(
      chains.flatMap(({ connection, key }) =>
        connection === null ? [] : [[connection, coinsAccount({ key })]],
      ),
    )
  },
  subjects: [coinSubjects],
  async inspections(sql) {
    const chains = await queries.selectChains(sql)
    return [...depositInspections(chains), ...coinInspections(chains)]
  },
}

/** The account in which deposits of the chain arrive. */
function coinsAccount(chain: Pick<queries.ChainRow, 'key'>): string {
  return `coins:${chain.key}:USDT:deposit`
}

function depositInspections(chains: readonly queries.ChainRow[]): readonly Inspection[] {
  const inspectEach = (inspect: (inspector: Inspector, chain: queries.ChainRow) => Promise<void>) => {
    return async (inspector: Inspector) => {
      for (const chain of chains) await inspect(inspector, chain)
    }
  }
  return [
    { name: 'deposit addresses', inspect: inspectEach(inspectAddresses) },
    { name: 'deposits', inspect: inspectEach(inspectShown) },
    { name: 'counts of deposits', inspect: inspectEach(inspectCounts) },
    { name: 'receipts of deposits', inspect: inspectEach(inspectReceipts) },
  ]
}

const pageRows = 1_000

/**
 * Each address is the hash of its payment and holds the sum of its receipts, of which the whole cents were booked. The cents of
 * all addresses are the account of the chain's coins: 10^16 × that account + the residues = the units held. Coins that were
 * swept are in other accounts.
 */
async function inspectAddresses(inspector: Inspector, chain: queries.ChainRow): Promise<void> {
  const { sql, upTo, inspected, fault } = inspector
  const addressOf = addressesOf(inspector, chain)
  let credited = 0n
  let swept = 0n
  await eachPage<queries.AddressRow>(
    (last) =>
      queries.selectAddressRows(sql, chain, {
        after: last?.address ?? Buffer.alloc(0),
        upTo: upTo.transfer,
        limit: pageRows,
      }),
    (rows) => {
      inspected('addresses', rows.length)
      for (const row of rows) {
        for (const what of faultsOfAddress(chain, row, addressOf(row.paymentId)))
          fault(`address ${hexOf(row.address)}`, what)
        credited += row.creditedMinor
        swept += row.sweptToCut
      }
    },
  )
  if (chain.mode === null) return fault(`chain ${chain.key}`, 'has no connection')
  const booked = await selectBalanceAt(sql, chain.mode, coinsAccount(chain), upTo.transfer)
  inspected('chains', 1)
  if (booked !== credited - swept) {
    fault(
      `account ${coinsAccount(chain)}`,
      `holds ${booked} cents, but its addresses were credited ${credited} and gave ${swept}`,
    )
  }
}

function addressesOf({ fault }: Inspector, chain: queries.ChainRow) {
  const treasury: Address = hexOf(chain.treasury)
  const factory = factoryAddress(treasury)
  if (hexOf(chain.factory) !== factory)
    fault(`chain ${chain.key}`, 'names another factory than its treasury makes')
  return createDepositAddresses({
    chainId: chain.chainId,
    factory,
    implementation: implementationAddress(treasury),
  })
}

function faultsOfAddress(
  chain: queries.ChainRow,
  row: queries.AddressRow,
  expected: Address,
): readonly string[] {
  const faults: string[] = []
  const { sweptMinor } = row
  const [requested, received, held, settled] = [row.requested, row.received, row.held, row.receiptUnits].map(
    BigInt,
  )
  const swept = BigInt(row.sweptUnits)
  if (hexOf(row.address) !== expected)
    faults.push(`is not the address of payment ${row.paymentId}, which is ${expected}`)
  if (row.attemptMinor === null) faults.push(`belongs to no attempt at payment ${row.paymentId}`)
  else if (requested !== row.attemptMinor * baseUnitsPerCent || row.attemptConnection !== chain.connection) {
    faults.push('asks for something else than its attempt')
  }
  if (received !== settled) faults.push(`received ${received} units, but its receipts report ${settled}`)
  if (held !== (received ?? 0n) - swept)
    faults.push(`holds ${held} of the ${received} units that it received, and ${swept} were swept`)
  if (wholeCents(swept) !== sweptMinor)
    faults.push(`gave ${sweptMinor} cents by the books for ${swept} units`)
  if (wholeCents(settled ?? 0n) !== row.bookedMinor) {
    faults.push(`was booked with ${row.bookedMinor} cents for ${settled} units`)
  }
  return faults
}

/** Every transfer that the chain showed at our addresses was settled in its present state, or a signal of it waits. */
async function inspectShown({ sql, inspected, fault }: Inspector, chain: queries.ChainRow): Promise<void> {
  let last: queries.ShownRow | undefined
  for (;;) {
    const { shown, waiting } = await inSnapshot(sql, async (tx) => {
      const rows = await queries.selectShown(tx, chain, last, pageRows)
      const unsettled = rows.filter(({ hasReceipt }) => !hasReceipt).map(({ txHash }) => txHash)
      const signals =
        unsettled.length === 0
          ? new Set<string>()
          : await queries.selectWaiting(tx, chain.connection, unsettled)
      return { shown: rows, waiting: signals }
    })
    last = shown.at(-1)
    if (last === undefined) return
    inspected('transfers', shown.length)
    for (const each of shown) {
      const row = `deposit ${hexOf(each.txHash)}:${each.ordinal} in block ${hexOf(each.blockHash)}`
      if (!each.hasAddress) fault(row, 'came to an address that is not ours')
      if (each.hasReceipt && !each.isSame) fault(row, 'was settled as another payment, address or value')
      if (!each.hasReceipt && !waiting.has(each.txHash.toString('hex'))) {
        fault(row, `is ${each.state}, but was never settled as that, and no signal waits`)
      }
    }
  }
}

/** The stored count of deposits of each address is right. */
async function inspectCounts({ sql, inspected, fault }: Inspector, chain: queries.ChainRow): Promise<void> {
  await eachPage<Awaited<ReturnType<typeof queries.selectCounts>>[number]>(
    (last) => queries.selectCounts(sql, chain, last?.address ?? Buffer.alloc(0), pageRows),
    (rows) => {
      inspected('counts', rows.length)
      for (const { address, counted, shown } of rows)
        if (counted !== shown)
          fault(`address ${hexOf(address)}`, `is said to have ${counted} deposits, and has ${shown}`)
    },
  )
}

/** The chain showed the transfer of every receipt of a deposit. */
async function inspectReceipts({ sql, inspected, fault }: Inspector, chain: queries.ChainRow): Promise<void> {
  await eachPage<queries.DepositReceiptRow>(
    (after) => queries.selectReceipts(sql, chain, after, pageRows),
    (receipts) => {
      inspected('receipts', receipts.length)
      for (const { providerRef, outcome, occurrence, wasShown, isEvident } of receipts) {
        const row = `receipt ${outcome} ${providerRef} (${occurrence}) of ${chain.connection}`
        if (!wasShown) fault(row, 'is of no deposit that the chain showed')
        if (!isEvident) fault(row, 'says something else than its evidence')
      }
    },
  )
}
