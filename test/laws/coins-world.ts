// Our own coins on a chain of their own, for tests: payments come in, wallets sweep, refill and pay out. The test decides when
// the worker's jobs run.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { mainToken } from '#/coins/chain.ts'
import { usdtAt, type Token } from '#/coins/networks.ts'
import { toBookUnits, toTokenUnits } from '#/coins/units.ts'
import { hexOf, toChecksum, type Address } from '#/evm/address.ts'
import { ensureContracts } from '#/evm/deploy.ts'
import { must } from '#/kernel/check.ts'
import { newId, type WithdrawalId } from '#/kernel/id.ts'
import { silentLog, type Log } from '#/kernel/log.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import { bookCoins, coinKind } from '#/settlement/book-coins.ts'
import { payoutKind, settlePayout, stillLeaving } from '#/settlement/payout.ts'
import { coinMovements } from '#/treasury/coin-movements.ts'
import { compareCoins, type Comparison } from '#/treasury/compare.ts'
import { bscFees } from '#/treasury/fees.ts'
import { gasFills, findFills } from '#/treasury/gas.ts'
import { beginSending, type Held, type HotWalletDeps } from '#/treasury/hot-wallet-lease.ts'
import { step } from '#/treasury/hot-wallet.ts'
import type { Signer, WalletPurpose } from '#/treasury/outgoing.ts'
import { createCryptoPayouts } from '#/treasury/payout.ts'
import { refillDue, type Watermarks } from '#/treasury/refill.ts'
import { sweepDue } from '#/treasury/sweep.ts'
import { ensureTreasury, type ChainWallets } from '#/treasury/wallets.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { sendDueWithdrawals, type WithdrawalSenderDeps } from '#/withdrawals/send.ts'
import { richAccount } from '../anvil.ts'
import { localSigner } from './payout-world.ts'
import { newPayer, startTestChain, type TestChain } from './watcher-chain.ts'
import { catchUp, openWorld, type Payment, type Scene, type World } from './watcher-world.ts'

export const cent = 10n ** 16n
export const bnb = 10n ** 18n

export type Wallet = { readonly address: Address; readonly signer: Signer }

export type CoinWorld = AsyncDisposable & {
  readonly node: TestChain
  readonly world: World
  readonly scene: Scene
  readonly wallets: ChainWallets
  readonly keys: Readonly<Record<WalletPurpose, Wallet>>
  /** Sends this number of base units to a payment, in a block of its own. */
  pay(to: Payment, value: bigint): Promise<void>
  /** A stranger sends tokens to any address. */
  send(to: Address, value: bigint, token?: Address): Promise<Hex>
  withdraw(minor: bigint): Promise<WithdrawalId>
  /** Cancels as the merchant; the withdrawal's status shows what came of it. */
  cancel(id: WithdrawalId): Promise<void>
  statusOf(id: WithdrawalId): Promise<string>
  /** Base units that the withdrawal's recipient has, who receives nothing else, and those that were requested. */
  paidOf(id: WithdrawalId): Promise<{ readonly paid: bigint; readonly requested: bigint }>
  /** Runs every job of workers and watchers once. `only`: these jobs alone. */
  work(only?: readonly Work[]): Promise<void>
  /** The same with blocks in between, until nothing is left to do. */
  rest(): Promise<void>
  sending(purpose: WalletPurpose): HotWalletDeps
  compare(): Promise<Comparison>
}

const works = ['watch', 'settle', 'sweep', 'refill', 'send', 'payouts', 'book', 'gas'] as const
export type Work = (typeof works)[number]

