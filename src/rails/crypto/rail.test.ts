import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  newPayer,
  startTestChain,
  transferCall,
  transferEvent,
  transferEventOf,
  transferFromCall,
  word,
  type Action,
  type Payer,
  type SignedTx,
  type TestChain,
  type Transfer,
} from '../../../test/laws/watcher-chain.ts'
import { catchUp, openWorld, type Payment, type Scene, type World } from '../../../test/laws/watcher-world.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { hexOf, type Address } from './address.ts'
import { createCryptoRail } from './rail.ts'

const cent = 10n ** 16n

let chain: TestChain
let world: World
let token: Address
before(async () => {
  chain = await startTestChain()
  world = await openWorld(() => chain)
  token = chain.contracts.token
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})

/** A scene that is watched from now on. */
async function newScene(): Promise<Scene> {
  const scene = await world.newScene()
  await catchUp(scene.watching(chain.rpc))
  return scene
}

async function newPayerWithCoins(): Promise<Payer> {
  const payer = newPayer()
  await chain.fund([payer.address, payer.contract])
  return payer
}

/** Somebody sends this, in one plain transaction in a block of its own. */
async function pay(to: Payment, value: bigint): Promise<SignedTx> {
  const tx = await (await newPayerWithCoins()).transfer(token, { to: to.address, value })
  return mineIn(tx)
}

/** A contract does all of this in one transaction. */
async function payByContract(actions: readonly Action[]): Promise<SignedTx> {
  return mineIn(await (await newPayerWithCoins()).contractMade(actions))
}

async function mineIn(tx: SignedTx): Promise<SignedTx> {
  await chain.send(tx)
  await chain.mine()
  assert.ok((await chain.rpc.getTransactionReceipt(tx.hash))?.succeeded)
  return tx
}

function transferring({ to, value }: Transfer): Action {
  return { call: token, data: transferCall(to, value) }
}

/** What was sent becomes final and is settled. */
async function settle(scene: Scene): Promise<void> {
  await chain.mine(3)
  await catchUp(scene.watching(chain.rpc))
  await world.drainAll()
}

async function payAndSettle(scene: Scene, to: Payment, value: bigint): Promise<SignedTx> {
  const tx = await pay(to, value)
  await settle(scene)
  return tx
}

/** What a merchant sees of the money. */
async function outcome(scene: Scene, payment: Payment) {
  const { status, amountReceived, exceptions } = await scene.show(payment)
  return { status, amountReceived: Number(amountReceived), exceptions, events: await world.eventsOf(payment) }
}

const completed = 'payment.completed'
const underpaid = 'payment.underpaid'
const afterClose = 'payment.received_after_close'

