// Verify finds every change that was made to the books behind their back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutAt, inspectAnchor, ledgerInspections } from '#/audit/ledger.ts'
import { verify } from '#/audit/verify.ts'
import { inspectAll } from '#/db/inspection.ts'
import { accounts, auditKey, move, openBooks, posting } from '../books.ts'
import { openForTests } from '../open-for-tests.ts'
import { assertFound, nobody, openFilledWorld, textOf, type Tampering } from '../tampering.ts'

const world = openForTests(openFilledWorld)

test('untouched books pass, any number of times, and every inspection has read something', async () => {
  for (const _ of [1, 2]) {
    const { faults, checked, upTo } = await world.verify()
    assert.deepEqual(faults.map(textOf), [])
    const counted = new Map(checked.map(({ inspection, what, count }) => [`${inspection}: ${what}`, count]))
    const [rows] = await world.sql<Record<string, bigint>[]>`
      select (select count(*) from batch) as "chain: batches", (select count(*) from transfer) as "chain: transfers",
             (select count(*) from event) as "chain: events", (select count(*) from account) as "accounts: accounts",
             (select count(*) from entry) as "entries: entries", (select count(*) from payment) as "settlement: payments",
             (select count(*) from receipt) as "receipts: receipts", (select count(*) from event) as "events: events",
             (select count(*) from delivery) as "deliveries: deliveries",
             (select count(*) from deposit_address) as "deposit addresses: addresses",
             (select count(*) from chain_transfer) as "deposits: transfers"`
    for (const [what, count] of Object.entries(rows ?? {}))
      assert.equal(BigInt(counted.get(what) ?? -1), count, what)
    const [head] = await world.sql<{ batch: bigint }[]>`select batch from head`
    assert.equal(upTo.batch, head?.batch)
  }
})

const hash = ['chain', /^batch \d+$/, /has another hash than/] as const
const wrongHash = (name: string, change: string): Tampering => ({ name, change, found: hash })
const lastBatch = `(select max(number) from batch)`

const transfers: readonly Tampering[] = [
  wrongHash('the amount of a transfer', `update transfer set minor = minor + 1 where number = 3`),
  wrongHash(
    'the amount of a transfer with its entries and balances, so that everything adds up',
    `update transfer set minor = minor + 5 where number = 3;
     update entry set minor = minor + 5 where transfer = 3;
     update entry set balance = balance + 5 where transfer >= 3 and account_id in (select account_id from entry where transfer = 3);
     update balance set minor = minor + 5 where account_id in (select account_id from entry where transfer = 3)`,
  ),
  wrongHash('the subject of a transfer', `update transfer set subject = '${nobody}' where number = 3`),
  wrongHash('the step of a transfer', `update transfer set step = '77.credit' where number = 3`),
  wrongHash('the kind of a transfer', `update transfer set kind = 'FEE' where number = 3`),
  wrongHash(
    'the accounts of a transfer',
    `update transfer set debit = credit, credit = debit where number = 3`,
  ),
  wrongHash('the cause of a transfer', `update transfer set cause = sha256(cause) where number = 3`),
  {
    name: 'the batch of a transfer',
    change: `update transfer set batch = batch + 1 where number = 3`,
    found: ['chain', /^transfer 3$/, /says batch/],
  },
  {
    name: 'a transfer removed',
    change: `delete from transfer where number = 3`,
    found: ['chain', /^batch/, /transfers instead of/],
  },
  {
    name: 'a transfer removed with its entries, and the rest moved up',
    change: `delete from transfer where number = (select max(number) from transfer); delete from entry where transfer not in (select number from transfer)`,
    found: ['chain', /^batch/, /transfers instead of/],
  },
  {
    name: 'a transfer put in after the last one',
    change: `insert into transfer select number + 100, batch, '${nobody}', step, kind, debit, credit, minor, cause from transfer where number = 3`,
    found: ['end of the chain', /^transfer 103$/, /no batch gave/],
  },
  {
    name: 'a transfer between two currencies',
    change: `update account set currency = 'EUR' where name like 'wallet:%:available'`,
    found: ['transfers', /^transfer \d+$/, /two modes or two currencies/],
  },
  {
    name: 'a transfer on an account that is not there',
    change: `update transfer set credit = 77 where number = 3`,
    found: ['transfers', /^transfer 3$/, /credits account 77, which is not there/],
  },
]

