// A token with 6 decimals whose transfer returns nothing, through the watcher, the books, sweeps, refills and payouts: what the chain says in its
// own units is what books and API say in theirs, to the last unit. The oracle reads the chain's logs itself, and converts by its own numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAbiParameters } from 'viem/utils'
import { verify } from '#/audit/verify.ts'
import { mainToken } from '#/coins/chain.ts'
import { usdtAt, type Token } from '#/coins/networks.ts'
import {
  bytesOf,
  create2Address,
  deploymentData,
  deterministicDeployer,
  keccak,
  toChecksum,
} from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import { selfCheck } from '#/evm/deploy.ts'
import { must } from '#/kernel/check.ts'
import type { WithdrawalId } from '#/kernel/id.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import { richAccount } from '../anvil.ts'
import { count } from '../counts.ts'
import { openCoinWorld, type CoinWorld } from './coins-world.ts'
import { randomFrom } from './random-from.ts'
import { transferEvent, word, type TestChain } from './watcher-chain.ts'
import type { Payment } from './watcher-world.ts'

/** Of the contract. The books have 10^12 of theirs in each of them, and ten thousand of these are a cent. */
const perUnit = 1_000_000_000_000n
const unitsOfCent = 10_000n

async function tetherOn(node: TestChain): Promise<Token> {
  const owner = encodeAbiParameters([{ type: 'address' }], [richAccount]).slice(2)
  const creation = `${artifacts.SandboxTether.creationCode}${owner}` as const
  const deployment = { to: deterministicDeployer, data: deploymentData(creation), gas: 3_000_000n }
  const hash = await node.rpc.sendTransaction({ from: richAccount, ...deployment })
  await node.mine()
  must((await node.rpc.getTransactionReceipt(hash))?.succeeded || undefined, 'the token was deployed')
  return usdtAt(create2Address(deterministicDeployer, `0x${'00'.repeat(32)}`, keccak(bytesOf(creation))), 6)
}

const lives = count({ quick: 1, soak: 6 })

for (const seed of Array.from({ length: lives }, (_, index) => index + 1))
  test(`life ${seed} with a token of 6 decimals: amounts arrive exact, and the books agree with the chain`, async () => {
    const random = randomFrom(seed)
    await using coins = await openCoinWorld(
      { low: 30_000n * unitsOfCent * perUnit, high: 60_000n * unitsOfCent * perUnit },
      { tokenOn: tetherOn },
    )
    capped(coins, 1_000_000n * unitsOfCent)
    const { chain } = coins.scene
    const token = mainToken(chain)
    assert.deepEqual(await selfCheck(coins.node.rpc, { ...chain, token }), [])
    const paid = await payments(coins, random)
    await coins.rest()
    const credited = await shownAsCame(coins, paid)
    assert.equal((await coins.scene.balance()).available, credited)
    const withdrawals = await payouts(coins, random, credited)
    await coins.rest()
    await arrivedExact(coins, withdrawals)
    await agree(coins)
  })

type Paid = { readonly payment: Payment; readonly asked: bigint; readonly raw: bigint }

/** Payments in whole cents, in cents and a part, in single units, and in several transfers. */
async function payments(coins: CoinWorld, random: (below: number) => number): Promise<readonly Paid[]> {
  const paid: Paid[] = []
  const parts = (asked: bigint): readonly bigint[] => [
    asked * unitsOfCent,
    asked * unitsOfCent - 1n,
    asked * unitsOfCent + BigInt(random(10_000)),
    1n,
    9_999n,
  ]
  const amounts = [1_234n, 200_000n, ...Array.from({ length: 4 }, () => BigInt(1 + random(90_000)))]
  for (const [index, asked] of amounts.entries()) {
    const payment = await coins.scene.newPayment(asked)
    const first = must(parts(asked)[index < 2 ? 0 : random(5)], 'a part')
    const transfers =
      index < 2 ? [first] : [first, ...Array.from({ length: random(3) }, () => BigInt(1 + random(9_999)))]
    for (const raw of transfers) await coins.pay(payment, raw * perUnit)
    const raw = await rawTo(coins, payment.address)
    assert.equal(
      raw,
      transfers.reduce((sum, each) => sum + each, 0n),
      'what the chain’s logs say',
    )
    paid.push({ payment, asked, raw })
  }
  return paid
}

