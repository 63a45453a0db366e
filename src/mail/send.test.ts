// Letters go through a real SMTP server: once, again when it fails, never to someone who does not exist.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { connect, type Sql } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { openLink } from '#/people/links.ts'
import { createUser } from '#/people/users.ts'
import { eventually } from '../../test/eventually.ts'
import { startHangingServer } from '../../test/hanging-server.ts'
import { freePort } from '../../test/ports.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { writeLetter, type Letter, userTeller } from './letter.ts'
import { createPostman } from './send.ts'

let database: TestDatabase
let sql: Sql
let server: SMTPServer
let port: number
const received: { readonly to: readonly string[]; readonly text: string }[] = []
/** The answers of the server to the next messages, instead of accepting them. */
let refusals: number[] = []

const masterKey = randomBytes(32)
const people = () => ({
  sql,
  key: randomBytes(32),
  site: { name: 'Vintem', rpId: 'localhost', origin: 'http://localhost:4004' },
})

before(async () => {
  database = await testDatabase()
  sql = connect(database.appUrl, { max: 4 })
  port = await freePort()
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const code = refusals.shift()
        if (code !== undefined) return done(Object.assign(new Error('not now'), { responseCode: code }))
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(parts).toString('utf8'),
        })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
})
after(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
})
beforeEach(() => {
  received.length = 0
  refusals = []
})

/** One round of a worker. Returns how many letters it took. */
async function round(
  server = `smtp://127.0.0.1:${port}`,
  more: { readonly patienceMs?: number } = {},
): Promise<number> {
  const postman = createPostman({
    sql,
    log: silentLog,
    masterKey,
    people: people(),
    server,
    from: 'Shop <no-reply@shop.example>',
    ...more,
  })
  try {
    return await postman.once()
  } finally {
    postman.close()
  }
}

