// Which server a process connects to. Citus itself does not run here: the test creates its three tables in the cell's schema,
// with the columns that Citus 13 documents, and the node is the address of the same PostgreSQL under another name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/postgres.ts'
import { connect } from './client.ts'
import { urlAtNode } from './node-queries.ts'
import { StartError } from './start-error.ts'

async function openCell(stack: AsyncDisposableStack) {
  const database = stack.use(await testDatabase())
  const owner = connect(database.ownerUrl, { max: 1 })
  stack.defer(() => owner.end({ timeout: 1 }))
  return { owner, url: database.ownerUrl }
}

/** The tables of Citus, with the cell's tables `head` and `entry` on the groups that are given. */
async function pretendCitus(
  owner: ReturnType<typeof connect>,
  groups: Readonly<Record<string, number>>,
  port: string,
) {
  await owner.unsafe(`
    create table pg_dist_node (nodeid integer, groupid integer, nodename text, nodeport integer, noderole text, isactive boolean);
    create table pg_dist_shard (logicalrelid regclass, shardid bigint);
    create table pg_dist_placement (placementid bigint, shardid bigint, shardstate integer, groupid integer);
    insert into pg_dist_node values (1, 0, 'coordinator.example', 5432, 'primary', true), (2, 1, 'localhost', ${port}, 'primary', true),
      (3, 2, 'node-2.example', 5432, 'primary', true), (4, 1, 'standby.example', 5432, 'secondary', true),
      (5, 1, 'gone.example', 5432, 'primary', false)`)
  for (const [index, [table, group]] of Object.entries(groups).entries())
    await owner.unsafe(`
      insert into pg_dist_shard values ('${table}'::regclass, ${index + 1});
      insert into pg_dist_placement values (${index + 1}, ${index + 1}, 1, ${group}), (${index + 100}, ${index + 1}, 4, 2)`)
}

test('without Citus, and for a cell that is on no node, the URL stays', async () => {
  await using stack = new AsyncDisposableStack()
  const { owner, url } = await openCell(stack)
  assert.equal(await urlAtNode(url), url)
  await pretendCitus(owner, {}, '5432')
  assert.equal(await urlAtNode(url), url)
})

test("a process connects straight to its cell's node: the active primary with a whole placement", async () => {
  await using stack = new AsyncDisposableStack()
  const { owner, url } = await openCell(stack)
  const { port } = new URL(url)
  await pretendCitus(owner, { head: 1, entry: 1 }, port)
  // What else the URL says stays: the schema, above all.
  const given = new URL(url)
  given.searchParams.set('search_path', 'public,pg_catalog')
  const found = await urlAtNode(given.href)
  const expected = given
  expected.hostname = 'localhost'
  expected.searchParams.delete('host')
  assert.equal(found, expected.href)
  const there = connect(found, { max: 1 })
  stack.defer(() => there.end({ timeout: 1 }))
  assert.deepEqual([...(await there`select 1 as one`)], [{ one: 1 }])
})

test('a cell whose tables are on two nodes is refused, with both', async () => {
  await using stack = new AsyncDisposableStack()
  const { owner, url } = await openCell(stack)
  await pretendCitus(owner, { head: 1, entry: 2 }, '6000')
  await assert.rejects(
    urlAtNode(url),
    (error) => error instanceof StartError && /localhost:6000, node-2.example:5432/.test(error.message),
  )
})