/** The sum of the transfers to an address, as the chain's own logs count it. */
async function rawTo({ node, scene }: CoinWorld, address: string): Promise<bigint> {
  const topics = [transferEvent, null, `0x${word(BigInt(address))}`]
  const filter = { fromBlock: '0x0', toBlock: 'latest', address: mainToken(scene.chain).address, topics }
  const logs = (await node.rpc.call('eth_getLogs', [filter])) as readonly { readonly data: string }[]
  return logs.reduce((sum, { data }) => sum + BigInt(data), 0n)
}

/** Each record says what came, in both scales. Returns the cents of all. */
async function shownAsCame(coins: CoinWorld, paid: readonly Paid[]): Promise<bigint> {
  const { chain } = coins.scene
  let credited = 0n
  for (const { payment, asked, raw } of paid) {
    const record = await coins.scene.show(payment)
    const cents = raw / unitsOfCent
    credited += cents
    assert.deepEqual(
      [
        record['amountReceived'],
        record['cryptoAmount'],
        record['cryptoAmountToken'],
        record['cryptoDecimals'],
      ],
      [Number(cents), `${asked}0000000000000000`, `${asked}0000`, 6],
    )
    assert.equal(record['cryptoContract'], toChecksum(mainToken(chain).address))
    assert.equal(record['cryptoChainId'], 31_337)
    const deposits = record['deposits'] as readonly { readonly amount: string }[]
    assert.equal(
      deposits.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
      raw * perUnit,
    )
    assert.equal(record['cryptoReceived'], raw % unitsOfCent === 0n ? undefined : String(raw * perUnit))
  }
  // What a wallet on the payer's page builds the transfer from.
  const coin = createCryptoRail(() => [chain]).coins.coin(chain.connection)
  assert.deepEqual([coin?.decimals, coin?.contract], [6, toChecksum(mainToken(chain).address)])
  return credited
}

/** 12.34 first. Together less than what was credited. */
async function payouts(
  coins: CoinWorld,
  random: (below: number) => number,
  credited: bigint,
): Promise<readonly WithdrawalId[]> {
  const amounts = [1_234n, ...Array.from({ length: 3 }, () => BigInt(1 + random(Number(credited / 5n))))]
  const ids: WithdrawalId[] = []
  for (const minor of amounts) ids.push(await coins.withdraw(minor))
  return ids
}

async function arrivedExact(coins: CoinWorld, withdrawals: readonly WithdrawalId[]): Promise<void> {
  for (const id of withdrawals) {
    const [row] = await coins.world.sql<{ address: string; minor: bigint; status: string }[]>`
      select destination->'fields'->>'cryptoAddress' as address, amount_minor as minor, status from withdrawal where id = ${id}`
    const { address, minor, status } = must(row, 'a withdrawal')
    assert.equal(status, 'COMPLETED')
    assert.equal(await rawTo(coins, address), minor * unitsOfCent)
  }
}

/** At each place the chain has what the books say, and nothing else is anywhere. */
async function agree(coins: CoinWorld): Promise<void> {
  const { differences, accounts, places, residue } = await coins.compare()
  assert.deepEqual(differences, [])
  const onChain = places.reduce((sum, each) => sum + each.onChain, 0n)
  assert.equal(
    onChain,
    (accounts.deposit + accounts.treasury + accounts.hot) * unitsOfCent * perUnit + residue,
  )
  assert.ok(
    accounts.hot > 0n && accounts.deposit === 0n,
    'coins were collected, and the hot wallet was filled',
  )
  const { faults } = await verify(coins.world.sql, { cell: 'a1', auditKey: coins.world.auditKey })
  assert.deepEqual(faults, [])
}

/** A signer that says its caps as a policy does: in units of the token. Each payout is within them, and no number of the books is. */
function capped(coins: CoinWorld, cap: bigint): void {
  const { address, signer } = coins.keys.hot
  const { chain } = coins.scene
  const caps = [{ what: mainToken(chain).address, spent: 0n, cap, each: cap }]
  Object.assign(signer, { status: async () => [{ key: address, chainId: chain.chainId, caps }] })
}