describe('what arrives', () => {
  test('the exact amount completes the payment, and the event names its transaction', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_234n)
    const { hash } = await payAndSettle(scene, payment, 1_234n * cent)
    assert.deepEqual(await outcome(scene, payment), { status: 'PAID', amountReceived: 1_234, exceptions: [], events: [completed] })
    assert.deepEqual(await scene.balance(), { available: 1_234n, pending: 0n })
    const [event] = await world.sql<{ body: string }[]>`select body from event where resource_id = ${payment.id}`
    assert.equal(JSON.parse(event?.body ?? '{}').data.onchainTxHash, hash)
  })

  test('several transfers add up, and the one that crosses the line is named', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    for (const cents of [300n, 300n]) await payAndSettle(scene, payment, cents * cent)
    assert.deepEqual(await outcome(scene, payment), {
      status: 'WAITING_PAYMENT',
      amountReceived: 600,
      exceptions: ['UNDERPAID'],
      events: [underpaid, underpaid],
    })
    const { hash } = await payAndSettle(scene, payment, 400n * cent)
    assert.deepEqual(await outcome(scene, payment), {
      status: 'PAID',
      amountReceived: 1_000,
      exceptions: [],
      events: [underpaid, underpaid, completed],
    })
    const [row] = await world.sql<{ tx: string }[]>`select completing_tx as tx from payment where id = ${payment.id}`
    assert.equal(row?.tx, hash)
  })

  test('more than was asked for is credited in full and marked', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    await payAndSettle(scene, payment, 1_001n * cent)
    assert.deepEqual(await outcome(scene, payment), { status: 'PAID', amountReceived: 1_001, exceptions: ['OVERPAID'], events: [completed] })
    assert.equal((await scene.balance()).available, 1_001n)
  })

  test('a second payment is credited and marked, and the payment stays paid', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    await payAndSettle(scene, payment, 1_000n * cent)
    await payAndSettle(scene, payment, 1_000n * cent)
    assert.deepEqual(await outcome(scene, payment), {
      status: 'PAID',
      amountReceived: 2_000,
      exceptions: ['DUPLICATE'],
      events: [completed, afterClose],
    })
  })

  test('after its end an expired payment is still completed, and a canceled one only credited', async () => {
    const scene = await newScene()
    const [expired, canceled] = [await scene.newPayment(1_000n), await scene.newPayment(1_000n)]
    await world.expire(scene, expired)
    await world.cancel(scene, canceled)
    // Blocks tell whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    for (const payment of [expired, canceled]) await payAndSettle(scene, payment, 1_000n * cent)
    assert.deepEqual(await outcome(scene, expired), {
      status: 'PAID',
      amountReceived: 1_000,
      exceptions: ['LATE'],
      events: ['payment.expired', completed],
    })
    const { status, amountReceived, events } = await outcome(scene, canceled)
    assert.deepEqual({ status, amountReceived, events }, { status: 'CANCELED', amountReceived: 1_000, events: ['payment.canceled', afterClose] })
  })

  test('money sent in time is not late, however late it was seen', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    await pay(payment, 1_000n * cent)
    // Nobody watches for a while, and the payment expires.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    await world.expire(scene, payment)
    await settle(scene)
    assert.deepEqual(await outcome(scene, payment), {
      status: 'PAID',
      amountReceived: 1_000,
      exceptions: [],
      events: ['payment.expired', completed],
    })
  })

  test('fractions of a cent are kept and add up to cents, never lost and never invented', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(2n)
    await payAndSettle(scene, payment, cent / 2n)
    assert.deepEqual(await outcome(scene, payment), { status: 'WAITING_PAYMENT', amountReceived: 0, exceptions: [], events: [] })
    await payAndSettle(scene, payment, cent / 2n)
    assert.equal((await outcome(scene, payment)).amountReceived, 1)
    await payAndSettle(scene, payment, (3n * cent) / 2n - 1n)
    assert.deepEqual((await outcome(scene, payment)).status, 'PAID')
    assert.equal((await scene.balance()).available, 2n)
    const [row] = await world.sql`select received::text, held::text from deposit_address where payment_id = ${payment.id}`
    assert.deepEqual({ ...row }, { received: '24999999999999999', held: '24999999999999999' })
    await payAndSettle(scene, payment, cent / 2n + 1n)
    assert.equal((await scene.balance()).available, 3n)
  })
})

describe('while a transfer is mined and not final', () => {
  test('it is pending, shown with its confirmations, and keeps the payment from expiring and being canceled', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    const { hash } = await pay(payment, 1_000n * cent)
    const deposits = []
    for (const confirmations of [1, 2, 3]) {
      await catchUp(scene.watching(chain.rpc))
      await world.drainAll()
      const { available, pending } = await scene.balance()
      const { status, deposits: shown } = await scene.show(payment)
      const [deposit] = shown as { txHash: string; amount: string; confirmations: number; final: boolean; at: string }[]
      deposits.push({ ...deposit, status, available, pending })
      if (confirmations === 1) {
        await assert.rejects(world.expire(scene, payment), /refused/)
        await assert.rejects(world.cancel(scene, payment), /refused/)
      }
      await chain.mine()
    }
    const same = { txHash: hash, amount: String(1_000n * cent), at: deposits[0]?.at }
    assert.deepEqual(deposits, [
      { ...same, confirmations: 1, final: false, status: 'WAITING_PAYMENT', available: 0n, pending: 1_000n },
      { ...same, confirmations: 2, final: false, status: 'WAITING_PAYMENT', available: 0n, pending: 1_000n },
      { ...same, confirmations: 3, final: true, status: 'PAID', available: 1_000n, pending: 0n },
    ])
    const block = await chain.rpc.getTransactionReceipt(hash)
    const { timestamp } = (await chain.rpc.getBlockByNumber(block?.blockNumber ?? 0n)) ?? {}
    assert.equal(Date.parse(String(deposits[0]?.at)) / 1_000, Number(timestamp))
  })

  test('leaving with its block it is pending no more, and back in another it is credited once', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    const tx = await pay(payment, 1_000n * cent)
    await catchUp(scene.watching(chain.rpc))
    await world.drainAll()
    await chain.reorg(1)
    await catchUp(scene.watching(chain.rpc))
    await world.drainAll()
    assert.deepEqual(await scene.balance(), { available: 0n, pending: 0n })
    assert.deepEqual((await scene.show(payment))['deposits'], [])
    await mineIn(tx)
    await settle(scene)
    assert.deepEqual(await outcome(scene, payment), { status: 'PAID', amountReceived: 1_000, exceptions: [], events: [completed] })
  })
})

