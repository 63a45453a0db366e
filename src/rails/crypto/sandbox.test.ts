// How the sandbox's payer pays: what each scenario sends, and how a payment leaves the chain with its block and comes back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Hex } from 'viem'
import { parseTransaction, recoverTransactionAddress, type TransactionSerializedLegacy } from 'viem'
import type { Chain } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc, UnlockedTx } from '#/evm/client.ts'
import { transferCall } from '#/evm/erc20.ts'
import type { Block, TxReceipt } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { partly } from '../../../test/partly.ts'
import { paySandbox, type CryptoScenario } from './sandbox.ts'

const payer: Address = `0x${'b2'.repeat(20)}`
const token: Address = `0x${'70'.repeat(20)}`
const address: Address = `0x${'a1'.repeat(20)}`
const chain = partly<Chain>({ tokens: [usdtAt(token)], chainId: 31_337n })
const cent = 10n ** 16n
const word = (text: string): Hex => `0x${text.padStart(64, '0')}`
const other = word('0e')
/** The block of the payment. */
const minedIn = 100n

type Script = {
  /** By call: how far the node's head is beyond the block of the payment. */
  readonly heads?: readonly bigint[]
  /** By call: whether the watcher knows the payment. */
  readonly recorded?: readonly boolean[]
  readonly isStuck?: boolean
  /** The payment is in the blocks that replaced its own. */
  readonly isKept?: boolean
}

/** A node that mines what was sent when it has been asked for it once. */
function makeNode({ heads = [], recorded = [], isStuck = false, isKept = false }: Script = {}) {
  const [headsLeft, recordedLeft] = [[...heads], [...recorded]]
  const sent: UnlockedTx[] = []
  const raws: Hex[] = []
  const steps: string[] = []
  const asked = new Set<Hex>()
  let dropped: readonly unknown[] | undefined
  const rpc = partly<Rpc>({
    chainId: async () => chain.chainId,
    async sendTransaction(tx) {
      steps.push('send')
      return word(String(sent.push(tx)))
    },
    async sendRawTransaction(raw) {
      steps.push('send signed')
      raws.push(raw)
      return word('ab')
    },
    async getTransactionReceipt(hash) {
      const isGone = dropped !== undefined && hash === word('ab') && !isKept
      if (isStuck || isGone || !asked.has(hash)) {
        asked.add(hash)
        return undefined
      }
      steps.push(`mined ${BigInt(hash).toString(16)}`)
      return partly<TxReceipt>({ blockNumber: minedIn })
    },
    blockNumber: async () => minedIn + must(headsLeft.shift(), 'the head is known'),
    getBlockByNumber: async (number) =>
      partly<Block>({ txHashes: number === minedIn ? [other, word('ab')] : [word('0f')] }),
    async call(method, params) {
      if (method === 'eth_getRawTransactionByHash') return `0x02${String(params[0]).slice(-2)}`
      assert.equal(method, 'anvil_reorg')
      steps.push('reorg')
      dropped = params
      return null
    },
  })
  const isRecorded = async () => {
    const isThere = must(recordedLeft.shift(), 'the watcher is asked no more')
    steps.push(isThere ? 'recorded' : 'gone')
    return isThere
  }
  const turn = <Result>(work: () => Promise<Result>) => work()
  const deps = { rpc, chain, payer, inTurn: turn, whileStill: turn, isRecorded }
  const pay = (scenario: CryptoScenario, minor = 1_000n) => paySandbox(deps, { address, minor, scenario })
  return { pay, sent, raws, steps, reorg: () => must(dropped, 'a reorganisation') }
}

const legacy = (raw: unknown) => raw as TransactionSerializedLegacy

test('each scenario sends what a payer would send', async () => {
  for (const [scenario, minor, ...units] of [
    ['exact', 1_000n, 1_000n * cent],
    ['late', 1_000n, 1_000n * cent],
    ['under', 1_000n, 500n * cent],
    // Whole cents, as long as there is one.
    ['under', 5n, 2n * cent],
    ['under', 2n, 1n * cent],
    ['under', 1n, cent / 2n],
    ['over', 1_000n, 1_100n * cent],
    ['over', 29n, 31n * cent],
    ['over', 9n, 10n * cent],
    ['twice', 1_000n, 1_000n * cent, 1_000n * cent],
  ] as const) {
    const { pay, sent } = makeNode()
    const hashes = await pay(scenario, minor)
    assert.deepEqual(
      sent.map(({ from, to, data }) => ({ from, to, data })),
      units.map((value) => ({ from: payer, to: token, data: transferCall(address, { raw: value }) })),
      `${scenario} ${minor}`,
    )
    assert.equal(hashes.length, units.length)
  }
})

describe('a payment that leaves the chain and comes back', () => {
  test('it is dropped with its block and the next one, and sent again when the watcher knows that it is gone', async () => {
    const { pay, sent, raws, steps, reorg } = makeNode({
      heads: [0n, 0n, 1n, 1n],
      recorded: [true, true, false],
    })
    assert.deepEqual(await pay('reorged'), [word('ab')])
    assert.deepEqual(steps, [
      'send',
      'mined 1',
      'send signed',
      'mined ab',
      'reorg',
      'recorded',
      'recorded',
      'gone',
      'send signed',
    ])
    const [raw, again] = raws
    assert.equal(again, raw)
    const signer = (await recoverTransactionAddress({ serializedTransaction: legacy(raw) })).toLowerCase()
    assert.deepEqual(
      sent.map(({ data }) => data),
      [transferCall(signer as Address, { raw: 1_000n * cent })],
    )
    // A new account: its first nonce is zero, and it has no coins for gas.
    const { nonce = 0, gasPrice = 0n, chainId, data, to } = parseTransaction(legacy(raw))
    assert.deepEqual([nonce, gasPrice, chainId], [0, 0n, 31_337])
    assert.deepEqual([to?.toLowerCase(), data], [token, transferCall(address, { raw: 1_000n * cent })])
    const [depth, kept] = reorg() as readonly [number, readonly (readonly [Hex, number])[]]
    assert.equal(depth, 2)
    const [[marker], ...others] = kept as readonly [readonly [Hex, number], ...unknown[]]
    assert.deepEqual(others, [
      ['0x020e', 0],
      ['0x020f', 0],
    ])
    assert.equal(kept[0]?.[1], 0, 'all are in the first of the new blocks')
    const made = parseTransaction(legacy(marker))
    assert.deepEqual([made.nonce ?? 0, made.gasPrice ?? 0n, made.chainId], [0, 0n, 31_337])
  })

  test('a payment that is final already, or that the new blocks have again, is an ordinary one', async () => {
    for (const script of [{ heads: [1n, 2n] }, { heads: [1n, 1n], isKept: true }]) {
      const { pay, raws } = makeNode(script)
      assert.deepEqual(await pay('reorged'), [word('ab')])
      assert.equal(raws.length, 1)
    }
  })

  test('a chain that mines no blocks is waited for no longer than some seconds', async (t) => {
    let now = 0
    t.mock.method(performance, 'now', () => (now += 1_000))
    await assert.rejects(
      makeNode({ isStuck: true }).pay('reorged'),
      (error) => error instanceof ProviderError && error.outcome === 'unavailable',
    )
  })
})
