// Opening a PIX payment at a bank that answers, refuses, is away, or cuts the line: one payment is one charge.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { must } from '#/kernel/check.ts'
import { AppError, ProviderError } from '#/kernel/error.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { minuteMs } from '#/kernel/time.ts'
import { parseBrCode } from '#/rails/pix/br-code.ts'
import { refusedFor } from '#/rails/refusal.ts'
import { pages } from '../../test/page-hosts.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import { createPaymentCreator, type CreationAnswer } from './create.ts'
import { expireDue } from './end.ts'
import { openKind } from './open-kind.ts'
import { createPaymentOpener } from './open.ts'
import { creationRecord } from './record.ts'

let bank: PixBank
let world: PixWorld

before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer())
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

const chargesOf = async (id: PaymentId) =>
  bank.charges(await world.txidOf({ merchantId: world.merchant.id, id }))

/** The API's answer without the picture. */
const answerOf = ({ payment, fields }: CreationAnswer) =>
  creationRecord(payment, { ...fields, pixQrCode: '' })

async function refusalOf(creating: Promise<unknown>): Promise<{ error: AppError; id: PaymentId }> {
  const error: unknown = await creating.then(
    () => assert.fail('it was refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof AppError, String(error))
  return { error, id: error.extra['paymentId'] as PaymentId }
}

test('the code of the charge is in the answer and in GET, without an event', async () => {
  const { payment, fields, replayed } = await world.create({ description: 'A chair', expiresIn: 600 })
  assert.deepEqual([payment.status, payment.currency, replayed], ['WAITING_PAYMENT', 'BRL', false])
  const [charge, ...more] = await chargesOf(payment.id)
  assert.deepEqual([charge?.status, charge?.valor.original, more], ['ATIVA', '10.00', []])
  const shown = await world.shown(payment.id)
  assert.equal(shown['pixCopyPaste'], fields['pixCopyPaste'])
  assert.equal(shown['pixQrCode'], fields['pixQrCode'])
  const parsed = parseBrCode(String(fields['pixCopyPaste']))
  assert.equal(parsed.ok && parsed.code.kind, 'DYNAMIC')
  assert.deepEqual(await world.eventsOf(payment.id), [])
})

test('a bank that is down is 503 with the payment’s id; when it is back the same key goes on, to one charge', async () => {
  const key = newId()
  await bank.control('POST', '/down', { down: true })
  const first = await refusalOf(world.create({}, key))
  assert.equal(first.error.code, 'provider_unavailable')
  assert.ok(first.error.retryAfterMs !== undefined)
  assert.equal((await world.payment(first.id)).status, 'PENDING')
  const shown = await world.shown(first.id)
  assert.ok(!('pixCopyPaste' in shown))
  assert.equal((await refusalOf(world.create({}, key))).id, first.id)

  await bank.control('POST', '/down', { down: false })
  const { payment, fields, replayed } = await world.create({}, key)
  assert.deepEqual([payment.id, payment.status, replayed], [first.id, 'WAITING_PAYMENT', true])
  assert.ok(String(fields['pixCopyPaste']).length > 50)
  assert.equal((await chargesOf(first.id)).length, 1)
})

for (const { what, faults } of [
  { what: 'stored before the line was cut', faults: [{ method: 'PUT', action: 'drop_response' }] },
  { what: 'stored, with half of an answer', faults: [{ method: 'PUT', action: 'truncate' }] },
  { what: 'cut off before it was stored', faults: [{ method: 'PUT', action: 'reset' }] },
  { what: 'answered with 500', faults: [{ method: 'PUT', action: 'status', status: 500 }] },
  {
    what: 'stored, and its look-up cut off too',
    faults: [
      { method: 'PUT', action: 'drop_response' },
      { method: 'GET', action: 'reset' },
    ],
  },
]) {
  test(`a charge that was ${what} is one charge in the end`, async () => {
    for (const { method, ...fault } of faults)
      await bank.control('POST', '/faults', { match: { method, path: '/cob/' }, times: 1, ...fault })
    const key = newId()
    const first = await world.create({}, key).catch((error: unknown) => {
      assert.ok(error instanceof AppError && error.code === 'provider_unavailable', String(error))
      return undefined
    })
    await bank.control('DELETE', '/faults')
    const again = await world.create({}, key)
    if (first !== undefined) assert.deepEqual(answerOf(again), answerOf(first))
    assert.equal(again.payment.status, 'WAITING_PAYMENT')
    assert.equal((await chargesOf(again.payment.id)).length, 1)
  })
}

test('a hundred calls with one key, in two processes, get one answer and make one charge', async () => {
  const other = await world.openCreator()
  const key = newId()
  const request = { amount: 1_000, paymentMethods: ['PIX'] as const }
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      n % 2 === 0 ? world.create({}, key) : other.create(world.merchant, key, request),
    ),
  )
  const [first] = answers
  assert.ok(first)
  for (const answer of answers) assert.deepEqual(answerOf(answer), answerOf(first))
  assert.equal(first.payment.status, 'WAITING_PAYMENT')
  assert.equal(answers.filter(({ replayed }) => !replayed).length, 1)
  assert.equal((await chargesOf(first.payment.id)).length, 1)
  assert.equal((await world.payment(first.payment.id)).version, 2)
})

