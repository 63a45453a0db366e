import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readConfig } from '#/config.ts'
import { connect, type Sql } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { methods } from '#/rails/methods.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { templateCommand } from './template.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

let database: TestDatabase
let sql: Sql
const folder = mkdtempSync(join(tmpdir(), 'vintem-template-'))
const merchantId: MerchantId = newId()

before(async () => {
  database = await testDatabase()
  sql = connect(database.appUrl, { max: 2 })
  await sql`insert into merchant (id, mode, name, webhook_secret, created_at) values (${merchantId}, 'LIVE', 'Ana', '', now())`
})
after(async () => {
  await sql.end()
  await database[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function run(...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const code = await templateCommand([...args, '--merchant', merchantId], terminal, {
    config: () => readConfig({}),
    open: async () => ({
      sql,
      clock: systemClock,
      sealKey: Buffer.alloc(32),
      pepper: Buffer.alloc(32),
      cell: 'a1',
      openWallets: openStartingWallets,
      close: async () => {},
    }),
  })
  return { code, ...printed }
}

async function json<Result>(...args: readonly string[]): Promise<Result> {
  const { code, out, err } = await run(...args, '--json')
  assert.deepEqual([code, err], [0, ''])
  return JSON.parse(out) as Result
}

function fileOf(content: unknown, name = 't.json'): string {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test('every merchant has the default template, and can show its content', async () => {
  assert.deepEqual(await json('list'), [{ slug: 'default', isActive: true, revision: 0 }])
  assert.match(
    (await run('list')).out,
    /^Slug +Active +Revision +Changed\ndefault +active +0 +as every merchant has it\n$/,
  )
  const shown = await json<{ document: { methods: { method: string }[] } }>('show', 'default')
  assert.deepEqual(
    shown.document.methods.map(({ method }) => method),
    [...methods],
  )
  assert.match((await run('revisions', 'default')).out, /It was never changed/)
})

test('a template is set, shown, set again from what is shown, and switched', async () => {
  writeFileSync(join(folder, 'logo.png'), Buffer.from(pixel, 'base64'))
  const file = fileOf({ name: 'Shop', brand: { logoFile: 'logo.png', colors: { accent: '#0B6B53' } } })
  const first = await json<{ revision: number; isNew: boolean }>('set', 'shop', '--file', file)
  assert.deepEqual([first.revision, first.isNew], [1, true])
  const document = (await run('show', 'shop', '--document')).out
  assert.deepEqual((JSON.parse(document) as { brand: object }).brand, {
    theme: 'auto',
    font: 'system',
    radius: 12,
    colors: { accent: '#0b6b53' },
    logo: `data:image/png;base64,${pixel}`,
  })
  const again = await json<{ revision: number; isNew: boolean }>('set', 'shop', '--file', fileOf(document))
  assert.deepEqual([again.revision, again.isNew], [1, false])
  await json('set', 'shop', '--file', fileOf({ name: 'Shop 2' }))
  assert.deepEqual(
    (await json<{ number: number; name: string }[]>('revisions', 'shop')).map(({ number, name }) => [
      number,
      name,
    ]),
    [
      [2, 'Shop 2'],
      [1, 'Shop'],
    ],
  )
  const old = await json<{ document: { name: string } }>('show', 'shop', '--revision', '1')
  assert.equal(old.document.name, 'Shop')
  assert.match((await run('deactivate', 'shop')).out, /Active +false/)
  assert.match(
    (await run('set', 'shop', '--file', fileOf({ name: 'Shop 3' }))).out,
    /Next: .*template activate shop/,
  )
  assert.equal((await json<{ isActive: boolean }>('activate', 'shop')).isActive, true)
})

test('the application cannot change or delete revisions', async () => {
  await json('set', 'kept', '--file', fileOf({ name: 'Kept' }))
  for (const statement of [
    sql`update template_revision set document = '{}' where slug = 'kept'`,
    sql`delete from template_revision where slug = 'kept'`,
  ])
    await assert.rejects(statement, /permission denied/)
})

test('when two set one template at a time, each makes a revision of its own', async () => {
  const files = [1, 2, 3, 4].map((n) => fileOf({ name: `Race ${n}` }, `race-${n}.json`))
  await Promise.all(files.map((file) => json('set', 'race', '--file', file)))
  const made = await json<{ number: number }[]>('revisions', 'race')
  assert.deepEqual(
    made.map(({ number }) => number),
    [4, 3, 2, 1],
  )
})

test('all faults of a file are reported with their places, and nothing is changed', async () => {
  const file = fileOf({ brand: { theme: 'neon', colors: { accent: 'red' } }, methods: [], x: 1 })
  const { code, err, out } = await run('set', 'bad', '--file', file)
  assert.deepEqual([code, out], [2, ''])
  for (const expected of [
    /\/name: This is missing\./,
    /\/brand\/theme: This is one of light, dark, auto\./,
    /\/methods: /,
    /\/x: There is no such field\./,
    /has \d faults; nothing was changed\./,
  ])
    assert.match(err, expected)
  assert.ok(!(await run('list')).out.includes('bad'))
})

test('what does not exist or cannot be read is reported in one line', async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['show', 'none'], /There is no template none\. See \.\/vintem template list/],
    [['show', 'My Shop'], /"My Shop" is no slug\./],
    [['show', 'default', '--revision', '7'], /default has no revision 7\./],
    [['deactivate', 'none'], /There is no template none\./],
    [['set', 'x'], /--file is missing\./],
    [['set', 'x', '--file', join(folder, 'none.json')], /cannot be read/],
    [['set', 'x', '--file', fileOf('{', 'broken.json')], /is no JSON/],
    [
      ['set', 'x', '--file', fileOf({ name: 'x', brand: { logoFile: 'logo.svg' } }, 'svg.json')],
      /no PNG, JPEG or WebP/,
    ],
  ]
  for (const [args, expected] of cases) {
    const { code, err } = await run(...args)
    assert.equal(code, 2, args.join(' '))
    assert.match(err, expected)
  }
})
