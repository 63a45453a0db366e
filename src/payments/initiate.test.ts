// What a payer's request for a page finds or makes: each rule with the payment, or the attempt, that it alone tells apart. All cases of a test are one
// batch.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { addMs, hourMs, minuteMs } from '#/kernel/time.ts'
import type { Attempt } from '#/rails/attempt.ts'
import { at, bank, earlier, ours, theirs } from '../../test/bare-attempts.ts'
import {
  attemptOf,
  attemptRows,
  numberOf,
  paymentOf,
  paymentRow,
  paymentTables,
  railsThatOpen,
} from '../../test/bare-payments.ts'
import { onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows } from '../../test/kind-on-rows.ts'
import { initiateKind, type InitiateItem, type InitiateVerdict } from './initiate.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>
type Case = readonly [
  what: string,
  verdict: string,
  payment?: Row,
  item?: Partial<InitiateItem>,
  attempts?: readonly Row[],
]

const rails = railsThatOpen()
/** The attempt that a request would add. */
const fresh = 99
const itemOf = (number: number, change: Partial<InitiateItem> = {}): InitiateItem => ({
  merchantId: ours,
  paymentId: paymentOf(number),
  method: 'CREDIT_CARD',
  attemptId: attemptOf(number, fresh),
  connection: bank,
  ...change,
})

/** The kind of the verdict, and its attempts by their numbers. */
function told(verdict: InitiateVerdict): string {
  const ids =
    verdict.kind === 'opened'
      ? [verdict.attempt.id]
      : verdict.kind === 'initiated'
        ? [verdict.initiated.id]
        : verdict.kind === 'unclosed'
          ? verdict.unclosed.map(({ id }) => id)
          : []
  const names = ids.map((id) => (numberOf(id) === fresh ? 'new' : numberOf(id)))
  return [verdict.kind, ...names].join(' ')
}

async function askAll(cases: readonly Case[]): Promise<readonly InitiateVerdict[]> {
  const tables = paymentTables(
    cases.map(([, , payment], index) => paymentRow(index, payment)),
    cases.flatMap(([, , , , attempts = []], index) => attemptRows(index, attempts)),
  )
  const items = cases.map(([, , , item], index) => itemOf(index, item))
  const { verdicts } = await onRows(sql, tables, (tx) => runOnRows(tx, initiateKind(rails), items, { at }))
  return verdicts
}

async function checkAll(cases: readonly Case[]): Promise<void> {
  const verdicts = await askAll(cases)
  const wrong = cases.flatMap(([what, expected], index) => {
    const verdict = verdicts[index]
    const is = verdict === undefined ? 'nothing' : told(verdict)
    return is === expected ? [] : [`${what}: ${is}, not ${expected}`]
  })
  assert.deepEqual(wrong, [])
}

const checkout = {
  request: { amount: 100, checkout: 'shop' },
  methods: ['CREDIT_CARD', 'PIX', 'CRYPTO'],
}
const part = { received_minor: 40, receipts: 1 }
const [chosen, rest] = [{ choice: {} }, { rest: true }] as const
const byPix = { method: 'PIX' } as const
const pixRest = { ...byPix, ...rest }

test('a page has the payment’s one method, and a checkout those that its creation resolved', () =>
  checkAll([
    ['its method', 'initiated new'],
    ['another method', 'not_offered', {}, byPix],
    ['a choice without a checkout', 'not_offered', {}, chosen],
    ['a choice of the checkout', 'initiated new', checkout, chosen],
    ['a choice that the checkout does not have', 'not_offered', { ...checkout, methods: ['PIX'] }, chosen],
    ['a payment of another merchant', 'not_found', {}, { merchantId: theirs }],
  ]))

test('no attempt is added while no connection accepts it', async () => {
  const { connection: _none, ...item } = itemOf(0)
  const ask = (attempts: readonly Row[]) =>
    onRows(sql, paymentTables([paymentRow(0)], attemptRows(0, attempts)), async (tx) =>
      (await runOnRows(tx, initiateKind(rails), [item], { at })).verdicts.map(told),
    )
  assert.deepEqual(await ask([]), ['unconnected'])
  assert.deepEqual(await ask([opened]), ['opened 1'])
})

