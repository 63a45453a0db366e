// Books and lane on a real database against the model: the same verdicts, the same balances, whatever happens to the
// connections, and one total order with any number of lanes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import type { Posting } from '#/ledger/apply.ts'
import { move, openBooks } from '../books.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { openForTests } from '../open-for-tests.ts'
import { startTcpProxy } from '../tcp-proxy.ts'
import { createModel } from './ledger-model.ts'
import { allAccounts, postings } from './ledger-postings.ts'

const books = openForTests(openBooks)
const proxy = openForTests(() => startTcpProxy(books.appUrl))

type Groups = readonly (readonly Posting[])[]

/** Gives the subjects UUIDs of their own, because runs share the database: one for each name that `nameOf` gives. */
function renamed(groups: Groups, nameOf: (posting: Posting, group: number) => string): Groups {
  const ids = new Map<string, string>()
  return groups.map((group, index) =>
    group.map((posting) => {
      const name = nameOf(posting, index)
      const subject = ids.get(name) ?? newId()
      ids.set(name, subject)
      return { ...posting, subject }
    }),
  )
}

const groups = fc.array(fc.array(postings(40), { minLength: 1, maxLength: 4 }), {
  minLength: 10,
  maxLength: 60,
})
/** Groups that share pairs of subject and step, so that they repeat and contradict each other. */
const acquainted = groups.map((each) => renamed(each, ({ subject }) => subject))
/** Groups that share no pair, so that each transfer shows which group made it. */
const strangers = groups.map((each) => renamed(each, ({ subject }, group) => `${group} ${subject}`))

async function assertBalances(model: ReturnType<typeof createModel>): Promise<void> {
  const rows = await books.sql<{ key: string; currency: string; minor: bigint }[]>`
    select mode || '/' || name as key, account.currency, minor from account join balance on account_id = id`
  const minors = new Map(rows.map(({ key, currency, minor }) => [`${key} ${currency}`, minor]))
  for (const account of allAccounts) {
    const { key, currency } = account
    assert.equal(minors.get(`${key} ${currency}`) ?? 0n, model.balance(account), key)
  }
}

test('one lane gives the verdicts and makes the transfers of the model, over restarts and lost connections', async () => {
  const model = createModel()
  let lane = await books.openLane({ openSql: () => connect(proxy.url, { max: 1 }), itemsMax: 7 })
  const property = fc.asyncProperty(acquainted, fc.nat(3), async (items, mishap) => {
    if (mishap === 1)
      lane = await books.openLane({ openSql: () => connect(proxy.url, { max: 1 }), itemsMax: 5 })
    const struck =
      mishap === 2
        ? proxy.strike(/^commit$/, 'answer lost')
        : mishap === 3
          ? proxy.strike(/insert into entry/, 'lost')
          : undefined
    const verdicts = await Promise.all(items.map((group) => lane.submit(move, { postings: group })))
    assert.deepEqual(
      verdicts.map(({ ok }) => ok),
      items.map((group) => model.post(group).ok),
    )
    await assertBalances(model)
    // A run without writes leaves the planned fault for the next one.
    await Promise.race([struck, Promise.resolve()])
  })
  await fc.assert(property, { numRuns: count({ quick: 5, soak: 600 }), endOnFailure: true })
  for (const sum of model.sums().values()) assert.equal(sum, 0n)
  const { faults, upTo } = await books.verify()
  assert.deepEqual(faults, [])
  assert.equal(upTo.transfer, BigInt(model.transfers))
})

test('three lanes at once make one order: in that order the model makes the same transfers', async () => {
  await using ownBooks = await openBooks()
  const lanes = [
    await ownBooks.openLane({ itemsMax: 3 }),
    await ownBooks.openLane(),
    await ownBooks.openLane({ itemsMax: 11 }),
  ]
  const model = createModel()
  const property = fc.asyncProperty(strangers, async (items) => {
    const [start] = await ownBooks.sql<{ transfer: bigint }[]>`select transfer from head`
    const verdicts = await Promise.all(
      items.map((group, index) => (lanes[index % 3] ?? assert.fail()).submit(move, { postings: group })),
    )
    const made = await ownBooks.sql<{ number: bigint; subject: string; step: string; minor: bigint }[]>`
      select number, subject, step, minor from transfer where number > ${start?.transfer ?? 0n} order by number`
    const groupOf = new Map(
      items.flatMap((group) => group.map(({ subject, step }) => [`${subject} ${step}`, group] as const)),
    )
    const inOrder = new Set(
      made.map(
        ({ subject, step }) => groupOf.get(`${subject} ${step}`) ?? assert.fail('no group requested it'),
      ),
    )
    const expected: bigint[] = []
    for (const group of inOrder) {
      assert.equal(verdicts[items.indexOf(group)]?.ok, true)
      expected.push(...model.post(group).moved.map(({ minor }) => minor))
    }
    assert.deepEqual(
      made.map(({ minor }) => minor),
      expected,
    )
  })
  await fc.assert(property, { numRuns: count({ quick: 3, soak: 300 }), endOnFailure: true })
  const { faults, checked, upTo } = await ownBooks.verify()
  assert.deepEqual(faults, [])
  assert.equal(upTo.transfer, BigInt(model.transfers))
  assert.ok(
    checked.some(
      ({ inspection, what, count: checkedCount }) =>
        inspection === 'chain' && what === 'batches' && checkedCount > 10,
    ),
  )
})
