// A wallet that sends, for tests: a database, a chain that mines on request, a key, and orders for the payout rail.
import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { encodeFunctionData, keccak256 } from 'viem/utils'
import type { Chain } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import { connect, type Sql } from '#/db/client.ts'
import { hexOf, toChecksum, type Address } from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { ensureChain } from '#/rails/crypto/queries.ts'
import type { PayoutOrder, PayoutRail, PayoutResult } from '#/rails/payout-rail.ts'
import { bscFees } from '#/treasury/fees.ts'
import { beginSending, type Held, type HotWalletDeps } from '#/treasury/hot-wallet-lease.ts'
import { selectWalletStates, type WalletState } from '#/treasury/hot-wallet-queries.ts'
import { step } from '#/treasury/hot-wallet.ts'
import type { Signer } from '#/treasury/outgoing.ts'
import { createCryptoPayouts } from '#/treasury/payout.ts'
import { richAccount } from '../anvil.ts'
import { worldClock, type WorldClock } from '../clock.ts'
import { testDatabase } from '../postgres.ts'
import { treasury, type TestChain } from './watcher-chain.ts'

export const cent = 10n ** 16n
export const bnb = 10n ** 18n

export type PayoutWorld = AsyncDisposable & {
  readonly sql: Sql
  readonly appUrl: string
  readonly node: TestChain
  /** Runs, and can be moved besides. */
  readonly clock: WorldClock
  newTill(options?: TillOptions): Promise<Till>
  mint(holder: Address, units: bigint): Promise<void>
  setNative(holder: Address, wei: bigint): Promise<void>
  /** Base units of the token, as the chain says. */
  balanceOf(holder: Address): Promise<bigint>
  /** The till's wallet as the operator sees it. */
  stateOf(till: Till): Promise<WalletState>
  /** Polls and mines until each of the orders has ended, at most 12 times. Returns the last result of each order. */
  settle(
    till: Till,
    deps: HotWalletDeps,
    held: Held,
    orders: readonly PayoutOrder[],
  ): Promise<readonly PayoutResult[]>
}

export type TillOptions = {
  /** The wallet's initial funds: base units, and wei. */
  readonly units?: bigint
  readonly wei?: bigint
  readonly signer?: (local: Signer) => Signer
  /** The wallet's address, if another process holds its key. */
  readonly address?: Address
}

/** One chain of its own in the books, with a wallet of its own. */
export type Till = {
  readonly chain: Chain
  readonly address: Address
  readonly signer: Signer
  readonly rail: PayoutRail
  /** What the wallet's sender needs. */
  sending(more?: Partial<HotWalletDeps>): HotWalletDeps
  order(minor: bigint, more?: Partial<PayoutOrder> & { readonly to?: Address }): PayoutOrder
}