test('what ended, or has money on its way for all of it, is not opened', () =>
  checkAll([
    ['paid', 'over', { ...checkout, status: 'PAID' }, chosen],
    ['nobody chose', 'over', { ...checkout, status: 'PENDING' }],
    ['the payer chose', 'initiated new', { ...checkout, status: 'PENDING' }, chosen],
    ['the rest', 'initiated new', { ...checkout, ...part, ...byPix, status: 'PENDING' }, pixRest],
    ['expires now', 'over', { expires_at: at }],
    ['expires in a millisecond', 'initiated new', { expires_at: addMs(at, 1) }],
    ['does not expire', 'initiated new', { expires_at: null }],
    ['seen in full', 'over', { seen_minor: 100 }],
    ['the rest is seen', 'over', { seen_minor: 60, received_minor: 40 }],
    ['a cent is missing', 'initiated new', { seen_minor: 99 }],
  ]))

test('after a part came, only its method can be opened, and a method that is paid once only for the rest', () =>
  checkAll([
    ['nothing came', 'initiated new', checkout, { ...chosen, ...byPix }],
    ['a cent came', 'over', { ...checkout, received_minor: 1 }, { ...chosen, ...byPix }],
    ['a cent is seen', 'over', { ...checkout, seen_minor: 1 }, { ...chosen, ...byPix }],
    ['a part by the method', 'initiated new', { ...checkout, ...part }, chosen],
    ['a part by another method', 'over', { ...checkout, ...part, ...byPix }, chosen],
    ['a part by no known method', 'initiated new', { ...checkout, ...part, method: null }, chosen],
    ['a charge that is paid once', 'over', { ...checkout, ...part, ...byPix }, { ...chosen, ...byPix }],
    ['the rest of it', 'initiated new', { ...checkout, ...part, ...byPix }, pixRest],
    ['the rest of nothing', 'over', { ...checkout, ...byPix }, pixRest],
    ['the rest by a page', 'over', { ...checkout, ...part }, rest],
    ['the rest while a cent is seen', 'over', { ...checkout, ...part, ...byPix, seen_minor: 1 }, pixRest],
    ['the rest without a checkout', 'over', { ...part, ...byPix }, pixRest],
  ]))

const soon = addMs(at, 1).toISOString()
const opened = { artifacts: { id: 'A' }, asked: { expiresAt: soon } }
const waiting = { asked: { expiresAt: soon } }
const refusal = (ms: number) => ({ code: 'x', message: 'x', at: addMs(at, ms).toISOString() })
const otherTerms = { expiresAt: soon, locale: 'pt-BR' }
const tries = (count: number, last: Row = {}) => [
  ...Array.from({ length: count - 1 }, () => ({ ...byPix, over_at: earlier })),
  { ...byPix, over_at: earlier, ...last },
]

test('a page shows the attempt that is open, goes on with one that its provider has not answered, or adds one', () =>
  checkAll([
    ['it is open', 'opened 1', {}, {}, [opened]],
    ['the newest that is open', 'opened 2', {}, {}, [opened, opened, { ...opened, over_at: earlier }]],
    ['of another method', 'initiated new', {}, {}, [{ ...opened, ...byPix }]],
    ['open, but the payment is not', 'initiated 1', { ...checkout, status: 'PENDING' }, chosen, [opened]],
    ['not opened', 'initiated 1', {}, {}, [waiting]],
    ['not opened, without terms', 'initiated 1', {}, {}, [{}]],
    [
      'nothing is asked for what is made here',
      'opened 2',
      checkout,
      { ...chosen, method: 'CRYPTO' },
      [{ method: 'CRYPTO' }, { method: 'CRYPTO' }],
    ],
    ['its provider refused it just now', 'refused', {}, {}, [{ ...waiting, refusal: refusal(1 - minuteMs) }]],
    [
      'its provider refused it a minute ago',
      'initiated new',
      {},
      {},
      [{ ...waiting, refusal: refusal(-minuteMs) }],
    ],
    [
      'its provider refused another',
      'initiated new',
      {},
      {},
      [
        { asked: otherTerms, refusal: refusal(0) },
        { ...waiting, ...byPix, refusal: refusal(0) },
      ],
    ],
    ['fifty were tried', 'refused', {}, {}, tries(50)],
    ['one less', 'initiated new', {}, {}, tries(49)],
  ]))

