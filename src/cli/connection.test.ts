import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { connectionKeys, openConnectionBook } from '#/merchants/connections.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import {
  connectionWorld,
  keys,
  ownKeys,
  secretsOf,
  shared,
  type Parts,
  type Shown,
} from '../../test/connection-world.ts'
import { p12Secrets } from '../../test/rails/pix/psp.ts'

const { folder, bank, database, openOffice, run, json, partsAtBank, write } = connectionWorld()

/** Answers only callers that present the bank's certificate. */
async function startCallbackServer(): Promise<AsyncDisposable & { readonly origin: string }> {
  const { certificate, privateKey, ca } = await bank().control('POST', '/server-certificates', {
    hosts: ['127.0.0.1'],
  })
  const tls = { cert: String(certificate), key: String(privateKey), ca: String(ca), requestCert: true }
  const server = createServer(tls, (_request, response) => void response.writeHead(200).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('a connection is added from a file and files beside it, works, and its provider learns the callback URL', async () => {
  const { settings, secrets, refundSecrets } = await partsAtBank()
  for (const [name, pem] of [
    ['cert.pem', secrets['certificate']],
    ['key.pem', secrets['privateKey']],
    ['ca.pem', settings['ca']],
  ])
    writeFileSync(join(folder, String(name)), String(pem))
  const { ca: _ca, ...rest } = settings
  const { certificate: _cert, privateKey: _key, ...named } = secrets
  const file = write({
    provider: 'bacen',
    settings: { ...rest, caFile: 'ca.pem' },
    secrets: { ...named, certificateFile: 'cert.pem', privateKeyFile: 'key.pem' },
    refundSecrets,
  })
  const added = await json<Shown>(['add', 'pix', ...shared, '--file', file])
  assert.deepEqual([added.mode, added.isActive, added.canRefund], ['SANDBOX', true, true])

  const tested = await run(['test', added.id])
  assert.equal(tested.code, 0, tested.err)
  assert.match(tested.out, /collection: certificate: valid until \d{4}-/)
  assert.match(tested.out, /collection: token, read what was received: works/)
  assert.match(tested.out, /where they go: nowhere yet/)
  assert.match(tested.out, /refunds: token, read a refund: works/)

  const silent = { ...ownKeys, VINTEM_CALLBACK_URL: 'https://127.0.0.1:1' }
  const refused = await run(['register', added.id], silent)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /refuses https:.* PUT \/webhook\/\{chave\}: HTTP 400 /)

  await using server = await startCallbackServer()
  const registered = await run(['register', added.id], { ...ownKeys, VINTEM_CALLBACK_URL: server.origin })
  assert.deepEqual([registered.code, registered.err], [0, ''])
  const url = `${server.origin}/callbacks/pix/${added.id}`
  assert.ok(registered.out.includes(url))
  assert.ok((await run(['test', added.id])).out.includes(`where they go: to ${url}`))
  const sql = connect(database().appUrl, { max: 1 })
  const rows = await sql<{ action: string }[]>`
    select action from audit_log where subject = ${`connection:${added.id}`} order by id`
  await sql.end({ timeout: 1 })
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['connection.add', 'connection.register'],
  )
})

test('the secrets are encrypted under two keys, and no command prints them', async () => {
  const parts = await partsAtBank()
  const file = write({ provider: 'bacen', ...parts })
  const all = [
    await run(['add', 'pix', ...shared, '--file', file]),
    await run(['list']),
    await run(['list', '--json']),
  ]
  const { id } = (JSON.parse(all[2]?.out ?? '') as Shown[]).at(-1) ?? assert.fail('it is listed')
  all.push(
    await run(['test', id]),
    await run(['replace', id, '--file', file]),
    await run(['disable', id, '--json']),
  )
  const secret = [...Object.entries(parts.secrets), ...Object.entries(parts.refundSecrets)].filter(
    ([name]) => name !== 'clientId',
  )
  for (const { out, err, code } of all) {
    assert.equal(code, 0, err)
    for (const [name, value] of secret) assert.ok(!`${out}${err}`.includes(value.slice(0, 80)), name)
  }

  const { sql } = openOffice()
  const [master, worker] = [
    Buffer.from(keys.VINTEM_MASTER_KEY, 'hex'),
    Buffer.from(keys.VINTEM_WORKER_KEY, 'hex'),
  ]
  const books = await Promise.all(
    [connectionKeys(master, worker), connectionKeys(master, undefined)].map((each) =>
      openConnectionBook({ sql, keys: each, log: silentLog }),
    ),
  )
  const [full, half] = books.map((book) => book.find(id))
  assert.deepEqual([full?.secrets, full?.refundSecrets], [parts.secrets, parts.refundSecrets])
  assert.deepEqual([half?.secrets, half?.refundSecrets], [parts.secrets, undefined])
  for (const book of books) book.close()
  await sql.end()
})

