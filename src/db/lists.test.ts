// Lists of one kind of rows: fast also where statistics say that there is no other kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantId } from '#/kernel/id.ts'
import { testDatabase } from '../../test/postgres.ts'
import { connect } from './client.ts'
import { newestIds } from './lists.ts'

const merchantId = '00000000-0000-0000-0000-000000000001' as MerchantId

test('a rare kind is found by the index on the kinds, however many rows of another kind are newer', async () => {
  await using database = await testDatabase()
  const sql = connect(database.ownerUrl, { max: 1 })
  // The oldest three rows are of another kind; a sample of the table does not see them.
  await sql.unsafe(`
    create table thing (merchant_id uuid, id uuid, type text, status text, primary key (merchant_id, id));
    insert into thing
    select '${merchantId}', ('00000000-0000-0000-0000-' || lpad(to_hex(n), 12, '0'))::uuid, 'PIX', 'DONE'
      from generate_series(4, 50000) as n;
    create unique index on thing (id);
    create index thing_by_kind on thing (merchant_id, type, status, id);
    analyze thing;
    insert into thing
    select '${merchantId}', ('00000000-0000-0000-0000-' || lpad(to_hex(n), 12, '0'))::uuid, 'CRYPTO', 'WAITS'
      from generate_series(1, 3) as n`)
  const idsOf = (status: string) =>
    newestIds(sql, 'thing', {
      merchantId,
      kinds: [
        { column: 'type', value: undefined, all: ['PIX', 'CRYPTO'] },
        { column: 'status', value: status, all: ['DONE', 'WAITS'] },
      ],
      span: {},
      within: sql``,
      limit: 50,
    })
  const found = await sql<{ id: string }[]>`${idsOf('WAITS')}`
  assert.deepEqual(
    found.map(({ id }) => id.slice(-1)),
    ['3', '2', '1'],
  )
  for (const [status, rows] of [
    ['WAITS', 3],
    ['DONE', 50],
  ] as const) {
    const [plan] = await sql`explain (analyze, format json) ${idsOf(status)}`
    // For each scan of the table: rows found in all of its loops, and rows removed by its filter.
    const scans = [
      ...JSON.stringify(plan).matchAll(
        /"Relation Name":"thing".*?"Actual Rows":([\d.]+),"Actual Loops":(\d+)(?:.*?"Rows Removed by Filter":(\d+))?/g,
      ),
    ]
    const examined = scans.map(
      ([, each, loops, removed]) => Number(each) * Number(loops) + Number(removed ?? 0),
    )
    assert.equal(scans.length, 1, JSON.stringify(plan))
    assert.ok(Number(examined[0]) <= rows + 4, `${status}: ${examined.join()} rows examined`)
  }
  await sql.end()
})
