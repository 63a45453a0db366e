// Evidence goes to the sandbox's acquirer through the card rail: what arrives there is compared with what the merchant gave.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type ApiKeyId } from '#/kernel/id.ts'
import type { Rails } from '#/rails/rail.ts'
import { openCardWorld, type CardWorld } from '../../test/card-world.ts'
import {
  connectionOf,
  opened,
  openingOf,
  railOf,
  startTestAcquirer,
  type TestAcquirer,
} from '../../test/rails/acquirer/acquirer.ts'
import { startTestProvider } from '../../test/rails/provider.ts'
import { addEvidenceFile, changeEvidence, readEvidence, submitEvidence } from './change-evidence.ts'
import { listDisputes } from './queries.ts'
import { createEvidenceWorker } from './send-evidence.ts'

let acquirer: TestAcquirer
let world: CardWorld
before(async () => {
  ;[acquirer, world] = await Promise.all([startTestAcquirer(), openCardWorld()])
})
after(async () => {
  await acquirer.stop()
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})

const keyId = newId<'api-key'>() as ApiKeyId
const by = { keyId }
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0, 13, 10, 45, 45, 255, 0])])
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('--vintem-\r\n\r\n')])

type Reply = { status: number; body?: unknown } | undefined

/** A payment by card that is disputed at the acquirer. `lost`: how many answers to submissions get lost on the way. */
async function disputed(t: TestContext) {
  const account = await acquirer.control('accounts', { name: 'Loja' })
  const secrets = { secretKey: String(account['secretKey']), webhookSecrets: ['whsec_1'] }
  let intercept: (path: string, when: 'before' | 'after') => Reply = () => undefined
  const calls: string[] = []
  const proxy = await forwarding(acquirer.apiUrl, calls, (path, when) => intercept(path, when))
  t.after(proxy.stop)
  const settings = { apiUrl: proxy.url, publishableKey: 'pk_test_1', currencies: ['EUR'] }
  const rail = railOf(t, [connectionOf(settings, secrets, { id: world.connection })])
  const { payment, attempt } = await world.create()
  const { id, merchantId, amount } = attempt
  const open = await opened(
    rail,
    openingOf(world.connection, { id, merchantId, paymentId: payment.id, amount }),
  )
  const { paymentIntent } = await acquirer.control('pay', {
    session: open.artifacts['sessionId'],
    card: 'success',
  })
  const dispute = await acquirer.control('disputes', { paymentIntent })
  const object = { object: 'dispute', id: dispute['id'], payment_intent: paymentIntent }
  const event = { object: 'event', id: 'evt_1', type: 'charge.dispute.created', data: { object } }
  const body = Buffer.from(JSON.stringify(event))
  const read = await rail.read({ connection: world.connection, receivedAt: new Date(), body })
  await world.settle(...read)
  const [found] = await listDisputes(world.line.sql, merchantId, { paymentId: payment.id, limit: 1 })
  const rails: Rails = new Map([['CREDIT_CARD', rail]])
  const deps = { sql: world.line.sql, rails }
  const disputeId = must(found, 'there is a dispute').id
  const key = { merchantId, disputeId }
  /** What the provider answered, and what the log says. */
  const [answered, logged]: [string[], string[]] = [[], []]
  const worker = createEvidenceWorker({
    ...deps,
    log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
    settle: (receipts) => {
      answered.push(...receipts.map(({ outcome }) => outcome))
      return world.settle(...receipts)
    },
  })
  return {
    deps,
    key,
    calls,
    answered,
    logged,
    ref: String(dispute['id']),
    spoil: (how: typeof intercept) => void (intercept = how),
    read: () => readEvidence(deps, merchantId, disputeId),
    work: async () => {
      await world.line
        .sql`update dispute_evidence_due set due_at = statement_timestamp() - interval '1 second'`
      return worker.once()
    },
    /** As the acquirer has it. */
    there: async () => {
      const all = (await acquirer.state())['disputes'] ?? []
      return must(
        all.find((each) => each['id'] === dispute['id']),
        'the acquirer has the dispute',
      ) as Readonly<Record<string, unknown>> & {
        readonly evidence: Readonly<Record<string, string | null>>
        readonly evidence_details: Readonly<Record<string, unknown>>
      }
    },
    files: async (name: string) => {
      const response = await fetch(`${acquirer.apiUrl}/_sim/files/${name}`)
      const file = (await response.json()) as { content: string; filename: string }
      return { name: file.filename, bytes: Buffer.from(file.content, 'base64') }
    },
  }
}