export async function openPayoutWorld(node: TestChain): Promise<PayoutWorld> {
  const database = await testDatabase()
  const sql = connect(database.appUrl, { max: 4 })
  const moved = await worldClock(database)
  const clock: WorldClock = { ...moved, now: moved.running.now }
  const setNative = async (holder: Address, wei: bigint) => {
    await node.rpc.call('anvil_setBalance', [holder, `0x${wei.toString(16)}`])
  }
  const mint = async (holder: Address, units: bigint) => {
    const data = encodeFunctionData({
      abi: artifacts.SandboxToken.abi,
      functionName: 'mint',
      args: [holder, units],
    })
    await node.rpc.sendTransaction({ from: richAccount, to: node.contracts.token, data, gas: 200_000n })
    await node.mine()
  }

  async function newTill(options: TillOptions = {}) {
    const { units = 10n ** 24n, wei = bnb, signer = (same) => same } = options
    const key = generatePrivateKey()
    const address = options.address ?? (privateKeyToAccount(key).address.toLowerCase() as Address)
    const id = newId<'connection'>()
    const chain = await ensureChain(sql, {
      key: `chain-${id}`,
      mode: 'SANDBOX',
      connection: `a1-${id}` as ConnectionId,
      chainId: 31_337n,
      network: 'BSC',
      tokens: [usdtAt(node.contracts.token)],
      ...node.contracts,
      treasury,
      confirmationsMin: 1,
    })
    await setNative(address, wei)
    if (units > 0n) await mint(address, units)
    await node.mine(3)
    const till: Till = {
      chain,
      address,
      signer: signer(localSigner(key)),
      rail: createCryptoPayouts({
        sql,
        clock,
        chains: () => [{ chain, hot: address }],
        connections: { find: () => undefined },
      }),
      sending: (more = {}) => ({
        sql,
        chain,
        clock,
        wallet: { address, purpose: 'hot' },
        rpc: node.rpc,
        signer: till.signer,
        fees: bscFees,
        log: silentLog,
        pollMs: 5,
        resendBlocks: 1,
        replaceBlocks: 3,
        strangerMs: 0,
        signerPauseMs: 0,
        ...more,
      }),
      order: (minor, { to = newAddress(), ...more } = {}) => orderOf(chain, minor, to, more),
    }
    return till
  }

  return {
    sql,
    appUrl: database.appUrl,
    node,
    clock,
    newTill,
    mint,
    setNative,
    async balanceOf(holder) {
      const data = `0x70a08231${holder.slice(2).padStart(64, '0')}` as const
      return BigInt(await node.rpc.ethCall(node.contracts.token, data))
    },
    async stateOf({ chain }) {
      const states = await selectWalletStates(sql)
      return must(
        states.find((each) => each.chain === chain.key),
        'a wallet',
      )
    },
    async settle(till, deps, held, orders) {
      const poll = () => Promise.all(orders.map((order) => till.rail.send(order, true)))
      for (let polls = 0; polls < 12; polls++) {
        await step(deps, held)
        await node.mine()
        const results = await poll()
        if (results.every(({ state }) => state !== 'sent')) return results
      }
      return poll()
    },
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 5 })
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Acquires the lease of the sending wallet, which must be free. */
export async function begin(deps: HotWalletDeps): Promise<Held> {
  return must(await beginSending(deps), 'the lease is free')
}

/** A fresh random address. */
function newAddress(): Address {
  return hexOf(randomBytes(20))
}

export function destinationOf(order: PayoutOrder): Address {
  return must(order.destination['cryptoAddress'], 'an address').toLowerCase() as Address
}

/** Signs in this process, with the one rule that matters here: a nonce has one payload, and a reference one nonce. */
export function localSigner(key: Hex): Signer {
  const account = privateKeyToAccount(key)
  const payloads = new Map<bigint, string>()
  const nonces = new Map<string, bigint>()
  return {
    async sign({ nonce, reference, to, value, data, gas, fees, chainId }) {
      const payload = `${to}/${value}/${data}`
      const isCancel = to === account.address.toLowerCase() && data === '0x'
      if (!isCancel && (payloads.get(nonce) ?? payload) !== payload)
        throw new ProviderError('refused', `nonce ${nonce} belongs to another payload`)
      if ((nonces.get(reference) ?? nonce) !== nonce)
        throw new ProviderError('refused', `${reference} belongs to another nonce`)
      payloads.set(nonce, payload)
      nonces.set(reference, nonce)
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId: Number(chainId),
        nonce: Number(nonce),
        to,
        value,
        data,
        gas,
        ...fees,
      })
      return { raw, hash: keccak256(raw) }
    },
    status: async () => [],
  }
}

function orderOf(chain: Chain, minor: bigint, to: Address, more: Partial<PayoutOrder>): PayoutOrder {
  const id = newId<'withdrawal'>()
  return {
    id,
    merchantId: newId(),
    reference: id.replaceAll('-', ''),
    connection: chain.connection,
    amount: { minor, currency: 'USDT' },
    destination: { cryptoAddress: toChecksum(to), cryptoNetwork: 'BSC', cryptoCurrency: 'USDT' },
    ...more,
  }
}
