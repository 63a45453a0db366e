// What a sender has signed and sends to the node, and when again: its rows in a database, and a node and a signer that say what a case needs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { NoAnswerError, ProviderError } from '#/kernel/error.ts'
import { monotonicMs, minuteMs } from '#/kernel/time.ts'
import { SignerError } from '#/signer/client.ts'
import { bareAddress } from '../../test/bare-coins.ts'
import { bareAttempt, bareSender, feesOf, gwei, type BareSender } from '../../test/bare-sender.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import type { Airing } from './hot-wallet-lease.ts'
import { broadcastDue, signDue, type Scene } from './hot-wallet-send.ts'
import type { OpenTx, Signer, SignRequest } from './outgoing.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 2 }))

const head = 100n
/** A head block under which nonce 5 is the next. */
const view = { head, headNonce: 5n, final: 90n, finalNonce: 5n }
const sceneOf = (...open: OpenTx[]): Scene => ({ view, open, usual: feesOf(2n) })
/** A fence that no wallet has: under it nothing can be written. */
const outdated = 99n

/** The sender's own signer, and the requests that it got. */
function watched({ deps }: BareSender): { readonly signer: Signer; readonly requests: SignRequest[] } {
  const requests: SignRequest[] = []
  const sign: Signer['sign'] = (request) => {
    requests.push(request)
    return deps.signer.sign(request)
  }
  return { signer: { ...deps.signer, sign }, requests }
}

const failing = (error: Error): Signer => ({
  sign: () => Promise.reject(error),
  status: async () => [],
})

describe('signing', () => {
  test('a first attempt is signed for the usual fees, and stored before anything is sent', async () => {
    const sender = await bareSender(sql)
    const { signer, requests } = watched(sender)
    const tx = await sender.open({ value: 3n })
    const done = await signDue({ ...sender.deps, signer }, sender.hold(), sceneOf(tx))
    assert.deepEqual(done, { count: 1 })
    assert.deepEqual(await sender.states(), [['SIGNED', null]])
    const { chain, wallet } = sender.deps
    const common = { key: wallet.address, chainId: chain.chainId, nonce: 5n, reference: tx.reference }
    const payload = { to: bareAddress(21), value: 3n, data: '0x01', gas: 100n }
    assert.deepEqual(requests, [{ ...common, ...payload, fees: feesOf(2n) }])
  })

  test('a cancellation is an empty transfer to ourselves, signed at once whatever was signed before', async () => {
    const sender = await bareSender(sql)
    const { signer, requests } = watched(sender)
    const tx = await sender.open({ cancel: 'asked', attempts: [bareAttempt(50)] })
    assert.deepEqual(await signDue({ ...sender.deps, signer }, sender.hold(), sceneOf(tx)), { count: 1 })
    const [request] = requests
    const { address } = sender.deps.wallet
    assert.deepEqual([request?.to, request?.value, request?.data, request?.gas], [address, 0n, '0x', 21_000n])
    // An eighth more than before, of both.
    assert.deepEqual(request?.fees, {
      maxFeePerGas: (9n * 2n * gwei) / 8n,
      maxPriorityFeePerGas: (9n * gwei) / 8n,
    })
    const attempts = await sql`select cancels from chain_tx_attempt where tx = ${tx.id}`
    assert.deepEqual([...attempts], [{ cancels: true }])
  })

  test('bytes that are not of the request are stored nowhere', async () => {
    const sender = await bareSender(sql)
    const { signer } = sender.deps
    const other: Signer = { ...signer, sign: (request) => signer.sign({ ...request, value: 1n }) }
    const tx = await sender.open()
    await assert.rejects(signDue({ ...sender.deps, signer: other }, sender.hold(), sceneOf(tx)))
    assert.deepEqual(await sender.states(), [['RESERVED', null]])
  })

  test('what a block has already is not signed again, and without anything due the wallet waits for nothing', async () => {
    const sender = await bareSender(sql)
    const tx = await sender.open({ nonce: 4n })
    assert.deepEqual(await signDue(sender.deps, sender.hold({ fence: outdated }), sceneOf(tx)), { count: 0 })
    assert.deepEqual(await sender.states(), [['RESERVED', null]])
  })

  test('a signer that failed is left alone for its pause, and then asked again', async () => {
    const sender = await bareSender(sql)
    const tx = await sender.open()
    const later = { retryAt: monotonicMs() + minuteMs, answer: { waiting: 'SIGNER: busy' } }
    const held = sender.hold({ signer: later })
    assert.deepEqual(await signDue(sender.deps, held, sceneOf(tx)), { count: 0, waiting: 'SIGNER: busy' })
    held.signer = { ...later, retryAt: 0 }
    assert.deepEqual(await signDue(sender.deps, held, sceneOf(tx)), { count: 1 })
    assert.equal(held.signer, undefined)
  })
})