/** A way to the acquirer on which calls and answers can get lost. */
function forwarding(
  to: string,
  calls: string[],
  intercept: (path: string, when: 'before' | 'after') => Reply,
) {
  return startTestProvider(async ({ method, path, headers, body }) => {
    calls.push(`${method} ${path}`)
    const spoiled = intercept(path, 'before')
    if (spoiled !== undefined) return { cut: spoiled.status === 0, ...spoiled }
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...rest } = headers
    const answer = await fetch(to + path, {
      method,
      headers: rest as Record<string, string>,
      ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
    })
    const text = await answer.text()
    const lost = intercept(path, 'after')
    if (lost !== undefined) return { cut: true, status: 0 }
    const replayed = answer.headers.get('idempotent-replayed')
    return {
      status: answer.status,
      body: text,
      ...(replayed === null ? {} : { headers: { 'idempotent-replayed': replayed } }),
    }
  })
}

const code = (expected: AppError['code']) => (error: unknown) =>
  error instanceof AppError && error.code === expected

const texts = {
  productDescription: 'Café em grãos, 1 kg — “Ouro”\n& mais = 100 %',
  customerName: 'Ana Souza',
  shippingTrackingNumber: 'BR123456785BR',
  statement: 'x'.repeat(20_000),
}

async function drafted(t: TestContext) {
  const made = await disputed(t)
  const { deps, key } = made
  await changeEvidence(deps, key, { texts }, by)
  await addEvidenceFile(deps, key, { kind: 'RECEIPT', name: 'recibo "é".pdf', bytes: pdf }, by)
  const draft = await addEvidenceFile(deps, key, { kind: 'OTHER', name: 'b.png', bytes: png }, by)
  return { ...made, draft, submit: () => submitEvidence(deps, key, Number(draft['version']), by) }
}

test('what arrives at the acquirer is what the merchant gave: texts, and files byte for byte', async (t) => {
  const { draft, submit, work, there, files, read, calls, answered, ref } = await drafted(t)
  assert.deepEqual([draft['status'], draft['canChange'], draft['texts']], ['DRAFT', true, texts])
  calls.length = 0
  const sending = await submit()
  assert.deepEqual(
    [sending['status'], sending['submittedBy'], sending['canChange']],
    ['SENDING', keyId, false],
  )
  assert.deepEqual(calls, [], 'submitting calls nobody: that is the work of a worker')
  assert.deepEqual(await submit(), sending, 'the call can be repeated')
  assert.equal(await work(), 1)
  // Nobody has it yet, so nobody is asked for it; what the acquirer answers of the dispute is settled.
  assert.deepEqual(calls, ['POST /v1/files', 'POST /v1/files', `POST /v1/disputes/${ref}`])
  assert.deepEqual(answered, ['dispute_opened', 'dispute_taken'])
  const { evidence, evidence_details: details, status } = await there()
  assert.deepEqual([status, details['submission_count'], details['has_evidence']], ['under_review', 1, true])
  assert.deepEqual(
    Object.fromEntries(Object.entries(evidence).filter(([, value]) => typeof value === 'string')),
    {
      product_description: texts.productDescription,
      customer_name: texts.customerName,
      shipping_tracking_number: texts.shippingTrackingNumber,
      uncategorized_text: texts.statement,
      receipt: evidence['receipt'],
      uncategorized_file: evidence['uncategorized_file'],
    },
  )
  assert.deepEqual(await files(String(evidence['receipt'])), { name: 'recibo "é".pdf', bytes: pdf })
  assert.deepEqual(await files(String(evidence['uncategorized_file'])), { name: 'b.png', bytes: png })
  const sent = await read()
  assert.deepEqual([sent['status'], sent['submittedBy'], sent['canChange']], ['SENT', keyId, false])
  assert.ok(typeof sent['submittedAt'] === 'string' && typeof sent['sentAt'] === 'string')
  const shown = sent.files
  assert.equal(
    shown.find(({ kind }) => kind === 'RECEIPT')?.sha256,
    createHash('sha256').update(pdf).digest('hex'),
  )
  assert.equal(await work(), 0)
})