export async function openCoinWorld(
  watermarks: Watermarks = { low: 1_000n * cent, high: 5_000n * cent },
  options: {
    readonly holdsTreasury?: boolean
    readonly unitsMin?: bigint
    readonly hot?: Wallet
    /** Of the wallets that send. */
    readonly log?: Log
    /** It ends with the world. */
    readonly node?: TestChain
    /** Makes the token of payments. Default: the sandbox's own. */
    readonly tokenOn?: (node: TestChain) => Promise<Token>
  } = {},
): Promise<CoinWorld> {
  const { holdsTreasury = true, unitsMin = 0n, hot = newWallet(), log = silentLog } = options
  const node = options.node ?? (await startTestChain())
  const world = await openWorld(() => node)
  const keys = { hot, gas: newWallet(), treasury: newWallet() }
  const contracts = await ensureContracts(node.rpc, {
    deployer: richAccount,
    treasury: keys.treasury.address,
  })
  const token = (await options.tokenOn?.(node)) ?? usdtAt(contracts.token)
  const scene = await world.newScene({ ...contracts, tokens: [token], treasury: keys.treasury.address })
  const wallets = { hot: keys.hot.address, gas: keys.gas.address, holdsTreasury }
  await ensureTreasury(world.sql, scene.chain, wallets)
  for (const { address } of Object.values(keys))
    await node.rpc.call('anvil_setBalance', [address, `0x${bnb.toString(16)}`])
  await node.mine(3)
  await catchUp(scene.watching(node.rpc))
  const rails: PayoutRails = new Map([
    [
      'CRYPTO',
      createCryptoPayouts({
        sql: world.sql,
        clock: world.clock,
        chains: () => [{ chain: scene.chain, hot: wallets.hot, own: [wallets.gas] }],
        connections: { find: () => undefined },
      }),
    ],
  ])
  return assemble({ node, world, scene, wallets, keys, watermarks, unitsMin, rails, log })
}

type Setting = Pick<CoinWorld, 'node' | 'world' | 'scene' | 'wallets' | 'keys'> & {
  readonly watermarks: Watermarks
  readonly unitsMin: bigint
  readonly rails: PayoutRails
  readonly log: Log
}