test('a process that read the payment before another one opened it returns its present state', async () => {
  const { payment, fields } = await world.create()
  const { sql, rails, lane, log } = world.core
  const opener = createPaymentOpener({ sql, rails, lane, kind: openKind(rails), log })
  const asRead = { ...payment, status: 'PENDING' as const, version: 1 }
  const opened = await opener.open(asRead)
  assert.equal(opened.payment.status, 'WAITING_PAYMENT')
  assert.equal(opened.attempt?.artifacts['copyPaste'], fields['pixCopyPaste'])
  const [charge] = await chargesOf(payment.id)
  assert.equal(charge?.revisao, 0)
})

test('after an answer with PENDING there is an event when it can be paid, or when it failed', async () => {
  for (const [fault, status, type] of [
    [undefined, 'WAITING_PAYMENT', 'payment.waiting'],
    [400, 'FAILED', 'payment.failed'],
  ] as const) {
    const key = newId()
    await bank.control('POST', '/down', { down: true })
    const { id } = await refusalOf(world.create({}, key))
    assert.equal((await world.shown(id))['status'], 'PENDING')
    await bank.control('POST', '/down', { down: false })
    const match = { method: 'PUT', path: '/cob/' }
    if (fault !== undefined)
      await bank.control('POST', '/faults', { match, action: 'status', status: fault, times: 1 })
    const again = await world.create({}, key)
    assert.deepEqual([again.payment.id, again.payment.status], [id, status])
    const events = await world.eventsOf(id)
    assert.deepEqual(
      events.map((each) => each.type),
      [type],
    )
    assert.deepEqual((await world.create({}, key)).payment.status, status)
    assert.equal((await world.eventsOf(id)).length, 1)
  }
})

test('a charge that the bank refuses is a FAILED payment with the reason, in the answer and later', async () => {
  const fault = { match: { method: 'PUT', path: '/cob/' }, action: 'status', status: 400, times: 1 }
  await bank.control('POST', '/faults', fault)
  const key = newId()
  const refused = await world.create({}, key)
  assert.equal(refused.payment.status, 'FAILED')
  const { status, lastError, pixCopyPaste } = answerOf(refused)
  assert.deepEqual([status, pixCopyPaste], ['FAILED', undefined])
  assert.deepEqual(lastError, {
    code: 'refused_by_provider',
    message: 'The provider does not take this payment.',
  })
  assert.deepEqual(answerOf(await world.create({}, key)), answerOf(refused))
  assert.deepEqual((await world.shown(refused.payment.id))['lastError'], lastError)
  assert.deepEqual(await world.eventsOf(refused.payment.id), [])
  assert.deepEqual(await chargesOf(refused.payment.id), [])
})

