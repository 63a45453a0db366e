// A bank's files in the console: handed in by parts and read by a worker, typos decided, and files of payments taken once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { payoutDeps } from '#/app/work.ts'
import { must } from '#/kernel/check.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { deleteOldJobs } from '#/operator-jobs/worker.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import { notificationFile, statementFile } from '../rails/sepa-files.ts'
import { iban, type SepaWorld } from '../sepa-world.ts'
import { openBankFiles, partBytes, type BankFilesWorld } from './bank-files-world.ts'
import { auditOf, dataOf, ok, refused, type Row } from './operator-world.ts'
import { shownBy } from './shown.ts'
import type { DashboardWorld, Person } from './world.ts'

let office: BankFilesWorld
let world: SepaWorld
let dashboard: DashboardWorld
let ana: Person
let bea: Person
before(async () => {
  office = await openBankFiles(shownBy['operator-files.test.ts'])
  ;({ world, dashboard, ana, bea } = office)
})
after(() => office.close())

const upload: BankFilesWorld['upload'] = (...args) => office.upload(...args)
const sendPart: BankFilesWorld['sendPart'] = (...args) => office.sendPart(...args)
const importAll: BankFilesWorld['importAll'] = (...args) => office.importAll(...args)
const filesOf = (job: Row) => (job['result'] as Row)['files'] as readonly Row[]

/** A payment whose payer wrote its reference with one wrong character, as the bank reports it. */
async function payWithTypo(ref: string, minor: number): Promise<PaymentId> {
  const { payment } = await world.create(minor)
  const reference = await world.referenceOf(payment.id)
  const [wrong] = ['A', 'B', 'C'].filter((letter) => letter !== reference.at(-1))
  const text = `${reference.slice(0, -1)}${wrong}`
  const id = `T${ref}`
  await world.hand(
    notificationFile({ iban, id, transfers: [{ ref, minor, text, day: '2026-12-31' }] }),
    `${id}.xml`,
  )
  return payment.id
}

test('files are handed in by parts, read in their order by a worker, and listed; the payment is paid', async () => {
  const { payment } = await world.create(4_500)
  const structured = await world.referenceOf(payment.id)
  const first = statementFile({ iban, id: 'D1', opening: 0, day: '2026-01-01', transfers: [] })
  const transfers = [{ ref: 'IN1', minor: 4_500, structured, day: '2026-01-02' }]
  const second = statementFile({ iban, id: 'D2', opening: 0, day: '2026-01-02', transfers })
  // XML may end in white space, so a file may be as long as one needs.
  const long = Buffer.concat([second, Buffer.alloc(partBytes + 7, ' ')])
  const uploads = [await upload(ana, 'day 1.xml', first), await upload(ana, 'day 2.xml', long)]
  const job = await importAll(ana, uploads)
  assert.equal(job['status'], 'DONE', JSON.stringify(job))
  assert.deepEqual(
    filesOf(job).map((each) => [each['file'], each['state'], each['movements'], each['paid']]),
    [
      ['day 1.xml', 'IMPORTED', 0, 0],
      ['day 2.xml', 'IMPORTED', 1, 1],
    ],
  )
  await world.drain()
  assert.equal((await world.pix.payment(payment.id)).status, 'PAID')

  const [newest, older] = dataOf(await ok(ana, 'GET', 'statements'))
  assert.deepEqual(
    [newest, older].map((each) => [each?.['name'], each?.['state'], each?.['entries'], each?.['handedInBy']]),
    [
      ['day 2.xml', 'IMPORTED', 1, ana.email],
      ['day 1.xml', 'IMPORTED', 0, ana.email],
    ],
  )
  const subject = `statement:${String(newest?.['sha256']).slice(0, 16)}`
  assert.deepEqual(await auditOf(bea, subject), [['statement.import', 'USER', ana.userId, null]])

  const again = await importAll(ana, [await upload(ana, 'day 2 again.xml', long)])
  assert.deepEqual(
    filesOf(again).map(({ state }) => state),
    ['KNOWN'],
  )
})

