// Verify finds every change of the audit log behind its back, once the entry is sealed: in each column, of the seal, and of both.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { createSealer } from '#/sealing/seal.ts'
import { accounts, move, openBooks, posting, type Books } from '../books.ts'
import { assertFound, keepCopies, nobody, textOf, type Place, type Tampering } from '../tampering.ts'

let books: Books
let place: Place

const full: AuditEntry = {
  actor: { kind: 'USER', id: nobody },
  address: '192.0.2.7',
  requestId: 'r1',
  action: 'key.revoke',
  subject: 'api_key:7',
  merchantId: newId<'merchant'>(),
  before: { scopes: ['payments:read'] },
  after: { scopes: [] },
  reason: 'lost',
}
const bare: AuditEntry = { actor: { kind: 'SYSTEM', id: 'expiry' }, action: 'a.b', subject: 'c:d' }

/** Two batches seal three entries each, with a batch of money between them; a last entry waits. */
before(async () => {
  books = await openBooks()
  const lane = await books.openLane()
  const sealer = createSealer({ sql: books.sql, lane })
  await writeAudit(books.sql, [bare, full, bare])
  await sealer.poll()
  await lane.submit(move, { postings: [posting(accounts.bank(), accounts.wallet(1), 10)] })
  await books.clock.advance(hourMs)
  await writeAudit(books.sql, [bare, full, bare])
  await sealer.poll()
  await writeAudit(books.sql, [bare])
  const rows = await books.sql<{ id: string }[]>`select id from audit_log order by id`
  const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'waiting']
  const ids = Object.fromEntries(names.map((name, nth) => [name, rows[nth]?.id ?? assert.fail(name)]))
  place = { owner: books.owner, verify: async () => ({ ...(await books.verify()), leftOut: [] }), ids }
  await keepCopies(place)
})

after(() => books[Symbol.asyncDispose]())

test('untouched entries pass', async () => {
  assert.deepEqual((await books.verify()).faults.map(textOf), [])
})

/** Another value for each column. A column without one here is not known to be covered. */
const others: Readonly<Record<string, string>> = {
  at: `at + interval '1 microsecond'`,
  actor_kind: `'OPERATOR'`,
  actor_id: `'ana'`,
  action: `'key.create'`,
  subject: `'api_key:8'`,
  merchant_id: `'${nobody}'`,
  before: `' {"scopes":["payments:read"]}'`,
  after: `'{"scopes": []}'`,
  reason: `'found'`,
  address: `'192.0.2.8'`,
  request_id: `'r2'`,
}

test('verify finds a change of any column of an entry, to another value or to none', async () => {
  const columns = await books.owner<{ name: string; optional: boolean }[]>`
    select attname as name, not attnotnull as optional from pg_attribute
     where attrelid = 'audit_log'::regclass and attnum > 0 and not attisdropped and attname <> 'id'`
  assert.equal(columns.length, Object.keys(others).length)
  for (const { name, optional } of columns) {
    const values = [
      others[name] ?? assert.fail(`what covers the column ${name}?`),
      ...(optional ? ['null'] : []),
    ]
    for (const value of values) {
      await assertFound(place, {
        name,
        change: `update audit_log set ${name} = ${value} where id = '{second}'`,
        found: ['audit log', /^audit entry /, /is not as it was when batch 1 sealed it/],
      })
    }
  }
})

const wrongHash = (batch: number) =>
  ['chain', new RegExp(`^batch ${batch}$`), /has another hash than/] as const
const rehashed = `set digest = sha256(digest)`

