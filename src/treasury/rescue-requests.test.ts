// When a rescue is queued, and how one on another network ends, without a chain.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { bytesOf, deterministicDeployer, factoryAddress, type Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { toQuantity } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { testClock } from '#/kernel/time.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { depositAddress, treasury, watchedChain } from '../../test/rails/watched-chain.ts'
import { selectKnownChains, type KnownChain } from './compare-queries.ts'
import { bscFees } from './fees.ts'
import type { Signer, TxState } from './outgoing.ts'
import {
  factoryDeployment,
  findLost,
  findStrays,
  nativeCoin,
  rescueElsewhere,
  rescueHere,
  rescuesOf,
  type ElsewhereRequest,
} from './rescue.ts'
import { sweepGas } from './sweep.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

const clock = testClock(new Date('2026-11-22T00:00:00Z'))
const other: Address = `0x${'71'.repeat(20)}`
const broken: Address = `0x${'72'.repeat(20)}`
const gas: Address = `0x${'9a'.repeat(20)}`
const away = 1_337n
const word = (units: bigint) => `0x${units.toString(16).padStart(64, '0')}` as const

/** A node of another network: every address has nine of each token, but `broken` does not answer. */
let wei = 0n
const rpc = partly<Rpc>({
  chainId: async () => away,
  getCode: async () => '0x01',
  call: async (method) => (method === 'eth_getBalance' ? toQuantity(wei) : '0x0'),
  async ethCall(token) {
    if (token === broken) throw new Error('reverted')
    return word(9n)
  },
})

let home: KnownChain
let request: ElsewhereRequest
let reported: string[]
beforeEach(async () => {
  await sql`delete from rescue`
  await sql`delete from chain_tx`
  await sql`delete from hot_wallet`
  const { key } = (await watchedChain(sql)).deps.chain
  const chains = await selectKnownChains(sql)
  home = must(
    chains.find((chain) => chain.key === key),
    'the chain is known',
  )
  reported = []
  wei = 0n
  request = {
    sql,
    clock,
    rpc,
    home,
    gas,
    address: depositAddress,
    token: other,
    by: 'ana',
    signer: partly<Signer>({}),
    fees: bscFees,
    log: silentLog,
    pollMs: 1,
    patienceMs: 60_000,
    report: (text) => void reported.push(text),
  }
})

const end = (db: Sql | Tx, state: TxState) => db`
  update chain_tx
     set state = ${state}, failure = ${state === 'FAILED' ? 'reverted' : null}, final_at = now(),
         wallet = ${state === 'FINAL' ? bytesOf(gas) : null}, nonce = ${state === 'FINAL' ? (nonce += 1) : null}
   where state = 'QUEUED'`
let nonce = 0

test('what lies at our addresses is what their tokens say; a token that does not answer has nothing', async () => {
  for (const token of [other, broken])
    await sql`
      insert into stray (chain, address, token, transfers, claimed, first_tx, found_at, last_block)
      values (${home.key}, ${bytesOf(depositAddress)}, ${bytesOf(token)}, 1, 100, '\\x01', now(), 1)`
  const found = (await findStrays(sql, rpc, home.key)).map(({ address, token, units }) => ({
    address,
    token,
    units,
  }))
  assert.deepEqual(found, [{ address: depositAddress, token: other, units: 9n }])
  wei = 4n
  const lost = await findLost(sql, rpc, home.key, [nativeCoin, other])
  assert.deepEqual(
    lost.map(({ token, units }) => ({ token, units })),
    [
      { token: nativeCoin, units: 4n },
      { token: other, units: 9n },
    ],
  )
})