test('a submission whose answer is lost is looked up, and submitted once', async (t) => {
  const { submit, work, there, read, spoil, calls, ref } = await drafted(t)
  await submit()
  spoil((path, when) => (when === 'after' && path === `/v1/disputes/${ref}` ? { status: 0 } : undefined))
  assert.equal(await work(), 1)
  assert.equal((await read())['status'], 'SENDING')
  calls.length = 0
  spoil(() => undefined)
  await work()
  assert.deepEqual(
    calls.map((call) => call.replace(/\?.*/, '')),
    [`GET /v1/disputes/${ref}`],
  )
  assert.deepEqual(
    [(await read())['status'], (await there()).evidence_details['submission_count']],
    ['SENT', 1],
  )
})

test('a provider that is away is asked again later; one that refuses leaves a draft that can be changed', async (t) => {
  const { submit, work, read, spoil, key, deps, draft, logged } = await drafted(t)
  await submit()
  spoil(() => ({ status: 503, body: '{}' }))
  await work()
  assert.equal((await read())['status'], 'SENDING')
  const refusal = { error: { type: 'invalid_request_error', message: 'unreadable file' } }
  spoil((path) => (path === '/v1/files' ? { status: 400, body: JSON.stringify(refusal) } : undefined))
  await work()
  const refused = await read()
  assert.deepEqual([refused['status'], refused['canChange']], ['REFUSED', true])
  assert.match(String(refused['failureMessage']), /did not take the evidence/)
  assert.doesNotMatch(String(refused['failureMessage']), /unreadable/)
  assert.match(logged.join(''), /refused evidence/)
  spoil(() => undefined)
  const changed = await changeEvidence(
    deps,
    key,
    { texts: { customerName: null }, removeFiles: ['OTHER'] },
    by,
  )
  assert.deepEqual(
    changed.files.map(({ kind }) => kind),
    ['RECEIPT'],
  )
  await assert.rejects(submit(), code('invalid_state'), 'the version that was seen is not the present one')
  await submitEvidence(deps, key, Number(draft['version']) + 1, by)
  await work()
  assert.equal((await read())['status'], 'SENT')
})

test('after the submission, the end of the dispute or its time, nothing can be changed', async (t) => {
  const [sent, lost, late] = await Promise.all([drafted(t), drafted(t), drafted(t)])
  const change = ({ deps, key }: typeof sent) =>
    changeEvidence(deps, key, { texts: { customerName: 'B' } }, by)
  await sent.submit()
  const older = Number(sent.draft['version']) - 1
  await assert.rejects(submitEvidence(sent.deps, sent.key, older, by), code('invalid_state'))
  await assert.rejects(change(sent), { code: 'invalid_state', message: /submitted/ })
  await assert.rejects(
    addEvidenceFile(sent.deps, sent.key, { kind: 'RECEIPT', name: 'a.pdf', bytes: pdf }, by),
    code('invalid_state'),
  )
  const { line } = world
  const [due] = await line.sql<
    { at: Date }[]
  >`select evidence_due_at as at from dispute where id = ${late.key.disputeId}`
  const setDue = (at: Date | undefined) =>
    line.sql`update dispute set evidence_due_at = ${at ?? null} where id = ${late.key.disputeId}`
  await setDue(new Date(Date.now() - 60_000))
  for (const act of [() => change(late), () => late.submit()])
    await assert.rejects(act(), { code: 'invalid_state', message: /time for evidence is over/ })
  assert.equal((await late.read())['canChange'], false)
  await setDue(due?.at)
  await world.line.sql`update dispute set status = 'LOST' where id = ${lost.key.disputeId}`
  await assert.rejects(change(lost), { code: 'invalid_state', message: /has ended/ })
  assert.equal((await lost.read())['canChange'], false)
  await world.line.sql`update dispute set status = 'OPEN' where id = ${lost.key.disputeId}`
  await sent.work()
  // Nobody takes evidence: a provider without it, and the banks of a MED.
  const nobody = { ...lost.deps, rails: new Map() }
  assert.equal((await readEvidence(nobody, lost.key.merchantId, lost.key.disputeId))['canChange'], false)
  await assert.rejects(changeEvidence(nobody, lost.key, {}, by), code('method_not_available'))
  await line.sql`update dispute set kind = 'MED' where id = ${lost.key.disputeId}`
  assert.equal((await lost.read())['canChange'], false)
  await assert.rejects(change(lost), code('method_not_available'))
  await line.sql`update dispute set kind = 'CHARGEBACK' where id = ${lost.key.disputeId}`
  // Nor for money that came for no payment.
  const { disputeId } = lost.key
  const [was] = await line.sql<
    { payment: string }[]
  >`select payment_id as payment from dispute where id = ${disputeId}`
  await line.owner`update dispute set payment_id = null, unmatched_id = ${newId()} where id = ${disputeId}`
  assert.equal((await lost.read())['canChange'], false)
  await assert.rejects(change(lost), code('method_not_available'))
  await line.owner`update dispute set payment_id = ${was?.payment ?? null}, unmatched_id = null where id = ${disputeId}`
})

