// The tally: marks are right with any number of workers and any size of steps; and what verify reports of them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cutAt } from '#/audit/ledger.ts'
import { walletInspections } from '#/audit/wallets.ts'
import { inspectAll } from '#/db/inspection.ts'
import { newId } from '#/kernel/id.ts'
import { walletAvailable } from '#/ledger/chart.ts'
import { bareBooks } from '../../test/bare-books.ts'
import { poolOn } from '../../test/bare-lane.ts'
import { onRows } from '../../test/bare-rows.ts'
import { openBooks, type Books } from '../../test/books.ts'
import { fc } from '../../test/chance.ts'
import { plantMovements, type Movement } from '../../test/movements.ts'
import { selectProgress, type Movement as Row } from './tally-queries.ts'
import { marksOf, tallyStep, type TallyOptions } from './tally.ts'

const [hot, cold] = [newId(), newId()]

let books: Books
before(async () => {
  books = await openBooks()
  await books.openLane()
  const kinds = ['PAYMENT', 'FEE', 'REFUND']
  const movements = Array.from({ length: 1_000 }, (_, nth): Movement => {
    const isCredit = nth % 3 === 0
    return {
      at: new Date(Date.UTC(2026, 0, 1) + 1_000 * Math.floor(nth / 3)),
      walletId: nth % 50 === 0 ? cold : hot,
      currency: 'BRL',
      minor: nth % 50 === 0 || isCredit ? BigInt(1_000 + nth) : BigInt((-1 - nth / 10) | 0),
      kind: kinds[nth % 3] ?? 'PAYMENT',
    }
  })
  await plantMovements(books.sql, 'SANDBOX', movements)
})
after(() => books[Symbol.asyncDispose]())

const tallyText = async () => {
  const rows = await books.sql<{ text: string }[]>`select tally::text as text from tally order by 1`
  return rows.map(({ text }) => text)
}

async function forget(): Promise<void> {
  await books.owner`truncate tally`
  await books.owner`update tally_watermark set transfer = 0`
}

async function inspect() {
  return inspectAll(walletInspections, { sql: books.sql, cell: 't1', upTo: await cutAt(books.sql, 't1') })
}

/** Marks one by one, from the first movement, without any step. */
test('marks are the sums after every `every` movements, with any earlier marks', () => {
  const movement = fc.record({
    account: fc.bigInt({ min: 1n, max: 3n }),
    kind: fc.constantFrom('PAYMENT', 'FEE', 'TRANSFER'),
    minor: fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }).filter((minor) => minor !== 0n),
  })
  fc.assert(
    fc.property(
      fc.array(movement, { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.nat(60),
      (all, span, cut) => {
        const rows = all
          .map((each, nth): Row => ({ ...each, transfer: BigInt(nth + 1) }))
          .toSorted((a, b) => Number(a.account - b.account) || Number(a.transfer - b.transfer))
        const whole = marksOf([], rows, span)
        for (const mark of whole) {
          const upToMark = rows.filter((row) => row.account === mark.account && row.transfer <= mark.transfer)
          const ofKind = upToMark.filter((row) => row.kind === mark.kind)
          assert.equal(upToMark.length % span, 0)
          assert.equal(mark.count, BigInt(ofKind.length))
          assert.equal(
            mark.inflow - mark.outflow,
            ofKind.reduce((sum, { minor }) => sum + minor, 0n),
          )
        }
        // In two steps: the second one knows the last marks of the first.
        const first = marksOf(
          [],
          rows.filter(({ transfer }) => transfer <= BigInt(cut)),
          span,
        )
        const lastOf = (account: bigint) =>
          first
            .filter((mark) => mark.account === account)
            .reduce((last, { transfer }) => (transfer > last ? transfer : last), 0n)
        const totals = first.filter((mark) => mark.transfer === lastOf(mark.account))
        const second = marksOf(
          totals,
          rows.filter((row) => row.transfer > lastOf(row.account)),
          span,
        )
        const order = (marks: typeof whole) =>
          marks
            .map((each) =>
              [each.account, each.transfer, each.kind, each.count, each.inflow, each.outflow].join(' '),
            )
            .sort()
        assert.deepEqual(order([...first, ...second]), order(whole))
      },
    ),
  )
})

