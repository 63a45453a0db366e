// Compares our books with a chain, to the base unit: what each of our places holds at one final block, by our records and by the
// node.
import { baseUnitsPerCent, toBookUnits } from '#/coins/units.ts'
import type { Sql } from '#/db/client.ts'
import { inSnapshot } from '#/db/inspection.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { balanceCall } from '#/evm/erc20.ts'
import { readHeader } from '#/evm/read.ts'
import type { TokenUnits } from '#/evm/token-units.ts'
import { toBigint, toQuantity } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { KnownAddresses } from '#/kernel/evm-address.ts'
import { secondMs, sleep } from '#/kernel/time.ts'
import * as queries from './compare-queries.ts'
import { selectGasWallets } from './gas-queries.ts'
import { balanceAt } from './gas.ts'

/** A chain that this database knows, with the last block that its watcher made final. */
export type KnownChain = queries.KnownChain

/** An unexplained movement of our coins, with the proposed owner. */
export type StrangeMove = queries.StrangeMove

/** The chains that this database knows, by key. */
export function knownChains(sql: Sql): Promise<readonly KnownChain[]> {
  return queries.selectKnownChains(sql)
}

/** The addresses of these chains that are no recipient's: where nothing may be sent. */
export async function knownAddresses(sql: Sql): Promise<KnownAddresses> {
  const chains = await knownChains(sql)
  return {
    tokens: chains.map(({ token }) => token.address),
    contracts: chains.map(({ factory }) => factory),
    ours: chains.map(({ treasury }) => treasury),
  }
}

/** The unexplained movements of a chain that a person still has to review, oldest first. */
export function unexplainedMoves(sql: Sql, chain: string): Promise<readonly StrangeMove[]> {
  return queries.selectStrangeMoves(sql, { chain, all: false })
}

/** One page of them. `after`: the last one of the page before. */
export function unexplainedPage(
  sql: Sql,
  page: { readonly chain: string; readonly after?: string; readonly limit: number },
): Promise<readonly StrangeMove[]> {
  return queries.selectStrangePage(sql, page)
}

export type Difference = { readonly where: string; readonly what: string }

export type Comparison = {
  readonly chain: KnownChain
  readonly block: { readonly number: bigint; readonly hash: Address }
  /** Base units, deposit addresses in one sum; `onChain` at the block. */
  readonly places: readonly {
    readonly place: queries.RecordedPlace['place']
    /** The address of a single place; absent for deposit addresses. */
    readonly address?: Address
    readonly addresses: number
    readonly units: bigint
    readonly unbooked: bigint
    readonly onChain: bigint
  }[]
  /** Cents in the ledger. */
  readonly accounts: queries.Accounts
  /** What all places hold beyond the whole cents of the accounts, in base units. */
  readonly residue: bigint
  readonly inFlight: readonly queries.InFlight[]
  readonly strange: readonly StrangeMove[]
  readonly gas: readonly {
    readonly address: Address
    readonly purpose: string
    readonly wei: bigint
    readonly onChain: bigint
  }[]
  readonly differences: readonly Difference[]
}

/**
 * Compares at the watcher's last final block, including what is on its way between chain and books. More can move during the
 * comparison, so only a difference that shows in every pass is reported. Rejects with ProviderError when the node cannot be
 * reached, or repeatedly no longer has the block.
 */
export async function compareCoins(
  sql: Sql,
  rpc: Rpc,
  chainKey: string,
  { all = false, patienceMs = secondMs }: { readonly all?: boolean; readonly patienceMs?: number } = {},
): Promise<Comparison> {
  let last: Comparison | undefined
  let fault: unknown
  for (let pass = 0; pass < passesMax; pass++) {
    if (pass > 0) await sleep(patienceMs)
    try {
      last = await compareOnce(sql, rpc, chainKey, all)
      if (last.differences.length === 0) return last
    } catch (error) {
      // A node may drop old states meanwhile; the next pass uses a newer block.
      fault = error
    }
  }
  if (last !== undefined) return last
  throw fault
}

const passesMax = 12
const pageRows = 2_000
/** Calls to the node at once. */
const callsMax = 16

