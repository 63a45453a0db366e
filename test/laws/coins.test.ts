// Our own coins in random histories: payments of odd amounts, sweeps by us and by others, refills, withdrawals, coins that nothing
// explains, blocks that leave the chain again. When nothing is under way, the books agree with the chain to the base unit, and `verify`
// finds nothing. `verify` finds each change of the tables that did not go through the books.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionData } from 'viem/utils'
import { verify } from '#/audit/verify.ts'
import { mainToken } from '#/coins/chain.ts'
import { depositSalt } from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { WithdrawalId } from '#/kernel/id.ts'
import { count } from '../counts.ts'
import { cent, openCoinWorld, type CoinWorld, type Work } from './coins-world.ts'
import { randomFrom } from './random-from.ts'
import { newPayer } from './watcher-chain.ts'
import type { Payment } from './watcher-world.ts'

const lives = Array.from({ length: count({ quick: 1, soak: 8 }) }, (_, index) => index + 1)
const moves = count({ quick: 20, soak: 400 })

for (const seed of lives) {
  test(`books and chain agree after life ${seed}, and what is changed behind them is named`, async (t) => {
    await using coins = await openCoinWorld({ low: 300n * cent, high: 900n * cent })
    const withdrawals = await live(coins, randomFrom(seed))
    await coins.rest()
    for (const id of withdrawals) {
      const [status, { paid, requested }] = [await coins.statusOf(id), await coins.paidOf(id)]
      assert.ok(status === 'COMPLETED' || status === 'CANCELED', status)
      assert.equal(
        paid,
        status === 'COMPLETED' ? requested : 0n,
        `what left for a withdrawal that is ${status}`,
      )
    }
    const { differences, accounts, places, residue } = await coins.compare()
    assert.deepEqual(differences, [])
    const units = places.reduce((sum, each) => sum + each.onChain, 0n)
    assert.equal(units, (accounts.deposit + accounts.treasury + accounts.hot) * cent + residue)
    assert.deepEqual(await faults(coins), [])
    await verifyWhileItSpends(coins)
    t.diagnostic(await storyOf(coins))
    await plant(coins)
  })
}

/** Lives for a while. Returns the withdrawals. */
async function live(coins: CoinWorld, random: (below: number) => number): Promise<readonly WithdrawalId[]> {
  const { node, world, scene, keys } = coins
  const payments: Payment[] = []
  const withdrawals: WithdrawalId[] = []
  const works: readonly Work[] = ['watch', 'settle', 'sweep', 'refill', 'send', 'payouts', 'book', 'gas']
  const odd = () => BigInt(1 + random(90_000)) * 10n ** 14n + BigInt(random(1_000))
  const somePayment = async () => {
    const existing = payments[random(payments.length + 1)]
    if (existing !== undefined && random(2) === 0) return existing
    const fresh = await scene.newPayment(BigInt(1 + random(900)))
    payments.push(fresh)
    return fresh
  }
  const happenings: readonly (() => Promise<unknown>)[] = [
    async () => coins.pay(await somePayment(), odd()),
    async () => coins.pay(await somePayment(), odd()),
    async () => coins.send(random(2) === 0 ? keys.treasury.address : keys.hot.address, odd()),
    async () => node.send(await strangerSweep(coins, await somePayment())),
    async () => node.reorg(1 + random(2)).catch(() => {}),
    async () => random(3) === 0 && node.rpc.call('anvil_dropAllTransactions', []),
    async () => {
      const { available } = await scene.balance()
      if (available > 0n) withdrawals.push(await coins.withdraw(1n + BigInt(random(Number(available)))))
    },
    async () => {
      const id = withdrawals[random(withdrawals.length + 1)]
      // Concurrently with the sender, which may be sending it.
      if (id !== undefined) await Promise.all([coins.cancel(id), coins.work(['send'])])
    },
  ]
  for (let move = 0; move < moves; move++) {
    await happenings[random(happenings.length)]?.()
    if (random(3) > 0) await node.mine(1 + random(2))
    const some = works.filter(() => random(3) > 0)
    await coins.work(some).catch((error: unknown) => {
      // A node that reorganises during a pass is asked again in the next one.
      if (!(error instanceof ProviderError) && !(error instanceof Error && /the node/.test(error.message)))
        throw error
    })
    if (random(4) === 0) await world.clock.advance(61_000)
  }
  return withdrawals
}

async function strangerSweep({ scene: { chain } }: CoinWorld, { id }: Payment) {
  const data = encodeFunctionData({
    abi: artifacts.ForwarderFactory.abi,
    functionName: 'sweep',
    args: [mainToken(chain).address, [depositSalt(chain.chainId, id)]],
  })
  return newPayer().sign({ to: chain.factory, data })
}