const entries: readonly Tampering[] = [
  {
    name: 'an entry removed',
    change: `delete from entry where transfer = 3 and minor > 0`,
    found: ['transfers', /^transfer 3$/, /has no entry on account/],
  },
  {
    name: 'the amount of an entry',
    change: `update entry set minor = minor + 1 where transfer = 3`,
    found: ['transfers', /^transfer 3$/, /has an entry of/],
  },
  {
    name: 'the sign of an entry',
    change: `update entry set minor = -minor where transfer = 3`,
    found: ['transfers', /^transfer 3$/, /has an entry of -/],
  },
  {
    name: 'the balance after an entry',
    change: `update entry set balance = balance + 1 where transfer = 3`,
    found: ['entries', /^entry of transfer 3/, /leaves \d+, but/],
  },
  {
    name: 'an entry for an account that the transfer does not name',
    change: `insert into entry select id, 3, 0, 0 from account where id not in (select account_id from entry where transfer = 3) limit 1`,
    found: ['entries', /^entry of transfer 3/, /belongs to no transfer that names its account/],
  },
  {
    name: 'an entry without a transfer',
    change: `insert into entry select account_id, 900, 10, minor + 10 from balance limit 1`,
    found: ['entries', /^entry of transfer 900/, /belongs to no transfer/],
  },
  {
    name: 'an entry on an account that is not there',
    change: `insert into entry values (77, 3, 1, 1)`,
    found: ['entries', /on account 77$/, /account that is not there/],
  },
  {
    name: 'a floored account below zero',
    change: `update entry set balance = -1 where (account_id, transfer) = (
               select account_id, transfer from entry join balance using (account_id) where floored order by 1, 2 limit 1)`,
    found: ['entries', /^entry/, /where nothing below zero may be/],
  },
  {
    name: 'sums that are not zero',
    change: `update entry set minor = minor + 1, balance = balance + 1
              where (account_id, transfer) = (select account_id, max(transfer) from entry group by account_id order by 1 limit 1)`,
    found: ['entries', /^all accounts of SANDBOX USDT$/, /add up to/],
  },
]

const balances: readonly Tampering[] = [
  {
    name: 'a balance',
    change: `update balance set minor = minor + 1 where account_id = 1`,
    found: ['entries', /^balance of account 1$/, /is \d+, but its last entry leaves/],
  },
  {
    name: 'the currency of a balance',
    change: `update balance set currency = 'EUR' where account_id = 1`,
    found: ['accounts', /^account 1$/, /but its balance in EUR/],
  },
  {
    name: 'the count of a balance',
    change: `update balance set entries = entries + 1 where account_id = 1`,
    found: ['entries', /^balance of account 1$/, /counts \d+ entries/],
  },
  wrongHash('the floor of an account', `update balance set floored = not floored where account_id = 1`),
  {
    name: 'a balance removed',
    change: `delete from balance where account_id = 1`,
    found: ['accounts', /^account 1$/, /has no balance/],
  },
  {
    name: 'a balance put in',
    change: `insert into balance values (77, 0, 0, true)`,
    found: ['accounts', /^balance of account 77$/, /belongs to no account/],
  },
  wrongHash('the name of an account', `update account set name = 'wallet:mine:available' where id = 1`),
  wrongHash('the mode of an account', `update account set mode = 'LIVE' where id = 1`),
  wrongHash(
    'the side of an account',
    `update account set side = case side when 'DEBIT' then 'CREDIT' else 'DEBIT' end where id = 1`,
  ),
  {
    name: 'the batch of an account',
    change: `update account set batch = batch + 1 where id = 1`,
    found: ['chain', /^account 1$/, /says batch/],
  },
  {
    name: 'an account removed',
    change: `delete from account where id = 1`,
    found: ['chain', /^batch/, /accounts instead of/],
  },
  {
    name: 'an account put in',
    change: `insert into account select 77, mode, 'mine', currency, side, batch from account where id = 1`,
    found: ['end of the chain', /^account 77$/, /no batch gave/],
  },
  {
    name: 'an account that nothing was ever booked on',
    change: `insert into account select 77, mode, 'mine', currency, side, batch from account where id = 1`,
    found: ['accounts', /^account 77$/, /has no entry/],
  },
]

