// The directory: which cells there are, where a merchant is, and what one cell alone may use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { testDatabase } from '../../test/postgres.ts'
import { checkedBooks, checkedCode, checkedHost, checkedServers } from './cell.ts'
import { claimAll, addCell, changeCell, listCells, openDirectory, placeMerchant } from './directory.ts'
import { countPlaced } from './queries.ts'

/** A directory in a schema of its own. */
async function openTestDirectory(stack: AsyncDisposableStack) {
  const database = stack.use(await testDatabase())
  const owner = connect(database.ownerUrl, { max: 1 })
  await owner`create schema directory`
  await owner.end()
  const url = new URL(database.ownerUrl)
  url.searchParams.set('search_path', 'directory,public,pg_catalog')
  const directory = await openDirectory(url.href)
  stack.defer(directory.close)
  return { directory, url: url.href }
}

const refused = (code: AppError['code'], message: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === code && message.test(error.message)

const one = { servers: ['10.0.0.1:4000'] }
const two = { servers: ['10.0.0.2:4000', '10.0.0.3:4000'] }

test('cells are added and changed; of a code, a server or a host name there is one', async () => {
  await using stack = new AsyncDisposableStack()
  const { directory, url } = await openTestDirectory(stack)
  await addCell(directory, 'ana', { code: 'a1', ...one, callbackHost: 'pix-a1.example.com' })
  await addCell(directory, 'ana', { code: 'a2', ...two, books: 'postgres://db/vintem?search_path=a2' })
  const before = await listCells(directory)
  assert.deepEqual(before, [
    { code: 'a1', state: 'ACTIVE', isDefault: true, ...one, callbackHost: 'pix-a1.example.com' },
    { code: 'a2', state: 'ACTIVE', isDefault: false, ...two, books: 'postgres://db/vintem?search_path=a2' },
  ])
  await assert.rejects(
    addCell(directory, 'ana', { code: 'a1', servers: ['10.0.0.9:4000'] }),
    refused('invalid_state', /cell a1 already/),
  )
  await assert.rejects(
    addCell(directory, 'ana', { code: 'a3', servers: ['10.0.0.3:4000'] }),
    refused('invalid_state', /10.0.0.3:4000 is a server of another/),
  )
  await assert.rejects(
    changeCell(directory, 'ana', 'a2', { dashboardHost: 'pix-a1.example.com' }),
    refused('invalid_state', /named twice/),
  )
  await assert.rejects(
    changeCell(directory, 'ana', 'zz', { state: 'DRAINING' }),
    refused('not_found', /no cell zz/),
  )
  assert.deepEqual(await listCells(directory), before, 'what was refused changed nothing')

  await changeCell(directory, 'bea', 'a2', { state: 'DRAINING', isDefault: true, servers: ['10.0.0.4:4000'] })
  assert.deepEqual(
    (await listCells(directory)).map(({ code, state, isDefault, servers }) => [
      code,
      state,
      isDefault,
      servers,
    ]),
    [
      ['a1', 'ACTIVE', false, ['10.0.0.1:4000']],
      ['a2', 'DRAINING', true, ['10.0.0.4:4000']],
    ],
  )
  const changes = await directory.sql<
    { cell: string; who: string }[]
  >`select cell, who from cell_change order by id`
  assert.deepEqual(
    [...changes].map(({ cell, who }) => [cell, who]),
    [
      ['a1', 'ana'],
      ['a2', 'ana'],
      ['a2', 'bea'],
    ],
  )
  // It is up to date, also when it is opened again.
  await (await openDirectory(url)).close()
})

test('what an operator says of a cell is read, and what is none of it is refused', () => {
  assert.deepEqual(checkedServers('10.0.0.1:4000, api-b:4000,[fd00::1]:4000'), [
    '10.0.0.1:4000',
    'api-b:4000',
    '[fd00::1]:4000',
  ])
  for (const text of [
    '',
    'api',
    'api:0',
    'api:65532',
    'a b:4000',
    'a:1,a:1',
    'x:1\nserver y',
    "'x':1",
    '[::1:4000',
    '::1:4000',
  ])
    assert.throws(() => checkedServers(text), AppError, text)
  assert.equal(checkedHost('Pix-A1.example.com'), 'pix-a1.example.com')
  for (const text of ['', '10.0.0.1', 'a_b.com', 'https://a.com', 'a..b', 'a b', 'x }'])
    assert.throws(() => checkedHost(text), AppError, text)
  assert.equal(checkedCode('z9'), 'z9')
  for (const text of ['', 'A1', 'a', 'a1b', 'a-']) assert.throws(() => checkedCode(text), AppError, text)
  assert.equal(
    checkedBooks('postgres://me@db:5432/v?search_path=a2'),
    'postgres://me@db:5432/v?search_path=a2',
  )
  for (const text of ['', 'db', 'postgres://me:secret@db/v', 'http://db/v'])
    assert.throws(() => checkedBooks(text), AppError, text)
})

/** A cell whose merchants are a set of ids; `fail` says when making one is cut off. */
function cellOf(fail?: 'before' | 'after') {
  const made = new Set<MerchantId>()
  return {
    made,
    find: async (id: MerchantId) => (made.has(id) ? id : undefined),
    make: async (id: MerchantId) => {
      if (fail === 'before') throw new Error('killed')
      if (made.has(id)) throw new Error('the id is taken')
      made.add(id)
      if (fail === 'after') throw new Error('killed')
      return id
    },
  }
}

const bea = { cell: 'a1', mode: 'LIVE', name: 'Bea' } as const

test('a merchant whose creation was cut off is gone on with: there is one', async () => {
  await using stack = new AsyncDisposableStack()
  const { directory } = await openTestDirectory(stack)
  await addCell(directory, 'ana', { code: 'a1', ...one })
  const cell = cellOf()
  await assert.rejects(placeMerchant(directory, bea, { ...cell, make: cellOf('before').make }), /killed/)
  assert.deepEqual([...(await countPlaced(directory.sql))], [{ cell: 'a1', merchants: 1, pending: 1 }])
  // The answer of the cell is lost.
  const lost = {
    find: async () => undefined,
    make: async (id: MerchantId) => (cell.made.add(id), Promise.reject(new Error('killed'))),
  }
  await assert.rejects(placeMerchant(directory, bea, lost), /killed/)
  // Also while the cell takes no new ones: this one is there already.
  await changeCell(directory, 'ana', 'a1', { state: 'DRAINING' })
  const id = await placeMerchant(directory, bea, cell)
  assert.deepEqual([...cell.made], [id])
  assert.deepEqual([...(await countPlaced(directory.sql))], [{ cell: 'a1', merchants: 1, pending: 0 }])
})

test('the same merchant made by two commands at once is one; made again afterwards it is another', async () => {
  await using stack = new AsyncDisposableStack()
  const { directory } = await openTestDirectory(stack)
  await addCell(directory, 'ana', { code: 'a1', ...one })
  const cell = cellOf()
  await Promise.allSettled([placeMerchant(directory, bea, { ...cell, make: cellOf('before').make })])
  const ids = await Promise.all([placeMerchant(directory, bea, cell), placeMerchant(directory, bea, cell)])
  assert.equal(cell.made.size, new Set(ids).size)
  const third = await placeMerchant(directory, bea, cell)
  assert.ok(!ids.includes(third))
  const [counted] = await countPlaced(directory.sql)
  assert.deepEqual([counted?.merchants, counted?.pending], [cell.made.size, 0])
})

test('a cell that is drained, or that nobody knows, gets no merchant, and nothing is left of it', async () => {
  await using stack = new AsyncDisposableStack()
  const { directory } = await openTestDirectory(stack)
  await addCell(directory, 'ana', { code: 'a1', ...one })
  const cell = cellOf()
  await assert.rejects(
    placeMerchant(directory, { ...bea, cell: 'zz' }, cell),
    refused('not_found', /no cell zz/),
  )
  // Begun, and not in the cell yet, when it was drained.
  await assert.rejects(placeMerchant(directory, bea, cellOf('before')), /killed/)
  await changeCell(directory, 'ana', 'a1', { state: 'DRAINING' })
  await assert.rejects(placeMerchant(directory, bea, cell), refused('invalid_state', /a1 is drained/))
  await assert.rejects(placeMerchant(directory, bea, cell), refused('invalid_state', /a1 is drained/))
  assert.equal(cell.made.size, 0)
  assert.deepEqual([...(await countPlaced(directory.sql))], [])
})

test('an account, a treasury or a wallet belongs to one cell, whatever it is for there', async () => {
  await using stack = new AsyncDisposableStack()
  const { directory } = await openTestDirectory(stack)
  await addCell(directory, 'ana', { code: 'a1', ...one })
  await addCell(directory, 'ana', { code: 'a2', ...two })
  const account = { kind: 'PROVIDER_ACCOUNT', account: 'iban:DE1', label: 'The account' } as const
  const treasury = { kind: 'TREASURY', account: 'bsc:0x1', label: 'The treasury' } as const
  await claimAll(directory, 'a1', [account, treasury])
  await claimAll(directory, 'a1', [account, treasury])
  await assert.rejects(
    claimAll(directory, 'a2', [account]),
    refused('invalid_state', /The account belongs to cell a1: two cells would/),
  )
  await assert.rejects(
    claimAll(directory, 'a2', [{ ...treasury, kind: 'HOT_WALLET' }]),
    refused('invalid_state', /belongs to cell a1/),
  )
  const both = await Promise.allSettled(
    ['a1', 'a2'].map((cell) => claimAll(directory, cell, [{ ...account, account: 'iban:DE2' }])),
  )
  await assert.rejects(claimAll(directory, 'zz', [account]), refused('not_found', /no cell zz/))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})