test('a payment without a charge expires, and its key returns that state', async () => {
  const key = newId()
  await bank.control('POST', '/down', { down: true })
  const { id } = await refusalOf(world.create({ expiresIn: 60 }, key))
  await world.clock.advance(2 * minuteMs)
  // The lane uses the database's clock, so the payment is made older instead.
  await world.core.sql`update payment set expires_at = now() - interval '1 second' where id = ${id}`
  await expireDue({ ...world.core, kind: world.core.endKind })
  assert.equal((await world.payment(id)).status, 'EXPIRED')
  assert.deepEqual(
    (await world.eventsOf(id)).map(({ type }) => type),
    ['payment.expired'],
  )
  const again = await world.create({ expiresIn: 60 }, key)
  assert.deepEqual([again.payment.status, again.replayed, again.fields], ['EXPIRED', true, {}])
  await bank.control('POST', '/down', { down: false })
  assert.deepEqual(await chargesOf(id), [])
})

test('a payment that is canceled while the bank makes its charge stays CANCELED, and the charge is removed', async () => {
  const fault = { match: { method: 'PUT', path: '/cob/' }, action: 'delay', delayMs: 500, times: 1 }
  await bank.control('POST', '/faults', fault)
  const creating = world.create()
  const id = await untilThere(
    async () =>
      (
        await world.core.sql<
          { id: PaymentId }[]
        >`select id from payment where status = 'PENDING' order by id desc`
      )[0]?.id,
  )
  const canceled = await world.core.lane.submit(world.core.endKind, {
    merchantId: world.merchant.id,
    paymentId: id,
    event: 'canceled',
  })
  assert.equal(canceled.kind, 'closed')
  await world.revoke()
  const { payment } = await creating
  assert.deepEqual([payment.id, payment.status], [id, 'CANCELED'])
  await world.revoke()
  const [charge] = await chargesOf(id)
  assert.equal(charge?.status, 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
})

async function untilThere<Value>(ask: () => Promise<Value | undefined>): Promise<Value> {
  for (let tries = 0; tries < 200; tries++) {
    const value = await ask()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return assert.fail('never')
}

test('the log repeats what a bank says, but not what the payer is called', async () => {
  const pix = must(world.core.rails.get('PIX'), 'there is PIX')
  assert.equal(pix.opens.at, 'REQUEST')
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const customer = {
    customerName: 'Conceição Souza',
    customerEmail: 'maria@example.com',
    customerTaxId: '12ABC34501DE35',
    customerPhone: '+5511987654321',
    description: 'Consulta de terça',
  }
  const said = `devedor.nome "CONCEIÇÃO SOUZA" ${JSON.stringify(customer)}: campo inválido`
  for (const open of [
    async () => refusedFor('payer_refused', said),
    () => Promise.reject(new ProviderError('unknown', said)),
  ]) {
    const rails = new Map([...world.core.rails, ['PIX', { ...pix, opens: { ...pix.opens, open } }] as const])
    const { sql, lane: ledger, clock } = world.core
    const creator = createPaymentCreator({ pages, sql, rails, ledger, clock, log })
    const request = { amount: 1_000, paymentMethods: ['PIX'] as const, ...customer }
    await creator.create(world.merchant, newId(), request).catch((error: unknown) => {
      assert.ok(error instanceof AppError && error.code === 'provider_unavailable', String(error))
    })
    await creator.close()
  }
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg),
    ['a provider refuses a payment', 'a provider did not open a payment'],
  )
  for (const line of lines) {
    assert.match(line, /campo inválido/)
    for (const value of Object.values(customer))
      assert.ok(!line.toLowerCase().includes(value.toLowerCase()), `${value} in ${line}`)
  }
})