test('files are bounded and judged by their bytes; texts are bounded together; another merchant’s dispute is 404', async (t) => {
  const { deps, key, read } = await disputed(t)
  assert.deepEqual([(await read())['status'], (await read())['version']], ['NONE', 0])
  const add = (bytes: Buffer, kind: 'RECEIPT' | 'OTHER' = 'RECEIPT') =>
    addEvidenceFile(deps, key, { kind, name: 'a.pdf', bytes }, by)
  await assert.rejects(add(Buffer.from('<svg>')), code('invalid_request'))
  const half = Buffer.concat([pdf, Buffer.alloc(2_300_000)])
  await add(half)
  await assert.rejects(add(half, 'OTHER'), { code: 'invalid_request' })
  assert.equal((await add(half))['version'], 2, 'a file replaces the one of its kind')
  const long = Object.fromEntries(
    [
      'productDescription',
      'statement',
      'accessActivityLog',
      'cancellationRebuttal',
      'refundRefusalExplanation',
    ]
      .concat(['refundPolicyDisclosure', 'cancellationPolicyDisclosure', 'duplicateChargeExplanation'])
      .map((name) => [name, 'x'.repeat(20_000)]),
  )
  await assert.rejects(changeEvidence(deps, key, { texts: long }, by), code('invalid_request'))
  const most = { ...long, duplicateChargeExplanation: 'x'.repeat(10_000) }
  await changeEvidence(deps, key, { texts: most }, by)
  const customerName = 'x'
  await assert.rejects(changeEvidence(deps, key, { texts: { customerName } }, by), code('invalid_request'))
  await add(Buffer.concat([pdf, Buffer.alloc(4_500_000 - half.length - pdf.length)]), 'OTHER')
  const strange = { merchantId: newId<'merchant'>(), disputeId: key.disputeId }
  await assert.rejects(changeEvidence(deps, strange, {}, by), code('not_found'))
  await assert.rejects(readEvidence(deps, key.merchantId, newId<'dispute'>()), code('not_found'))
  const empty = await disputed(t)
  const drafted = await changeEvidence(empty.deps, empty.key, {}, by)
  await assert.rejects(
    submitEvidence(empty.deps, empty.key, Number(drafted['version']), by),
    code('invalid_state'),
  )
})

test('each change leaves its row in the audit log, without the texts', async (t) => {
  const { deps, key } = await drafted(t)
  const { version } = await changeEvidence(deps, key, { removeFiles: ['OTHER'] }, by)
  await submitEvidence(deps, key, Number(version), by)
  const rows = await world.line.owner<{ action: string; actor: string; after: Record<string, unknown> }[]>`
    select action, actor_id as actor, after from audit_log where subject = ${`dispute:${key.disputeId}`} order by id`
  assert.deepEqual(
    rows.map(({ action, actor }) => [action, actor]),
    ['change', 'add_file', 'add_file', 'change', 'submit'].map((verb) => [`dispute_evidence.${verb}`, keyId]),
  )
  assert.doesNotMatch(JSON.stringify(rows), /Ana Souza/)
  assert.deepEqual(rows[0]?.after, { texts: Object.keys(texts) })
  assert.deepEqual(rows[3]?.after, { texts: [], removedFiles: ['OTHER'] })
  const { name, type } = rows[1]?.after ?? {}
  assert.deepEqual([name, type], ['recibo "é".pdf', 'application/pdf'])
})
