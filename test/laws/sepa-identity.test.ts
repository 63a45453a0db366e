// Banks that name their entries well, badly or not at all: whatever parts of the truth come in whatever files, orders and copies, what is
// booked and what waits for a person make the truth, and nothing is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { decideHeld, listHeld } from '#/rails/sepa/held.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { openForTests } from '../open-for-tests.ts'
import { notificationFile, statementFile, type Transfer } from '../rails/sepa-files.ts'
import { iban as firstIban, openSepaWorld } from '../sepa-world.ts'

const world = openForTests(openSepaWorld)

const dayCount = 3
/** The books keep the names of all runs, so each run has days and names of its own. */
let run = 0
const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + run * dayCount + at)).toISOString().slice(0, 10)
/** How a bank names its entries. */
const habits = ['unique', 'NONREF', '', '000', 'restarts', 'mixed', 'transfers', 'sorted'] as const

type Truth = readonly (readonly Transfer[])[]

const transfer = fc.record({
  minor: fc.constantFrom(100, 200),
  who: fc.constantFrom('Ana', 'Rui'),
  text: fc.constantFrom('', 'rent'),
  isDebit: fc.constantFrom(false, false, false, true),
})

const scenario = fc.record({
  habit: fc.constantFrom(...habits),
  truth: fc.array(fc.array(transfer, { maxLength: 4 }), { minLength: dayCount, maxLength: dayCount }),
  /** Notifications: of a day, some of its transfers. */
  notified: fc.array(
    fc.record({ day: fc.nat({ max: dayCount - 1 }), picks: fc.uniqueArray(fc.nat({ max: 3 })) }),
    { maxLength: 4 },
  ),
  order: fc.array(fc.nat({ max: 1_000 }), { minLength: 12, maxLength: 12 }),
  copies: fc.array(fc.nat({ max: 6 }), { maxLength: 3 }),
})

function named(habit: (typeof habits)[number], truth: readonly (readonly Omit<Transfer, 'ref'>[])[]): Truth {
  let count = 0
  return truth.map((of, day) =>
    // A sum of its own, so that the order of the statements follows from their balances.
    [...of, { minor: 10_000 + day, who: 'Eva', text: 'rent' }].map((each, at): Transfer => {
      count += 1
      const dated = { ...each, day: dayOf(day) }
      if (habit === 'unique') return { ...dated, ref: `R${run}-${count}` }
      if (habit === 'restarts') return { ...dated, ref: `${run}-${at + 1}` }
      if (habit === 'mixed') return { ...dated, ref: at % 2 === 0 ? 'NONREF' : `R${run}-${count}` }
      if (habit === 'transfers') return { ...dated, ref: 'NONREF', txId: `T${run}-${count}` }
      if (habit === 'sorted') return { ...dated, ref: `SUM${run}`, detail: `D${run}-${count}` }
      return { ...dated, ref: habit }
    }),
  )
}

const signed = ({ minor, isDebit }: Transfer) => (isDebit === true ? -minor : minor)
const sum = (transfers: readonly Transfer[]) => transfers.reduce((total, each) => total + signed(each), 0)

function filesOf(
  truth: Truth,
  notified: readonly { readonly day: number; readonly picks: readonly number[] }[],
) {
  let held = 0
  const statements = truth.map((transfers, at) => {
    const opening = held
    held += sum(transfers)
    const version = at % 2 === 0 ? ('02' as const) : ('08' as const)
    return statementFile({ iban: firstIban, id: `S${at}`, opening, day: dayOf(at), version, transfers })
  })
  const notifications = notified.map(({ day, picks }, at) => {
    const of = truth[day] ?? []
    const transfers = picks.flatMap((pick) => of[pick] ?? [])
    return notificationFile({ iban: firstIban, id: `N${at}`, transfers })
  })
  return [...statements, ...notifications]
}

async function clear() {
  const { sql } = world.pix.core
  await sql`delete from sepa_entry`
  await sql`delete from sepa_statement`
  await sql`delete from sepa_file`
  run += 1
}

/** What is in the books of credits, and what waits. */
async function state() {
  const [row] = await world.pix.core.sql<
    { booked: bigint; held: bigint; debits: bigint; unstated: bigint }[]
  >`
    select coalesce(sum(amount_minor) filter (where kind = 'UNATTRIBUTED'), 0)::bigint as booked,
           coalesce(sum(amount_minor) filter (where kind = 'HELD' and credit), 0)::bigint as held,
           coalesce(sum(amount_minor) filter (where not credit), 0)::bigint as debits,
           count(*) filter (where statement is null)::bigint as unstated
      from sepa_entry`
  return must(row, 'a row')
}

test('Σ booked and Σ held make the truth, in any order, split, repeated and overlapping', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ habit, truth: given, notified, order, copies }) => {
      await clear()
      const suspense = (await world.pix.balances()).suspense
      const truth = named(habit, given)
      const files = filesOf(truth, notified)
      const copied = [...files, ...copies.flatMap((at) => (files[at] === undefined ? [] : [files[at]]))]
      // A copy has other bytes, so that it is not known by its digest.
      const all = copied.map((bytes, at) => Buffer.concat([bytes, Buffer.from(`<!-- ${at} -->`)]))
      const mixed = all
        .map((bytes, at) => ({ bytes, place: order[at % order.length] ?? 0, at }))
        .toSorted((a, b) => a.place - b.place || a.at - b.at)
        .map(({ bytes }) => bytes)
      const first = { iban: firstIban, id: 'BEFORE', opening: 0, day: dayOf(-1), transfers: [] }
      assert.equal((await world.hand(statementFile(first))).state, 'IMPORTED')
      let left: readonly Buffer[] = mixed
      // A file that was refused because one before it was missing is handed in again.
      for (let round = 0; round < 8 && left.length > 0; round++) {
        const refused: Buffer[] = []
        for (const bytes of left) if ((await world.hand(bytes)).state === 'REFUSED') refused.push(bytes)
        left = refused
      }
      assert.deepEqual(
        left.map((bytes) => /<Id>(\w+)</.exec(bytes.toString('utf8'))?.[1]),
        [],
      )
      const credits = truth.flat().filter(({ isDebit }) => isDebit !== true)
      const came = BigInt(credits.reduce((total, { minor }) => total + minor, 0))
      const { booked, held, debits, unstated } = await state()
      assert.deepEqual([booked + held, unstated], [came, 0n])
      assert.equal(debits, came - BigInt(sum(truth.flat())))
      assert.equal((await world.pix.balances()).suspense - suspense, booked)
      if (habit !== 'restarts') assert.equal(held, 0n)
      for (const each of await listHeld(world.pix.core.sql))
        assert.equal((await decideHeld(world.deps, { ...each, isSame: false })).kind, 'decided')
      await world.drain()
    }),
    { seed: 36, numRuns: count({ quick: 15, soak: 40 }), endOnFailure: true },
  )
})