/** Counts what happened, so that an empty life is noticed. */
async function storyOf({ world, scene }: CoinWorld): Promise<string> {
  const rows = await world.sql<{ what: string; count: number }[]>`
    select lower(booked_as) as what, count(*)::integer as count from coin_move where chain = ${scene.chain.key} group by 1
     union all
    select lower(purpose) || ' ' || lower(state), count(*)::integer from chain_tx where chain = ${scene.chain.key} group by 1
     union all
    select 'orphaned', count(*)::integer from chain_transfer where chain = ${scene.chain.key} and state = 'ORPHANED'
     order by 1`
  return rows.map(({ what, count: times }) => `${times} ${what}`).join(', ')
}

async function faults({ world }: CoinWorld): Promise<readonly string[]> {
  const report = await verify(world.sql, { cell: 'a1', auditKey: world.auditKey })
  return report.faults.map(({ inspection, row, what }) => `${inspection}: ${row} ${what}`)
}

/** A wallet that spends while verify reads is no fault: what it has spent and its receipts are read at different instants. */
async function verifyWhileItSpends(coins: CoinWorld): Promise<void> {
  const { sql } = coins.world
  const chain = coins.scene.chain.key
  const kept = await sql<{ id: string; evidence: Buffer }[]>`
    select id, evidence from chain_tx where chain = ${chain} and gas_gwei is not null and evidence is not null`
  const gas = await sql<{ wallet: Buffer; wei: string }[]>`
    select address as wallet, gas_wei::text as wei from hot_wallet where chain = ${chain}`
  assert.ok(kept.length > 0)
  const dearer = (evidence: Buffer) => {
    const receipt = JSON.parse(evidence.toString('utf8')) as Record<string, string>
    const price = `0x${(BigInt(receipt['effectiveGasPrice'] ?? '') + 1n).toString(16)}`
    return {
      wei: String(BigInt(receipt['gasUsed'] ?? '')),
      evidence: Buffer.from(JSON.stringify({ ...receipt, effectiveGasPrice: price })),
    }
  }
  const verified = new AbortController()
  const spend = async () => {
    while (!verified.signal.aborted)
      await sql.begin(async (tx) => {
        const [spent] = await tx<{ id: string; wallet: Buffer; evidence: Buffer }[]>`
          select id, wallet, evidence from chain_tx where id = ${kept[0]?.id ?? ''}`
        assert.ok(spent)
        const { wei, evidence } = dearer(spent.evidence)
        await tx`update chain_tx set evidence = ${evidence} where id = ${spent.id}`
        await tx`update hot_wallet set gas_wei = gas_wei + ${wei}::numeric where chain = ${chain} and address = ${spent.wallet}`
      })
  }
  const spending = spend()
  const found: string[] = []
  for (let times = 0; times < 5; times++)
    found.push(...(await faults(coins)).filter((fault) => fault.includes('its receipts add up')))
  verified.abort()
  await spending
  assert.deepEqual(found, [])
  for (const { id, evidence } of kept) await sql`update chain_tx set evidence = ${evidence} where id = ${id}`
  for (const { wallet, wei } of gas)
    await sql`update hot_wallet set gas_wei = ${wei}::numeric where chain = ${chain} and address = ${wallet}`
  assert.deepEqual(await faults(coins), [])
}

