// A hot wallet whose key a real signer holds, and what the signer signed in a span that a restore lost.
import { join } from 'node:path'
import type { Hex } from 'viem'
import { verify } from '#/audit/verify.ts'
import { mainToken } from '#/coins/chain.ts'
import { factoryAddress, implementationAddress, sandboxTokenAddress, type Address } from '#/evm/address.ts'
import { nonceReader } from '#/evm/nonces.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId, WithdrawalId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { compareMoneyOut, type MoneyOutDeps } from '#/restored/money-out.ts'
import { sentKind } from '#/settlement/unrecorded.ts'
import { readJournalCopy, type JournalCopy } from '#/signer/journal-copy.ts'
import { sandboxPolicy } from '#/signer/new-policy.ts'
import { createCryptoPayouts } from '#/treasury/payout.ts'
import { richAccount } from './anvil.ts'
import { cent, openCoinWorld, type CoinWorld } from './laws/coins-world.ts'
import { transferCall } from './laws/watcher-chain.ts'
import { partly } from './partly.ts'
import { makeSignerHome, type SignerHome } from './real-signer.ts'

/** The person who begins the repair. */
export const person = { by: { actor: { kind: 'OPERATOR', id: 'ana' } as const }, name: 'ana' }

export type LostSpan = AsyncDisposable & {
  readonly coins: CoinWorld
  readonly home: SignerHome
  /** The path of the signer's journal. */
  readonly journal: string
  /** Signed by the signer for this reference, under a nonce that the books have not given away. */
  sign(nonce: bigint, reference: string, to: Address, minor: bigint): Promise<Hex>
  mine(raw: Hex): Promise<void>
  /** Signs and mines the payout of a withdrawal of the books. Returns its reference at the signer. */
  pay(id: WithdrawalId, nonce: bigint, minor: bigint): Promise<string>
  deps(journals?: readonly JournalCopy[]): MoneyOutDeps
  /** Compares with the journal as it is now, and shows what matters. */
  compare(journals?: readonly JournalCopy[]): Promise<Compared>
  faults(): Promise<readonly string[]>
}

type Compared = {
  readonly recorded: readonly bigint[]
  readonly behind: number | undefined
  readonly repeated: number | undefined
  readonly why: string | undefined
  /** What the books do not have as it is: nonce, reference, books, chain, whether a movement is known. */
  readonly signed: readonly (readonly unknown[])[]
  readonly known: number
  readonly merchants: readonly (string | undefined)[]
}

/** With 9,000 cents of a merchant in the books, and 100 of them paid out under nonce 0. */
export async function openLostSpan(): Promise<LostSpan> {
  const home = makeSignerHome((keys) =>
    sandboxPolicy({
      chainId: 31_337n,
      token: sandboxTokenAddress(richAccount),
      factory: factoryAddress(keys.treasury),
      implementation: implementationAddress(keys.treasury),
      keys,
    }),
  )
  const signer = await home.start()
  const coins = await openCoinWorld(undefined, { hot: { address: home.keys.hot, signer: home.client() } })
  const payment = await coins.scene.newPayment(9_000n)
  await coins.pay(payment, 9_000n * cent)
  await coins.rest()
  await coins.withdraw(100n)
  await coins.rest()
  const span: LostSpan = {
    coins,
    home,
    journal: join(home.folder, 'journal.jsonl'),
    async sign(nonce, reference, to, minor) {
      const { chainId } = coins.scene.chain
      const target = mainToken(coins.scene.chain).address
      const data = transferCall(to, minor * cent)
      const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n }
      const common = { key: home.keys.hot, chainId, nonce, reference, fees, value: 0n, gas: 100_000n }
      return (await home.client().sign({ ...common, to: target, data })).raw
    },
    async mine(raw) {
      await coins.node.rpc.sendRawTransaction(raw)
      await coins.node.mine(4)
    },
    async pay(id, nonce, minor) {
      const [row] = await coins.world.sql<{ reference: string; to: string }[]>`
        select reference, destination -> 'fields' ->> 'cryptoAddress' as to from withdrawal where id = ${id}`
      const { reference, to } = must(row, 'it was accepted')
      const named = `payout/${reference}`
      await span.mine(await span.sign(nonce, named, to.toLowerCase() as Address, minor))
      await coins.work(['watch', 'book'])
      return named
    },
    deps: (journals) => depsOf(coins, journals),
    compare: (journals = [readJournalCopy(span.journal)]) => compare(coins, journals),
    faults: () => faultsOf(coins),
    async [Symbol.asyncDispose]() {
      await coins[Symbol.asyncDispose]()
      await signer.kill()
      home[Symbol.dispose]()
    },
  }
  return span
}

function depsOf({ world, scene, wallets, node }: CoinWorld, journals?: readonly JournalCopy[]): MoneyOutDeps {
  const { sql, lane, clock } = world
  const payouts = createCryptoPayouts({
    sql,
    clock,
    chains: () => [{ chain: scene.chain, hot: wallets.hot, own: [wallets.gas] }],
    connections: { find: () => undefined },
  })
  const nodeOf = () => nonceReader(node.rpc)
  return {
    sql,
    rails: new Map(),
    payoutRails: new Map([['CRYPTO', payouts] as const]),
    connections: { find: (id: ConnectionId) => partly<ProviderConnection>({ id }) },
    log: silentLog,
    record: (item) => lane.submit(sentKind, item),
    ...(journals === undefined ? {} : { signed: { journals, nodeOf } }),
  }
}

async function compare(coins: CoinWorld, journals: readonly JournalCopy[]): Promise<Compared> {
  const { recorded, sources, signed } = await compareMoneyOut(depsOf(coins, journals), person)
  const [source] = sources
  return {
    recorded: recorded.map(({ amountMinor }) => amountMinor),
    behind: source?.counts.behind,
    repeated: source?.counts.repeated,
    why: source?.why,
    signed: signed
      .filter(({ books }) => books !== 'KNOWN')
      .map(({ nonce, reference, books, nonceIs, move }) => [
        Number(nonce),
        reference,
        books,
        nonceIs,
        move !== undefined,
      ]),
    known: signed.filter(({ books }) => books === 'KNOWN').length,
    merchants: signed.map(({ merchantId }) => merchantId),
  }
}

async function faultsOf({ world: { sql, auditKey } }: CoinWorld): Promise<readonly string[]> {
  const only = ['settlement', 'places of coins', 'money that left unrecorded', 'entries', 'debts']
  const found = await verify(sql, { cell: 'a1', auditKey, only })
  return found.faults.map(({ row, what }) => `${row} ${what}`)
}
