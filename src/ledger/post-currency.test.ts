// The currency of an account never changes: the lane refuses another one with a verdict, and so does the database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { accounts, move, openBooks, posting, type Books } from '../../test/books.ts'

const { bank, wallet } = accounts

let books: Books
before(async () => {
  books = await openBooks()
})
after(async () => {
  await using _ = books
  assert.deepEqual((await books.verify()).faults, [])
})

test('a posting to an account of another currency is refused, and the other items of the batch are booked', async () => {
  const first = await books.openLane()
  await first.submit(move, { postings: [posting(bank(), wallet(1), 50)] })
  const dollars = [posting(bank('USD'), wallet(1, 'USD'), 10)]
  const refused = {
    ok: false,
    refusal: { reason: 'other_currency', account: wallet(1, 'USD'), opened: 'BRL' },
  }
  // One lane has the account in its cache, the other reads it; both have other items to book in the same batch.
  for (const lane of [first, await books.openLane()]) {
    const others = [wallet(2), wallet(3, 'USD')].map((each) => ({
      postings: [posting(bank(each.currency), each, 5)],
    }))
    const verdicts = await Promise.all(
      [{ postings: dollars }, ...others].map((item) => lane.submit(move, item)),
    )
    assert.deepEqual(verdicts, [refused, { ok: true }, { ok: true }])
  }
  // Both for the first time, in one batch.
  const lane = await books.openLane()
  const verdicts = await Promise.all(
    (['USD', 'BRL'] as const).map((currency) =>
      lane.submit(move, { postings: [posting(bank(currency), wallet(4, currency), 7)] }),
    ),
  )
  assert.deepEqual(
    verdicts.map(({ ok }) => ok),
    [true, false],
  )
})

test('the database refuses it too, for the application and for the owner', async () => {
  const { owner, sql } = books
  const lane = await books.openLane()
  await lane.submit(move, { postings: [posting(bank(), wallet(5), 50)] })
  const [account] = await sql<
    { id: bigint; name: string }[]
  >`select id, name from account where name = ${wallet(5).name}`
  assert.ok(account)
  const merchant = newId()
  const walletId = newId()
  await owner`insert into merchant (id, mode, name, webhook_secret, created_at) values (${merchant}, 'SANDBOX', 'Ana', '', now())`
  await owner`
    insert into wallet (merchant_id, id, currency, label, wallet_type, is_default, created_at)
    values (${merchant}, ${walletId}, 'EUR', 'EUR', 'SPENDABLE', true, now())`
  const opening = (name: string, currency: string) =>
    `insert into account (id, mode, name, currency, side, batch) values (900, 'SANDBOX', '${name}', '${currency}', 'CREDIT', 1)`
  const attempts: readonly (readonly [statement: string, constraint: string])[] = [
    // A second account of the same name, and names with another currency.
    [opening(account.name, 'USD'), 'account_name'],
    [opening('fees:EUR', 'USD'), 'account_currency'],
    [opening(`provider:t1-${newId()}:BRL`, 'USD'), 'account_currency'],
    [opening('coins:bsc:USDT:hot', 'USD'), 'account_currency'],
    [opening(`wallet:${walletId}:pending`, 'USD'), 'account_wallet_currency'],
    // The balance, which every entry changes, in dollars.
    [
      `update balance set minor = minor + 1, currency = 'USD' where account_id = ${account.id}`,
      'balance_currency',
    ],
    [`update balance set currency = null where account_id = ${account.id}`, 'balance_currency'],
    [`insert into balance values (901, 0, 0, false, 'USD')`, 'balance_currency'],
  ]
  for (const client of [owner, sql]) {
    for (const [statement, constraint] of attempts) {
      await assert.rejects(client.unsafe(statement), (error: { code?: string; constraint_name?: string }) => {
        assert.deepEqual([error.code?.slice(0, 2), error.constraint_name], ['23', constraint], statement)
        return true
      })
    }
  }
  await assert.rejects(sql`update account set currency = 'USD' where id = ${account.id}`, /permission denied/)
  await assert.rejects(owner`update account set currency = 'USD' where id = ${account.id}`, /append-only/)
  await owner.unsafe(opening(`wallet:${walletId}:pending`, 'EUR')).then(() => {
    // Nothing was booked on it, so it must be gone before the books are inspected.
    return owner.unsafe(
      'alter table account disable trigger user; delete from account where id = 900; alter table account enable trigger user',
    )
  })
})
