// Which connections have a certificate that ends soon.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { addMs } from '#/kernel/time.ts'
import type { OpenConnection } from '#/merchants/connections.ts'
import { onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import certificates from '../../test/rails/pix/certificates.json' with { type: 'json' }
import { expiringConnections, firstEnd } from './expiry.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

/** As the certificates say: the authority's ends a second before the client's. */
const [ofAuthority, ofClient] = [new Date('2126-10-28T07:21:13Z'), new Date('2126-10-28T07:21:14Z')]

/** Opens connections whose settings and secrets these are, by id. */
const opening = (parts: Readonly<Record<string, Partial<OpenConnection>>>) => ({
  opened: (id: ConnectionId): OpenConnection | undefined =>
    parts[id] && { id, mode: 'LIVE', method: 'PIX', provider: 'x', settings: {}, secrets: {}, ...parts[id] },
})
const [withClient, withAuthority] = [
  { secrets: { certificate: certificates.clientCert } },
  { settings: { ca: certificates.ca } },
]

test('of the certificates of a connection the one that ends first counts', () => {
  const endOf = (parts: Partial<OpenConnection>) =>
    firstEnd(opening({ a: parts }), { id: 'a' as ConnectionId })
  assert.deepEqual(endOf(withClient), ofClient)
  assert.deepEqual(endOf({ ...withClient, ...withAuthority }), ofAuthority)
  assert.deepEqual(endOf({ secrets: { both: `${certificates.clientCert}${certificates.ca}` } }), ofAuthority)
  // The end of a PKCS#12 file is not read, nor that of what is no certificate.
  assert.equal(endOf({ secrets: { pfx: 'x' } }), undefined)
  const broken = '-----BEGIN CERTIFICATE-----x-----END CERTIFICATE-----'
  assert.equal(endOf({ settings: { ca: broken, count: 1 } }), undefined)
  assert.deepEqual(endOf({ ...withClient, settings: { ca: broken } }), ofClient)
  assert.equal(firstEnd(opening({}), { id: 'a' as ConnectionId }), undefined)
})

/** What ends before an instant, of these rows. */
const expiring = (connection: BareRows[string], parts: Parameters<typeof opening>[0], before: Date) =>
  onRows(sql, { connection, merchant: [] }, async (tx) => {
    const found = await expiringConnections(tx, opening(parts), before)
    return { ids: found.expiring.map((each) => String(each.connection.id)), isWhole: found.isWhole }
  })

test('what ends before an instant is listed, the earliest end first, of connections that are in use', async () => {
  const rows = [
    { id: 'client', is_active: true },
    { id: 'authority', is_active: true },
    { id: 'off', is_active: false },
    { id: 'gone', is_active: true, archived_at: '2026-11-22T00:00:00Z' },
    { id: 'none', is_active: true },
  ]
  const parts = { client: withClient, authority: withAuthority, off: withClient, gone: withClient }
  assert.deepEqual(await expiring(rows, parts, ofAuthority), { ids: [], isWhole: true })
  assert.deepEqual(await expiring(rows, parts, ofClient), { ids: ['authority'], isWhole: true })
  const later = addMs(ofClient, 1)
  assert.deepEqual(await expiring(rows, parts, later), { ids: ['authority', 'client'], isWhole: true })
  // The order of ids is not that of ends.
  const turned = { client: withAuthority, authority: withClient }
  assert.deepEqual((await expiring(rows, turned, later)).ids, ['client', 'authority'])
})

test('a thousand connections are scanned, each once', async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({ id: `c${String(nth).padStart(4, '0')}`, is_active: true }))
  // The last of the first page, and the first and last of others.
  const parts = { c0099: withClient, c0100: withClient, c0998: withClient, c0999: withClient }
  const later = addMs(ofClient, 1)
  const whole = { ids: ['c0099', 'c0100', 'c0998'], isWhole: true }
  assert.deepEqual(await expiring(rows(999), parts, later), whole)
  const cut = { ids: ['c0099', 'c0100', 'c0998', 'c0999'], isWhole: false }
  assert.deepEqual(await expiring(rows(1_000), parts, later), cut)
})
