// The doors of a file: what is believed of a signed call, what the files of a ZIP come to together, and what a folder's pass leaves.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { silentLog } from '#/kernel/log.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { reportFile } from '../../../test/rails/sepa-files.ts'
import { zipFile } from '../../../test/rails/zip-files.ts'
import { beginningBy, openSepaInbox, statementOf, type SepaAccount } from '../../../test/sepa-inbox.ts'
import { isBankFile, sepaCallbacks } from './callbacks.ts'
import { importFolder } from './folder.ts'
import { handIn } from './hand-in.ts'
import { fileBytesMax } from './xml.ts'

const inbox = openForTests(openSepaInbox)

const key = 'a-key-of-thirty-two-characters-at-least'
const called = '1700000000'
const body = Buffer.from('<a/>')

async function reasonOf({
  timestamp = called,
  at = called,
  signature = '',
  secrets = { callbackKey: key },
  file = body,
}: { timestamp?: string; at?: string; signature?: string; secrets?: object; file?: Buffer } = {}) {
  const id = inbox.connect().id
  const settings = { iban: 'PT50000201231234567890154', beneficiary: 'Vintem' }
  const connection: ProviderConnection = {
    id,
    mode: 'SANDBOX',
    method: 'SEPA_TRANSFER',
    provider: 'camt',
    settings,
    secrets: { ...secrets },
  }
  const signed = createHmac('sha256', key).update(`${timestamp}.`).update(file).digest('hex')
  const headers = {
    ...(timestamp === '' ? {} : { 'vintem-timestamp': timestamp }),
    ...(signature === 'none' ? {} : { 'vintem-signature': signature === '' ? signed : signature }),
  }
  const book = { of: () => [], all: () => [], find: () => connection }
  const receivedAt = new Date(Number(at) * 1_000)
  const verdict = await sepaCallbacks(book).verify({ connection: id, headers, body: file, receivedAt })
  return verdict.ok ? undefined : verdict.reason
}

test('a call is believed for 300 seconds around its timestamp, in ten digits, under the connection’s key', async () => {
  for (const at of ['1700000000', '1700000300', '1699999700'])
    assert.equal(await reasonOf({ at }), undefined, at)
  for (const at of ['1700000301', '1699999699'])
    assert.equal(await reasonOf({ at }), 'its timestamp is not of now', at)
  for (const timestamp of ['+1700000000', '1700000000.0', ' 1700000000'])
    assert.equal(await reasonOf({ timestamp }), 'its timestamp is not of now', timestamp)
  assert.equal(await reasonOf({ timestamp: '' }), 'it is not signed')
  assert.equal(await reasonOf({ signature: 'none' }), 'it is not signed')
  for (const signature of ['0'.repeat(64), '0'.repeat(63), 'x'])
    assert.equal(await reasonOf({ signature }), 'its signature is wrong', signature)
  assert.equal(await reasonOf({ secrets: {} }), 'the connection has no callbackKey')
  assert.equal(await reasonOf({ file: Buffer.from('{}') }), 'it is neither XML nor a ZIP')
})

test('files of banks are XML, in any encoding, and ZIPs', () => {
  const xml = '<?xml version="1.0"?>'
  for (const file of [
    Buffer.from(xml),
    Buffer.from(`\uFEFF \n${xml}`),
    Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(xml, 'utf16le')]),
    zipFile([]),
  ])
    assert.ok(isBankFile(file))
  for (const text of ['', '{}', '[<', 'x<a/>']) assert.ok(!isBankFile(Buffer.from(text)), text)
})

const empty = (account: SepaAccount, id: string, opening = 0) => statementOf(account, id, [], { opening })
const inZip = (files: readonly Buffer[], name = 'bank.zip') =>
  handIn(inbox.deps, {
    bytes: zipFile(files.map((bytes, at) => ({ name: `${at}.xml`, bytes }))),
    name,
    by: 'ana',
  })
const stranger: SepaAccount = { iban: 'PT50STRANGER', id: 'nobody' as SepaAccount['id'] }
const of = { movements: 0, paid: 0, proposed: 0, held: 0, foreign: 0, skipped: 0 }

test('a ZIP counts what all of its files brought, without those of accounts that are not connected', async () => {
  const [one, two] = [inbox.connect(), inbox.connect()]
  const files = [
    statementOf(one, 'S', [{ ref: 'A', minor: 1 }]),
    statementOf(two, 'S', [
      { ref: 'A', minor: 1 },
      { ref: 'B', minor: 2 },
    ]),
    empty(stranger, 'S'),
  ]
  const message = 'camt.053.001.02'
  assert.deepEqual(await inZip(files), { state: 'IMPORTED', message, ...of, movements: 3, skipped: 1 })
  assert.deepEqual(await inZip(files.slice(0, 2)), { state: 'KNOWN', message })
  const alone = await inZip([...files.slice(0, 2), empty(one, 'S2', 1)])
  assert.deepEqual(alone, { state: 'IMPORTED', message, ...of })
})

