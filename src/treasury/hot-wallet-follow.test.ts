// How a chain ends our transactions, and what proves who used a nonce: on a node whose blocks a case writes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mainToken } from '#/coins/chain.ts'
import { haltText } from '#/coins/halt-reasons.ts'
import type { Sql } from '#/db/client.ts'
import type { Rpc } from '#/evm/client.ts'
import { ProviderError } from '#/kernel/error.ts'
import { bareAddress } from '../../test/bare-coins.ts'
import { bareHash, bareNode, gasPrice, gasUsed, type BareMined, type BareNode } from '../../test/bare-node.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { bareAttempt, bareChain, bareTx } from '../../test/bare-sender.ts'
import { fileDatabase } from '../../test/file-database.ts'
import {
  finalFunds,
  followTxs,
  viewChain,
  type ChainView,
  whoUsed,
  type NonceUse,
} from './hot-wallet-follow.ts'
import type { ChainTxId, OpenTx } from './outgoing.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

const chain = { ...bareChain, key: 'ours' }
const wallet = bareAddress(1)
const hash = bareHash(50)

/** The transaction with the wallet's first nonce, of which one attempt was sent. */
const tx: OpenTx = {
  ...bareTx,
  id: bareId(1) as ChainTxId,
  reference: 'payout/1',
  state: 'BROADCAST',
  nonce: 0n,
  attempts: [bareAttempt(0, { hash })],
}
const moved = { token: mainToken(chain).address, from: wallet, to: bareAddress(22), value: 7n }
/** The same in a block, with the movement that it should make. */
const mined: BareMined = { hash, from: wallet, moves: [moved] }

describe('the view of a chain', () => {
  for (const [confirmationsMin, final] of [
    [1, 8n],
    [3, 8n],
    [5, 6n],
    [50, 0n],
  ] as const)
    test(`head 10, finalized 8, at least ${confirmationsMin} confirmations: final is ${final}`, async () => {
      const node = bareNode()
      while ((await node.rpc.getBlockByNumber('latest'))?.number !== 6n) node.mine()
      for (const number of [7, 8, 9, 10]) node.mine({ hash: bareHash(number), from: wallet })
      node.final = 8n
      const view = await viewChain(node.rpc, { ...chain, confirmationsMin }, wallet)
      assert.deepEqual(view, { head: 10n, headNonce: 4n, final, finalNonce: final < 8n ? 0n : 2n })
    })

  test('a node without a final block has no view', async () => {
    const node = bareNode()
    node.final = 9n
    await assert.rejects(viewChain(node.rpc, chain, wallet), /knows no final block/)
  })

  test('what a wallet has at a block is asked of the token by the address in 32 bytes', async () => {
    const asked: unknown[] = []
    const said: Partial<Rpc> = {
      ethCall: async (to, data, block) => {
        asked.push(to, data, block)
        return `0x${'7'.padStart(64, '0')}`
      },
      call: async () => '0x5',
    }
    const whole = `0x${'b2'.repeat(20)}` as const
    const funds = await finalFunds(said as Rpc, chain, whole, 9n)
    assert.deepEqual(funds, { units: 7n, wei: 5n })
    assert.deepEqual(asked, [mainToken(chain).address, `0x70a08231${'0'.repeat(24)}${whole.slice(2)}`, 9n])
  })
})

/** What a node shows of these; everything above block `final` can still leave. */
async function follow(node: BareNode, open: readonly OpenTx[], uses: NonceUse[] = []) {
  const view: ChainView = await viewChain(node.rpc, chain, wallet)
  const asked: bigint[] = []
  const ask = async ({ nonce }: OpenTx): Promise<NonceUse> => {
    asked.push(nonce)
    return uses.shift() ?? { by: 'ours' }
  }
  return { ...(await followTxs(node.rpc, chain, { view, wallet, open, whoUsed: ask })), asked }
}

const nothing = {
  ends: [],
  progress: [],
  usedByOthers: [],
  unproven: undefined,
  impossible: undefined,
  asked: [],
}

