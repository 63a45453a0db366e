// Members are notified of dates before they come: once each, by the database's clock. A merchant whose notice fails does not delay the
// others.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMember } from '#/people/members.ts'
import { createUser } from '#/people/users.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { openLetter } from './letter.ts'
import { hourMax } from './notices.ts'
import type { LetterId } from './queries.ts'
import { tellComingOnce } from './tell-coming.ts'
import { noticeText } from './words.ts'

const masterKey = randomBytes(32)
const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const
const origin = 'http://localhost:4004'
const people = () => ({ sql, key: randomBytes(32), site: { name: 'Vintem', rpId: 'localhost', origin } })

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 6 }))
beforeEach(() => sql`delete from letter`)

/** A merchant with one owner. */
async function merchant(): Promise<MerchantId> {
  const id = newId<'merchant'>()
  await sql`
    insert into merchant (id, mode, name, webhook_secret, created_at) values (${id}, 'LIVE', 'Loja', '', now())`
  const email = `${randomBytes(5).toString('hex')}@example.com`
  const user = await createUser(people(), by, { email, name: 'Ana', language: 'en' })
  await addMember(people(), by, { merchantId: id, role: 'OWNER', userId: user.id })
  return id
}

async function dispute(merchantId: MerchantId, dueIn: string, openedAgo = '10 days'): Promise<string> {
  const id = newId()
  await sql`
    insert into dispute (merchant_id, id, payment_id, connection, provider_ref, paid_ref, wallet_id, kind, status, amount_minor,
                         currency, evidence_due_at, created_at)
    values (${merchantId}, ${id}, ${newId()}, 'cards', ${id}, ${id}, ${newId()}, 'CHARGEBACK', 'OPEN', 1234, 'EUR',
            now() + ${dueIn}::interval, now() - ${openedAgo}::interval)`
  return id
}

async function key(merchantId: MerchantId, expiresIn: string, madeAgo = '90 days'): Promise<string> {
  const id = newId()
  await sql`
    insert into api_key (merchant_id, id, lineage, digest, last_four, name, scopes, created_at, expires_at)
    values (${merchantId}, ${id}, ${id}, ${randomBytes(32)}, 'abcd', ${'shop\r\nBcc: x@example.com'}, '{payments:read}',
            now() - ${madeAgo}::interval, now() + ${expiresIn}::interval)`
  return id
}

async function failing(merchantId: MerchantId, disableIn: string): Promise<string> {
  const id = newId()
  await sql`
    insert into webhook_endpoint (merchant_id, id, url, event_types_since, status, secret, created_at)
    values (${merchantId}, ${id}, 'https://shop.example/hook', now(), 'ENABLED', '', now())`
  await failAgain(merchantId, id, disableIn)
  return id
}

const failAgain = (merchantId: MerchantId, id: string, disableIn: string) => sql`
  insert into webhook_endpoint_failing (merchant_id, endpoint_id, since, attempts, disable_at, is_gone)
  values (${merchantId}, ${id}, now(), 30, now() + ${disableIn}::interval, false)`

const tell = () => tellComingOnce({ sql, log: silentLog, masterKey, origin })

/** What was sent since the last call: the notice and the last part of its link. */
async function notified(): Promise<readonly string[]> {
  const rows = await sql<{ id: LetterId; sealed: Buffer }[]>`delete from letter returning id, sealed`
  return rows
    .map(({ id, sealed }) => {
      const letter = openLetter(masterKey, id, sealed)
      if (letter.kind !== 'NOTICE') return letter.kind
      const { subject, text } = noticeText('en', letter)
      assert.doesNotMatch(`${subject}\n${text}`, /^Bcc:/m)
      assert.match(text, /UTC/)
      return `${letter.notice} ${letter.url.split('/').at(-1)}`
    })
    .toSorted()
}

test('members are notified three days and one day before evidence is due, once each, by whichever worker comes first', async () => {
  const id = await merchant()
  const soon = await dispute(id, '70 hours')
  await dispute(id, '80 hours')
  await dispute(id, '-1 hour')
  await Promise.all([tell(), tell()])
  await tell()
  assert.deepEqual(await notified(), [`DISPUTE_DUE ${soon}`])
  await sql`update dispute set evidence_due_at = now() + interval '23 hours' where id = ${soon}`
  await tell()
  await tell()
  assert.deepEqual(await notified(), [`DISPUTE_DUE ${soon}`])
})

test('there is no notice of evidence that was submitted, or of a dispute that was opened with less time', async () => {
  const id = await merchant()
  const sent = await dispute(id, '70 hours')
  await sql`
    insert into dispute_evidence (merchant_id, dispute_id, status, changed_at, changed_by, submission_id, submitted_at, submitted_by)
    values (${id}, ${sent}, 'SENDING', now(), ${newId()}, ${newId()}, now(), ${newId()})`
  await dispute(id, '70 hours', '1 hour')
  const closed = await dispute(id, '70 hours')
  await sql`update dispute set status = 'LOST', closed_at = now() where id = ${closed}`
  await tell()
  assert.deepEqual(await notified(), [])
})

test('members are notified of a failing endpoint after an hour, and again only when it failed again after a success', async () => {
  const id = await merchant()
  const endpoint = await failing(id, '118 hours')
  await failing(id, '119.5 hours')
  await tell()
  await tell()
  assert.deepEqual(await notified(), [`ENDPOINT_FAILING ${endpoint}`])
  await sql`delete from webhook_endpoint_failing where endpoint_id = ${endpoint}`
  await tell()
  await failAgain(id, endpoint, '118 hours')
  await tell()
  assert.deepEqual(await notified(), [`ENDPOINT_FAILING ${endpoint}`])
})

test('members are notified seven days before a key expires, but not of one that was made for less, rolled or revoked', async () => {
  const id = await merchant()
  const soon = await key(id, '6 days')
  await key(id, '8 days')
  await key(id, '6 days', '1 hour')
  const rolled = await key(id, '1 day')
  await sql`update api_key set rolled_from = ${rolled} where id = ${await key(id, '90 days')}`
  await sql`update api_key set revoked_at = now() where id = ${await key(id, '6 days')}`
  await tell()
  await tell()
  assert.deepEqual(await notified(), [`KEY_EXPIRING ${soon}`])
})

test('notices above the limit of an hour are written in the next one, and other merchants do not wait for them', async () => {
  const busy = await merchant()
  const ids = await Promise.all(Array.from({ length: hourMax.NOTICE + 2 }, () => key(busy, '6 days')))
  const quiet = await key(await merchant(), '6 days')
  await tell()
  const first = await notified()
  assert.equal(first.length, hourMax.NOTICE + 1)
  assert.ok(first.includes(`KEY_EXPIRING ${quiet}`))
  await sql`update mail_reader set hour = hour - interval '1 hour' where merchant_id = ${busy}`
  await tell()
  const all = [...first, ...(await notified())].filter((each) => each !== `KEY_EXPIRING ${quiet}`)
  assert.deepEqual(all.toSorted(), ids.map((each) => `KEY_EXPIRING ${each}`).toSorted())
})