const batches: readonly Tampering[] = [
  wrongHash('the id of a batch', `update batch set id = '${nobody}' where number = 2`),
  wrongHash('the hash of a batch', `update batch set hash = sha256(hash) where number = 2`),
  {
    name: 'the hash that a batch follows',
    change: `update batch set prev = sha256(prev) where number = 2`,
    found: ['chain', /^batch 2$/, /does not name the hash of the batch before/],
  },
  {
    name: 'what follows a batch with another hash',
    change: `update batch set hash = sha256(hash) where number = 2`,
    found: ['chain', /^batch 3$/, /does not name the hash/],
  },
  wrongHash(
    'the instant of a batch',
    `update batch set at = at + interval '1 millisecond' where number = ${lastBatch}`,
  ),
  {
    name: 'a part of a millisecond',
    change: `update batch set at = at + interval '1 microsecond' where number = 2`,
    found: ['chain', /^batch 2$/, /finer than a millisecond/],
  },
  {
    name: 'a batch before the one that it follows',
    change: `update batch set at = at - interval '1 hour' where number = 3`,
    found: ['chain', /^batch 3$/, /is earlier/],
  },
  {
    name: 'the number of events of a batch',
    change: `update batch set events = events + 1 where number = 3`,
    found: ['chain', /^batch 3$/, /events instead of/],
  },
  {
    name: 'where the transfers of a batch begin',
    change: `update batch set transfer_from = transfer_from - 1 where number = 3`,
    found: ['chain', /^batch 3$/, /counts transfers from/],
  },
  {
    name: 'where the transfers of a batch end',
    change: `update batch set transfer_to = transfer_to + 1 where number = 3`,
    found: ['chain', /^batch 4$/, /counts transfers from/],
  },
  {
    name: 'where the accounts of a batch begin',
    change: `update batch set account_from = account_from - 1 where number = 3`,
    found: ['chain', /^batch 3$/, /counts accounts from/],
  },
  {
    name: 'a batch that claims to be enormous',
    change: `update batch set transfer_to = 9000000000000000000 where number = 3`,
    found: ['chain', /^batch 3$/, /more rows than a batch can hold/],
  },
  {
    name: 'a batch removed',
    change: `delete from batch where number = 3`,
    found: ['chain', /^batch 3$/, /is missing/],
  },
  {
    name: 'the first batch removed',
    change: `delete from batch where number = 1`,
    found: ['chain', /^batch 1$/, /is missing/],
  },
  {
    name: 'the last batch removed',
    change: `delete from batch where number = ${lastBatch}`,
    found: ['chain', /^batch \d+$/, /is missing at the end/],
  },
  {
    name: 'a batch before the first',
    change: `insert into batch select 0, '${nobody}', 0, 0, 0, 0, 0, at, prev, hash from batch where number = 1`,
    found: ['end of the chain', /^batch 0$/, /no batch gave/],
  },
  {
    name: 'a batch after the head',
    change: `insert into batch select number + 1, '${nobody}', transfer_to, transfer_to, account_to, account_to, 0, at, hash, sha256(hash) from batch where number = ${lastBatch}`,
    found: ['end of the chain', /^head t1$/, /says batch/],
  },
  ...(['batch', 'transfer', 'account'] as const).map((column): Tampering => ({
    name: `the ${column} of the head`,
    change: `update head set ${column} = ${column} - 1`,
    found: ['end of the chain', /^head t1$/, new RegExp(`says ${column}`)],
  })),
  {
    name: 'the hash of the head',
    change: `update head set hash = sha256(hash)`,
    found: ['end of the chain', /^head t1$/, /hash of the last batch/],
  },
  {
    name: 'the instant of the head',
    change: `update head set at = at + interval '1 second'`,
    found: ['end of the chain', /^head t1$/, /instant of the last batch/],
  },
]