const restOf = (receipts: number) => ({ expiresAt: soon, rest: { receipts, received: '40', refunded: '0' } })
const forRest = { ...byPix, asked: restOf(1), amount_minor: 60 }
const shown = { artifacts: { id: 'A' } }

test('an attempt for the rest is for exactly what is missing, and every other one is closed first', () => {
  const past = { ...restOf(1), expiresAt: at.toISOString() }
  const cases: readonly (readonly [what: string, verdict: string, attempts: readonly Row[]])[] = [
    ['nobody has answered', 'initiated 1', [forRest]],
    ['it is open', 'opened 1', [{ ...forRest, ...shown }]],
    ['of another method', 'unclosed 1', [{ ...forRest, method: 'CREDIT_CARD' }]],
    ['of an earlier rest', 'unclosed 1', [{ ...forRest, asked: restOf(0) }]],
    ['of another amount', 'unclosed 1', [{ ...forRest, amount_minor: 59 }]],
    ['nobody can pay it', 'unclosed 1', [{ ...forRest, ...shown, asked: past }]],
    ['two for the rest', 'unclosed 2', [forRest, forRest]],
    ['all are over', 'initiated new', [{ ...byPix, over_at: earlier }]],
    ['one was refused', 'initiated new', [{ ...byPix, refusal: refusal(0) }]],
    ['this rest was refused just now', 'refused', [{ ...forRest, refusal: refusal(0) }]],
    [
      'another rest was refused just now',
      'initiated new',
      [{ ...forRest, asked: restOf(0), refusal: refusal(0) }],
    ],
  ]
  const payment = { ...checkout, ...part, ...byPix }
  return checkAll(cases.map(([what, verdict, attempts]) => [what, verdict, payment, pixRest, attempts]))
})

test('the payer of a checkout can pay until the attempt expires, or until the checkout ends where no provider was asked', async () => {
  const [ends, dayAfter] = [addMs(at, 1), addMs(earlier, 24 * hourMs)]
  const crypto = { ...chosen, method: 'CRYPTO' } as const
  const pending = { ...checkout, expires_at: null }
  const ofCrypto = { method: 'CRYPTO', asked: { expiresAt: soon } }
  const verdicts = await askAll([
    ['by a page', '', pending, chosen, [opened]],
    ['made here', '', pending, crypto, [ofCrypto]],
    ['opened by the creation', '', pending, chosen, [shown]],
    ['nobody chose', '', { ...checkout, expires_at: addMs(at, 9) }, {}, [opened]],
  ])
  assert.deepEqual(
    verdicts.map((verdict) => 'payment' in verdict && [verdict.payment.method, verdict.payment.expiresAt]),
    [
      ['CREDIT_CARD', ends],
      ['CRYPTO', dayAfter],
      ['CREDIT_CARD', dayAfter],
      ['CREDIT_CARD', addMs(at, 9)],
    ],
  )
})

test('the end of a sandbox’s checkout moves with its clock, and no other end does', async () => {
  const step = { merchant_id: ours, number: 1, at, by_ms: hourMs, total_ms: hourMs }
  const endOf = async (payment: Row, item: Partial<InitiateItem> = chosen, mode = 'SANDBOX') => {
    const tables = {
      ...paymentTables([paymentRow(0, { expires_at: null, ...payment })]),
      merchant: [{ id: ours, mode }],
      clock_step: [step],
    }
    const [verdict] = await onRows(sql, tables, async (tx) => {
      const { verdicts } = await runOnRows(tx, initiateKind(rails), [itemOf(0, item)], { at })
      return verdicts
    })
    assert.ok(verdict?.kind === 'initiated')
    return new Date(verdict.initiated.terms.expiresAt)
  }
  const dayAfter = addMs(earlier, 24 * hourMs)
  assert.deepEqual(await endOf(checkout), addMs(dayAfter, -hourMs))
  assert.deepEqual(await endOf(checkout, chosen, 'LIVE'), dayAfter)
  assert.deepEqual(await endOf({}, {}), dayAfter)
})