describe('a transaction in a final block', () => {
  test('it is final, by the receipt, at what it cost', async () => {
    const node = bareNode()
    const block = node.mine(mined)
    node.final = 2n
    const { ends, ...others } = await follow(node, [tx])
    const [end] = ends
    const { evidence, ...rest } = end ?? {}
    assert.deepEqual(rest, {
      id: tx.id,
      failure: undefined,
      hash,
      blockNumber: 2n,
      blockHash: block.hash,
      gasWei: gasUsed * gasPrice,
    })
    assert.equal((JSON.parse(String(evidence)) as { transactionHash: string }).transactionHash, hash)
    assert.deepEqual({ ...others, ends: [] }, nothing)
  })

  const transfer = (change: Partial<typeof moved>) => ({ ...mined, moves: [{ ...moved, ...change }] })
  for (const [name, block, change, failure] of [
    ['that failed', { ...mined, fails: true, moves: [] }, {}, 'reverted'],
    [
      'that only uses its nonce',
      { ...mined, moves: [] },
      { cancel: 'asked', attempts: [bareAttempt(0, { hash, cancels: true })] },
      'asked',
    ],
    ['that moves no token', { ...mined, moves: [] }, { recipient: undefined }, undefined],
    ['with other movements too', { ...mined, moves: [{ ...moved, value: 1n }, moved] }, {}, undefined],
  ] as const)
    test(`one ${name} has this end: ${failure ?? 'done'}`, async () => {
      const node = bareNode()
      node.mine(block)
      node.final = 2n
      const { ends, impossible } = await follow(node, [{ ...tx, ...change }])
      assert.deepEqual([ends.length, ends[0]?.failure, impossible], [1, failure, undefined])
    })

  for (const [name, block] of [
    ['no movement', { ...mined, moves: [] }],
    ['another token', transfer({ token: bareAddress(99) })],
    ['another sender', transfer({ from: bareAddress(99) })],
    ['another recipient', transfer({ to: bareAddress(99) })],
    ['another amount', transfer({ value: 8n })],
  ] as const)
    test(`success with ${name} is impossible, and nothing after it counts`, async () => {
      const node = bareNode()
      node.mine(block, { hash: bareHash(51), from: wallet, moves: [moved] })
      node.final = 2n
      const next = { ...tx, nonce: 1n, attempts: [bareAttempt(0, { hash: bareHash(51) })] }
      const news = await follow(node, [tx, next])
      const impossible = haltText('transfer_missing', { transaction: hash })
      assert.deepEqual(news, { ...nothing, impossible })
    })

  test('a receipt of a block that is not the node’s, or is above the final one, is no end', async () => {
    const node = bareNode()
    node.mine(mined)
    node.final = 2n
    const receipt = (await node.rpc.call('eth_getTransactionReceipt', [hash])) as object
    for (const change of [{ blockHash: bareHash(9) }, { blockNumber: '0x3' }]) {
      node.instead = (method) =>
        method === 'eth_getTransactionReceipt' ? { ...receipt, ...change } : undefined
      assert.deepEqual(await follow(node, [tx]), { ...nothing, asked: [0n] }, JSON.stringify(change))
    }
  })
})

describe('a nonce that is used and whose receipt the node does not have', () => {
  const other: BareMined = { hash: bareHash(60), from: wallet }
  const lost = async (uses: NonceUse[], change: Partial<OpenTx> = {}) => {
    const node = bareNode()
    node.mine(other, { ...other, hash: bareHash(61) })
    node.final = 2n
    const second = { ...tx, id: bareId(2) as ChainTxId, nonce: 1n }
    return follow(node, [{ ...tx, ...change }, second], uses)
  }

  test('the lowest one alone is proven in a pass: foreign, unknown, or ours', async () => {
    assert.deepEqual(await lost([{ by: 'foreign' }]), { ...nothing, usedByOthers: [0n], asked: [0n] })
    const unproven = { nonce: 0n, reason: 'hidden' }
    assert.deepEqual(await lost([{ by: 'unknown', reason: 'hidden' }]), { ...nothing, unproven, asked: [0n] })
    assert.deepEqual(await lost([{ by: 'ours' }]), { ...nothing, asked: [0n] })
  })

  test('one that is known to be taken is not asked about again', async () => {
    assert.deepEqual(await lost([{ by: 'foreign' }], { isTaken: true }), {
      ...nothing,
      usedByOthers: [1n],
      asked: [1n],
    })
  })

  test('a proof that finds it ends it', async () => {
    const node = bareNode()
    node.mine(mined)
    node.final = 2n
    node.lost.add(hash)
    const use = await whoUsed(sql, node.rpc, {
      chain: 'ours',
      wallet,
      nonce: 0n,
      attempts: tx.attempts,
      final: 2n,
    })
    const { ends } = await follow(node, [tx], [use])
    assert.deepEqual(
      ends.map(({ hash: by }) => by),
      [hash],
    )
  })
})