const events: readonly Tampering[] = [
  wrongHash(
    'the body of an event',
    `update event set body = replace(body, '"amount":1000', '"amount":9000') where sequence = 3`,
  ),
  wrongHash('white space in the body of an event', `update event set body = body || ' ' where sequence = 3`),
  wrongHash('the id of an event', `update event set id = '${nobody}' where sequence = 3`),
  wrongHash('the type of an event', `update event set type = 'payment.waiting' where sequence = 3`),
  wrongHash('the number of an event', `update event set sequence = 300 where sequence = 3`),
  wrongHash('the merchant of an event', `update event set merchant_id = '${nobody}' where sequence = 3`),
  {
    name: 'an event removed',
    change: `delete from event where sequence = 3`,
    found: ['chain', /^batch/, /events instead of/],
  },
  {
    name: 'an event put in',
    change: `insert into event select merchant_id, 300, '${nobody}', type, mode, resource_id, body, batch, at from event where sequence = 3`,
    found: ['chain', /^batch/, /events instead of/],
  },
]

for (const tampering of [...transfers, ...entries, ...balances, ...batches, ...events]) {
  test(`verify finds: ${tampering.name}`, () => assertFound(world, tampering))
}

test('verify finds guards that are gone: a trigger dropped or off, a role that may change the books', async () => {
  const guards: readonly (readonly [change: string, undo: string, what: RegExp])[] = [
    [
      `alter table entry disable trigger entry_append_only`,
      `alter table entry enable trigger entry_append_only`,
      /trigger/,
    ],
    [
      `drop trigger event_append_only on event`,
      `create trigger event_append_only before update or delete on event for each row execute function refuse_change()`,
      /trigger/,
    ],
    [
      `grant delete on transfer to vintem_app`,
      `revoke delete on transfer from vintem_app`,
      /may be changed by the role/,
    ],
  ]
  for (const [change, undo, what] of guards) {
    const role = decodeURIComponent(new URL(world.appUrl).username)
    await world.owner.unsafe(change.replace('vintem_app', role))
    const { faults } = await world.verify()
    await world.owner.unsafe(undo.replace('vintem_app', role))
    assert.deepEqual(
      faults.map(({ inspection }) => inspection),
      ['guards'],
      change,
    )
    assert.match(faults[0]?.what ?? '', what)
  }
  assert.equal((await world.verify()).faultCount, 0)
})

test('a cell without books cannot be verified', async () => {
  await assert.rejects(verify(world.sql, { cell: 'zz', auditKey }), /There are no books in this database yet/)
})

test('up to an earlier batch, later ones are left out of the chain and the sums', async () => {
  const { faults, checked, upTo } = await verify(world.sql, { cell: 't1', auditKey, upTo: 3n })
  assert.deepEqual(faults.map(textOf), [])
  assert.equal(upTo.batch, 3n)
  assert.equal(checked.find(({ inspection, what }) => inspection === 'chain' && what === 'batches')?.count, 3)
})

test('a tail that was cut off with everything it wrote shows only against an anchor that was kept elsewhere', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  const deposit = () => lane.submit(move, { postings: [posting(accounts.bank(), accounts.wallet(1), 10)] })
  await deposit()
  await deposit()
  const anchor = await cutAt(books.sql, 't1')
  await books.owner.unsafe(`begin;
    alter table batch disable trigger user; alter table transfer disable trigger user; alter table entry disable trigger user;
    delete from batch where number = 2; delete from transfer where number = 2; delete from entry where transfer = 2;
    update balance set minor = 10, entries = 1;
    update head set (batch, transfer, account, hash, at) = (select number, transfer_to, account_to, hash, at from batch);
    alter table batch enable trigger user; alter table transfer enable trigger user; alter table entry enable trigger user;
    commit`)
  const inspect = async (more: ReturnType<typeof ledgerInspections> = []) =>
    inspectAll([...ledgerInspections(auditKey), ...more], {
      sql: books.sql,
      cell: 't1',
      upTo: await cutAt(books.sql, 't1'),
    })
  assert.deepEqual((await inspect()).faults, [])
  const against = inspectAnchor({ number: anchor.batch, hash: anchor.hash })
  assert.deepEqual((await inspect([against])).faults.map(textOf), [
    'anchor: batch 2 is gone: the chain was longer once',
  ])
  // Another process continues from there: the batch is a different one.
  const next = await books.openLane()
  await next.submit(move, { postings: [posting(accounts.bank(), accounts.wallet(1), 99)] })
  assert.deepEqual((await inspect([against])).faults.map(textOf), [
    'anchor: batch 2 is not the one of the anchor',
  ])
})