test('an attempt is written with its terms, and the payment with its payer', async () => {
  const made: (readonly Attempt[])[] = []
  const kind = initiateKind(
    railsThatOpen({ CREATION: { write: async (_tx, attempts) => void made.push(attempts) } }),
  )
  const payer = { name: 'Zélia' }
  const tables = paymentTables([
    paymentRow(0, { ...checkout, expires_at: null, currency: 'USD', status: 'PENDING' }),
    paymentRow(1),
  ])
  await onRows(sql, tables, async (tx) => {
    await runOnRows(tx, kind, [itemOf(0, { method: 'CRYPTO', choice: { payer } })], { at })
    const expiresAt = addMs(earlier, 24 * hourMs).toISOString()
    const asked = { expiresAt, customerName: payer.name }
    const rows = await tx`select id, connection, amount_minor, currency, asked, created_at from attempt`
    const attempt = { id: attemptOf(0, fresh), connection: bank, amount_minor: 100n, currency: 'USDT' }
    assert.deepEqual([...rows], [{ ...attempt, asked, created_at: at }])
    assert.deepEqual(
      made.map((attempts) => attempts.map(({ id }) => id)),
      [[attempt.id]],
    )
    assert.deepEqual(
      [...(await tx`select payer, version from payment order by id`)],
      [
        { payer, version: 2 },
        { payer: null, version: 1 },
      ],
    )
  })
})

test('an attempt without terms gets those of the request, and is not written again', async () => {
  const tables = paymentTables([paymentRow(0)], attemptRows(0, [{}, byPix]))
  await onRows(sql, tables, async (tx) => {
    const writtenFor = async (locale: string) => {
      await runOnRows(tx, initiateKind(rails), [itemOf(0, { locale })], { at })
      return [
        ...(await tx<{ asked: Row | null }[]>`select asked, ctid::text as place from attempt order by id`),
      ]
    }
    const written = await writtenFor('pt-BR')
    assert.deepEqual(
      written.map(({ asked }) => asked?.['locale']),
      ['pt-BR', undefined],
    )
    assert.deepEqual(await writtenFor('de'), written)
  })
})

test('the amount for the rest is what is missing', async () => {
  const [verdict] = await askAll([['', '', { ...checkout, ...part, ...byPix, refunded_minor: 15 }, pixRest]])
  assert.ok(verdict?.kind === 'initiated')
  assert.equal(verdict.initiated.amountMinor, 75n)
  assert.deepEqual(verdict.initiated.terms.rest, { receipts: 1, received: '40', refunded: '15' })
})

test('requests of one batch follow each other: one attempt, and the payer’s last data', async () => {
  const payers = ['Ana', 'Zélia'].map((name) => ({ name }))
  const items = payers.map((payer, index) =>
    itemOf(0, { choice: { payer }, attemptId: attemptOf(0, fresh - index) }),
  )
  const tables = paymentTables([
    paymentRow(0, {
      ...checkout,
      request: { ...checkout.request, expiresIn: 86_400 },
      created_at: addMs(at, 1 - 24 * hourMs),
    }),
  ])
  await onRows(sql, tables, async (tx) => {
    const { verdicts } = await runOnRows(tx, initiateKind(rails), items, { at })
    assert.deepEqual(verdicts.map(told), ['initiated new', 'initiated new'])
    assert.equal((await tx`select 1 from attempt`).length, 1)
    assert.deepEqual([...(await tx`select payer, version from payment`)], [{ payer: payers[1], version: 3 }])
  })
})
