// Payers at a till: they send in all the ways that money can come, and what they sent becomes final when a test asks for it.
import assert from 'node:assert/strict'
import type { Address } from '#/evm/address.ts'
import {
  newPayer,
  startTestChain,
  transferCall,
  type Action,
  type Payer,
  type SignedTx,
  type TestChain,
  type Transfer,
} from './watcher-chain.ts'
import { catchUp, openWorld, type Payment, type Scene, type World } from './watcher-world.ts'

/** Base units. */
export const cent = 10n ** 16n

export type Till = AsyncDisposable & {
  readonly chain: TestChain
  readonly world: World
  readonly token: Address
  /** A scene that is watched from now on. */
  newScene(): Promise<Scene>
  newPayerWithCoins(): Promise<Payer>
  /** A fresh payer sends this, in one plain transaction in a block of its own. */
  pay(to: Payment, value: bigint): Promise<SignedTx>
  /** A contract does all of this in one transaction. */
  payByContract(actions: readonly Action[]): Promise<SignedTx>
  /** Mines the transaction, which must succeed. */
  mineIn(tx: SignedTx): Promise<SignedTx>
  transferring(transfer: Transfer): Action
  /** What was sent becomes final and is settled. */
  settle(scene: Scene): Promise<void>
  payAndSettle(scene: Scene, to: Payment, value: bigint): Promise<SignedTx>
  /** The payment as its merchant sees it. */
  outcome(scene: Scene, payment: Payment): Promise<Outcome>
}

export type Outcome = {
  readonly status: unknown
  readonly amountReceived: number
  readonly exceptions: unknown
  readonly events: readonly string[]
}

export async function openTill(): Promise<Till> {
  const chain = await startTestChain()
  const world = await openWorld(() => chain)
  const { token } = chain.contracts
  const till: Till = {
    chain,
    world,
    token,
    async newScene() {
      const scene = await world.newScene()
      await catchUp(scene.watching(chain.rpc))
      return scene
    },
    async newPayerWithCoins() {
      const payer = newPayer()
      await chain.fund([payer.address, payer.contract])
      return payer
    },
    async pay({ address }, value) {
      const payer = await till.newPayerWithCoins()
      return till.mineIn(await payer.transfer(token, { to: address, value }))
    },
    async payByContract(actions) {
      const payer = await till.newPayerWithCoins()
      return till.mineIn(await payer.contractMade(actions))
    },
    async mineIn(tx) {
      await chain.send(tx)
      await chain.mine()
      assert.ok((await chain.rpc.getTransactionReceipt(tx.hash))?.succeeded)
      return tx
    },
    transferring: ({ to, value }) => ({ call: token, data: transferCall(to, value) }),
    async settle(scene) {
      await chain.mine(3)
      await catchUp(scene.watching(chain.rpc))
      await world.drainAll()
    },
    async payAndSettle(scene, to, value) {
      const tx = await till.pay(to, value)
      await till.settle(scene)
      return tx
    },
    async outcome(scene, payment) {
      const { status, amountReceived, exceptions } = await scene.show(payment)
      const events = await world.eventsOf(payment)
      return { status, amountReceived: Number(amountReceived), exceptions, events }
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await chain[Symbol.asyncDispose]()
    },
  }
  return till
}