const changes: readonly Tampering[] = [
  {
    name: 'an entry removed',
    change: `delete from audit_log where id = '{second}'`,
    found: ['audit log', /^audit entry /, /was sealed by batch 1 and is gone/],
  },
  {
    name: 'an entry under another id',
    change: `update audit_log set id = '${nobody}' where id = '{second}'`,
    found: ['audit log', /^audit entry /, /was sealed by batch 1 and is gone/],
    also: [['audit log', new RegExp(nobody), /is sealed by no batch, and does not wait/]],
  },
  {
    name: 'an entry removed with its seal',
    change: `delete from audit_log where id = '{second}'; delete from audit_seal where id = '{second}'`,
    found: wrongHash(1),
    also: [['chain', /^batch 1$/, /not numbered from 1 on/]],
  },
  {
    name: 'the last entry of a batch removed with its seal',
    change: `delete from audit_log where id = '{third}'; delete from audit_seal where id = '{third}'`,
    found: wrongHash(1),
  },
  {
    name: 'all that a batch sealed removed with its seals',
    change: `delete from audit_log where id <= '{third}'; delete from audit_seal where batch = 1`,
    found: wrongHash(1),
  },
  {
    name: 'an entry and the digest of its seal',
    change: `update audit_log set reason = 'found' where id = '{second}'; update audit_seal ${rehashed} where id = '{second}'`,
    found: wrongHash(1),
  },
  {
    name: 'an entry removed with its seal, to be sealed again',
    change: `delete from audit_seal where id = '{sixth}'; insert into audit_unsealed values ('{sixth}')`,
    found: wrongHash(3),
  },
  {
    name: 'a seal removed',
    change: `delete from audit_seal where id = '{second}'`,
    found: ['audit log', /^audit entry /, /is sealed by no batch, and does not wait/],
    also: [wrongHash(1)],
  },
  {
    name: 'a seal moved to another batch',
    change: `update audit_seal set batch = 2, position = 1 where id = '{third}'`,
    found: wrongHash(1),
    also: [wrongHash(2)],
  },
  {
    name: 'a seal moved to the end of another batch',
    change: `update audit_seal set batch = 3, position = 4 where id = '{third}'`,
    found: wrongHash(1),
    also: [wrongHash(3)],
  },
  {
    name: 'two seals that changed places',
    change: `update audit_seal set position = 9 where id = '{first}'; update audit_seal set position = 1 where id = '{second}';
             update audit_seal set position = 2 where id = '{first}'`,
    found: wrongHash(1),
  },
  {
    name: 'positions with a gap',
    change: `update audit_seal set position = 7 where id = '{third}'`,
    found: ['chain', /^batch 1$/, /not numbered from 1 on/],
  },
  {
    name: 'two entries that changed their seals',
    change: `update audit_seal set id = '${nobody}' where id = '{first}'; update audit_seal set id = '{first}' where id = '{second}';
             update audit_seal set id = '{second}' where id = '${nobody}'`,
    found: ['audit log', /^audit entry /, /is not as it was when batch 1 sealed it/],
  },
  {
    name: 'an entry put in without a seal',
    change: `insert into audit_log (id, actor_kind, actor_id, action, subject) values ('${nobody}', 'SYSTEM', 'x', 'y', 'z')`,
    found: ['audit log', new RegExp(nobody), /is sealed by no batch, and does not wait/],
  },
  {
    name: 'an entry put in with a seal',
    change: `insert into audit_log (id, actor_kind, actor_id, action, subject) values ('${nobody}', 'SYSTEM', 'x', 'y', 'z');
             insert into audit_seal values ('${nobody}', 2, 1, sha256('x'))`,
    found: wrongHash(2),
  },
  {
    name: 'a seal of a batch that is not there',
    change: `insert into audit_seal values ('${nobody}', 99, 1, sha256('x'))`,
    found: ['end of the chain', new RegExp(`seal of audit entry ${nobody}`), /no batch gave/],
  },
  {
    name: 'more seals than a batch may have',
    change: `insert into audit_seal select gen_random_uuid(), 2, i, sha256('x') from generate_series(1, 1001) as i`,
    found: ['chain', /^batch 2$/, /more rows than a batch can hold/],
  },
  {
    name: 'an entry that was kept from being sealed, and has just been let wait',
    change: `update audit_log set at = at - interval '11 minutes' where id = '{waiting}'`,
    found: ['audit log', /^audit entry /, /has waited for more than ten minutes/],
  },
  {
    name: 'an entry that waits, removed',
    change: `delete from audit_log where id = '{waiting}'`,
    found: ['audit log', /^audit entry /, /waited to be sealed and is gone/],
  },
  {
    name: 'an entry that was kept from waiting',
    change: `delete from audit_unsealed where id = '{waiting}'`,
    found: ['audit log', /^audit entry /, /is sealed by no batch, and does not wait/],
  },
]

for (const tampering of changes) test(`verify finds: ${tampering.name}`, () => assertFound(place, tampering))

test('neither the application nor the owner can change or delete a seal', async () => {
  await assert.rejects(books.sql`update audit_seal set position = 9`, { code: '42501' })
  await assert.rejects(books.sql`delete from audit_seal`, { code: '42501' })
  await assert.rejects(books.owner`update audit_seal set position = 9`, { code: '23001' })
  await assert.rejects(books.owner`delete from audit_seal`, { code: '23001' })
})

test('verify finds guards of the audit log that are off', async () => {
  for (const table of ['audit_log', 'audit_seal']) {
    await books.owner.unsafe(`alter table ${table} disable trigger ${table}_append_only`)
    const { faults } = await books.verify()
    await books.owner.unsafe(`alter table ${table} enable trigger ${table}_append_only`)
    assert.deepEqual(faults.map(textOf), [
      `guards: table ${table} has no trigger that refuses changes, or it is off`,
    ])
  }
})
