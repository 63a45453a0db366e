// The format of the chain, implemented a second time without our code, byte by byte, so that no change of it goes unnoticed.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { anyCharacter } from '../../test/any-character.ts'
import { fc } from '../../test/chance.ts'
import { count } from '../../test/counts.ts'
import {
  auditEntryDigest,
  batchHash,
  genesisHash,
  type BatchHeader,
  type ChainedAccount,
  type ChainedAuditEntry,
  type ChainedEvent,
  type ChainedTransfer,
} from './chain.ts'

type Content = Parameters<typeof batchHash>[3]

/** HMAC-SHA256(key, prev ‖ header ‖ digests). The length of each field precedes it in four bytes; integers have eight. */
function hashByHand(
  key: Buffer,
  prev: Buffer,
  header: BatchHeader,
  { accounts, transfers, events, sealed }: Content,
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
        sorted.map((e) => digest(['event', e.merchantId, e.sequence, e.id, e.type, e.bodyHash])).join('') +
        sealed.map((each) => each.toString('hex')).join(''),
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
  sealed: fc.array(bytes, { maxLength: 3 }),
})

test('the hash of a batch equals the one that this test computes', () => {
  fc.assert(
    fc.property(bytes, bytes, header, content, (key, prev, head, rows) => {
      assert.equal(batchHash(key, prev, head, rows).toString('hex'), hashByHand(key, prev, head, rows))
    }),
    { numRuns: count({ quick: 300, soak: 20_000 }) },
  )
})

const none: Content = { accounts: [], transfers: [], events: [], sealed: [] }
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

test('the chain begins with 32 zero bytes', () => {
  assert.equal(genesisHash.toString('hex'), '0'.repeat(64))
})

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

const sha256 = (value: string) => createHash('sha256').update(value).digest()

test('a batch without seals has the hash that it had before batches could seal', () => {
  // Computed by the code of commit 13ff2141, the last one without seals.
  const before = 'b626e1e42a2ece35121c964ad33f61b5a03bce7e6b63c7fa4b9586dbe6ead9f2'
  const ofEvent = (merchant: string, sequence: bigint, id: string, type: string, body: string) => ({
    merchantId: `019a0000-0000-7000-8000-00000000000${merchant}`,
    sequence,
    id: `019a0000-0000-7000-8000-0000000000${id}`,
    type,
    bodyHash: sha256(body),
  })
  const old = {
    accounts: [
      { id: 2n, mode: 'SANDBOX', name: 'fees:BRL', currency: 'BRL', side: 'CREDIT', floored: false },
    ],
    transfers: [
      {
        number: 4n,
        subject: '019a0000-0000-7000-8000-000000000004',
        step: '1',
        kind: 'TRANSFER',
        debit: 1n,
        credit: 2n,
        minor: 1234n,
        cause: sha256('a cause'),
      },
    ],
    events: [ofEvent('b', 1n, 'e1', 'payment.paid', 'one'), ofEvent('a', 9n, 'e2', 'payment.waiting', 'two')],
  }
  const head: BatchHeader = {
    number: 7n,
    id: '019a0000-0000-7000-8000-000000000007',
    transferFrom: 3n,
    transferTo: 4n,
    accountFrom: 1n,
    accountTo: 2n,
    events: 2,
    at: new Date('2026-01-02T03:04:05.678Z'),
  }
  const hashOf = (sealed: readonly Buffer[]) =>
    batchHash(sha256('key'), sha256('prev'), head, { ...old, sealed }).toString('hex')
  assert.equal(hashOf([]), before)
  assert.notEqual(hashOf([sha256('one')]), before)
  assert.notEqual(hashOf([sha256('one'), sha256('two')]), hashOf([sha256('two'), sha256('one')]))
})

const entry: ChainedAuditEntry = {
  id: '019a0000-0000-7000-8000-0000000000aa',
  at: Buffer.from('0002ec1c1f5d2e00', 'hex'),
  actorKind: 'USER',
  actorId: 'ana',
  action: 'key.revoke',
  subject: 'api_key:1',
  merchantId: null,
  beforeHash: sha256('{}'),
  afterHash: null,
  reason: 'lost',
  address: null,
  requestId: 'r1',
}

test('the digest of an audit entry is the SHA-256 of its columns, each after its length, and says which are absent', () => {
  const of = (value: string | Buffer) => {
    const bytes = Buffer.from(value)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  const [absent, present] = [0n, 1n].map((each) => of(Buffer.from(each.toString().padStart(16, '0'), 'hex')))
  assert.ok(absent && present)
  const byHand = Buffer.concat([
    of('audit'),
    of(entry.id),
    of(entry.at),
    of('USER'),
    of('ana'),
    of('key.revoke'),
    of('api_key:1'),
    absent,
    Buffer.concat([present, of(sha256('{}'))]),
    absent,
    Buffer.concat([present, of('lost')]),
    absent,
    Buffer.concat([present, of('r1')]),
  ])
  assert.deepEqual(auditEntryDigest(entry), createHash('sha256').update(byHand).digest())
})

test('an absent column differs from an empty one, and from the same value in another column', () => {
  const variants: readonly ChainedAuditEntry[] = [
    entry,
    { ...entry, reason: null },
    { ...entry, reason: '' },
    { ...entry, reason: null, address: 'lost' },
    { ...entry, beforeHash: null, afterHash: entry.beforeHash },
    { ...entry, address: 'r1', requestId: null },
  ]
  assert.equal(new Set(variants.map((each) => auditEntryDigest(each).toString('hex'))).size, variants.length)
})
