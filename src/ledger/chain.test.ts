// The format of the chain, implemented a second time without our code, byte by byte, so that no change of it goes unnoticed.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/any-character.ts'
import { count } from '../../test/counts.ts'
import {
  batchHash,
  genesisHash,
  type BatchHeader,
  type ChainedAccount,
  type ChainedEvent,
  type ChainedTransfer,
} from './chain.ts'

type Content = Parameters<typeof batchHash>[3]

/** HMAC-SHA256(key, prev ‖ header ‖ digests). The length of each field precedes it in four bytes; integers have eight. */
function hashByHand(
  key: Buffer,
  prev: Buffer,
  header: BatchHeader,
  { accounts, transfers, events }: Content,
): string {
  const hex = (value: string | bigint | Buffer) => {
    const bytes =
      typeof value === 'bigint'
        ? BigInt.asUintN(64, value).toString(16).padStart(16, '0')
        : Buffer.from(value as string).toString('hex')
    return (bytes.length / 2).toString(16).padStart(8, '0') + bytes
  }
  const join = (values: readonly (string | bigint | Buffer)[]) => values.map(hex).join('')
  const digest = (values: readonly (string | bigint | Buffer)[]) =>
    createHash('sha256').update(join(values), 'hex').digest('hex')
  const sorted = [...events].sort((a, b) =>
    a.merchantId + String(a.sequence).padStart(20, '0') < b.merchantId + String(b.sequence).padStart(20, '0')
      ? -1
      : 1,
  )
  return createHmac('sha256', key)
    .update(prev)
    .update(
      join([
        header.number,
        header.id,
        header.transferFrom,
        header.transferTo,
        header.accountFrom,
        header.accountTo,
        BigInt(header.events),
        BigInt(header.at.getTime()),
      ]) +
        accounts
          .map((a) => digest(['account', a.id, a.mode, a.name, a.currency, a.side, a.floored ? 1n : 0n]))
          .join('') +
        transfers
          .map((t) =>
            digest(['transfer', t.number, t.subject, t.step, t.kind, t.debit, t.credit, t.minor, t.cause]),
          )
          .join('') +
        sorted.map((e) => digest(['event', e.merchantId, e.sequence, e.id, e.type, e.bodyHash])).join(''),
      'hex',
    )
    .digest('hex')
}

const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((each) => Buffer.from(each))
const text = fc
  .oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.constant('x'.repeat(5_000)),
    fc.constant('é😀'.repeat(900)),
  )
  .map((each) => each.toWellFormed())
const header: fc.Arbitrary<BatchHeader> = fc.record({
  number,
  id: fc.uuid(),
  transferFrom: number,
  transferTo: number,
  accountFrom: number,
  accountTo: number,
  events: fc.nat(),
  at: fc.date({ noInvalidDate: true }),
})
const account: fc.Arbitrary<ChainedAccount> = fc.record({
  id: number,
  mode: text,
  name: text,
  currency: text,
  side: text,
  floored: fc.boolean(),
})
const transfer: fc.Arbitrary<ChainedTransfer> = fc.record({
  number,
  subject: fc.uuid(),
  step: text,
  kind: text,
  debit: number,
  credit: number,
  minor: number,
  cause: bytes,
})
const event: fc.Arbitrary<ChainedEvent> = fc.record({
  merchantId: fc.uuid(),
  sequence: number,
  id: fc.uuid(),
  type: text,
  bodyHash: bytes,
})
const content = fc.record({
  accounts: fc.array(account, { maxLength: 3 }),
  transfers: fc.array(transfer, { maxLength: 3 }),
  events: fc.uniqueArray(event, { maxLength: 4, selector: (each) => `${each.merchantId}/${each.sequence}` }),
})

test('the hash of a batch equals the one that this test computes', () => {
  fc.assert(
    fc.property(bytes, bytes, header, content, (key, prev, head, rows) => {
      assert.equal(batchHash(key, prev, head, rows).toString('hex'), hashByHand(key, prev, head, rows))
    }),
    { numRuns: count({ quick: 300, soak: 20_000 }) },
  )
})

const none: Content = { accounts: [], transfers: [], events: [] }
const fixed: BatchHeader = {
  number: 1n,
  id: '019a0000-0000-7000-8000-000000000000',
  transferFrom: 0n,
  transferTo: 0n,
  accountFrom: 0n,
  accountTo: 0n,
  events: 0,
  at: new Date(0),
}

test('the hash depends on the order of transfers, and not on that of events', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(event, {
        minLength: 2,
        maxLength: 4,
        selector: (each) => `${each.merchantId}/${each.sequence}`,
      }),
      (events) => {
        const [one, other] = [events, events.toReversed()].map((each) =>
          batchHash(genesisHash, genesisHash, fixed, { ...none, events: each }),
        )
        assert.deepEqual(one, other)
      },
    ),
    { numRuns: 50 },
  )
  fc.assert(
    fc.property(transfer, transfer, (a, b) => {
      fc.pre(a.number !== b.number)
      const hashes = [
        [a, b],
        [b, a],
      ].map((transfers) => batchHash(genesisHash, genesisHash, fixed, { ...none, transfers }).toString('hex'))
      assert.notEqual(hashes[0], hashes[1])
    }),
    { numRuns: 50 },
  )
})

test('no two contents share their bytes: moving a letter from one field to the next changes the hash', () => {
  const base: ChainedTransfer = {
    number: 1n,
    subject: fixed.id,
    step: '1.credit',
    kind: 'PAYMENT',
    debit: 1n,
    credit: 2n,
    minor: 3n,
    cause: genesisHash,
  }
  const hashOf = (more: Partial<ChainedTransfer>) =>
    batchHash(genesisHash, genesisHash, fixed, { ...none, transfers: [{ ...base, ...more }] }).toString('hex')
  const hashes = [
    {},
    { step: '1.creditP', kind: 'AYMENT' },
    { step: '1.credi', kind: 'tPAYMENT' },
    { step: '', kind: '1.creditPAYMENT' },
  ].map(hashOf)
  assert.equal(new Set(hashes).size, hashes.length)
})
