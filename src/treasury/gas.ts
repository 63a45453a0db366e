// Native coin at the wallets that send. Its transfers leave no log, so what arrives is detected by the balance. This file also
// forecasts how long the native coin will last.
import type { Chain } from '#/coins/chain.ts'
import type { CoinFactSource, CoinFact } from '#/coins/fact.ts'
import type { Sql } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { readHeader } from '#/evm/read.ts'
import { toBigint, toQuantity } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { suggestFees, type FeePolicy } from './fees.ts'
import { selectGasWallets, type DueFill, type GasWallet, insertFills, selectDueFills } from './gas-queries.ts'
import { viewChain } from './hot-wallet-follow.ts'
import type { WalletPurpose } from './outgoing.ts'

/**
 * Native coin that arrived at our wallets since the last check: the balance at a final block, plus the cost of final transactions
 * until then, less what was recorded before. A wallet whose number of final transactions differs from ours is left to the next
 * check. Rejects with ProviderError.
 */
export async function findFills(sql: Sql, rpc: Rpc, chain: Chain): Promise<readonly DueFill[]> {
  const wallets = await selectGasWallets(sql, chain.key)
  const found = await Promise.all(wallets.map((wallet) => checkWallet(rpc, chain, wallet)))
  return found.flatMap((each) => each ?? [])
}

async function checkWallet(rpc: Rpc, chain: Chain, wallet: GasWallet): Promise<DueFill | undefined> {
  const { address, nextNonce, boughtWei, spentWei } = wallet
  const view = await viewChain(rpc, chain, address)
  if (view.finalNonce !== nextNonce) return undefined
  const wei = await balanceAt(rpc, address, view.final)
  const totalWei = wei + spentWei
  if (totalWei <= boughtWei) return undefined
  const block = await readHeader(rpc, view.final)
  if (block === undefined) return undefined
  const facts = {
    wallet: address,
    block: { number: block.number.toString(), hash: block.hash },
    nonce: view.finalNonce.toString(),
    balance: wei.toString(),
    spent: spentWei.toString(),
  }
  const evidence = Buffer.from(JSON.stringify(facts))
  return { id: newId(), chain: chain.key, wallet: address, totalWei, evidence }
}

export async function balanceAt(rpc: Rpc, address: Address, block: bigint | 'latest'): Promise<bigint> {
  const at = typeof block === 'bigint' ? toQuantity(block) : block
  return toBigint(await rpc.call('eth_getBalance', [address, at]), 'balance')
}

/** How long the native coin of a wallet lasts. */
export type GasForecast = {
  readonly address: Address
  readonly purpose: WalletPurpose
  readonly wei: bigint
  /** How many transactions of its usual kind it pays for, at present fees. */
  readonly transactions: bigint
  readonly isLow: boolean
}

/** Gas of one transaction: a payout or refill, and the sweep of one address that was never swept. */
const usualGas: Readonly<Record<WalletPurpose, bigint>> = { hot: 52_000n, gas: 83_000n, treasury: 52_000n }

/** With fewer than this, an operator has to send native coin. */
const lowTransactions: Readonly<Record<WalletPurpose, bigint>> = { hot: 1_000n, gas: 1_000n, treasury: 20n }

/** What each wallet's native coin pays for at present fees. Rejects with ProviderError. */
export async function forecastGas(
  sql: Sql,
  rpc: Rpc,
  chain: Pick<Chain, 'key'>,
  policy: FeePolicy,
): Promise<readonly GasForecast[]> {
  const [wallets, fees] = await Promise.all([selectGasWallets(sql, chain.key), suggestFees(rpc, policy)])
  return Promise.all(
    wallets.map(async ({ address, purpose }) => {
      const wei = await balanceAt(rpc, address, 'latest')
      const transactions = wei / (usualGas[purpose] * fees.maxFeePerGas || 1n)
      return { address, purpose, wei, transactions, isLow: transactions < lowTransactions[purpose] }
    }),
  )
}

// Native coin that came to our wallets, as the ledger books it.

/** A check of the chain finds the fills of gas wallets. A fill is first recorded when it is booked. */
export function gasFills(found: ReadonlyMap<string, DueFill>): CoinFactSource {
  return {
    due: () => Promise.resolve([...found.keys()].map((id) => [id])),
    async load(tx, ids) {
      const fresh = await selectDueFills(
        tx,
        ids.map((id) => must(found.get(id), 'a fill that was found')),
      )
      const facts = new Map(fresh.map((each) => [each.fill.id, fillFact(each)]))
      const accepted = new Set<string>()
      return {
        facts: [...facts.values()],
        consume(id) {
          if (accepted.has(id)) return undefined
          accepted.add(id)
          return facts.get(id)
        },
        save: (tx, at) => insertFills(tx, fresh, at),
      }
    },
  }
}

function fillFact({
  fill,
  gwei,
  mode,
  connection,
}: Awaited<ReturnType<typeof selectDueFills>>[number]): CoinFact {
  return {
    what: 'GAS_BOUGHT',
    id: fill.id,
    mode,
    connection,
    chain: fill.chain,
    wallet: fill.wallet,
    minor: gwei,
    evidence: fill.evidence,
  }
}
