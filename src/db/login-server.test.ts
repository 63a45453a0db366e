// The parameters of encryption against a PostgreSQL that has it: what libpq refuses is refused, by the sentence that commands print, and what it
// accepts is encrypted.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { explainDatabaseError } from '#/cli/database-error.ts'
import { openAuthority, type Authority, type Identity } from '../../simulators/pix-bank/certificates.ts'
import { eventually } from '../../test/eventually.ts'
import { onKeptConnection } from '../../test/kept-connection.ts'
import { startTestCluster, type TestCluster } from '../../test/postgres.ts'
import { connect } from './client.ts'
import { StartError } from './failure.ts'

let cluster: TestCluster
let folder: string
let own: Authority
let other: Authority
let client: Identity
const fileOf = (name: string) => join(folder, name)

before(async () => {
  cluster = await startTestCluster()
  folder = mkdtempSync(join(tmpdir(), 'vintem-login-'))
  own = openAuthority(join(folder, 'own'))
  other = openAuthority(join(folder, 'other'))
  client = own.client('vintem')
  writeFileSync(fileOf('own.pem'), own.ca)
  writeFileSync(fileOf('other.pem'), other.ca)
  writeFileSync(fileOf('client.pem'), client.certificate)
  writeFileSync(fileOf('client.key'), client.privateKey, { mode: 0o600 })
})
after(async () => {
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
})

const asAdmin = <Result>(work: Parameters<typeof onKeptConnection<Result>>[1]) =>
  onKeptConnection(cluster.url, work)

/** The server shows this certificate to whoever connects from now on. */
async function serve(identity: Identity): Promise<void> {
  const [row] = await asAdmin((sql) => sql<{ at: string }[]>`select current_setting('data_directory') as at`)
  const at = String(row?.at)
  const { uid, gid } = statSync(at)
  for (const [name, text] of [
    ['server.crt', identity.certificate],
    ['server.key', identity.privateKey],
    ['root.crt', own.ca],
  ] as const) {
    writeFileSync(join(at, name), text, { mode: 0o600 })
    chownSync(join(at, name), uid, gid)
  }
  await asAdmin((sql) => sql`alter system set ssl_ca_file = 'root.crt'`)
  await asAdmin((sql) => sql`alter system set ssl = on`)
  await asAdmin((sql) => sql`select pg_reload_conf()`)
  const wanted = new X509Certificate(identity.certificate).fingerprint256
  await eventually('the server shows its new certificate', async () => (await shownNow()) === wanted)
}

/** The fingerprint of the certificate that a new connection is shown; undefined without encryption. */
function shownNow(): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const socket = connectTls({
    host: '127.0.0.1',
    port: Number(new URL(cluster.url).port),
    ALPNProtocols: ['postgresql'],
    rejectUnauthorized: false,
  })
  socket.once('secureConnect', () => resolve(socket.getPeerCertificate().fingerprint256))
  socket.once('error', () => resolve(undefined))
  socket.once('close', () => resolve(undefined))
  return promise.finally(() => socket.destroy())
}

type Answer = { readonly answer: string; readonly client?: string | null }

/** Logs in by the product's own client, and says whether the server has the connection as encrypted, or why there is none. */
async function login(host: string, query: string): Promise<Answer> {
  const url = new URL(cluster.url)
  url.search = query
  url.hostname = host
  try {
    const sql = connect(url.href, { max: 1, connectTimeoutSeconds: 20 })
    try {
      const [row] = await sql<{ ssl: boolean; dn: string | null }[]>`
        select ssl, client_dn as dn from pg_stat_ssl where pid = pg_backend_pid()`
      return { answer: row?.ssl === true ? 'encrypted' : 'plain', client: row?.dn ?? null }
    } finally {
      await sql.end({ timeout: 0 })
    }
  } catch (error) {
    if (error instanceof StartError) return { answer: 'refused' }
    return { answer: explainDatabaseError(error) ?? `not explained: ${String(error)}` }
  }
}

const failed = (code: string) =>
  new RegExp(`^The encrypted connection to the database failed \\(${code}\\)\\. Correct sslmode`)

/** Tries each query, and compares with what libpq says to it. */
async function expect(
  host: string,
  expected: readonly (readonly [query: string, answer: string | RegExp])[],
): Promise<void> {
  for (const [query, wanted] of expected) {
    const { answer } = await login(host, query)
    if (typeof wanted === 'string') assert.equal(answer, wanted, `${host}?${query}`)
    else assert.match(answer, wanted, `${host}?${query}`)
  }
}

