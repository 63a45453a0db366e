// Letters are made of events: once each, to those who may do something about it and chose so, in their language, and bounded.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMember } from '#/people/members.ts'
import type { Role } from '#/people/roles.ts'
import { createUser, setDisabled } from '#/people/users.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { openLetter, type Letter } from './letter.ts'
import { hourMax } from './notices.ts'
import type { LetterId } from './queries.ts'
import { readEventsOnce } from './read-events.ts'
import { chooseNotice, chooseReceipts, readMailChoice } from './settings.ts'
import { noticeText, receiptText } from './words.ts'

const masterKey = randomBytes(32)
const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const
const origin = 'http://localhost:4004'
const people = () => ({ sql, key: randomBytes(32), site: { name: 'Vintem', rpId: 'localhost', origin } })

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 6 }))
beforeEach(() => sql`delete from letter`)

async function merchant(mode: 'LIVE' | 'SANDBOX' = 'LIVE'): Promise<MerchantId> {
  const id = newId<'merchant'>()
  await sql`
    insert into merchant (id, mode, name, webhook_secret, created_at)
    values (${id}, ${mode}, ${'Loja\r\nBcc: x@example.com'}, '', now())`
  return id
}

async function member(merchantId: MerchantId, role: Role, language: 'pt-BR' | 'en' | 'es' = 'en') {
  const email = `${randomBytes(5).toString('hex')}@example.com`
  const { id } = await createUser(people(), by, { email, name: 'Ana', language })
  await addMember(people(), by, { merchantId, role, userId: id })
  return { id, email }
}

/** Writes an event as the ledger's batch does. */
async function happened(
  merchantId: MerchantId,
  type: string,
  data: Readonly<Record<string, unknown>>,
  resourceId: string = newId(),
  hoursAgo = 0,
) {
  await sql.begin(async (tx) => {
    const [row] = await tx<{ sequence: bigint }[]>`
      insert into event_counter (merchant_id, sequence) values (${merchantId}, 1)
          on conflict (merchant_id) do update set sequence = event_counter.sequence + 1 returning sequence`
    await tx`
      insert into event (merchant_id, sequence, id, type, mode, resource_id, body, batch, at)
      values (${merchantId}, ${row?.sequence ?? 0n}, ${newId()}, ${type}, 'LIVE', ${resourceId}, ${JSON.stringify({ data })}, 1,
              now() - make_interval(hours => ${hoursAgo}))`
  })
}

const read = () => readEventsOnce({ sql, log: silentLog, masterKey, origin })

async function letters(): Promise<readonly Letter[]> {
  const rows = await sql<{ id: LetterId; sealed: Buffer }[]>`select id, sealed from letter order by id`
  return rows.map(({ id, sealed }) => openLetter(masterKey, id, sealed))
}
const recipients = async () => (await letters()).map((letter) => ('to' in letter ? letter.to : '')).toSorted()

test('a notice goes once to each member who can do something about it and wants it, in their language', async () => {
  const id = await merchant()
  const [owner, finance, quiet] = [
    await member(id, 'OWNER', 'es'),
    await member(id, 'FINANCE', 'pt-BR'),
    await member(id, 'FINANCE'),
  ]
  await member(id, 'DEVELOPER')
  await chooseNotice(sql, id, quiet.id, { kind: 'WITHDRAWAL_APPROVAL', isOn: false }, by)
  const withdrawal = newId()
  await happened(id, 'withdrawal.approval_required', { amount: 123_456, currency: 'BRL' }, withdrawal)
  await happened(id, 'withdrawal.created', { amount: 1, currency: 'BRL' })
  // Two workers at once, and a third pass: each letter is written once.
  await Promise.all([read(), read()])
  await read()
  assert.deepEqual(await recipients(), [owner.email, finance.email].toSorted())
  const all = await letters()
  assert.deepEqual(all.map((each) => ('language' in each ? each.language : '')).toSorted(), ['es', 'pt-BR'])
  for (const letter of all) {
    if (letter.kind !== 'NOTICE') assert.fail(letter.kind)
    assert.equal(letter.amount, '1234.56 BRL')
    assert.equal(letter.url, `${origin}/m/${id}/withdrawals/${withdrawal}`)
    const { subject, text } = noticeText(letter.language, letter)
    assert.doesNotMatch(subject, /[\r\n]/)
    assert.doesNotMatch(text, /^Bcc:/m)
  }
})

test('a disabled member gets no letter, and gets them again when enabled', async () => {
  const id = await merchant()
  const [owner, left] = [await member(id, 'OWNER'), await member(id, 'FINANCE')]
  const tell = async () => {
    await happened(id, 'withdrawal.approval_required', { amount: 1, currency: 'BRL' }, newId())
    await read()
    const told = await recipients()
    await sql`delete from letter`
    return told
  }
  await setDisabled(people(), by, left.id, true)
  assert.deepEqual(await tell(), [owner.email])
  await setDisabled(people(), by, left.id, false)
  assert.deepEqual(await tell(), [owner.email, left.email].toSorted())
})