test("a file's faults are all reported, none repeats a secret, and nothing is kept", async () => {
  const { settings, secrets, refundSecrets } = await partsAtBank()
  const before = await json<Shown[]>(['list'])
  for (const [content, ...faults] of [
    [
      { provider: 'bacen', settings, secrets: { ...secrets, clientSecret: '' }, refundSecrets },
      '/secrets/clientSecret',
    ],
    [
      { provider: 'bacen', settings, secrets, refundSecrets: { ...refundSecrets, privateKey: 'hush' } },
      '/refundSecrets/privateKey',
    ],
    [
      { provider: 'bacen', settings: { ...settings, pixKey: '', callbackCa: 'hush' }, secrets },
      '/settings/pixKey',
      '/settings/callbackCa',
    ],
    [{ provider: 'nobody', settings, secrets }, '/provider'],
    [{ provider: 'bacen', settings: { ...settings, pixkey: 'a' }, secrets }, '/settings/pixkey'],
    [{ provider: 'bacen', settings, secrets: { ...secrets, pfxFile: 'nothing.p12' } }, '/secrets/pfxFile'],
    [
      { provider: 'bacen', settings, secrets: { ...secrets, certificateFile: 'c' } },
      '/secrets/certificateFile',
    ],
    [{ provider: 'bacen', settings, secrets: 'hush' }, '/secrets'],
    [{ provider: 'bacen', settings, secrets, extra: 1 }, '/extra'],
    // Every object has these names, no connection file does.
    [{ provider: 'bacen', settings, secrets, toString: {} }, '/toString'],
    [{ provider: 'bacen', settings: { ...settings, constructor: 'a' }, secrets }, '/settings/constructor'],
  ] as const) {
    const { code, out, err } = await run(['add', 'pix', ...shared, '--file', write(content)])
    assert.deepEqual([code, out], [2, ''])
    for (const pointer of faults) assert.ok(err.includes(`${pointer}: `), `${pointer} in ${err}`)
    assert.ok(!err.includes('hush') && !err.includes('PRIVATE KEY'), err)
  }
  const broken = await run(['add', 'pix', ...shared, '--file', write('{"secrets": "hush"')])
  assert.ok(broken.code === 2 && !broken.err.includes('hush'), broken.err)
  assert.deepEqual(await json<Shown[]>(['list']), before)
})

test('a PKCS #12 file with its passphrase works as well as PEM', async () => {
  const { settings } = await partsAtBank()
  const { pfx, passphrase, clientId, clientSecret } = p12Secrets
  writeFileSync(join(folder, 'collect.p12'), Buffer.from(pfx, 'base64'))
  const secrets = { clientId, clientSecret, pfxFile: 'collect.p12', passphrase }
  const file = write({ provider: 'efi', settings, secrets })
  assert.equal((await json<Shown>(['add', 'pix', ...shared, '--file', file])).canRefund, false)
  const other = write({ provider: 'efi', settings, secrets: { ...secrets, passphrase: 'hush' } })
  assert.match((await run(['add', 'pix', ...shared, '--file', other])).err, /\/secrets\/pfx: /)
})

test('credentials that the provider refuses fail the test of the connection', async () => {
  const { settings, secrets, refundSecrets } = await partsAtBank()
  const wrong = { ...secrets, clientSecret: 'another' }
  const file = write({ provider: 'bacen', settings, secrets: wrong, refundSecrets })
  const { id } = await json<Shown>(['add', 'pix', ...shared, '--file', file])
  const { code, out } = await run(['test', id])
  assert.equal(code, 1)
  assert.match(out, /collection: token, read what was received: no access token: HTTP 40\d/)
  assert.match(out, /refunds: token, read a refund: works/)
  assert.ok(!out.includes('another'))
})