function assemble(setting: Setting): CoinWorld {
  const { node, world, scene, wallets, keys, rails } = setting
  const { sql, lane, clock } = world
  const decision = decisionKind(rails)
  const payouts = payoutKind(rails)
  const withdrawing: WithdrawalSenderDeps = {
    sql,
    rails,
    lane,
    decisionKind: decision,
    clock,
    log: silentLog,
    settle: (withdrawal, news) => settlePayout({ lane, kind: payouts, log: silentLog }, withdrawal, news),
  }
  const coins: CoinWorld = {
    node,
    world,
    scene,
    wallets,
    keys,
    async pay({ address }, value) {
      await coins.send(address, value)
    },
    async send(to, value, token) {
      const payer = newPayer()
      const main = mainToken(scene.chain)
      const target = token ?? main.address
      await node.fund([payer.address], main.address)
      const { raw } = token === undefined ? toTokenUnits(main, value) : { raw: value }
      const tx = await payer.transfer(target, { to, value: raw })
      await node.send(tx)
      await node.mine()
      return tx.hash
    },
    async withdraw(minor) {
      const rail = must(rails.get('CRYPTO'), 'CRYPTO pays out')
      const [id, destination] = [newId<'withdrawal'>(), toChecksum(newAddress())]
      const terms = { cryptoAddress: destination, cryptoNetwork: scene.chain.network, cryptoCurrency: 'USDT' }
      const request = { type: 'CRYPTO' as const, amount: Number(minor), currency: 'USDT', ...terms }
      const routing = rail.route({
        mode: 'SANDBOX',
        merchantId: scene.merchantId,
        currency: 'USDT',
        ...terms,
      })
      const item = {
        merchantId: scene.merchantId,
        mode: 'SANDBOX' as const,
        id,
        request,
        requestedBy: newId<'api-key'>(),
        routing,
      }
      const { kind } = await lane.submit(withdrawalKind(), item)
      assert.equal(kind, 'created')
      return id
    },
    async statusOf(id) {
      const [row] = await sql<{ status: string }[]>`select status from withdrawal where id = ${id}`
      return must(row, 'a withdrawal').status
    },
    async cancel(id) {
      await lane.submit(decision, { id, merchantId: scene.merchantId, event: 'canceled' })
    },
    async paidOf(id) {
      const [row] = await sql<{ address: string; minor: bigint }[]>`
        select destination->'fields'->>'cryptoAddress' as address, amount_minor as minor from withdrawal where id = ${id}`
      const { address, minor } = must(row, 'a withdrawal')
      const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}` as const
      const token = mainToken(scene.chain)
      const raw = BigInt(await node.rpc.ethCall(token.address, data))
      return { paid: toBookUnits(token, { raw }), requested: minor * cent }
    },
    sending: (purpose) => ({
      sql,
      chain: scene.chain,
      clock,
      log: setting.log,
      rpc: node.rpc,
      signer: keys[purpose].signer,
      wallet: { address: keys[purpose].address, purpose },
      fees: bscFees,
      pollMs: 5,
      resendBlocks: 1,
      strangerMs: 600_000,
      signerPauseMs: 0,
      stillLeaving: stillLeaving(new Map()),
    }),
    work: createWork(setting, withdrawing, () => coins),
    rest: () => comeToRest(setting, coins),
    compare: () => compareCoins(sql, node.rpc, scene.chain.key, { patienceMs: 0 }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await node[Symbol.asyncDispose]()
    },
  }
  return coins
}

function createWork(
  { node, world, scene, wallets, watermarks, unitsMin }: Setting,
  withdrawing: WithdrawalSenderDeps,
  coins: () => CoinWorld,
): CoinWorld['work'] {
  const { sql, lane, clock } = world
  const { chain } = scene
  const common = { sql, chain, clock, log: silentLog }
  const held = new Map<WalletPurpose, Held>()
  const kind = coinKind(coinMovements)
  const send = async (purpose: WalletPurpose) => {
    const deps = coins().sending(purpose)
    const mine = held.get(purpose) ?? must(await beginSending(deps), 'the lease is free')
    held.set(purpose, mine)
    mine.pollAt = 0
    await step(deps, mine)
  }
  const doing: Readonly<Record<Work, () => Promise<unknown>>> = {
    watch: () => catchUp(scene.watching(node.rpc)),
    settle: () => world.drainAll(),
    sweep: () => sweepDue({ ...common, unitsMin }),
    refill: async () => wallets.holdsTreasury && refillDue({ ...common, hot: wallets.hot, watermarks }),
    async send() {
      await send('gas')
      await send('hot')
      if (wallets.holdsTreasury) await send('treasury')
    },
    async payouts() {
      await sql`update withdrawal_due set due_at = least(due_at, clock_timestamp() - interval '1 second')`
      await sendDueWithdrawals(withdrawing)
    },
    book: () => bookCoins({ sql, lane, book: coinMovements, kind, log: silentLog }),
    async gas() {
      const fills = await findFills(sql, node.rpc, chain)
      const fillMovements = gasFills(new Map(fills.map((fill) => [fill.id, fill])))
      await bookCoins({ sql, lane, book: fillMovements, kind: coinKind(fillMovements), log: silentLog })
    },
  }
  return async (only = works) => {
    for (const work of works) if (only.includes(work)) await doing[work]()
  }
}

async function comeToRest({ world, scene, node }: Setting, coins: CoinWorld): Promise<void> {
  for (let rounds = 0; ; rounds++) {
    assert.ok(rounds < 60, 'our coins come to rest')
    await node.mine()
    await coins.work()
    const [row] = await world.sql<{ open: boolean }[]>`
      select exists (select from chain_tx where chain = ${scene.chain.key} and state not in ('FINAL', 'FAILED'))
          or exists (select from chain_tx where chain = ${scene.chain.key} and gas_gwei is not null and not gas_booked)
          or exists (select from coin_move where chain = ${scene.chain.key} and booked_as is null)
          or exists (select from chain_transfer where chain = ${scene.chain.key} and state = 'SEEN')
          or exists (select from sweep where chain = ${scene.chain.key} and tx is not null)
          or exists (select from refill where chain = ${scene.chain.key} and ended_at is null and tx is not null)
          or exists (select from withdrawal where status in ('PENDING', 'PROCESSING')
                                              and merchant_id = ${scene.merchantId}) as open`
    if (row?.open === false && rounds > 4) return
  }
}

function newWallet(): Wallet {
  const key = generatePrivateKey()
  const address = privateKeyToAccount(key).address.toLowerCase() as Address
  return { address, signer: localSigner(key) }
}

/** A fresh random address. */
export function newAddress(): Address {
  return hexOf(randomBytes(20))
}
