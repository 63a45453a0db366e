// What a signer signed in a span that a restore lost is signed again, under the same nonce, and followed as before.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { bytesOf } from '#/evm/address.ts'
import { ProviderError } from '#/kernel/error.ts'
import { minuteMs, monotonicMs } from '#/kernel/time.ts'
import { SignerError } from '#/signer/client.ts'
import { bareAttempt, bareSender, feesOf, type BareSender } from '../../test/bare-sender.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { continueAt, recordLostSignatures, signAgain, type LostSignature } from './lost-signatures.ts'
import type { ChainTxId, Signer, SignRequest } from './outgoing.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner), 3)

/** What the journal has for a transaction: its first nonce is the fifth. */
function lostOf({ deps }: BareSender, id: ChainTxId, more: Partial<LostSignature> = {}): LostSignature {
  const wallet = { chain: deps.chain.key, address: deps.wallet.address }
  return {
    ...wallet,
    nonce: 5n,
    reference: id,
    gas: 90n,
    fees: feesOf(3n),
    cancels: false,
    isRecorded: false,
    ...more,
  }
}

/** How many are to be made again, and the wallet's next nonce. */
async function stateOf({ deps }: BareSender): Promise<readonly [lost: number, next: bigint]> {
  const [row] = await sql`
    select (select count(*)::integer from lost_signature where chain = ${deps.chain.key}) as lost, next_nonce as next
      from hot_wallet where chain = ${deps.chain.key}`
  return [row?.['lost'] as number, row?.['next'] as bigint]
}

/** Coins that left by this transaction, and that nothing explains. */
async function insertLeft({ deps }: BareSender, hash: `0x${string}`): Promise<void> {
  await sql`
    insert into coin_move (id, chain, block_hash, log_index, block_number, block_at, tx_hash, sender, recipient, value, state, log,
                           booked_as, minor, booked_at)
    values (gen_random_uuid(), ${deps.chain.key}, '', 0, 1, now(), ${bytesOf(hash)}, '', '', 7, 'FINAL', '', 'LEFT', 0, now())`
}

