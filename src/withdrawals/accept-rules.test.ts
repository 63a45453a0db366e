// What the lane accepts of withdrawals and batches that come at once: amounts, limits and keys to the cent, each counted for the next.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import type { WithdrawalBatchId, WithdrawalId } from '#/kernel/id.ts'
import { minorMax } from '#/kernel/money.ts'
import { limit, ours, request, routing, run, theirs, who, type Balances } from '../../test/bare-payouts.ts'
import { bareId, beside, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { withdrawalBatchKind, type BatchItem } from './request-batch.ts'
import { withdrawalKind, type WithdrawalItem } from './request.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const item = (number: number, more: Partial<WithdrawalItem> = {}): WithdrawalItem => ({
  ...who,
  id: bareId(number + 20) as WithdrawalId,
  request,
  routing,
  ...more,
})
const ask = (amount: number): Partial<WithdrawalItem> => ({ request: { ...request, amount } })
const rowsOf = (tx: Tx) => tx<
  { status: string; amount: bigint; fee: bigint; reference: string; isDue: boolean }[]
>`
  select status, amount_minor as amount, fee_minor as fee, reference,
         exists (select from withdrawal_due where withdrawal_id = withdrawal.id) as "isDue"
    from withdrawal order by id`

test('a withdrawal is accepted to the cent of its wallet, its limits and what an amount can show, with those before it', async () => {
  const fee = {
    merchant_id: ours,
    method: 'PIX_WITHDRAWAL',
    currency: 'BRL',
    fixed_minor: 7,
    rate_ppm: 10_000,
  }
  const fees = {
    fee_rule: [...beside({ ...fee, fixed_minor: 90 }, { method: 'PIX' }, { currency: 'EUR' }), fee],
  }
  const cases: readonly (readonly [
    given: Balances & { readonly tables?: BareRows },
    items: readonly WithdrawalItem[],
    kinds: readonly string[],
  ])[] = [
    [{ available: 100n }, [item(1)], ['created']],
    [{ available: 99n }, [item(1)], ['insufficient_funds']],
    [{ held: minorMax - 100n }, [item(1)], ['created']],
    [{ held: minorMax - 99n }, [item(1)], ['too_much']],
    [{ refuses: true }, [item(1)], ['not_spendable']],
    [{ tables: fees, available: 108n }, [item(1)], ['created']],
    [{ tables: fees, available: 107n }, [item(1)], ['insufficient_funds']],
    [{ tables: limit({ day_minor: 100 }) }, [item(1)], ['created']],
    [{ tables: limit({ day_minor: 199 }) }, [item(1), item(2)], ['created', 'limited']],
    [{ tables: limit({ day_minor: 200 }) }, [item(1), item(2)], ['created', 'created']],
    [{ tables: { money_freeze: [{ kind: 'OPERATOR' }] } }, [item(1)], ['frozen']],
  ]
  for (const [index, [given, items, expected]] of cases.entries()) {
    const { verdicts, events, seen } = await run(sql, given, withdrawalKind(), items, rowsOf)
    assert.deepEqual(
      verdicts.map(({ kind }) => kind),
      expected,
      `case ${index}`,
    )
    const created = expected.filter((kind) => kind === 'created')
    assert.deepEqual(
      events,
      created.map(() => 'withdrawal.created'),
    )
    assert.deepEqual(
      seen.map(({ status, isDue, fee: charged }) => [status, isDue, charged]),
      created.map(() => ['PENDING', true, given.tables === fees ? 8n : 0n]),
    )
  }
  // One per cent of 1,099 is 10, without its part of a cent.
  const { seen } = await run(
    sql,
    { tables: fees, available: 9_999n },
    withdrawalKind(),
    [item(1, ask(1_099))],
    rowsOf,
  )
  assert.equal(seen[0]?.fee, 17n)
  // One that waits for a second person is not due.
  const { seen: waiting, events } = await run(
    sql,
    { tables: limit({ approval_above_minor: 99 }) },
    withdrawalKind(),
    [item(1)],
    rowsOf,
  )
  assert.deepEqual(
    waiting.map(({ status, isDue }) => [status, isDue]),
    [['PENDING_APPROVAL', false]],
  )
  assert.deepEqual(events, ['withdrawal.created', 'withdrawal.approval_required'])
})