const root = (name: 'own' | 'other') => `sslrootcert=${fileOf(`${name}.pem`)}`

test('at a server without encryption only what does not insist on it gets in', async () => {
  await expect('127.0.0.1', [
    ['', 'plain'],
    ['sslmode=disable', 'plain'],
    ['sslmode=allow', 'plain'],
    ['sslmode=prefer', 'plain'],
    ['sslmode=require', /^The database offers no encrypted connection, and sslmode/],
    [`sslmode=verify-ca&${root('own')}`, /^The database offers no encrypted connection, and sslmode/],
    [`sslmode=verify-full&${root('own')}`, /^The database offers no encrypted connection, and sslmode/],
  ])
})

test('each mode at a server whose certificate names localhost', async () => {
  await serve(own.server(['localhost']))
  const everywhere = [
    ['', 'plain'],
    ['sslmode=disable', 'plain'],
    ['sslmode=prefer', 'encrypted'],
    ['sslmode=require', 'encrypted'],
    [`sslmode=require&${root('own')}`, 'encrypted'],
    [`sslmode=verify-ca&${root('own')}`, 'encrypted'],
    [root('own'), 'encrypted'],
    // With a file of authorities `require` wants one of them.
    [`sslmode=require&${root('other')}`, failed('\\w+')],
    [`sslmode=verify-ca&${root('other')}`, failed('\\w+')],
    [`sslmode=verify-full&${root('other')}`, failed('\\w+')],
    // An authority that nobody knows is not among those of the system.
    ['sslmode=verify-ca', failed('\\w+')],
    ['sslmode=verify-full', failed('\\w+')],
    ['sslrootcert=system', failed('\\w+')],
    ['sslmode=require&sslrootcert=system', 'refused'],
    ['sslmode=require&channel_binding=prefer', 'encrypted'],
    ['sslmode=require&channel_binding=disable', 'encrypted'],
    ['sslmode=require&channel_binding=require', 'refused'],
    ['channel_binding=require', 'refused'],
    [`sslmode=verify-ca&channel_binding=require&${root('own')}`, 'encrypted'],
    [`sslmode=verify-ca&channel_binding=require&${root('other')}`, failed('\\w+')],
  ] as const
  for (const host of ['localhost', '127.0.0.1']) await expect(host, everywhere)
  const full = `sslmode=verify-full&${root('own')}`
  await expect('localhost', [
    [full, 'encrypted'],
    [`${full}&channel_binding=require`, 'encrypted'],
    [`${full}&sslnegotiation=direct`, 'encrypted'],
  ])
  await expect('127.0.0.1', [[full, failed('ERR_TLS_CERT_ALTNAME_INVALID')]])
})

test('a certificate that names the address fits the address alone', async () => {
  await serve(own.server(['127.0.0.1']))
  const full = `sslmode=verify-full&${root('own')}`
  await expect('127.0.0.1', [[full, 'encrypted']])
  await expect('localhost', [
    [full, failed('ERR_TLS_CERT_ALTNAME_INVALID')],
    [`sslmode=verify-ca&${root('own')}`, 'encrypted'],
  ])
})

test('a server in between with a certificate of another authority gets no password from who verifies', async () => {
  await serve(other.server(['localhost', '127.0.0.1']))
  for (const host of ['localhost', '127.0.0.1'])
    await expect(host, [
      [`sslmode=verify-ca&${root('own')}`, failed('\\w+')],
      [`sslmode=verify-full&${root('own')}`, failed('\\w+')],
      [`sslmode=verify-full&channel_binding=require&${root('own')}`, failed('\\w+')],
      // Who only encrypts does not notice, as with libpq.
      ['sslmode=require', 'encrypted'],
    ])
})

test('a certificate of our own is shown to the server', async () => {
  await serve(own.server(['localhost']))
  const shown = `sslcert=${fileOf('client.pem')}&sslkey=${fileOf('client.key')}`
  for (const mode of ['require', `verify-full&${root('own')}`]) {
    const { answer, client: name } = await login('localhost', `sslmode=${mode}&${shown}`)
    assert.deepEqual([answer, name], ['encrypted', '/CN=vintem'], mode)
  }
})