test('a file that contradicts is refused with its reason, and those after it are read all the same', async () => {
  const day = '2026-01-03'
  const forged = statementFile({ iban, id: 'D3', opening: 1, day, transfers: [] })
  const next = statementFile({ iban, id: 'D3', opening: 4_500, day, transfers: [] })
  const job = await importAll(ana, [
    await upload(ana, 'forged.xml', forged),
    await upload(ana, 'next.xml', next),
  ])
  const result = job['result'] as Row
  assert.equal(result['ok'], false)
  assert.deepEqual(
    filesOf(job).map(({ state }) => state),
    ['REFUSED', 'IMPORTED'],
  )
  assert.match(
    String(filesOf(job)[0]?.['reason']),
    /opens with 0\.01 EUR, but D2 before it closed with 45\.00 EUR/,
  )
  const [refusedFile] = dataOf(await ok(ana, 'GET', 'statements?state=REFUSED'))
  assert.equal(refusedFile?.['name'], 'forged.xml')
  assert.match(String(refusedFile?.['reason']), /opens with 0\.01 EUR/)
  const junk = await importAll(ana, [await upload(ana, 'holiday.jpg', Buffer.from('no file of a bank'))])
  assert.deepEqual(
    filesOf(junk).map(({ state }) => state),
    ['REFUSED'],
  )
})

test('a list of files and of typos goes on where its page ended', async () => {
  const first = await ok(ana, 'GET', 'statements?limit=1')
  const rest = await ok(ana, 'GET', `statements?limit=99&cursor=${String(first['nextCursor'])}`)
  const all = dataOf(await ok(ana, 'GET', 'statements'))
  assert.deepEqual([...dataOf(first), ...dataOf(rest)], all)
  assert.equal(new Set(all.map(({ sha256 }) => sha256)).size, all.length)

  await payWithTypo('TYPO-A', 100)
  await payWithTypo('TYPO-B', 200)
  const one = await ok(ana, 'GET', 'typos?limit=1')
  const two = await ok(ana, 'GET', `typos?cursor=${String(one['nextCursor'])}`)
  assert.deepEqual(
    [...dataOf(one), ...dataOf(two)].map(({ entry }) => entry),
    ['TYPO-A', 'TYPO-B'],
  )
  const broken = await ana.ask('GET', '/api/operator/typos?cursor=WyJ4Il0')
  assert.equal(broken.status, 400)
  for (const { connection, entry } of [...dataOf(one), ...dataOf(two)])
    await ok(ana, 'POST', 'typos/refuse', { connection, entry, reason: 'clean up' }, 204)
})

test('a file is its person’s, whole, and for one job; what is larger than its size is refused', async () => {
  const bytes = Buffer.alloc(partBytes + 1, 'x')
  const { id } = await ok(ana, 'POST', 'uploads', { name: 'a.xml', size: bytes.length }, 201)
  assert.equal(await sendPart(ana, id, 0, bytes.subarray(0, 5)), 400)
  assert.equal(await sendPart(ana, id, 2, Buffer.from('x')), 400)
  assert.equal(await sendPart(bea, id, 0, bytes.subarray(0, partBytes)), 404)
  assert.equal(await sendPart(ana, id, 0, bytes.subarray(0, partBytes)), 204)
  const job = (person: Person, uploads: readonly unknown[]) =>
    refused(person, 'jobs', { kind: 'statement.import', arguments: { uploads } })
  assert.deepEqual(await job(ana, [id]), [400, 'invalid_request'])
  assert.equal(await sendPart(ana, id, 1, bytes.subarray(partBytes)), 204)
  assert.equal(await sendPart(ana, id, 1, Buffer.from('y')), 204)
  assert.deepEqual(await job(bea, [id]), [400, 'invalid_request'])
  assert.deepEqual(await job(ana, [id, id]), [400, 'invalid_request'])
  assert.deepEqual(await job(ana, []), [400, 'invalid_request'])
  assert.deepEqual(await job(ana, ['x']), [400, 'invalid_request'])
  await importAll(ana, [id])
  assert.deepEqual(await job(ana, [id]), [400, 'invalid_request'])
  assert.equal(await sendPart(ana, id, 0, bytes.subarray(0, partBytes)), 404)
  const large = { name: 'b.xml', size: 16 * partBytes + 1 }
  assert.deepEqual(await refused(ana, 'uploads', large), [400, 'invalid_request'])
  const rows = await auditOf(ana, `upload:${String(id)}`)
  assert.deepEqual(
    rows.map(([action, kind, actor]) => [action, kind, actor]),
    [
      ['upload.begin', 'USER', ana.userId],
      ['upload.refuse', 'USER', ana.userId],
      ['upload.refuse', 'USER', ana.userId],
      ['upload.refuse', 'USER', bea.userId],
      ['upload.refuse', 'USER', ana.userId],
    ],
  )
})

test('refused uploads fill no log: of one person ten rows at once, then one for each wait', async () => {
  const id = newId()
  for (let tries = 0; tries < 30; tries += 1) assert.equal(await sendPart(bea, id, 0, Buffer.from('x')), 404)
  const rows = await auditOf(bea, `upload:${id}`)
  assert.ok(rows.length >= 9 && rows.length < 20, String(rows.length))
})