async function compareOnce(sql: Sql, rpc: Rpc, chainKey: string, all: boolean): Promise<Comparison> {
  const books = await inSnapshot(sql, async (tx) => {
    const chain = must(
      (await queries.selectKnownChains(tx)).find(({ key }) => key === chainKey),
      `the chain ${chainKey} is known`,
    )
    const deposits: queries.RecordedPlace[] = []
    for (;;) {
      const after = deposits.at(-1)?.address
      const page = await queries.selectRecordedDeposits(tx, chainKey, { after, all, limit: pageRows })
      deposits.push(...page)
      if (page.length < pageRows) break
    }
    return {
      chain,
      deposits,
      ownPlaces: await queries.selectRecordedPlaces(tx, chainKey),
      accounts: await queries.selectAccounts(tx, chain),
      inFlight: await queries.selectInFlight(tx, chainKey),
      strange: await queries.selectStrangeMoves(tx, { chain: chainKey, all: true }),
      wallets: await selectGasWallets(tx, chainKey),
    }
  })
  const { chain, deposits, ownPlaces, strange } = books
  const block = must(chain.final, 'the watcher has made a block final')
  const differences: Difference[] = []
  const header = await readHeader(rpc, block.number)
  if (header?.hash !== block.hash)
    differences.push({
      where: `block ${block.number}`,
      what: `is ${block.hash} in the books and ${header?.hash ?? 'not there'} at the node`,
    })
  const recorded = [...deposits, ...ownPlaces]
  const balances = await balancesOf(
    rpc,
    chain.token.address,
    block.number,
    recorded.map(({ address }) => address),
  )
  const held = balances.map((balance) => toBookUnits(chain.token, balance))
  for (const [index, each] of recorded.entries()) {
    const onChain = held[index] ?? 0n
    const expected = each.units + each.unbooked
    if (onChain === expected) continue
    differences.push({
      where: `${each.place} ${each.address}`,
      what: `has ${onChain} units on the chain and ${expected} by the books: ${signed(onChain - expected)}${reasonOf(each, strange)}`,
    })
  }
  const units = recorded.reduce((sum, each) => sum + each.units, 0n)
  const { accounts } = books
  const residue = units - (accounts.deposit + accounts.treasury + accounts.hot) * baseUnitsPerCent
  const gas = await compareGas(rpc, block.number, books.wallets, differences)
  return {
    chain,
    block,
    places: placesOf(deposits, ownPlaces, held),
    accounts,
    residue,
    inFlight: books.inFlight,
    strange: strange.filter(
      ({ proposal }) => proposal?.confirmedBy === undefined || proposal.confirmedBy === null,
    ),
    gas,
    differences,
  }
}

function placesOf(
  deposits: readonly queries.RecordedPlace[],
  ownPlaces: readonly queries.RecordedPlace[],
  held: readonly bigint[],
): Comparison['places'] {
  const sum = (numbers: readonly bigint[]) => numbers.reduce((a, b) => a + b, 0n)
  return [
    {
      place: 'deposit',
      addresses: deposits.length,
      units: sum(deposits.map((each) => each.units)),
      unbooked: sum(deposits.map((each) => each.unbooked)),
      onChain: sum(held.slice(0, deposits.length)),
    },
    ...ownPlaces.map(({ address, place, units, unbooked }, index) => ({
      place,
      address,
      addresses: 1,
      units,
      unbooked,
      onChain: held[deposits.length + index] ?? 0n,
    })),
  ]
}

/** The unexplained movements that left this place: they are not in the books. */
function reasonOf({ address }: queries.RecordedPlace, strange: readonly queries.StrangeMove[]): string {
  const departed = strange.filter(({ bookedAs, sender }) => bookedAs === 'LEFT' && sender === address)
  if (departed.length === 0) return ''
  return `; ${departed.map(({ units, recipient, txHash }) => `${units} left for ${recipient} in ${txHash}`).join(', ')}`
}

/** Skips a wallet whose final transactions differ between our records and the chain: it is changing just now. */
async function compareGas(
  rpc: Rpc,
  block: bigint,
  wallets: Awaited<ReturnType<typeof selectGasWallets>>,
  differences: Difference[],
): Promise<Comparison['gas']> {
  return Promise.all(
    wallets.map(async ({ address, purpose, nextNonce, boughtWei, spentWei }) => {
      const [nonce, onChain] = await Promise.all([
        rpc.call('eth_getTransactionCount', [address, toQuantity(block)]),
        balanceAt(rpc, address, block),
      ])
      const wei = boughtWei - spentWei
      if (toBigint(nonce, 'nonce') === nextNonce && wei !== onChain)
        differences.push({
          where: `gas of ${purpose} ${address}`,
          what: `is ${onChain} wei on the chain and ${wei} by the books: ${signed(onChain - wei)}`,
        })
      return { address, purpose, wei, onChain }
    }),
  )
}

export async function balancesOf(
  rpc: Rpc,
  token: Address,
  block: bigint | 'latest',
  holders: readonly Address[],
): Promise<readonly TokenUnits[]> {
  const held: TokenUnits[] = []
  for (let from = 0; from < holders.length; from += callsMax) {
    const some = holders.slice(from, from + callsMax)
    held.push(...(await Promise.all(some.map((holder) => balanceOf(rpc, token, block, holder)))))
  }
  return held
}

async function balanceOf(
  rpc: Rpc,
  token: Address,
  block: bigint | 'latest',
  holder: Address,
): Promise<TokenUnits> {
  const answer = await rpc.ethCall(token, balanceCall(holder), block)
  try {
    return { raw: BigInt(answer) }
  } catch (error) {
    throw new Error(`${token} has no balances: ${messageOf(error)}`, { cause: error })
  }
}

function signed(units: bigint): string {
  return units > 0n ? `${units} too many` : `${-units} too few`
}