describe('in one transaction', () => {
  test('two transfers to one address are both credited', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    const half = { to: payment.address, value: 500n * cent }
    const { hash } = await payByContract([transferring(half), transferring(half)])
    await settle(scene)
    assert.equal((await outcome(scene, payment)).status, 'PAID')
    const shown = (await scene.show(payment))['deposits'] as { txHash: string }[]
    assert.deepEqual(shown.map(({ txHash }) => txHash), [hash, hash])
  })

  test('two payments are both paid, and a stranger who is paid between them is nobody', async () => {
    const scene = await newScene()
    const [one, other] = [await scene.newPayment(1_000n), await scene.newPayment(2_000n)]
    await payByContract([
      transferring({ to: one.address, value: 1_000n * cent }),
      transferring({ to: newPayer().address, value: 7n * cent }),
      transferring({ to: other.address, value: 2_000n * cent }),
    ])
    await settle(scene)
    assert.equal((await outcome(scene, one)).status, 'PAID')
    assert.equal((await outcome(scene, other)).status, 'PAID')
    assert.equal((await scene.balance()).available, 3_000n)
  })

  test('a transfer by allowance from somebody else is a payment like any other', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    const owner = await newPayerWithCoins()
    const spender = newPayer()
    // approve(address,uint256)
    const approve = `0x095ea7b3${word(BigInt(spender.contract))}${word(10n ** 30n)}` as const
    await mineIn(await owner.sign({ to: token, data: approve }))
    const call = { call: token, data: transferFromCall(owner.address, payment.address, 1_000n * cent) }
    await mineIn(await spender.contractMade([call]))
    await settle(scene)
    assert.equal((await outcome(scene, payment)).status, 'PAID')
  })
})

