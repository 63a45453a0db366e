// A wallet that sends, without a chain: its rows in a database, a key that signs here, and a node that says what a test lets it say.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { usdtAt } from '#/coins/networks.ts'
import type { Sql } from '#/db/client.ts'
import { bytesOf, type Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { bscFees, type Fees } from '#/treasury/fees.ts'
import type { Held, HotWalletDeps } from '#/treasury/hot-wallet-lease.ts'
import { insertWallet } from '#/treasury/hot-wallet-queries.ts'
import {
  purposeOf,
  type ChainTxId,
  type OpenTx,
  type TxAttempt,
  type WalletPurpose,
} from '#/treasury/outgoing.ts'
import { bareAddress, bareBytes } from './bare-coins.ts'
import { bareId } from './bare-rows.ts'
import { localSigner } from './laws/payout-world.ts'

export const gwei = 10n ** 9n
/** Fees of one gwei, or of so many. */
export const feesOf = (price: bigint): Fees => ({ maxFeePerGas: price * gwei, maxPriorityFeePerGas: gwei })

export type BareSender = {
  readonly deps: HotWalletDeps
  /** What was logged as a warning or an error. */
  readonly logged: readonly string[]
  /** The lease that the wallet's row has. */
  hold(more?: Partial<Held>): Held
  /** A transaction with a nonce, in the database as well. */
  open(more?: Partial<OpenTx>): Promise<OpenTx>
  /** A transaction that waits for a nonce. */
  queue(more?: QueuedRow): Promise<ChainTxId>
  /** Of each of the wallet's chain's transactions: its state, and why it is canceled or failed. */
  states(): Promise<readonly (readonly [state: string, why: string | null])[]>
}

type QueuedRow = {
  readonly units?: bigint
  readonly value?: bigint
  readonly subject?: string
  readonly at?: Date
}

let count = 0

/** A wallet on a chain of its own, whose rows nobody else has. */
export async function bareSender(
  sql: Sql,
  more: Partial<HotWalletDeps> & { readonly said?: Partial<Rpc>; readonly purpose?: WalletPurpose } = {},
): Promise<BareSender> {
  const { said = {}, purpose = 'hot', ...rest } = more
  const key = generatePrivateKey()
  const address = privateKeyToAccount(key).address.toLowerCase() as Address
  const logged: string[] = []
  const tell = (...said: readonly unknown[]) => void logged.push(String(said[1]))
  const deps: HotWalletDeps = {
    sql,
    chain: { ...bareChain, key: `chain-${(count += 1)}` },
    wallet: { address, purpose },
    rpc: said as Rpc,
    signer: localSigner(key),
    fees: bscFees,
    clock: { now: () => at },
    log: { ...silentLog, warn: tell, error: tell },
    pollMs: 5,
    ...rest,
  }
  const chain = deps.chain.key
  await insertWallet(sql, { chain, address }, { purpose, nextNonce: 0n, at })
  const insert = async (tx: RowOf) => {
    await sql`
      insert into chain_tx (id, chain, purpose, subject, reference, target, value, data, gas, recipient, units, state, wallet, nonce, cancel,
                            created_at)
      values (${tx.id}, ${chain}, ${purposeOf[purpose]}, ${tx.subject}, ${tx.id}, ${bytesOf(bareAddress(21))}, ${String(tx.value)}, '\\x01',
              100, ${bytesOf(bareAddress(22))}, ${String(tx.units)}, ${tx.state}, ${tx.nonce === null ? null : bytesOf(address)}, ${tx.nonce},
              ${tx.cancel}, ${tx.at})`
  }
  return {
    deps,
    logged,
    hold: (held = {}) => ({ ...bareHeld, broadcasts: new Map(), ...held }),
    async open(changes = {}) {
      const id = bareId((count += 1)) as ChainTxId
      const attempts = changes.attempts ?? []
      const state = attempts.length === 0 ? 'RESERVED' : 'SIGNED'
      const tx: OpenTx = { ...bareTx, id, reference: id, state, ...changes, attempts }
      const { nonce, value, units, cancel = null } = tx
      await insert({ id, subject: id, nonce, value, units, state: tx.state, cancel, at })
      return tx
    },
    async queue({ units = 7n, value = 0n, subject, at: since = at } = {}) {
      const id = bareId((count += 1)) as ChainTxId
      await insert({
        id,
        subject: subject ?? id,
        nonce: null,
        value,
        units,
        state: 'QUEUED',
        cancel: null,
        at: since,
      })
      return id
    },
    async states() {
      const rows = await sql`
        select state, coalesce(failure, cancel) as why from chain_tx where chain = ${chain} order by id`
      return rows.map(({ state, why }) => [state as string, why as string | null])
    },
  }
}

type RowOf = {
  readonly id: string
  readonly subject: string
  readonly nonce: bigint | null
  readonly value: bigint
  readonly units: bigint
  readonly state: string
  readonly cancel: string | null
  readonly at: Date
}

const at = new Date('2026-11-22T00:00:00Z')

/** A chain without its key. */
export const bareChain = {
  mode: 'SANDBOX',
  connection: 'shared' as ConnectionId,
  chainId: 31_337n,
  network: 'BSC',
  tokens: [usdtAt(bareAddress(31))],
  treasury: bareAddress(32),
  factory: bareAddress(33),
  implementation: bareAddress(34),
  confirmationsMin: 1,
} as const

const bareHeld = {
  fence: 0n,
  renewAt: 0,
  pollAt: 0,
  alarmAt: 0,
  signer: undefined,
  suspicion: undefined,
}

/** What a transaction does, under a nonce. */
export const bareTx = {
  nonce: 5n,
  to: bareAddress(21),
  value: 0n,
  data: '0x01',
  gas: 100n,
  recipient: bareAddress(22),
  units: 7n,
  isTaken: false,
  cancel: undefined,
} as const

/** What was signed for a transaction, known by a number. */
export function bareAttempt(number: number, more: Partial<TxAttempt> = {}): TxAttempt {
  return {
    hash: bareAddress(number),
    raw: `0x${bareBytes(number).slice(2)}`,
    fees: feesOf(2n),
    cancels: false,
    ...more,
  }
}