describe('a signer that does not sign', () => {
  for (const code of ['amount_not_allowed', 'recipient_not_allowed'] as const)
    test(`${code}: it never will, so the transaction is to be canceled, and the signer is asked on`, async () => {
      const sender = await bareSender(sql)
      const signer = failing(new SignerError('refused', 'not allowed', code))
      const tx = await sender.open()
      const held = sender.hold()
      const done = await signDue({ ...sender.deps, signer }, held, sceneOf(tx))
      assert.deepEqual(done, { count: 1, waiting: 'SIGNER: not allowed' })
      assert.deepEqual(await sender.states(), [['RESERVED', code]])
      assert.equal(held.signer, undefined)
      assert.deepEqual(sender.logged, ['the signer did not sign'])
    })

  for (const [name, error] of [
    ['may later', new SignerError('refused', 'no', 'daily_cap_exceeded')],
    ['may have signed', new SignerError('unknown', 'no', 'amount_not_allowed')],
    ['gave no reason', new SignerError('refused', 'no')],
    ['is not reached', new ProviderError('refused', 'no')],
  ] as const)
    test(`a signer that ${name}: nothing is written, the wallet says what it waits for, and pauses`, async () => {
      const sender = await bareSender(sql)
      const tx = await sender.open()
      const held = sender.hold({ fence: outdated })
      const done = await signDue({ ...sender.deps, signer: failing(error) }, held, sceneOf(tx))
      assert.deepEqual(done, { count: 0, waiting: 'SIGNER: no' })
      assert.deepEqual(held.signer?.answer, { waiting: 'SIGNER: no' })
      assert.deepEqual(await sender.states(), [['RESERVED', null]])
    })

  test('what was signed before keeps its attempt when its replacement is refused, and no other waits for that', async () => {
    const sender = await bareSender(sql)
    const tx = await sender.open({ cancel: 'asked', attempts: [bareAttempt(50)] })
    const held = sender.hold()
    const signer = failing(new SignerError('refused', 'not allowed', 'amount_not_allowed'))
    assert.deepEqual(await signDue({ ...sender.deps, signer }, held, sceneOf(tx)), { count: 0 })
    assert.deepEqual(held.signer?.answer, {})
    assert.deepEqual(await sender.states(), [['SIGNED', 'asked']])
  })

  test('of two, one that is signed is stored though the other is not', async () => {
    const sender = await bareSender(sql)
    const { deps } = sender
    const [first, second] = [await sender.open(), await sender.open({ nonce: 6n })]
    const signer: Signer = {
      ...deps.signer,
      sign: (request) =>
        request.nonce === 6n
          ? Promise.reject(new SignerError('unavailable', 'busy'))
          : deps.signer.sign(request),
    }
    const done = await signDue({ ...deps, signer }, sender.hold(), sceneOf(first, second))
    assert.deepEqual(done, { count: 1, waiting: 'SIGNER: busy' })
    assert.deepEqual(await sender.states(), [
      ['SIGNED', null],
      ['RESERVED', null],
    ])
  })

  test('a fault of our own is not taken for an answer', async () => {
    const sender = await bareSender(sql)
    const tx = await sender.open()
    const signer = failing(new TypeError('ours'))
    await assert.rejects(signDue({ ...sender.deps, signer }, sender.hold(), sceneOf(tx)), TypeError)
  })
})

describe('a replacement', () => {
  const sent = (first: bigint, last: bigint, isCheap = false): Airing => ({ first, last, isCheap })
  const cases: readonly {
    readonly name: string
    readonly airing?: Airing
    readonly nonce?: bigint
    readonly price?: bigint
    readonly is: 'replaced' | 'kept' | 'capped'
  }[] = [
    { name: 'never sent by this process', is: 'kept' },
    { name: 'sent 19 blocks ago', airing: sent(81n, 99n), is: 'kept' },
    { name: 'sent 20 blocks ago', airing: sent(80n, 99n), is: 'replaced' },
    { name: 'too cheap before this block', airing: sent(99n, 99n, true), is: 'replaced' },
    { name: 'too cheap in this block', airing: sent(99n, 100n, true), is: 'kept' },
    { name: 'behind the next nonce, at the usual fee', airing: sent(80n, 99n), nonce: 6n, is: 'kept' },
    {
      name: 'behind the next nonce, below the usual fee',
      airing: sent(80n, 99n),
      nonce: 6n,
      price: 1n,
      is: 'replaced',
    },
    { name: 'behind the next nonce, not late', airing: sent(81n, 99n), nonce: 6n, price: 1n, is: 'kept' },
    { name: 'at the cap', airing: sent(80n, 99n), price: 5n, is: 'capped' },
  ]
  for (const { name, airing, nonce = 5n, price = 2n, is } of cases)
    test(`${name}: ${is}`, async () => {
      const sender = await bareSender(sql)
      const attempts = [bareAttempt(50, { fees: feesOf(price) })]
      const tx = await sender.open({ nonce, attempts })
      const broadcasts = new Map(airing === undefined ? [] : [[bareAddress(50), airing]])
      const done = await signDue(sender.deps, sender.hold({ broadcasts }), sceneOf(tx))
      assert.deepEqual(
        done,
        is === 'capped' ? { count: 0, waiting: 'FEES' } : { count: is === 'replaced' ? 1 : 0 },
      )
    })

  test('the last attempt counts, and the chain may say after how many blocks', async () => {
    const sender = await bareSender(sql)
    const attempts = [bareAttempt(50), bareAttempt(51)]
    const tx = await sender.open({ attempts })
    const broadcasts = new Map([
      [bareAddress(50), sent(0n, 0n)],
      [bareAddress(51), sent(97n, 99n)],
    ])
    const held = sender.hold({ broadcasts })
    assert.deepEqual(await signDue(sender.deps, held, sceneOf(tx)), { count: 0 })
    assert.deepEqual(await signDue({ ...sender.deps, replaceBlocks: 3 }, held, sceneOf(tx)), { count: 1 })
  })
})