test('payers get receipts only where the merchant chose so, from then on, and of refunds too', async () => {
  for (const mode of ['LIVE', 'SANDBOX'] as const) {
    const id = await merchant(mode)
    const pay = async (email: string | undefined) => {
      const paymentId = newId()
      const request = JSON.stringify(email === undefined ? {} : { customerEmail: email })
      await sql`
        insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency, methods,
                             method, created_at)
        values (${id}, ${paymentId}, ${paymentId}, '', ${request}::text::json, 'PENDING', 500, 'BRL', '{PIX}', 'PIX', now())`
      const data = { amountReceived: 500, currency: 'BRL', description: 'Café\nBcc: y@example.com' }
      await happened(id, 'payment.completed', data, paymentId)
      return paymentId
    }
    await pay('early@example.com')
    await read()
    assert.deepEqual(await letters(), [], `${mode}: nothing by itself`)
    await chooseReceipts(sql, id, true, by)
    await sql`
      update merchant set legal_name = 'Livraria da Ana Ltda.', tax_id = '501964843', tax_country = 'PT' where id = ${id}`
    const paymentId = await pay('payer@example.com')
    await pay(undefined)
    await happened(id, 'refund.completed', { paymentId, amount: 200, currency: 'BRL' })
    await read()
    await read()
    const all = await letters()
    assert.deepEqual(
      all.map((each) => each.kind === 'RECEIPT' && [each.to, each.amount, each.isRefund, each.language]),
      [
        ['payer@example.com', '5.00 BRL', false, 'pt-BR'],
        ['payer@example.com', '2.00 BRL', true, 'pt-BR'],
      ],
    )
    const [first] = all
    if (first?.kind !== 'RECEIPT') assert.fail('a receipt')
    const { subject, text } = receiptText(first.language, first)
    assert.equal(/\[SANDBOX\]/.test(subject), mode === 'SANDBOX')
    assert.match(text, /^Razão social: Livraria da Ana Ltda\.\nNúmero de identificação fiscal: 501964843$/m)
    assert.doesNotMatch(text, /^Bcc:/m)
    await sql`delete from letter`
  }
})

test('above the limit of an hour events wait for the next one; what is a day old is not told', async () => {
  const id = await merchant()
  await member(id, 'OWNER')
  await happened(id, 'dispute.opened', { amount: 1, currency: 'EUR' }, newId(), 25)
  const count = hourMax.NOTICE + 3
  for (let nth = 0; nth < count; nth += 1)
    await happened(id, 'dispute.opened', { amount: 1, currency: 'EUR' })
  await read()
  await read()
  assert.equal((await letters()).length, hourMax.NOTICE)
  await sql`update mail_reader set hour = hour - interval '1 hour' where merchant_id = ${id}`
  await read()
  assert.equal((await letters()).length, count)
})

test('a notice to many members stays within the limit of an hour: it waits whole', async () => {
  const id = await merchant()
  for (let nth = 0; nth < 25; nth += 1) await member(id, 'OWNER')
  for (let nth = 0; nth < 3; nth += 1) await happened(id, 'dispute.opened', { amount: 1, currency: 'EUR' })
  await read()
  await read()
  assert.equal((await letters()).length, 50, 'the third would go above 60')
  await sql`update mail_reader set hour = hour - interval '1 hour' where merchant_id = ${id}`
  await read()
  assert.equal((await letters()).length, 75)
})

test('members who may do nothing about a matter take no place from those who may', async () => {
  const id = await merchant()
  for (let nth = 0; nth < 50; nth += 1) await member(id, 'VIEWER')
  const owner = await member(id, 'OWNER')
  await happened(id, 'dispute.opened', { amount: 1, currency: 'EUR' })
  await read()
  assert.deepEqual(await recipients(), [owner.email])
})

test('a receipt is in the language of the payer’s page, else of the template, else of the currency', async () => {
  const id = await merchant()
  await chooseReceipts(sql, id, true, by)
  const document = JSON.stringify({ languages: { default: 'es', enabled: ['es', 'en'] } })
  await sql`
    insert into template_revision (merchant_id, slug, number, document, created_at)
    values (${id}, 'shop', 1, ${document}::text::json, now())`
  const languageOf = async (checkout: string | undefined, locale: string | undefined) => {
    const paymentId = newId()
    const request = JSON.stringify({ customerEmail: 'payer@example.com', ...(checkout && { checkout }) })
    await sql`
      insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency, methods,
                           method, created_at, template_revision)
      values (${id}, ${paymentId}, ${paymentId}, '', ${request}::text::json, 'PENDING', 500, 'BRL', '{PIX}', 'PIX', now(),
              ${checkout === undefined ? null : 1})`
    if (locale !== undefined)
      await sql`
        insert into attempt (merchant_id, id, payment_id, method, connection, amount_minor, currency, created_at, asked)
        values (${id}, ${newId()}, ${paymentId}, 'PIX', 'bank', 500, 'BRL', now(), ${JSON.stringify({ locale })}::text::json)`
    await happened(id, 'payment.completed', { amountReceived: 500, currency: 'BRL' }, paymentId)
    await read()
    const [letter] = await letters()
    await sql`delete from letter`
    return letter?.kind === 'RECEIPT' ? letter.language : undefined
  }
  assert.deepEqual(
    [
      await languageOf('shop', 'en-GB'),
      await languageOf('shop', 'fr'),
      await languageOf('shop', undefined),
      await languageOf(undefined, undefined),
    ],
    ['en', 'es', 'es', 'pt-BR'],
  )
})

test('a choice is read back, and leaves its row in the audit log', async () => {
  const id = await merchant()
  const { id: userId } = await member(id, 'OWNER')
  assert.deepEqual(
    (await readMailChoice(sql, id, userId)).notices.map(({ isOn }) => isOn),
    [true, true, true, true, true, true],
  )
  await chooseNotice(sql, id, userId, { kind: 'DISPUTE_OPENED', isOn: false }, by)
  await chooseReceipts(sql, id, true, by)
  const choice = await readMailChoice(sql, id, userId)
  assert.deepEqual(
    [choice.receipts, choice.notices.filter(({ isOn }) => !isOn).map(({ kind }) => kind)],
    [true, ['DISPUTE_OPENED']],
  )
  const rows = await sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${id} and action like 'mail.%' order by id`
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['mail.notices', 'mail.receipts'],
  )
})
