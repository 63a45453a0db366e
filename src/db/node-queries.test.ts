// Which server a process connects to. Citus itself does not run here: see test/pretend-citus.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/postgres.ts'
import { pretendCitus } from '../../test/pretend-citus.ts'
import { connect } from './client.ts'
import { urlAtNode } from './node-queries.ts'
import { StartError } from './start-error.ts'

async function openCell(stack: AsyncDisposableStack) {
  const database = stack.use(await testDatabase())
  const owner = connect(database.ownerUrl, { max: 1 })
  stack.defer(() => owner.end({ timeout: 1 }))
  return { owner, url: database.ownerUrl }
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

test('of several hosts the one node is left, and is still used only while it is a primary', async () => {
  await using stack = new AsyncDisposableStack()
  const { owner, url } = await openCell(stack)
  const { port } = new URL(url)
  await pretendCitus(owner, { head: 1 }, port)
  const given = new URL(url)
  given.searchParams.delete('host')
  const found = await urlAtNode(given.href.replace(`:${port}/`, `:${port},127.0.0.1:${port}/`))
  const { host, searchParams } = new URL(found)
  assert.deepEqual([host, searchParams.get('target_session_attrs')], [`localhost:${port}`, 'primary'])
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