test('files are deleted when their job has ended, or when nobody used them for a day', async () => {
  const { sql } = world.pix.core
  const stored = async () => (await sql<{ id: string }[]>`select id from operator_upload`).map(({ id }) => id)
  const [used, fresh, old] = [
    await upload(ana, 'used.xml', Buffer.from('x')),
    await upload(ana, 'fresh.xml', Buffer.from('x')),
    await upload(ana, 'old.xml', Buffer.from('x')),
  ]
  await importAll(ana, [used])
  await sql`update operator_upload set created_at = created_at - interval '25 hours' where id = ${String(old)}`
  while ((await deleteOldJobs(sql)) > 0);
  assert.deepEqual(await stored(), [fresh])
  const parts = await sql<{ id: string }[]>`select upload_id as id from operator_upload_part`
  assert.deepEqual(
    parts.map(({ id }) => id),
    [fresh],
  )
})

test('files that nobody uses are bounded together', async () => {
  const size = 16 * partBytes
  const statuses: number[] = []
  for (let file = 0; file < 17; file += 1)
    statuses.push((await ana.ask('POST', '/api/operator/uploads', { name: `${file}.xml`, size })).status)
  assert.deepEqual([...new Set(statuses)], [201, 409])
  await world.pix.core.sql`delete from operator_upload`
})

test('a payer’s typo is booked to the payment, or goes to suspense with a reason; each is decided once', async () => {
  const meant = await payWithTypo('TYPO1', 1_200)
  const other = await payWithTypo('TYPO2', 1_300)
  const [first, second] = dataOf(await ok(ana, 'GET', 'typos'))
  assert.deepEqual(
    [first, second].map((each) => [each?.['entry'], each?.['amount'], each?.['paymentId']]),
    [
      ['TYPO1', 1_200, meant],
      ['TYPO2', 1_300, other],
    ],
  )
  const named = (row: Row | undefined) => ({ connection: row?.['connection'], entry: row?.['entry'] })
  assert.deepEqual(await refused(ana, 'typos/refuse', named(second)), [400, 'invalid_request'])
  await ok(ana, 'POST', 'typos/accept', { ...named(first), reason: 'the payer called' }, 204)
  await ok(ana, 'POST', 'typos/refuse', { ...named(second), reason: 'of another shop' }, 204)
  assert.deepEqual(await refused(bea, 'typos/accept', named(second)), [409, 'invalid_state'])
  await world.drain()
  assert.equal((await world.pix.payment(meant)).status, 'PAID')
  assert.equal((await world.pix.payment(other)).status, 'WAITING_PAYMENT')
  const waiting = dataOf(await ok(ana, 'GET', 'suspense')).map(({ providerRef }) => providerRef)
  assert.ok(waiting.includes('TYPO2') && !waiting.includes('TYPO1'), JSON.stringify(waiting))
  const subject = (row: Row | undefined) => `entry:${String(row?.['connection'])}/${String(row?.['entry'])}`
  assert.deepEqual(await auditOf(bea, subject(first)), [
    ['statement.accept', 'USER', ana.userId, 'the payer called'],
  ])
  assert.deepEqual(await auditOf(bea, subject(second)), [
    ['statement.refuse', 'USER', ana.userId, 'of another shop'],
  ])
})

test('money in a currency that the books do not have is listed until a person says what became of it, once', async () => {
  const notified = (ref: string, minor: number) =>
    notificationFile({ iban, id: `F${ref}`, transfers: [{ ref, minor, text: 'rent', day: '2026-12-31' }] })
  const inFrancs = (bytes: Buffer) => Buffer.from(bytes.toString('utf8').replaceAll('EUR', 'CHF'))
  const before = await world.pix.balances()
  await world.hand(inFrancs(notified('FRANCS1', 1_050)))
  await world.hand(inFrancs(notified('FRANCS2', 99)))
  assert.deepEqual(await world.pix.balances(), before)
  const { counts } = (await ok(bea, 'GET', 'attention')) as { counts: Row }
  assert.equal(counts['foreign'], 2)
  const one = await ok(ana, 'GET', 'foreign-money?limit=1')
  const two = await ok(ana, 'GET', `foreign-money?cursor=${String(one['nextCursor'])}`)
  const [first, second] = [...dataOf(one), ...dataOf(two)]
  assert.deepEqual(
    [first, second].map((each) => [each?.['entry'], each?.['amount'], each?.['currency'], each?.['wrote']]),
    [
      ['FRANCS1', '10.50', 'CHF', 'rent'],
      ['FRANCS2', '0.99', 'CHF', 'rent'],
    ],
  )
  const path = (row: Row | undefined) => `foreign-money/${String(row?.['id'])}/done`
  assert.deepEqual(await refused(ana, path(first), {}), [400, 'invalid_request'])
  for (const each of [first, second]) await ok(ana, 'POST', path(each), { reason: 'sent back' }, 204)
  assert.deepEqual(await refused(bea, path(first), { reason: 'again' }), [409, 'invalid_state'])
  assert.deepEqual(dataOf(await ok(ana, 'GET', 'foreign-money')), [])
  assert.deepEqual(await auditOf(bea, `entry:${String(first?.['connection'])}/FRANCS1`), [
    ['statement.foreign-done', 'USER', ana.userId, 'sent back'],
  ])
})

