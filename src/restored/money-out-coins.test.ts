// After a restore: coins that left the hot wallet, as the chain showed them, and that no transaction of the books explains.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionData } from 'viem/utils'
import { verify } from '#/audit/verify.ts'
import { mainToken } from '#/coins/chain.ts'
import type { Address } from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId, WithdrawalId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { approveProposal } from '#/operator/approve.ts'
import { proposeUnrecorded } from '#/operator/unrecorded.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { sentKind } from '#/settlement/unrecorded.ts'
import { createCryptoPayouts } from '#/treasury/payout.ts'
import { cent, newAddress, openCoinWorld } from '../../test/laws/coins-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { partly } from '../../test/partly.ts'
import { beginRepair } from './begin.ts'
import { compareMoneyOut } from './money-out.ts'

const coins = openForTests(openCoinWorld)

/** The hot wallet pays, by a transaction that the books do not have. */
async function pays(to: Address, units: bigint): Promise<void> {
  const { rpc } = coins.node
  const { hot } = coins.wallets
  await rpc.call('anvil_impersonateAccount', [hot])
  const nonce = await rpc.call('eth_getTransactionCount', [hot, 'latest'])
  const data = encodeFunctionData({
    abi: artifacts.SandboxToken.abi,
    functionName: 'transfer',
    args: [to, units],
  })
  await rpc.sendTransaction({
    from: hot,
    to: mainToken(coins.scene.chain).address,
    data,
    gas: 100_000n,
    gasPrice: 0n,
  })
  await coins.node.mine(4)
  await rpc.call('anvil_setNonce', [hot, nonce])
}

/** A withdrawal of the books that waits for its nonce. */
let waiting: WithdrawalId

const person = (name: string) => ({ by: { actor: { kind: 'OPERATOR', id: name } as const }, name })

function deps() {
  const { world, scene, wallets } = coins
  const { sql, lane, clock } = world
  const payouts = createCryptoPayouts({
    sql,
    clock,
    chains: () => [{ chain: scene.chain, hot: wallets.hot, own: [wallets.gas] }],
    connections: { find: () => undefined },
  })
  return {
    sql,
    rails: new Map(),
    payoutRails: new Map([['CRYPTO', payouts] as const]),
    connections: { find: (id: ConnectionId) => partly<ProviderConnection>({ id }) },
    log: silentLog,
    record: (item: Parameters<Parameters<typeof compareMoneyOut>[0]['record']>[0]) =>
      lane.submit(sentKind, item),
  }
}

const faults = async () => {
  const { sql, auditKey } = coins.world
  const only = ['settlement', 'places of coins', 'money that left unrecorded', 'entries', 'debts']
  const found = await verify(sql, { cell: 'a1', auditKey, only })
  return found.faults.map(({ row, what }) => `${row} ${what}`)
}

test('coins of a lost payout are recorded once and charged, and books and chain agree again', async () => {
  const { world, scene } = coins
  const payment = await scene.newPayment(9_000n)
  await coins.pay(payment, 9_000n * cent)
  await coins.rest()
  waiting = await coins.withdraw(80n)
  await coins.work(['payouts'])
  await beginRepair(world, { ...person('ana'), reason: 'disk lost', eventJump: 1_000n })
  // Two payouts of the lost span, and dust that was no payout.
  await pays(newAddress(), 700n * cent)
  await pays(newAddress(), 50n * cent)
  await pays(newAddress(), 3n)
  await coins.work(['watch', 'book'])
  const before = await coins.compare()
  assert.notDeepEqual(before.differences, [])

  const { recorded, sources } = await compareMoneyOut(deps(), person('ana'))
  assert.deepEqual(
    recorded.map(({ amountMinor, currency, chain }) => [amountMinor, currency, chain]),
    [
      [700n, 'USDT', scene.chain.key],
      [50n, 'USDT', scene.chain.key],
    ],
  )
  assert.deepEqual(
    sources.map(({ why }) => /journal of the signer/.test(why ?? '')),
    [true],
  )
  assert.deepEqual((await compareMoneyOut(deps(), person('ana'))).recorded, [])
  const now = await coins.compare()
  assert.equal(before.accounts.hot - now.accounts.hot, 750n)
  assert.deepEqual(
    now.differences.map(({ what }) => what.split(';')[0]?.replace(/^.*: /, '')),
    ['3 too few'],
  )
  assert.deepEqual(await faults(), [])

  const { sql, lane, rails } = { ...world, rails: new Map() }
  /** No bank reports anything here. */
  const noBank = { connections: { of: () => [], find: () => undefined, all: () => [] }, keep: async () => {} }
  const approving = {
    sql,
    lane,
    rails,
    clock: world.clock,
    payoutRails: deps().payoutRails,
    hasOwnKeys: true,
    aloneMax: 0n,
    cell: 't1',
    ...noBank,
    refundDecisionKind: refundDecisionKind(rails),
  }
  const decide = async (
    resolution: 'CHARGED' | 'RETURNED' | 'WRITTEN_OFF',
    id: (typeof recorded)[0]['id'],
  ) => {
    const merchant = resolution === 'CHARGED' ? { merchantId: scene.merchantId } : {}
    const proposal = await proposeUnrecorded(approving, person('ana'), { id, resolution, ...merchant }, 'why')
    return approveProposal(approving, person('bia'), proposal.id)
  }
  const [first, second] = recorded
  await assert.rejects(decide('RETURNED', must(first, 'one').id), /found coins/)
  await sql`update operator_proposal set status = 'REFUSED', decided_kind = 'OPERATOR', decided_id = 'bia',
                   decided_name = 'bia', decided_at = clock_timestamp() where status = 'OPEN'`
  await decide('CHARGED', must(first, 'one').id)
  await decide('WRITTEN_OFF', must(second, 'two').id)
  assert.deepEqual(await faults(), [])

  // What is not as the chain showed it is named.
  for (const [statement, expected] of [
    [
      `update unrecorded set move = gen_random_uuid() where amount_minor = 700`,
      /is no movement of 700 cents/,
    ],
    [
      `update unrecorded set move = gen_random_uuid() where amount_minor = 700`,
      /holds \d+ units, but its movements/,
    ],
  ] as const) {
    const [kept] = await sql<{ move: string }[]>`select move from unrecorded where amount_minor = 700`
    await sql.unsafe(statement)
    assert.match((await faults()).join('\n'), expected)
    await sql`update unrecorded set move = ${must(kept, 'it is there').move} where amount_minor = 700`
  }
})

test('coins that may be a payout which the books still have are left to it', async () => {
  const { sql } = coins.world
  const [row] = await sql<{ recipient: Buffer }[]>`select recipient from chain_tx where subject = ${waiting}`
  await pays(`0x${must(row, 'it is queued').recipient.toString('hex')}`, 80n * cent)
  await coins.work(['watch', 'book'])
  const { recorded, sources } = await compareMoneyOut(deps(), person('ana'))
  assert.deepEqual([recorded, sources[0]?.counts.behind], [[], 1])
})