describe('a transaction in a block that can still leave', () => {
  const attempts = [
    bareAttempt(0, { hash: bareHash(49) }),
    ...tx.attempts,
    bareAttempt(0, { hash: bareHash(51) }),
  ]
  for (const [name, isMined, change, state] of [
    ['it is mined', true, {}, 'MINED'],
    ['it is mined already', true, { state: 'MINED' }, undefined],
    ['one of its attempts is mined', true, { attempts }, 'MINED'],
    ['another has its nonce', true, { attempts: [] }, undefined],
    ['its block left', false, { state: 'MINED' }, 'BROADCAST'],
    ['no block has it', false, {}, undefined],
  ] as const)
    test(`${name}: ${state ?? 'nothing new'}`, async () => {
      const node = bareNode()
      const block = isMined ? node.mine(mined) : undefined
      const { progress, ...others } = await follow(node, [{ ...tx, ...change }])
      const at = { hash, blockNumber: 2n, blockHash: block?.hash }
      const news = { id: tx.id, state, ...(state === 'MINED' ? at : {}) }
      assert.deepEqual(progress, state === undefined ? [] : [news])
      assert.deepEqual({ ...others, progress: [] }, nothing)
    })
})

describe('who used a nonce', () => {
  const strange: BareMined = { hash: bareHash(60), from: wallet }
  /** `seen`: the block in which the watcher saw a movement of ours. */
  const use = (
    node: BareNode,
    {
      seen,
      final,
      attempts = tx.attempts,
    }: { seen?: `0x${string}`; final: bigint; attempts?: OpenTx['attempts'] },
  ) => {
    const bytes = (hex: string) => `\\x${hex.slice(2)}`
    const row = { chain: 'ours', tx_hash: bytes(hash), state: 'SEEN', block_number: 2 }
    const coin_move = seen === undefined ? [] : [{ ...row, block_hash: bytes(seen) }]
    return onRows(sql, { coin_move }, (db) =>
      whoUsed(db as Sql, node.rpc, { chain: 'ours', wallet, nonce: 0n, attempts, final }),
    )
  }

  for (const at of [0, 2, 3, 4, 5, 6, 7, 8, 9])
    test(`the block that used it is found, whether it is ours or a stranger’s: block ${at} of 9`, async () => {
      for (const [block, by] of [
        [mined, 'found'],
        [strange, 'foreign'],
      ] as const) {
        const node = at === 0 ? bareNode(block) : bareNode()
        for (let number = 2; number < 10; number++) node.mine(...(number === at ? [block] : []))
        const found = await use(node, { final: 9n })
        assert.equal(found.by, by)
        if (found.by === 'found') assert.equal(found.found.receipt.blockNumber, BigInt(at))
      }
    })

  test('where we sent nothing, it is a stranger’s', async () => {
    const node = bareNode()
    node.mine(strange)
    assert.deepEqual(await use(node, { final: 2n, attempts: [] }), { by: 'foreign' })
  })

  test('a block that the node does not show, or not whole, proves nothing', async () => {
    const node = bareNode()
    const { hash: block } = node.mine(mined)
    node.hidden.add(block)
    assert.deepEqual(await use(node, { final: 2n }), {
      by: 'unknown',
      reason: 'the node does not show block 2',
    })
    node.hidden.clear()
    node.instead = (method) => (method === 'eth_getBlockReceipts' ? [] : undefined)
    assert.equal((await use(node, { final: 2n })).by, 'unknown')
  })

  test('what the watcher saw moving is ours, in its block when that is final and shown', async () => {
    const node = bareNode()
    const { hash: block } = node.mine(mined)
    const empty = node.mine()
    assert.equal((await use(node, { seen: block, final: 2n })).by, 'found')
    assert.deepEqual(await use(node, { seen: block, final: 1n }), { by: 'ours' })
    assert.deepEqual(await use(node, { seen: empty.hash, final: 3n }), { by: 'ours' })
    node.hidden.add(block)
    assert.deepEqual(await use(node, { seen: block, final: 2n }), { by: 'ours' })
  })

  test('a node that is not reached is an error; one that answers nonsense proves nothing', async () => {
    const node = bareNode()
    const { hash: block } = node.mine(mined)
    const failing = (error: Error) => {
      node.instead = () => {
        throw error
      }
    }
    failing(new ProviderError('unavailable', 'gone'))
    await assert.rejects(use(node, { final: 2n }), /gone/)
    await assert.rejects(use(node, { seen: block, final: 2n }), /gone/)
    for (const error of [new ProviderError('unknown', 'cut off'), new Error('cut off')]) {
      failing(error)
      assert.deepEqual(await use(node, { final: 2n }), { by: 'unknown', reason: 'cut off' })
      assert.deepEqual(await use(node, { seen: block, final: 2n }), { by: 'ours' })
    }
  })
})