test('steps of any size, and any number of workers at once, write the same marks once', async () => {
  while (await tallyStep({ sql: books.sql, every: 5 }));
  const whole = await tallyText()
  assert.ok(whole.length > 500)
  assert.equal((await inspect()).faultCount, 0)
  for (const stepTransfers of [7n, 64n, 333n]) {
    await forget()
    const work = async () => {
      while (await tallyStep({ sql: books.sql, every: 5, stepTransfers }).catch(() => true));
    }
    await Promise.all([work(), work(), work()])
    while (await tallyStep({ sql: books.sql, every: 5, stepTransfers }));
    // The last few transfers may still wait for more.
    const { watermark, head } = await selectProgress(books.sql)
    assert.ok(head - watermark < 5n)
    const expected = whole.filter((text) => BigInt(text.split(',')[1] ?? '') <= watermark)
    assert.deepEqual(await tallyText(), expected, `steps of ${stepTransfers}`)
  }
})

test('a mark counts what came in and what went out, of each kind', () => {
  const rows = [
    ['PAYMENT', 5n],
    ['FEE', -2n],
    ['PAYMENT', 7n],
    ['FEE', -3n],
  ] as const
  const movements = rows.map(([kind, minor], nth): Row => ({
    account: 1n,
    transfer: BigInt(nth + 1),
    kind,
    minor,
  }))
  const base = { account: 1n, transfer: 4n }
  assert.deepEqual(marksOf([], movements, 4), [
    { ...base, kind: 'PAYMENT', count: 2n, inflow: 12n, outflow: 0n },
    { ...base, kind: 'FEE', count: 2n, inflow: 0n, outflow: 5n },
  ])
})

/** What the steps answer on a wallet that moved so often, and the marks that they leave. */
function stepsOn(count: number, steps: readonly Omit<TallyOptions, 'sql'>[]) {
  const account = walletAvailable('SANDBOX', hot, 'BRL')
  const rows = bareBooks(Array.from({ length: count }, () => ({ account, minor: 3 })))
  return onRows(books.owner, { ...rows, tally_watermark: [{ transfer: 0 }] }, async (tx) => {
    const more: boolean[] = []
    for (const step of steps) more.push(await tallyStep({ sql: poolOn(tx), ...step }))
    const marks = await tx`select transfer, count, inflow, outflow from tally order by transfer`
    return { more, marks: marks.map((row) => Object.values(row) as unknown) }
  })
}

test('a wallet gets a mark after 32 movements', async () => {
  assert.deepEqual(await stepsOn(31, [{}]), { more: [false], marks: [] })
  assert.deepEqual(await stepsOn(32, [{}]), { more: [false], marks: [[32n, 32n, '96', '0']] })
})

test('there is more to do until a step has reached the last transfer', async () => {
  const step = { every: 2, stepTransfers: 2n }
  assert.deepEqual(await stepsOn(4, [step, step, step]), {
    more: [true, false, false],
    marks: [
      [2n, 2n, '6', '0'],
      [4n, 4n, '12', '0'],
    ],
  })
})

test('verify names a mark that is not what the entries add up to', async () => {
  const clean = await inspect()
  assert.deepEqual([clean.faultCount, clean.checked[0]?.what], [0, 'marks'])
  const tamper = (statement: string) =>
    books.owner.unsafe(
      `begin; alter table tally disable trigger user; ${statement}; alter table tally enable trigger user; commit`,
    )
  const oneOf = `(account_id, transfer, kind) = (select account_id, transfer, kind from tally order by 2 offset 200 limit 1)`
  for (const [column, back] of [
    ['inflow', 'inflow'],
    ['count', 'count'],
  ]) {
    await tamper(`update tally set ${column} = ${column} + 1 where ${oneOf}`)
    const { faults } = await inspect()
    assert.ok(faults.length >= 1 && faults.every(({ what }) => what === 'is not what the entries add up to'))
    assert.match(faults[0]?.row ?? '', /^tally of account \d+ at transfer \d+$/)
    await tamper(`update tally set ${back} = ${back} - 1 where ${oneOf}`)
  }
  await tamper(`delete from tally where ${oneOf}`)
  assert.ok((await inspect()).faultCount >= 1)
  await forget()
  await books.owner`update tally_watermark set transfer = 5000`
  assert.match((await inspect()).faults[0]?.what ?? '', /^is 5000, but the last transfer is 1000$/)
  await forget()
})

test('marks cannot be changed, and sums may be larger than any balance', async () => {
  while (await tallyStep({ sql: books.sql, every: 5 }));
  await assert.rejects(books.sql`update tally set count = 1`, /permission denied/)
  await books.sql`insert into tally (account_id, transfer, kind, count, inflow, outflow) values (-1, 1, 'X', 1, 1e30, 0)`
})