test('a ZIP of nothing, or of strangers’ files alone, is refused', async () => {
  assert.deepEqual(await inZip([]), { state: 'REFUSED', reason: 'it is a ZIP without a file' })
  const refused = await inZip([empty(stranger, 'S')])
  assert.equal('reason' in refused && refused.reason, 'it is of PT50STRANGER: that account is not connected')
  const cut = await handIn(inbox.deps, { bytes: Buffer.from('PK\x03\x04'), name: 'a.zip', by: 'ana' })
  assert.equal('reason' in cut && cut.reason, 'it is a ZIP that is cut off')
})

test('a ZIP with refused files names five of them, and says what of it was imported', async () => {
  const account = inbox.connect()
  const bad = (count: number) => Array.from({ length: count }, (_, at) => Buffer.from(`<x${at}/>`))
  const reasonOfBad = (at: number) => `${at + 1}.xml: it is XML with the root x${at}`
  for (const [count, more] of [
    [5, /x4, which [^;]*$/],
    [6, /; and 1 more$/],
  ] as const) {
    const refused = await inZip([empty(account, `S${count}`), ...bad(count)])
    assert.ok(refused.state === 'REFUSED')
    const said = `${count} of ${count + 1} files in it were refused, 1 were imported: `
    assert.ok(refused.reason.startsWith(said), refused.reason)
    for (let at = 0; at < 5; at++) assert.ok(refused.reason.includes(reasonOfBad(at)), refused.reason)
    assert.ok(!refused.reason.includes('root x5'))
    assert.match(refused.reason, more)
  }
  // Accounts of others are left out, but not beside a file that is refused.
  const mixed = await inZip([empty(stranger, 'S'), ...bad(1)])
  assert.match(
    'reason' in mixed ? mixed.reason : '',
    /^1 of 2 files in it were refused, 0 were imported: 1\.xml: /,
  )
})

test('a file of a ZIP is kept under the names of both, up to 255 signs, and what it raises is told', async () => {
  const account = inbox.connect()
  await inZip([empty(account, 'S')], 'n'.repeat(251))
  const [row] = await inbox.sql`select name from sepa_file where connection = ${account.id}`
  assert.equal(row?.['name'], `${'n'.repeat(251)}/0.x`)
  const id = '019a0000-0000-7000-8000-000000000001'
  await inbox.sql`
    insert into sepa_batch (id, connection, message_id, bytes, payouts, sum_minor, made_by, created_at)
    values (${id}, ${account.id}, 'MSG', '', 1, 1, 'ana', now())`
  await inbox.sql`
    insert into sepa_payout (reference, connection, kind, payout_id, merchant_id, amount_minor, iban, beneficiary, state, batch_id,
                             created_at, changed_at)
    values ('P', ${account.id}, 'WITHDRAWAL', ${id}, ${id}, 1, 'X', 'Ana', 'BATCHED', ${id}, now(), now())`
  const canceled = reportFile({ messageId: 'MSG' }).toString().replace('PART', 'CANC')
  const imported = await inZip([Buffer.from(canceled)])
  assert.equal('raised' in imported && imported.raised, 'it says that the file was canceled (CANC)')
})

async function folderOf(t: TestContext, files: Readonly<Record<string, Buffer>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vintem-folder-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes)
  return folder
}
function recording() {
  const reported: unknown[] = []
  return { reported, log: { ...silentLog, error: (fields: unknown) => reported.push(fields) } }
}

test('a pass takes 50 files, and tells of each that it refused', async (t) => {
  const names = Array.from({ length: 51 }, (_, at) => `${100 + at}.xml`)
  const folder = await folderOf(t, Object.fromEntries(names.map((name) => [name, Buffer.from('<x/>')])))
  const { reported, log } = recording()
  assert.equal(await importFolder({ ...inbox.deps, log }, folder), 50)
  assert.deepEqual((await readdir(folder)).toSorted(), ['150.xml', 'refused'])
  const reason =
    'it is XML with the root x, which names no message of ISO 20022: camt.052, camt.053 and camt.054 of version 02 to 13 are read'
  assert.deepEqual(reported[0], { file: '100.xml', reason })
  assert.equal(reported.length, 50)
})

test('a file that is larger than any bank’s is refused unread; one that left meanwhile is nobody’s fault', async (t) => {
  const folder = await folderOf(t, {
    'a.xml': Buffer.alloc(fileBytesMax, ' '),
    'b.XML': Buffer.alloc(fileBytesMax + 1),
  })
  await symlink('gone', path.join(folder, 'c.xml'))
  const { reported, log } = recording()
  assert.equal(await importFolder({ ...inbox.deps, log }, folder), 2)
  assert.match(JSON.stringify(reported[0]), /a\.xml.*it is no XML/)
  assert.deepEqual(reported.slice(1), [{ file: 'b.XML', reason: 'it is larger than 16777216 bytes' }])
})

test('another fault is thrown when all other files were tried', async (t) => {
  const account = inbox.connect()
  const folder = await folderOf(t, { 'a.xml': empty(account, 'S'), 'b.xml': Buffer.from('<x/>') })
  const gone = Object.assign(new Error('the database went away'), { code: 'CONNECTION_CLOSED' })
  const deps = { ...inbox.deps, sql: beginningBy(inbox.sql, () => Promise.reject(gone)), log: silentLog }
  await assert.rejects(importFolder(deps, folder), gone)
  assert.deepEqual((await readdir(folder)).toSorted(), ['a.xml', 'refused'])
})