/** A sender whose node answers with this error, or accepts, and what it got. */
async function broadcasting(error?: Error): Promise<{ readonly sender: BareSender; readonly got: string[] }> {
  const got: string[] = []
  const sendRawTransaction = async (raw: `0x${string}`) => {
    got.push(raw)
    if (error !== undefined) throw error
    return raw
  }
  return { sender: await bareSender(sql, { said: { sendRawTransaction } }), got }
}

describe('sending', () => {
  test('the last attempt of each is sent in the order of nonces, and then is BROADCAST', async () => {
    const { sender, got } = await broadcasting()
    const open = [
      await sender.open({ nonce: 4n, attempts: [bareAttempt(49)] }),
      await sender.open({ attempts: [bareAttempt(50), bareAttempt(51)] }),
      await sender.open({ nonce: 6n, attempts: [bareAttempt(52)] }),
      await sender.open({ nonce: 7n }),
      await sender.open({ nonce: 8n, attempts: [bareAttempt(53)] }),
    ]
    const held = sender.hold()
    await broadcastDue(sender.deps, held, sceneOf(...open))
    assert.deepEqual(got, [51, 52].map(bareAddress))
    assert.deepEqual(held.broadcasts.get(bareAddress(51)), { first: head, last: head, isCheap: false })
    assert.deepEqual(
      (await sender.states()).map(([state]) => state),
      ['SIGNED', 'BROADCAST', 'BROADCAST', 'RESERVED', 'SIGNED'],
    )
    assert.deepEqual(sender.logged, [])
  })

  for (const [name, last, isSent] of [
    ['in this block', 100n, false],
    ['three blocks ago', 97n, false],
    ['four blocks ago', 96n, true],
    ['after a block that left the chain', 101n, true],
  ] as const)
    test(`what was sent ${name} is ${isSent ? '' : 'not '}sent again`, async () => {
      const { sender, got } = await broadcasting()
      const tx = await sender.open({ state: 'BROADCAST', attempts: [bareAttempt(50)] })
      const broadcasts = new Map([[bareAddress(50), { first: 90n, last, isCheap: true }]])
      const held = sender.hold({ broadcasts, fence: outdated })
      await broadcastDue(sender.deps, held, sceneOf(tx))
      assert.equal(got.length, isSent ? 1 : 0)
      const now = { first: 90n, last: isSent ? head : last, isCheap: !isSent }
      assert.deepEqual(held.broadcasts.get(bareAddress(50)), now)
    })

  const refused = (detail: string) => new ProviderError('refused', detail)
  for (const [error, isSent, isCheap] of [
    [refused('already known'), true, false],
    [refused('nonce too low'), true, false],
    [new NoAnswerError('unknown', 'cut off'), true, false],
    [refused('transaction underpriced'), false, true],
    [refused('insufficient funds'), false, false],
  ] as const)
    test(`a node that answers "${error.message}" has ${isSent ? '' : 'not '}got it`, async () => {
      const { sender } = await broadcasting(error)
      const tx = await sender.open({ attempts: [bareAttempt(50)] })
      const held = sender.hold()
      await broadcastDue(sender.deps, held, sceneOf(tx))
      assert.deepEqual(await sender.states(), [[isSent ? 'BROADCAST' : 'SIGNED', null]])
      assert.equal(held.broadcasts.get(bareAddress(50))?.isCheap, isCheap)
      assert.deepEqual(sender.logged, isSent ? [] : ['the node does not accept a transaction'])
    })

  for (const error of [new ProviderError('unavailable', 'not reached'), new TypeError('ours')])
    test(`${error.message}: nothing is known of it, and the pass ends`, async () => {
      const { sender } = await broadcasting(error)
      const tx = await sender.open({ attempts: [bareAttempt(50)] })
      await assert.rejects(broadcastDue(sender.deps, sender.hold(), sceneOf(tx)), error)
      assert.deepEqual(await sender.states(), [['SIGNED', null]])
    })
})