test('a key is one withdrawal, also within one batch; a reference under which lost money left is refused', async () => {
  const keyed = { idempotencyKey: 'k' }
  const { verdicts, seen } = await run(
    sql,
    {},
    withdrawalKind(),
    [
      item(1, keyed),
      item(2, keyed),
      item(3, { ...keyed, ...ask(99) }),
      item(4, { ...keyed, merchantId: theirs }),
    ],
    rowsOf,
  )
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['created', 'replayed', 'conflict', 'created'],
  )
  for (const { reference } of seen) assert.match(reference, /^[0-9a-f]{32}$/)
  const [first] = verdicts
  assert.ok(first?.kind === 'created')
  const { version, returnedMinor, reference } = first.withdrawal
  assert.deepEqual([version, returnedMinor], [1, 0n])
  const stored = {
    merchant_id: ours,
    id: bareId(21),
    reference,
    idempotency_key: 'k',
    fingerprint: '\\x00',
    type: 'PIX',
  }
  for (const [tables, expected] of [
    [{ withdrawal: [stored] }, 'conflict'],
    [{ unrecorded: [{ kind: 'WITHDRAWAL', reference }] }, 'left_before'],
  ] as const) {
    const again = await run(sql, { tables }, withdrawalKind(), [item(2, keyed)], rowsOf)
    assert.deepEqual(
      again.verdicts.map(({ kind }) => kind),
      [expected],
    )
  }
})

test('values under declared keys of metadata are indexed', async () => {
  const named: Partial<WithdrawalItem> = { request: { ...request, metadata: { order: 'A-1' } } }
  const tables = {
    metadata_key: [{ merchant_id: ours, id: 1, resource: 'WITHDRAWAL', name: 'order', status: 'READY' }],
  }
  const items = [item(1, named), item(2), item(3, { ...named, merchantId: theirs })]
  const { seen } = await run(
    sql,
    { tables },
    withdrawalKind(),
    items,
    (tx) => tx`select record_id from metadata_value`,
  )
  assert.deepEqual([...seen], [{ record_id: bareId(21) }])
})

const parts = (...amounts: readonly number[]) =>
  amounts.map((amount, index) => ({
    id: bareId(index + 21) as WithdrawalId,
    request: { ...request, amount },
    routing,
  }))
const batch = (withdrawals: BatchItem['withdrawals'], more: Partial<BatchItem> = {}): BatchItem => ({
  ...who,
  id: bareId(51) as WithdrawalBatchId,
  idempotencyKey: 'b',
  withdrawals,
  ...more,
})

test('a batch is accepted as a whole, as if each part were held before the next, or not at all', async () => {
  const cases: readonly (readonly [
    given: Balances & { readonly tables?: BareRows },
    amounts: readonly number[],
    expected: string | readonly number[],
  ])[] = [
    [{ available: 100n }, [60, 40], 'PENDING'],
    [{ available: 100n }, [100], 'PENDING'],
    [{ available: 99n }, [60, 40], [1]],
    [{ available: 59n }, [60, 40, 40], [0, 2]],
    [{ held: minorMax - 100n }, [60, 40], 'PENDING'],
    [{ held: minorMax - 99n }, [60, 40], [1]],
    [{ refuses: true }, [60, 40], [0]],
    [{ tables: limit({ day_minor: 100 }) }, [60, 40], 'PENDING'],
    [{ tables: limit({ day_minor: 99 }) }, [60, 40], [1]],
    [{ tables: limit({ approval_above_minor: 100 }) }, [60, 40], 'PENDING'],
    [{ tables: limit({ approval_above_minor: 99 }) }, [60, 40], 'PENDING_APPROVAL'],
    [{ tables: limit({ approval_above_minor: 59 }) }, [60, 40], 'PENDING_APPROVAL'],
  ]
  for (const [index, [given, amounts, expected]] of cases.entries()) {
    const { verdicts, seen } = await run(
      sql,
      given,
      withdrawalBatchKind(),
      [batch(parts(...amounts))],
      rowsOf,
    )
    const [verdict] = verdicts
    const refused = verdict?.kind === 'refused' ? verdict.places.map(({ place }) => place) : []
    assert.deepEqual(refused, typeof expected === 'string' ? [] : expected, `case ${index}`)
    assert.deepEqual(
      seen.map(({ status }) => status),
      typeof expected === 'string' ? amounts.map(() => expected) : [],
      `case ${index}`,
    )
    for (const { reference } of seen) assert.match(reference, /^[0-9a-f]{32}$/)
  }
})

test('batches at once: a key is one batch, and what one spends of the day is not there for the next', async () => {
  const tables = limit({ day_minor: 150 })
  const items = [
    batch(parts(60, 40)),
    batch(parts(60, 40)),
    batch(parts(60)),
    batch(parts(60), { idempotencyKey: 'c' }),
  ]
  const { verdicts, seen } = await run(
    sql,
    { tables },
    withdrawalBatchKind(),
    items,
    (tx) => tx`select id, count from withdrawal_batch`,
  )
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['created', 'replayed', 'conflict', 'refused'],
  )
  assert.deepEqual([...seen], [{ id: bareId(51), count: 2 }])
})