/** Makes each change behind the books' back, and undoes it. Verify must find each of them. */
async function plant(coins: CoinWorld): Promise<void> {
  const { sql } = coins.world
  const chain = coins.scene.chain.key
  const changes: readonly (readonly [string, string, RegExp])[] = [
    [
      `update coin_place set units = units + 1 where chain = '${chain}' and place = 'treasury'`,
      `update coin_place set units = units - 1 where chain = '${chain}' and place = 'treasury'`,
      /places of coins: treasury 0x\w+ holds/,
    ],
    [
      `update coin_move set value = value + 10000000000000000 where chain = '${chain}' and booked_as = 'SWEPT'`,
      `update coin_move set value = value - 10000000000000000 where chain = '${chain}' and booked_as = 'SWEPT'`,
      /settlement: movement 0x\w+:\d+ is booked with/,
    ],
    [
      `update coin_move set minor = minor + 1 where chain = '${chain}' and booked_as = 'MOVED'`,
      `update coin_move set minor = minor - 1 where chain = '${chain}' and booked_as = 'MOVED'`,
      /settlement: movement 0x\w+:\d+ made transfer/,
    ],
    [
      `update chain_tx set gas_gwei = gas_gwei + 1 where chain = '${chain}' and gas_gwei is not null`,
      `update chain_tx set gas_gwei = gas_gwei - 1 where chain = '${chain}' and gas_gwei is not null`,
      /settlement: transaction [0-9a-f-]+ made transfer/,
    ],
    [
      `update hot_wallet set gas_wei = gas_wei + 1 where chain = '${chain}'`,
      `update hot_wallet set gas_wei = gas_wei - 1 where chain = '${chain}'`,
      /places of coins: wallet 0x\w+ spent \d+ wei on gas, but its receipts/,
    ],
    [
      `update chain_tx set units_booked = false where chain = '${chain}' and purpose = 'PAYOUT' and state = 'FINAL'`,
      `update chain_tx set units_booked = true where chain = '${chain}' and purpose = 'PAYOUT' and state = 'FINAL'`,
      /payouts on chains: payout [0-9a-f-]+ has not left/,
    ],
  ]
  for (const [change, back, named] of changes) {
    const changed = await sql.unsafe(change)
    assert.ok(changed.count > 0, `${change} changes something`)
    const found = await faults(coins)
    assert.ok(
      found.some((fault) => named.test(fault)),
      `${change} is named: ${found.slice(0, 5).join(' | ')}`,
    )
    await sql.unsafe(back)
  }
  assert.deepEqual(await faults(coins), [])

  // The chain itself.
  const { rpc } = coins.node
  await rpc.call('anvil_dealERC20', [coins.wallets.hot, mainToken(coins.scene.chain).address, '0x7'])
  await coins.node.mine(4)
  await coins.work(['watch'])
  const { differences } = await coins.compare()
  assert.ok(
    differences.some(
      ({ where, what }) => where === `hot ${coins.wallets.hot}` && /has 7 units on the chain/.test(what),
    ),
  )
}

test('parts of a cent that two sweeps carry away add up: the address is empty in the books when it is on the chain', async () => {
  await using coins = await openCoinWorld({ low: 0n, high: 0n })
  const payment = await coins.scene.newPayment(900n)
  const half = cent / 2n
  // One and a half cents each time: the first sweep carries one, and the second two.
  for (const booked of [1n, 3n]) {
    await coins.pay(payment, cent + half)
    await coins.rest()
    const [swept] = await coins.world.sql<{ minor: bigint; times: number }[]>`
      select coalesce(sum(minor), 0)::bigint as minor, count(*)::integer as times
        from coin_move where chain = ${coins.scene.chain.key} and booked_as = 'SWEPT'`
    assert.equal(swept?.minor, booked)
  }
  const { differences, accounts, residue } = await coins.compare()
  assert.deepEqual([differences, accounts.deposit, residue], [[], 0n, 0n])
  assert.deepEqual(await faults(coins), [])
})

test('a payout that has no nonce can be canceled by its merchant, and one that has cannot', async () => {
  await using coins = await openCoinWorld({ low: 0n, high: 0n }, { holdsTreasury: false })
  const payment = await coins.scene.newPayment(500n)
  await coins.pay(payment, 500n * cent)
  for (let rounds = 0; rounds < 6; rounds++) {
    await coins.node.mine()
    await coins.work()
  }
  const before = await coins.scene.balance()
  assert.equal(before.available, 500n)
  const [waits, goes] = [await coins.withdraw(300n), await coins.withdraw(100n)]
  await coins.work(['payouts'])
  assert.deepEqual([await coins.statusOf(waits), await coins.statusOf(goes)], ['PROCESSING', 'PROCESSING'])
  await coins.cancel(waits)
  assert.equal(await coins.statusOf(waits), 'CANCELED')
  assert.equal((await coins.scene.balance()).available, 400n)

  await coins.send(coins.keys.hot.address, 100n * cent)
  await coins.node.mine(3)
  await coins.work(['send'])
  await coins.cancel(goes)
  assert.equal(await coins.statusOf(goes), 'PROCESSING', 'it has a nonce')
  await coins.cancel(waits)
  await coins.rest()
  assert.deepEqual([await coins.statusOf(waits), await coins.statusOf(goes)], ['CANCELED', 'COMPLETED'])
  assert.deepEqual([(await coins.paidOf(waits)).paid, (await coins.paidOf(goes)).paid], [0n, 100n * cent])
  const [queue] = await coins.world.sql<{ state: string; failure: string }[]>`
    select state, failure from chain_tx where subject = ${waits}`
  assert.deepEqual({ ...queue }, { state: 'FAILED', failure: 'canceled' })
  assert.deepEqual(await faults(coins), [])
})
