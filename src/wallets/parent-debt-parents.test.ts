// What becomes available to a sub-account and is its parent's, decided on a test's own rows: by a debt, or because the account is closed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { walletAvailable, type AccountSpec } from '#/ledger/chart.ts'
import { runnable } from '#/ledger/kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows, type RecordedBooks } from '../../test/kind-on-rows.ts'
import { loadParents, parentDebt, repayParent, type Parents } from './parent-debt.ts'
import { passOnKeptKind } from './pass-on-kept.ts'
import { passingOn } from './passed-on.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const at = new Date('2027-01-01T12:00:00.000Z')
const [parent, active, closed, stranger] = [1, 2, 3, 4].map(bareId) as [
  MerchantId,
  MerchantId,
  MerchantId,
  MerchantId,
]
const wallet = { merchant_id: parent, id: bareId(11), currency: 'BRL', is_default: true, is_active: true }
const account = { merchant_id: closed, parent_id: parent, state: 'CLOSED' }
const tables = {
  merchant: [parent, active, closed, stranger].map((id) => ({ id, mode: 'LIVE' })),
  sub_account: [account, ...beside(account, { merchant_id: active, state: 'ACTIVE' })],
  wallet: [
    wallet,
    ...beside(
      wallet,
      { merchant_id: closed, id: bareId(12) },
      { merchant_id: active, id: bareId(13) },
      { merchant_id: stranger, id: bareId(14) },
    ),
  ],
  own_transfer: [],
  money_freeze: [],
} satisfies BareRows

/** Balances by parts of the accounts' keys; of all others nothing. */
const holding =
  (...balances: readonly (readonly [part: string, minor: bigint])[]) =>
  ({ key }: AccountSpec) =>
    balances.find(([part]) => key.includes(part))?.[1] ?? 0n

type Came = {
  readonly merchantId: MerchantId
  readonly currency?: Currency
  /** What its decision writes beside what goes on. */
  readonly note?: string
}

/** Something that made money available in the first wallet of each merchant. `recipients`: of shares in the same batch. */
function cameIn(came: readonly Came[], books: Partial<RecordedBooks>, recipients: readonly string[] = []) {
  const notes: string[][] = []
  const availableOf = ({ merchantId }: Came) =>
    walletAvailable('LIVE', merchantId === closed ? bareId(12) : bareId(13), 'BRL')
  const kind = runnable(
    passingOn<Came, Parents, string, string, EventDraft>({
      name: 'money comes in',
      async load(batch, items) {
        const debtors = items.map(({ merchantId, currency = 'BRL' }) => ({
          merchantId,
          mode: 'LIVE' as const,
          currency,
        }))
        await batch.books.load([...debtors.map(parentDebt), ...items.map(availableOf)])
        return loadParents(batch, debtors, new Set(recipients))
      },
      decide(parents, item, { books: held }) {
        const occasion = { subject: bareId(51), ordinal: 7, cause: sha256('came') }
        const { merchantId, currency = 'BRL', note } = item
        const debtor = { merchantId, currency, available: availableOf(item) }
        const { postings, passed } = repayParent(parents, { books: held }, occasion, debtor)
        held.post(postings)
        return { verdict: 'done', passed, ...given({ change: note }) }
      },
      write: async (_batch, changes) => void notes.push([...changes]),
    }),
  )
  return onRows(sql, tables, async (tx) => {
    const { posted, events } = await runOnRows(tx, kind, came, { at, ...books })
    const rows = await tx<{ text: string }[]>`
      select concat_ws(' ', right(merchant_id::text, 1), amount_minor, right(source_id::text, 2)) as text
        from own_transfer order by id, merchant_id`
    return { posted, notes, told: events.length, rows: rows.map(({ text }) => text) }
  })
}

const nothing = { posted: [], notes: [], told: 0, rows: [] }
const repaid = (minor: number) => [
  `7.repay-parent PARENT_REPAID available>available ${minor}`,
  `7.uncover SHARE_COVERED owed>owes ${minor}`,
  `7.parent-repay PLATFORM_REPAID available>receivable ${minor}`,
]
const passed = (minor: number) => [
  `1.move SUB_TRANSFER available>available ${minor}`,
  `1.platform-repay TRANSFER_REPAID available>receivable ${minor}`,
]

test('what came repays the parent up to the debt, in the currency of the debt', async () => {
  const one = [{ merchantId: active }]
  const having = (debt: bigint, free: bigint) => ({
    balance: holding([`owes:${active}:BRL`, debt], [`${bareId(13)}:available`, free]),
  })
  assert.deepEqual(await cameIn(one, having(4n, 9n)), { ...nothing, posted: repaid(4) })
  assert.deepEqual(await cameIn(one, having(9n, 4n)), { ...nothing, posted: repaid(4) })
  assert.deepEqual(await cameIn(one, having(1n, 4n)), { ...nothing, posted: repaid(1) })
  assert.deepEqual(await cameIn(one, having(0n, 4n)), nothing)
  assert.deepEqual(await cameIn([{ merchantId: active, currency: 'EUR' }], having(4n, 4n)), nothing)
  assert.deepEqual(await cameIn([{ merchantId: stranger }], having(4n, 4n)), nothing)
})