describe('a rescue', () => {
  test('it is queued once for each token and network, until it has ended', async () => {
    const first = await rescueHere(request)
    assert.equal((await rescueHere(request)).id, first.id)
    const another: Address = `0x${'73'.repeat(20)}`
    const ids = new Set([first.id, (await rescueHere({ ...request, token: another })).id])
    await assert.rejects(rescueElsewhere({ ...request, patienceMs: -1 }), /not final yet/)
    const onAway = (await rescuesOf(sql, home.key)).filter(({ chainId }) => chainId === away)
    assert.equal(onAway.length, 1, 'one at home is none there')
    assert.equal(ids.size, 2, 'another token is another rescue')
    for (const state of ['FAILED', 'FINAL'] as const) {
      await end(sql, state)
      const next = await rescueHere(request)
      assert.ok(!ids.has(next.id), state)
      ids.add(next.id)
    }
  })

  test('it is a sweep of one address by our factory, without coins of the wallet', async () => {
    await rescueHere(request)
    const [row] = await sql`select purpose, target, value::text, gas from chain_tx`
    const { purpose, target, value, gas: limit } = must(row, 'a transaction')
    assert.deepEqual([purpose, value, limit], ['SWEEP', '0', sweepGas(1)])
    assert.deepEqual(target, bytesOf(factoryAddress(treasury)))
  })

  test('one unit is worth it, also of native coin, and nothing is not', async () => {
    await assert.rejects(rescueHere({ ...request, token: nativeCoin }), /Nothing of/)
    wei = 1n
    assert.equal((await rescueHere({ ...request, token: nativeCoin })).units, 1n)
  })
})

describe('a rescue on another network', () => {
  const isLeased = async () => {
    const [row] = await sql`select lease_until is not null as leased from hot_wallet`
    return must(row, 'the wallet is known now')['leased'] as boolean
  }
  /** Each transaction ends when it is queued. */
  const ending = (state: TxState): ElsewhereRequest => ({
    ...request,
    also: async (db) => void (await end(db, state)),
    alsoDeploying: async (db) => void (await end(db, state)),
  })

  test('it is over when its transaction is final, and the next one can send at once', async () => {
    const { state, chainId } = await rescueElsewhere(ending('FINAL'))
    assert.deepEqual([state, chainId, await isLeased()], ['FINAL', away, false])
    assert.deepEqual(reported, [`What lies at ${depositAddress} is sent to ${treasury} on chain 1337.`])
  })

  test('where our factory is missing it is deployed first, without coins of the wallet, and must be there then', async () => {
    const codes = new Map<Address, `0x${string}`>([[deterministicDeployer, '0x01']])
    const bare = { ...rpc, getCode: async (at: Address) => codes.get(at) ?? '0x' } as const
    await assert.rejects(rescueElsewhere({ ...ending('FAILED'), rpc: bare }), /transaction failed: reverted/)
    await sql`delete from chain_tx`
    await assert.rejects(rescueElsewhere({ ...ending('FINAL'), rpc: bare }), /deployment left nothing/)
    assert.equal((await rescuesOf(sql, home.key)).length, 0)
    await sql`delete from chain_tx`
    const factory = factoryAddress(treasury)
    const deployed = ending('FINAL')
    await rescueElsewhere({
      ...deployed,
      rpc: bare,
      async alsoDeploying(db, chainId) {
        await deployed.alsoDeploying?.(db, chainId)
        codes.set(factory, '0x01')
      },
    })
    const [deployment, sweep] = await sql`select target, value::text, data, gas from chain_tx order by id`
    const { to, data } = factoryDeployment(treasury)
    // Deployment and policy of the signer name the same limit: docs/treasury.md.
    assert.deepEqual(
      { ...deployment },
      { target: bytesOf(to), value: '0', data: bytesOf(data), gas: 2_000_000n },
    )
    assert.deepEqual(sweep?.['target'], bytesOf(factory))
    assert.deepEqual(reported.slice(2), [
      `The factory is deployed on chain 1337 at ${factory}.`,
      `What lies at ${depositAddress} is sent to ${treasury} on chain 1337.`,
    ])
  })

  test('a transaction that failed, or is not final in time, ends it with a reason', async () => {
    await assert.rejects(
      rescueElsewhere(ending('FAILED')),
      /^CannotRescue: The transaction failed: reverted\.$/,
    )
    assert.equal(await isLeased(), false)
    await assert.rejects(
      rescueElsewhere({ ...request, patienceMs: -1 }),
      /: It is QUEUED and not final yet\.$/,
    )
    assert.equal(await isLeased(), false)
  })
})