test("a merchant's connection has the merchant's mode, and one of an unknown merchant is refused", async () => {
  const office = openOffice()
  const { merchant } = await createMerchant(office, { mode: 'SANDBOX', name: 'Ana' })
  await office.close()
  const file = write({ provider: 'bacen', ...(await partsAtBank()) })
  const ofMerchant = await json<Shown & { merchantId: string }>([
    'add',
    'pix',
    '--merchant',
    merchant.id,
    '--file',
    file,
  ])
  assert.deepEqual([ofMerchant.mode, ofMerchant.merchantId], ['SANDBOX', merchant.id])
  for (const wrong of [
    ['--merchant', newId()],
    ['--merchant', merchant.id, '--shared'],
    ['--merchant', merchant.id, '--mode', 'LIVE'],
    ['--shared'],
    [],
  ])
    assert.equal((await run(['add', 'pix', ...wrong, '--file', file])).code, 2, wrong.join(' '))
  assert.equal((await run(['add', 'boleto', ...shared, '--file', file])).code, 2)
})

test('a disabled connection gets no new payment and still accepts its receipts', async () => {
  const file = write({ provider: 'bacen', ...(await partsAtBank()) })
  const { id } = await json<Shown>(['add', 'pix', ...shared, '--file', file])
  const states = [await json<Shown>(['disable', id]), await json<Shown>(['enable', id])]
  assert.deepEqual(
    states.map(({ isActive }) => isActive),
    [false, true],
  )
  assert.equal((await run(['disable', 'a1-nobody'])).code, 2)
  const other = write({ provider: 'efi', ...(await partsAtBank()) })
  assert.match(
    (await run(['replace', id, '--file', other])).err,
    /The connection is at bacen, the file says efi/,
  )
})

test('the secrets of a sending connection are encrypted under the worker key, and it works', async () => {
  const { settings, secrets, refundSecrets } = await partsAtBank()
  const receiving = await json<Shown>([
    'add',
    'pix',
    ...shared,
    '--file',
    write({ provider: 'bacen', settings, secrets, refundSecrets }),
  ])
  const { receiverName: _name, receiverCity: _city, ...rest } = settings
  const sending = await bank().control('POST', '/applications', {
    pixKey: settings['pixKey'],
    scopes: ['pix.send', 'gn.balance.read'],
  })
  const file = (more: object) =>
    write({
      provider: 'efi',
      settings: { ...rest, baseUrl: bank().apiUrl, account: receiving.id, ...more },
      secrets: secretsOf(sending as Parts['secrets']),
    })
  const { id } = await json<Shown>(['add', 'pix-payout', ...shared, '--file', file({})])
  const probed = await run(['test', id])
  assert.deepEqual([probed.code, probed.err], [0, ''], probed.out)
  assert.match(probed.out, /payouts: token, read what was sent: works/)

  const office = openOffice()
  const masterKey = Buffer.from(keys.VINTEM_MASTER_KEY, 'hex')
  const book = await openConnectionBook({
    sql: office.sql,
    keys: connectionKeys(masterKey, undefined),
    log: silentLog,
  })
  const found = book.find(id)
  assert.deepEqual([found?.method, found?.secrets, found?.refundSecrets], ['PIX_PAYOUT', {}, undefined])
  book.close()
  await office.close()

  const stranger = await run(['add', 'pix-payout', ...shared, '--file', file({ account: 'a1-x' })])
  assert.deepEqual([stranger.code, /is no SANDBOX connection of pix/.test(stranger.err)], [2, true])
  const wrong = await run(['add', 'pix-payout', ...shared, '--file', file({ receiverName: 'x' })])
  assert.match(wrong.err, /\/settings\/receiverName: There is no such field/)
  const deaf = await run(['register', id], { ...ownKeys, VINTEM_CALLBACK_URL: 'https://x.example' })
  assert.match(deaf.err, /receives no money/)
})