async function waiting(): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from letter`
  return row?.count ?? 0
}

const invitation: Letter = {
  kind: 'INVITATION',
  to: 'ana@example.com',
  language: 'pt-BR',
  merchantName: 'Loja\r\nBcc: other@example.com',
  inviter: 'João',
  url: 'http://localhost:4004/open#token',
}

/** The text of a message, whose transfer encoding may wrap and quote it. */
function plain(text: string): string {
  const unwrapped = text.replaceAll(/=\r?\n/g, '')
  return Buffer.from(
    unwrapped.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
}

test('an invitation is sent once, in its language, and no text of a person begins a header', async () => {
  await writeLetter(sql, masterKey, invitation)
  assert.equal(await round(), 1)
  assert.equal(await round(), 0)
  assert.equal(received.length, 1)
  assert.deepEqual(received[0]?.to, ['ana@example.com'])
  const text = plain(received[0]?.text ?? '')
  assert.match(text, /Abra este link para aceitar/)
  assert.match(text, /http:\/\/localhost:4004\/open#token/)
  assert.doesNotMatch(text, /^Bcc:/m)
  assert.equal(await waiting(), 0)
})

test('what is stored says nothing to who reads the database', async () => {
  await writeLetter(sql, masterKey, invitation)
  const [row] = await sql<{ sealed: Buffer }[]>`select sealed from letter`
  const bytes = row?.sealed.toString('latin1') ?? ''
  assert.doesNotMatch(bytes, /ana@example|open#token/)
  await sql`delete from letter`
})

test('a letter that the server cannot take now is sent later, with the same Message-ID; one that it refuses for good is dropped', async () => {
  await writeLetter(sql, masterKey, invitation)
  const [{ id } = { id: '' }] = await sql<{ id: string }[]>`select id from letter`
  refusals = [451]
  await round()
  assert.deepEqual([received.length, await waiting()], [0, 1])
  await sql`update letter set due_at = now() - interval '1 second'`
  await round()
  assert.deepEqual([received.length, await waiting()], [1, 0])
  assert.match(received[0]?.text ?? '', new RegExp(`Message-ID: <${id}@shop\\.example>`, 'i'))

  await writeLetter(sql, masterKey, invitation)
  refusals = [550]
  await round()
  assert.deepEqual([received.length, await waiting()], [1, 0])
})

test('a letter that could not be sent for a day is dropped', async () => {
  await writeLetter(sql, masterKey, invitation)
  await sql`update letter set created_at = now() - interval '25 hours'`
  await round()
  assert.deepEqual([received.length, await waiting()], [0, 0])
})

test('a link to a new password goes to a user of this email alone, and works', async () => {
  await createUser(
    people(),
    { actor: { kind: 'SYSTEM', id: 'test' } },
    { email: 'ana@example.com', name: 'Ana', language: 'es' },
  )
  await writeLetter(sql, masterKey, { kind: 'RESET_REQUEST', email: 'nobody@example.com' })
  await writeLetter(sql, masterKey, { kind: 'RESET_REQUEST', email: ' ANA@example.com ' })
  await round()
  assert.deepEqual(
    received.map(({ to }) => to),
    [['ana@example.com']],
  )
  const token = /open#([\w-]+)/.exec(plain(received[0]?.text ?? ''))?.[1] ?? ''
  const { kind, email } = await openLink(people(), token)
  assert.deepEqual([kind, email], ['RESET', 'ana@example.com'])
  assert.equal(await waiting(), 0)
})

test('news of an account go to the user, in their language, with the address in one line', async () => {
  const user = await createUser(
    people(),
    { actor: { kind: 'SYSTEM', id: 'test' } },
    { email: 'bia@example.com', name: 'Bia', language: 'pt-BR' },
  )
  const tell = userTeller(masterKey, 'http://localhost:4004')
  const news = { userId: user.id, what: 'NEW_ADDRESS', address: '203.0.113.7\r\nBcc: x@example.com' } as const
  await sql.begin((tx) => tell(tx, news))
  // What is undone is not told.
  await assert.rejects(
    sql.begin(async (tx) => {
      await tell(tx, news)
      throw new Error('undone')
    }),
  )
  assert.equal(await round(), 1)
  assert.deepEqual(received[0]?.to, ['bia@example.com'])
  const text = plain(received[0]?.text ?? '')
  assert.match(text, /a partir de um endereço de rede que ainda não tinha sido usado/)
  assert.match(text, /Endereço: 203\.0\.113\.7 Bcc/)
  assert.match(text, /http:\/\/localhost:4004\/settings\/security/)
  assert.doesNotMatch(text, /^Bcc:/m)
})

const receipt = (nth: number): Letter => ({
  kind: 'RECEIPT',
  to: `payer${nth}@example.com`,
  language: 'en',
  merchantName: 'Loja',
  mode: 'LIVE',
  amount: '10.00 EUR',
  isRefund: false,
  paymentId: newId(),
})

test('however many receipts a merchant has to send, whoever waits for a link waits behind none of them', async () => {
  const [large, small] = [newId<'merchant'>(), newId<'merchant'>()]
  for (let nth = 0; nth < 20; nth += 1) await writeLetter(sql, masterKey, receipt(nth), large)
  await writeLetter(sql, masterKey, receipt(100), small)
  await writeLetter(sql, masterKey, invitation)
  await round()
  const first = received.flatMap(({ to }) => to)
  assert.ok(first.includes('ana@example.com'), first.join(' '))
  // One letter of each merchant comes before the second of any.
  assert.ok(first.includes('payer100@example.com'), first.join(' '))
  assert.ok(first.length <= 4, first.join(' '))
  while ((await round()) > 0);
  assert.equal(received.length, 22)
  assert.equal(await waiting(), 0)
})

test('a mail server that is silent keeps a letter for later, and holds up nothing else: writing letters asks nobody', async () => {
  await using hanging = await startHangingServer()
  const url = hanging.url.replace('http:', 'smtp:')
  await writeLetter(sql, masterKey, invitation)
  await writeLetter(sql, masterKey, receipt(1), newId<'merchant'>())
  const under = round(url, { patienceMs: 300 })
  await eventually('both lanes wait for the server', () => hanging.waiting >= 2)
  await writeLetter(sql, masterKey, { ...invitation, to: 'bea@example.com' })
  assert.equal(await under, 2)
  assert.equal(await waiting(), 3)
  await sql`update letter set due_at = now() - interval '1 second'`
  while ((await round()) > 0);
  assert.deepEqual(received.flatMap(({ to }) => to).toSorted(), [
    'ana@example.com',
    'bea@example.com',
    'payer1@example.com',
  ])
})