test('who receives a share in this batch may come to owe its parent in it', async () => {
  let debt = 0n
  const balance = (spec: AccountSpec) => {
    const minor = holding([`owes:${active}:BRL`, debt], [`${bareId(13)}:available`, 9n])(spec)
    // The debt is made after the parents are loaded.
    if (spec.key.includes('available')) debt = 5n
    return minor
  }
  const found = await cameIn([{ merchantId: active }], { balance }, [active])
  assert.deepEqual(found, { ...nothing, posted: repaid(5) })
  debt = 0n
  assert.deepEqual(await cameIn([{ merchantId: active }], { balance }), nothing)
})

test('all that comes for a closed sub-account goes on after its debt, and both are told', async () => {
  const having = (debt: bigint, free: bigint) => ({
    balance: holding([`owes:${closed}:BRL`, debt], [`${bareId(12)}:available`, free]),
  })
  const one = [{ merchantId: closed }]
  const both = (minor: number) => ({ told: 2, rows: [`1 ${minor} 51`, `3 ${minor} 51`] })
  assert.deepEqual(await cameIn(one, having(0n, 1n)), { ...nothing, posted: passed(1), ...both(1) })
  assert.deepEqual(await cameIn(one, having(4n, 9n)), {
    ...nothing,
    posted: [...repaid(4), ...passed(5)],
    ...both(5),
  })
  assert.deepEqual(await cameIn(one, having(4n, 4n)), { ...nothing, posted: repaid(4) })
  assert.deepEqual(await cameIn(one, having(0n, 0n)), nothing)
})

test('nothing is repaid or goes on where an account is of another currency than it was opened in', async () => {
  const books = {
    balance: holding([`owes:${closed}`, 4n], [`${bareId(12)}:available`, 9n]),
    accepts: ({ key }: AccountSpec) => !key.includes('owed'),
  }
  assert.deepEqual(await cameIn([{ merchantId: closed }], books), nothing)
})

test('what a decision itself writes is written with what goes on, and nothing is written of nothing', async () => {
  const balance = holding([`${bareId(12)}:available`, 9n])
  const noted = { merchantId: active, note: 'kept' }
  assert.deepEqual(await cameIn([noted], { balance }), { ...nothing, notes: [['kept']] })
  const done = await cameIn([noted, { merchantId: closed }, { ...noted, note: 'later' }], { balance })
  assert.deepEqual([done.notes, done.rows.length, done.told], [[['kept', 'later']], 2, 2])
})

/** What the operator's order passes on of a merchant. */
function passOn(merchantId: MerchantId, balance: RecordedBooks['balance'], rows: BareRows = {}) {
  return onRows(sql, { ...tables, ...rows }, async (tx) => {
    const books = { at, isMoving: true, ...given({ balance }) }
    const { verdicts, posted } = await runOnRows(tx, passOnKeptKind, [{ merchantId }], books)
    const [verdict] = verdicts
    if (verdict?.kind !== 'passed_on') return { verdict, posted }
    const transfers = verdict.transfers.map(
      ({ merchantId: whose, request: { amount }, currency }) => `${whose === parent} ${amount} ${currency}`,
    )
    return { verdict: { ...verdict, transfers }, posted }
  })
}

const twoMore = [
  { ...wallet, merchant_id: closed, id: bareId(15) },
  { ...wallet, merchant_id: closed, id: bareId(16), currency: 'EUR' },
]

test('all that a closed sub-account has goes on to its parent at the operator’s order', async () => {
  const available = (id: number, minor: bigint) => [`${bareId(id)}:available`, minor] as const
  const passedOn = (transfers: readonly string[], remaining: readonly string[] = []) => ({
    kind: 'passed_on',
    transfers,
    remaining,
  })
  assert.deepEqual(await passOn(closed, holding(available(12, 1n))), {
    verdict: passedOn(['true 1 BRL']),
    posted: passed(1),
  })
  const rows = { wallet: [...tables.wallet, ...twoMore] }
  assert.deepEqual(
    await passOn(closed, holding(available(12, 2n), available(15, 3n), available(16, 1n)), rows),
    {
      // The parent has no wallet in EUR.
      verdict: passedOn(['true 2 BRL', 'true 3 BRL'], ['EUR']),
      posted: [...passed(2), ...passed(3)],
    },
  )
  assert.deepEqual(await passOn(closed, holding(available(16, 1n)), rows), {
    verdict: { kind: 'no_wallet', currencies: ['EUR'] },
    posted: [],
  })
})

test('nothing goes on by order of an account that is open, frozen, empty or in debt', async () => {
  const available = [`${bareId(12)}:available`, 5n] as const
  const cases: readonly (readonly [
    merchantId: MerchantId,
    balance: RecordedBooks['balance'],
    verdict: object,
    rows?: BareRows,
  ])[] = [
    [stranger, holding(available), { kind: 'not_found' }],
    [active, holding(available), { kind: 'not_closed', state: 'ACTIVE' }],
    [closed, holding(), { kind: 'nothing' }],
    [closed, holding(available, [`owes:${closed}:BRL`, 1n]), { kind: 'in_debt', currencies: ['BRL'] }],
    [closed, holding(available, [`receivable:${closed}:BRL`, 1n]), { kind: 'in_debt', currencies: ['BRL'] }],
    [closed, holding(available), { kind: 'frozen' }, { money_freeze: [{ merchant_id: closed }] }],
    [closed, holding(available), { kind: 'frozen' }, { money_freeze: [{ merchant_id: parent }] }],
  ]
  for (const [merchantId, balance, verdict, rows] of cases)
    assert.deepEqual(await passOn(merchantId, balance, rows), { verdict, posted: [] })
})