describe('signing again', () => {
  test('what waits is bound to the nonce under which it was signed, and the same bytes are made again and stored', async () => {
    const sender = await bareSender(sql)
    const requests: SignRequest[] = []
    const signer: Signer = {
      ...sender.deps.signer,
      async sign(request) {
        requests.push(request)
        const signed = await sender.deps.signer.sign(request)
        await insertLeft(sender, signed.hash)
        return signed
      },
    }
    const id = await sender.queue({ value: 3n })
    await recordLostSignatures(sql, [lostOf(sender, id)])
    assert.deepEqual(await stateOf(sender), [1, 0n])
    await signAgain({ ...sender.deps, signer }, sender.hold())
    assert.deepEqual(await sender.states(), [['SIGNED', null]])
    assert.deepEqual(await stateOf(sender), [0, 6n])
    const [request] = requests
    assert.deepEqual([request?.nonce, request?.gas, request?.fees, request?.value], [5n, 90n, feesOf(3n), 3n])
    const attempts = await sql`select cancels from chain_tx_attempt where tx = ${id}`
    assert.deepEqual([...attempts], [{ cancels: false }])
    const moves = await sql`select booked_as as kind from coin_move where chain = ${sender.deps.chain.key}`
    assert.deepEqual([...moves], [{ kind: 'PAID' }])
  })

  test('a cancellation is made again as one, and its transaction is canceled', async () => {
    const sender = await bareSender(sql)
    const id = await sender.queue({ value: 3n })
    await recordLostSignatures(sql, [lostOf(sender, id, { cancels: true })])
    const requests: SignRequest[] = []
    const { signer, wallet } = sender.deps
    const sign: Signer['sign'] = async (request) => {
      requests.push(request)
      return signer.sign(request)
    }
    await signAgain({ ...sender.deps, signer: { ...signer, sign } }, sender.hold())
    assert.deepEqual(await sender.states(), [['SIGNED', 'canceled']])
    assert.deepEqual(
      requests.map(({ nonce, to, value, data }) => ({ nonce, to, value, data })),
      [{ nonce: 5n, to: wallet.address, value: 0n, data: '0x' }],
    )
    const attempts = await sql`select cancels from chain_tx_attempt where tx = ${id}`
    assert.deepEqual([...attempts], [{ cancels: true }])
  })

  test('nothing lost, and nothing that can be bound: nobody is asked and nothing is written', async () => {
    const sender = await bareSender(sql)
    const signer: Signer = { ...sender.deps.signer, sign: () => Promise.reject(new TypeError('asked')) }
    await recordLostSignatures(sql, [])
    await signAgain({ ...sender.deps, signer }, sender.hold({ fence: 99n }))
    await sender.open({ nonce: 5n, attempts: [bareAttempt(50)] })
    const id = await sender.queue()
    await recordLostSignatures(sql, [lostOf(sender, id)])
    await signAgain({ ...sender.deps, signer }, sender.hold())
    assert.deepEqual(await sender.states(), [
      ['SIGNED', null],
      ['QUEUED', null],
    ])
    assert.equal((await stateOf(sender))[0], 1)
  })

  test('a signer that failed is left alone for its pause; the nonce is bound before', async () => {
    const sender = await bareSender(sql)
    const id = await sender.queue()
    await recordLostSignatures(sql, [lostOf(sender, id)])
    const later = { retryAt: monotonicMs() + minuteMs, answer: {} }
    const held = sender.hold({ signer: later })
    await signAgain(sender.deps, held)
    assert.deepEqual(await sender.states(), [['RESERVED', null]])
    held.signer = { ...later, retryAt: 0 }
    await signAgain(sender.deps, held)
    assert.deepEqual(await sender.states(), [['SIGNED', null]])
  })

  test('bytes that are not of the request are stored nowhere', async () => {
    const sender = await bareSender(sql)
    const { signer } = sender.deps
    const id = await sender.queue()
    await recordLostSignatures(sql, [lostOf(sender, id)])
    const other: Signer = { ...signer, sign: (request) => signer.sign({ ...request, value: 1n }) }
    await assert.rejects(signAgain({ ...sender.deps, signer: other }, sender.hold()))
    assert.deepEqual(await sender.states(), [['RESERVED', null]])
  })
})

describe('a signer that does not sign again', () => {
  for (const [name, error, isLater] of [
    ['refuses for good', new SignerError('refused', 'no', 'recipient_not_allowed'), false],
    ['refuses for now', new SignerError('refused', 'no', 'daily_cap_exceeded'), true],
    ['gives no reason', new SignerError('refused', 'no'), true],
    ['is not reached', new ProviderError('unavailable', 'no'), true],
  ] as const)
    test(`one that ${name} is ${isLater ? 'asked again later' : 'not asked about it again'}, and that is told`, async () => {
      const sender = await bareSender(sql)
      const id = await sender.queue()
      await recordLostSignatures(sql, [lostOf(sender, id)])
      const signer: Signer = { ...sender.deps.signer, sign: () => Promise.reject(error) }
      const held = sender.hold()
      await signAgain({ ...sender.deps, signer }, held)
      assert.deepEqual(await sender.states(), [['RESERVED', null]])
      assert.deepEqual(await stateOf(sender), [isLater ? 1 : 0, 6n])
      assert.equal(held.signer !== undefined, isLater)
      assert.deepEqual(sender.logged, ['the signer did not sign again what its journal has'])
    })

  test('a fault of our own is not taken for an answer', async () => {
    const sender = await bareSender(sql)
    const id = await sender.queue()
    await recordLostSignatures(sql, [lostOf(sender, id)])
    const signer: Signer = { ...sender.deps.signer, sign: () => Promise.reject(new TypeError('ours')) }
    await assert.rejects(signAgain({ ...sender.deps, signer }, sender.hold()), TypeError)
  })
})

test('a wallet continues behind the nonces that the journals have', async () => {
  const sender = await bareSender(sql)
  const wallet = { chain: sender.deps.chain.key, address: sender.deps.wallet.address }
  await continueAt(sql, wallet, 8n)
  assert.equal((await stateOf(sender))[1], 8n)
})