describe('what is no money', () => {
  /** These are done in one contract, and nothing comes of it but perhaps strays. */
  async function comesToNothing(actions: (to: Payment) => readonly Action[]) {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    const { hash } = await payByContract(actions(payment))
    await settle(scene)
    assert.deepEqual(await outcome(scene, payment), { status: 'WAITING_PAYMENT', amountReceived: 0, exceptions: [], events: [] })
    assert.deepEqual(await scene.balance(), { available: 0n, pending: 0n })
    assert.deepEqual((await scene.show(payment))['deposits'], [])
    const strays = await world.sql<{ address: Buffer; token: Buffer; transfers: bigint; claimed: string; tx: Buffer }[]>`
      select address, token, transfers, claimed, first_tx as tx from stray where chain = ${scene.chain.key}`
    return {
      payment,
      hash,
      strays: strays.map((row) => ({
        address: hexOf(row.address),
        token: hexOf(row.token),
        transfers: row.transfers,
        claimed: BigInt(row.claimed),
        tx: hexOf(row.tx),
      })),
    }
  }

  test('a transfer of nothing, which a stranger can make the real token say of anybody', async () => {
    const { strays } = await comesToNothing(({ address }) => [
      transferring({ to: address, value: 0n }),
      { call: token, data: transferFromCall(newPayer().address, address, 0n) },
    ])
    assert.deepEqual(strays, [])
  })

  test('another token, whatever it says; it is counted as a stray, one row for all of its transfers', async () => {
    const from = newPayer().address
    const said = await comesToNothing(({ address }) => [
      transferEventOf(from, address, 1_000n * cent),
      transferEventOf(from, address, 0n),
      transferEventOf(from, address, 7n),
    ])
    const { contractAddress } = (await chain.rpc.call('eth_getTransactionReceipt', [said.hash])) as { contractAddress: Address }
    assert.deepEqual(said.strays, [
      { address: said.payment.address, token: contractAddress, transfers: 2n, claimed: 1_000n * cent + 7n, tx: said.hash },
    ])
  })

  test('the largest number there is, from a hostile token, twice', async () => {
    const from = newPayer().address
    const most = 2n ** 256n - 1n
    const { strays } = await comesToNothing(({ address }) => [
      transferEventOf(from, address, most),
      transferEventOf(from, address, most),
    ])
    assert.deepEqual(strays.map(({ transfers, claimed }) => ({ transfers, claimed })), [{ transfers: 2n, claimed: 10n ** 77n }])
  })

  test('a non-fungible token: its event has the same name and four topics', async () => {
    const from = `0x${word(1n)}` as const
    const { strays } = await comesToNothing(({ address }) => [
      { topics: [transferEvent, from, `0x${word(BigInt(address))}`, `0x${word(9n)}`], data: '0x' },
    ])
    assert.deepEqual(strays, [])
  })

  test('events that only look like a transfer: short data, long data, dirty address words', async () => {
    const from = `0x${word(1n)}` as const
    const { strays } = await comesToNothing(({ address }) => {
      const to = `0x${word(BigInt(address))}` as const
      const dirty = `0x${'ff'.repeat(12)}${address.slice(2)}` as const
      return [
        { topics: [transferEvent, from, to], data: '0x' },
        { topics: [transferEvent, from, to], data: `0x${word(5n)}${word(5n)}` },
        { topics: [transferEvent, from, dirty], data: `0x${word(5n)}` },
        { topics: [transferEvent, from], data: `0x${word(5n)}` },
      ]
    })
    assert.deepEqual(strays, [])
  })

  test('what an address sends to itself: it was there before', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    await payAndSettle(scene, payment, 600n * cent)
    await chain.rpc.call('anvil_impersonateAccount', [payment.address])
    const data = transferCall(payment.address, 600n * cent)
    await chain.rpc.sendTransaction({ from: payment.address, to: token, data, gas: 200_000n, gasPrice: 0n })
    await settle(scene)
    assert.equal((await outcome(scene, payment)).amountReceived, 600)
  })

  test('the chain\'s native coin, which makes no event', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    const payer = newPayer()
    await chain.rpc.call('anvil_setBalance', [payer.address, '0xde0b6b3a7640000'])
    await mineIn(await payer.sign({ to: payment.address, data: '0x', value: 10n ** 17n }))
    await settle(scene)
    assert.equal((await outcome(scene, payment)).amountReceived, 0)
    assert.equal((await world.sql`select 1 from stray where chain = ${scene.chain.key}`).length, 0)
  })

  test('a transaction that failed, however it began', async () => {
    const scene = await newScene()
    const payment = await scene.newPayment(1_000n)
    const poor = newPayer()
    const tx = await poor.transfer(token, { to: payment.address, value: 1_000n * cent })
    await chain.send(tx)
    await chain.mine()
    assert.equal((await chain.rpc.getTransactionReceipt(tx.hash))?.succeeded, false)
    await settle(scene)
    assert.equal((await outcome(scene, payment)).amountReceived, 0)
  })
})

test('what a chain showed is settled although its node cannot be asked, as after a start of a worker alone', async () => {
  const scene = await newScene()
  const payment = await scene.newPayment(1_000n)
  await pay(payment, 1_000n * cent)
  await chain.mine(3)
  await catchUp(scene.watching(chain.rpc))
  const [signal] = await world.sql<{ body: Buffer; connection: ConnectionId; receivedAt: Date }[]>`
    select body, connection, received_at as "receivedAt" from inbox where connection = ${scene.chain.connection} order by id desc`
  const rail = createCryptoRail(() => [])
  const receipts = await rail.read(signal ?? assert.fail())
  assert.deepEqual(rail.arrival(scene.chain.connection), { at: 'CHAIN', chain: scene.chain.key, token: 'USDT' })
  const units = await rail.units?.load(world.sql, receipts)
  assert.equal(units?.credit(receipts[0] ?? assert.fail()), 1_000n)
})