/** A withdrawal that waits for a file. */
async function withdraw(minor: number): Promise<void> {
  const { core, merchant } = world.pix
  const request = {
    type: 'SEPA',
    amount: minor,
    currency: 'EUR',
    iban: 'DE89370400440532013000',
    beneficiary: 'Ana',
  } as const
  const rail = must(core.payoutRails.get('SEPA'), 'it pays out')
  const verdict = await core.lane.submit(withdrawalKind(), {
    merchantId: merchant.id,
    mode: merchant.mode,
    id: newId<'withdrawal'>(),
    request,
    requestedBy: newId<'api-key'>(),
    routing: rail.route({ mode: merchant.mode, merchantId: merchant.id, ...request }),
  })
  assert.equal(verdict.kind, 'created')
  await sendDueWithdrawals(payoutDeps(core))
}

test('a file of payments is made of what waits, and taken once: only the same taking is answered again', async () => {
  assert.deepEqual(await refused(ana, 'payment-files', { connectionId: world.account }), [
    409,
    'invalid_state',
  ])
  assert.deepEqual(await refused(ana, 'payment-files', { connectionId: world.pix.connection }), [
    400,
    'invalid_request',
  ])
  await withdraw(700)
  await withdraw(300)
  assert.deepEqual(dataOf(await ok(ana, 'GET', 'waiting-payouts')), [
    { connection: world.account, payouts: 2, isMore: false, amount: 1_000 },
  ])
  const made = await ok(ana, 'POST', 'payment-files', { connectionId: world.account }, 201)
  assert.deepEqual([made['payouts'], made['amount']], [2, 1_000])
  assert.deepEqual(dataOf(await ok(ana, 'GET', 'waiting-payouts')), [])
  const path = `payment-files/${String(made['id'])}/take`
  const key = newId()
  const taken = await ok(bea, 'POST', path, { key })
  assert.match(String(taken['content']), /pain\.001\.001\.09/)
  assert.match(String(taken['content']), /<CtrlSum>10\.00<\/CtrlSum>/)
  assert.match(String(taken['name']), /^payments-.*\.xml$/)
  // The answer was lost.
  assert.deepEqual(await ok(bea, 'POST', path, { key }), taken)
  assert.deepEqual(await refused(bea, path, { key: newId() }), [409, 'invalid_state'])
  assert.deepEqual(await refused(ana, path, { key }), [409, 'invalid_state'])
  assert.deepEqual(await refused(ana, `payment-files/${newId()}/take`, { key }), [404, 'not_found'])
  const [row] = dataOf(await ok(ana, 'GET', 'payment-files'))
  assert.deepEqual([row?.['madeBy'], row?.['takenBy'], row?.['payouts']], [ana.email, bea.email, 2])
  assert.deepEqual(await auditOf(ana, `payment-file:${String(made['id'])}`), [
    ['payment-file.make', 'USER', ana.userId, null],
    ['payment-file.take', 'USER', bea.userId, null],
  ])
})

test('what credits money or sends it out needs a second factor where something is LIVE', async () => {
  const plain = await dashboard.person([], { isOperator: true })
  await ok(ana, 'POST', 'merchants', { name: 'Live', mode: 'LIVE' }, 201)
  const needed = [403, 'second_factor_needed']
  assert.deepEqual(
    await refused(plain, 'jobs', { kind: 'statement.import', arguments: { uploads: [newId()] } }),
    needed,
  )
  for (const path of [
    `foreign-money/${newId()}/done`,
    'typos/accept',
    'typos/refuse',
    'held/decide',
    'statements/correct',
    'payment-files',
    `payment-files/${newId()}/take`,
  ])
    assert.deepEqual(await refused(plain, path, {}), needed, path)
})
