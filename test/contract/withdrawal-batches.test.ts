// Batches of withdrawals over HTTP: accepted together or not at all, approved as one, and each withdrawal with its own end.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openForTests } from '../open-for-tests.ts'
import { codeOf, done, openWorld, refused, type Row } from '../withdrawal-world.ts'
import { withdrawalBody, type Answer, type Tenant } from './world.ts'

const world = openForTests(openWorld)

let keys = 0

function request(tenant: Pick<Tenant, 'key'>, withdrawals: readonly Row[], more: Row = {}): Promise<Answer> {
  keys += 1
  const body = {
    idempotencyKey: `batch-${keys}`,
    withdrawals: withdrawals.map((each) => withdrawalBody(each)),
    ...more,
  }
  return world.ask(tenant, 'POST', '/v1/withdrawal-batches', { body })
}

const act = (tenant: Pick<Tenant, 'key'>, verb: string, id: unknown) =>
  world.ask(tenant, 'POST', `/v1/withdrawal-batches/{id}/${verb}`, { id: String(id) })

const read = async (tenant: Tenant, id: unknown) =>
  (await world.ask(tenant, 'GET', '/v1/withdrawal-batches/{id}', { id: String(id) })).body

async function membersOf(tenant: Tenant, id: unknown): Promise<readonly Row[]> {
  const { body } = await world.ask(tenant, 'GET', `/v1/withdrawals?limit=100&batchId=${String(id)}`)
  return body['data'] as readonly Row[]
}

const pointersOf = ({ body }: Answer) =>
  (body['errors'] as readonly Row[]).map(({ pointer, code }) => [pointer, code])

// First: the report of the inspection keeps a thousand faults, and every withdrawal here lacks a connection.
test('verify finds the books right, and a withdrawal that was taken out of its batch', async () => {
  const tenant = await world.funded()
  const { body } = await request(tenant, [{ amount: 100 }, { amount: 200 }])
  assert.deepEqual(await world.faults(), [])
  const [first] = await membersOf(tenant, body['id'])
  const { sql } = world.base
  await sql`update withdrawal set batch_id = null, batch_place = null where id = ${String(first?.['id'])}`
  const faults = await world.faults()
  assert.ok(
    faults.includes(`batch of withdrawals ${String(body['id'])}: is of 2, and 1 are there`),
    faults.join(),
  )
  assert.ok(faults.includes(`withdrawal ${String(first?.['id'])}: has another reference than its key makes`))
  await sql`
    update withdrawal set batch_id = ${String(body['id'])}, batch_place = 1 where id = ${String(first?.['id'])}`
  assert.deepEqual(await world.faults(), [])
})

describe('at acceptance', () => {
  test('all of it is held at once, in the order of the request, and each has an event of its own', async () => {
    const tenant = await world.funded()
    const { status, body } = await request(tenant, [{ amount: 100 }, { amount: 250, metadata: { a: 1 } }])
    assert.equal(status, 201)
    assert.deepEqual(
      [body['status'], body['count'], body['progress']],
      ['IN_PROGRESS', 2, [{ status: 'PENDING', currency: 'BRL', count: 2, amount: 350, fee: 0 }]],
    )
    assert.deepEqual(await world.balanceOf(tenant), { balance: 650, held: 350 })
    const members = await membersOf(tenant, body['id'])
    assert.deepEqual(
      members.map(({ amount, batchId, metadata }) => [amount, batchId, metadata]),
      [
        [250, body['id'], { a: 1 }],
        [100, body['id'], undefined],
      ],
    )
    for (const { id } of members) assert.deepEqual(await world.eventsOf(tenant, id), ['withdrawal.created'])
    for (const [more, count] of [
      ['type=PIX&currency=BRL', 2],
      ['type=SEPA', 0],
      ['currency=EUR', 0],
    ] as const) {
      const path = `/v1/withdrawals?batchId=${String(body['id'])}&${more}`
      assert.equal(((await world.ask(tenant, 'GET', path)).body['data'] as Row[]).length, count, more)
    }
  })

  test('one that is not accepted refuses all, and the faults of every one are listed by their place', async () => {
    const tenant = await world.funded(1_000n)
    const answer = await request(tenant, [
      { amount: 900 },
      { amount: 200 },
      { amount: 100 },
      { currency: 'EUR' },
    ])
    assert.deepEqual(codeOf(answer), [422, 'insufficient_funds'])
    assert.deepEqual(pointersOf(answer), [
      ['/withdrawals/1', 'insufficient_funds'],
      ['/withdrawals/3/currency', 'not_allowed'],
    ])
    assert.deepEqual(await world.balanceOf(tenant), { balance: 1_000, held: 0 })
    const { body } = await world.ask(tenant, 'GET', '/v1/withdrawals')
    assert.deepEqual(body['data'], [])
    const { body: batches } = await world.ask(tenant, 'GET', '/v1/withdrawal-batches')
    assert.deepEqual(batches['data'], [])
  })

  test('a body that does not fit says where, and a batch without a key, with none or with 1,001 is refused', async () => {
    const tenant = await world.funded()
    const unfit = await request(tenant, [{}, { pixKey: undefined }, { amount: -1 }])
    assert.deepEqual(pointersOf(unfit), [['/withdrawals/2/amount', 'too_small']])
    const missing = await request(tenant, [{}, { pixKey: undefined }])
    assert.deepEqual(pointersOf(missing), [['/withdrawals/1/pixKey', 'required']])
    const unkeyed = await request(tenant, [{}], { idempotencyKey: undefined })
    assert.deepEqual(pointersOf(unkeyed), [['/idempotencyKey', 'required']])
    assert.deepEqual(codeOf(await request(tenant, [])), [400, 'invalid_request'])
    const many = Array.from({ length: 1_001 }, () => ({ amount: 1 }))
    assert.deepEqual(pointersOf(await request(tenant, many)), [['/withdrawals', 'too_long']])
    assert.deepEqual(await world.balanceOf(tenant), { balance: 1_000, held: 0 })
  })

  test('a thousand are accepted together, and are sent by their own references', async () => {
    const tenant = await world.funded(10_000n)
    const { status, body } = await request(
      tenant,
      Array.from({ length: 1_000 }, () => ({ amount: 10 })),
    )
    assert.equal(status, 201)
    assert.deepEqual(await world.balanceOf(tenant), { balance: 0, held: 10_000 })
    const [row] = await world.base.sql<{ count: bigint }[]>`
      select count(distinct reference) as count from withdrawal where batch_id = ${String(body['id'])}`
    assert.equal(row?.count, 1_000n)
  })

  test('the same key with the same withdrawals is the same batch, once; with others it is a conflict', async () => {
    const tenant = await world.funded()
    const same = { idempotencyKey: 'payday' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => request(tenant, [{ amount: 10 }, { amount: 20 }], same)),
    )
    assert.deepEqual(new Set(answers.map(({ body }) => body['id'])).size, 1)
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 2)
    assert.deepEqual(codeOf(await request(tenant, [{ amount: 20 }, { amount: 10 }], same)), [
      409,
      'idempotency_conflict',
    ])
    assert.deepEqual(await world.balanceOf(tenant), { balance: 970, held: 30 })
    const other = await world.funded()
    assert.equal((await request(other, [{ amount: 10 }, { amount: 20 }], same)).status, 201)
  })

  test('limits count what is before in the same batch', async () => {
    const tenant = await world.funded()
    await world.limit(tenant, { dayMinor: 250n })
    const answer = await request(tenant, [{ amount: 200 }, { amount: 100 }])
    assert.deepEqual(
      [...codeOf(answer), pointersOf(answer)],
      [422, 'limit_exceeded', [['/withdrawals/1/amount', 'too_large']]],
    )
    assert.equal((await request(tenant, [{ amount: 200 }, { amount: 50 }])).status, 201)
    assert.deepEqual(codeOf(await request(tenant, [{ amount: 1 }])), [422, 'limit_exceeded'])
  })
})

describe('as a table', () => {
  const send = (tenant: Tenant, raw: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    world.send(tenant, 'POST', '/v1/withdrawal-batches', raw, {
      'content-type': 'text/csv; charset=utf-8',
      'idempotency-key': `table-${(keys += 1)}`,
      ...headers,
    })

  test('each row is a withdrawal, with quoted cells, metadata and empty cells', async () => {
    const tenant = await world.funded()
    const table = `\uFEFFtype,amount,currency,pixKey,pixKeyType,description,metadata.note\r
PIX,100,BRL,ana@example.com,EMAIL,"Rent, ""May""",first\r
PIX,50,BRL,+5511987654321,PHONE,,\r
`
    const { status, body } = await send(tenant, table)
    assert.equal(status, 201)
    assert.deepEqual(
      (await membersOf(tenant, body['id'])).map(({ amount, pixKey, description, metadata }) => [
        amount,
        pixKey,
        description,
        metadata,
      ]),
      [
        [50, '+5511987654321', undefined, undefined],
        [100, 'ana@example.com', 'Rent, "May"', { note: 'first' }],
      ],
    )
  })

  test('what does not fit is refused with its row, and what is no table as a whole', async () => {
    const tenant = await world.funded()
    const head = 'type,amount,currency,pixKey,pixKeyType'
    const row = 'PIX,100,BRL,ana@example.com,EMAIL'
    assert.deepEqual(pointersOf(await send(tenant, `${head}\n${row}\nPIX,1.5,BRL,ana@example.com,EMAIL`)), [
      ['/withdrawals/1/amount', 'wrong_type'],
    ])
    assert.deepEqual(pointersOf(await send(tenant, `${head},colour\n${row},red`)), [
      ['/withdrawals/0/colour', 'unknown_field'],
    ])
    for (const table of ['', head, `${head}\n${row},x`, `${head},type\n${row},PIX`, `${head}\n"PIX,1`])
      assert.deepEqual(codeOf(await send(tenant, table)), [400, 'invalid_request'], table)
    assert.deepEqual(codeOf(await send(tenant, Buffer.from([0xff, 0xfe, 0x41]))), [400, 'invalid_request'])
    const many = `${head}\n${`${row}\n`.repeat(1_001)}`
    assert.deepEqual(pointersOf(await send(tenant, many)), [['/withdrawals', 'too_long']])
    assert.deepEqual(codeOf(await send(tenant, row.repeat(40_000))), [413, 'payload_too_large'])
    assert.deepEqual(await world.balanceOf(tenant), { balance: 1_000, held: 0 })
  })

  test('only this route reads tables', async () => {
    const tenant = await world.funded()
    const { status } = await world.send(tenant, 'POST', '/v1/withdrawals', 'a,b', {
      'content-type': 'text/csv',
    })
    assert.equal(status, 415)
  })
})

describe('approval', () => {
  test('is of the batch as one: when one of it needs it, all wait, and one call sends all', async () => {
    const tenant = await world.funded()
    await world.limit(tenant, { approvalAboveMinor: 100n })
    const { body } = await request(tenant, [{ amount: 50 }, { amount: 101 }])
    assert.deepEqual(
      (body['progress'] as Row[]).map(({ status, count }) => [status, count]),
      [['PENDING_APPROVAL', 2]],
    )
    assert.deepEqual(codeOf(await act(tenant, 'approve', body['id'])), [403, 'forbidden'])
    const approver = await world.base.issue(tenant.id, ['withdrawals:approve'])
    const approved = await act(approver, 'approve', body['id'])
    assert.deepEqual([approved.status, approved.body['status']], [200, 'IN_PROGRESS'])
    assert.equal((await act(approver, 'approve', body['id'])).status, 200)
    await world.work(done)
    const ended = await read(tenant, body['id'])
    assert.deepEqual(
      [ended['status'], ended['progress']],
      ['ENDED', [{ status: 'COMPLETED', currency: 'BRL', count: 2, amount: 151, fee: 0 }]],
    )
    assert.deepEqual(await world.balanceOf(tenant), { balance: 849, held: 0 })
    const log = await world.base.sql`
      select 1 from audit_log where merchant_id = ${tenant.id} and action = 'withdrawal.approve'`
    assert.equal(log.length, 2)
  })

  test('is needed too when many small ones together are above the amount', async () => {
    const tenant = await world.funded()
    await world.limit(tenant, { approvalAboveMinor: 100n })
    const { body } = await request(tenant, [{ amount: 50 }, { amount: 51 }])
    assert.equal(body['status'], 'PENDING_APPROVAL')
    assert.equal((await request(tenant, [{ amount: 50 }, { amount: 50 }])).body['status'], 'IN_PROGRESS')
  })

  test('an obstacle to one approves none; a rejection gives all of it back', async () => {
    const tenant = await world.funded()
    await world.limit(tenant, { approvalAboveMinor: 0n })
    const { body } = await request(tenant, [{ amount: 50 }, { amount: 300 }])
    const approver = await world.base.issue(tenant.id, ['withdrawals:approve'])
    await world.limit(tenant, { approvalAboveMinor: 0n, eachMinor: 200n })
    assert.deepEqual(codeOf(await act(approver, 'approve', body['id'])), [422, 'limit_exceeded'])
    assert.deepEqual(
      (await membersOf(tenant, body['id'])).map(({ status, version }) => [status, version]),
      [
        ['PENDING_APPROVAL', 1],
        ['PENDING_APPROVAL', 1],
      ],
    )
    assert.equal((await act(approver, 'reject', body['id'])).body['status'], 'ENDED')
    assert.deepEqual(await world.balanceOf(tenant), { balance: 1_000, held: 0 })
    assert.deepEqual(codeOf(await act(approver, 'approve', body['id'])), [409, 'invalid_state'])
  })
})

describe('afterwards', () => {
  test('each has its own end, and canceling ends those that were not sent', async () => {
    const tenant = await world.funded()
    const { body } = await request(tenant, [{ amount: 100 }, { amount: 200 }, { amount: 300 }])
    const [, second] = await membersOf(tenant, body['id'])
    await world.act(tenant, 'cancel', second?.['id'])
    await world.work(refused)
    assert.deepEqual((await read(tenant, body['id']))['progress'], [
      { status: 'CANCELED', currency: 'BRL', count: 1, amount: 200, fee: 0 },
      { status: 'FAILED', currency: 'BRL', count: 2, amount: 400, fee: 0 },
    ])
    assert.deepEqual(codeOf(await act(tenant, 'cancel', body['id'])), [200, undefined])
    const { body: fresh } = await request(tenant, [{ amount: 100 }, { amount: 200 }])
    assert.equal((await act(tenant, 'cancel', fresh['id'])).body['status'], 'ENDED')
    assert.deepEqual(await world.balanceOf(tenant), { balance: 1_000, held: 0 })
  })

  test('batches are listed newest first, page by page, with their state; those of others are not there', async () => {
    const tenant = await world.funded()
    const made: unknown[] = []
    for (const amount of [10, 20, 30]) made.push((await request(tenant, [{ amount }])).body['id'])
    await act(tenant, 'cancel', made[1])
    const pages = [await world.ask(tenant, 'GET', '/v1/withdrawal-batches?limit=2')]
    const cursor = String(pages[0]?.body['nextCursor'])
    pages.push(await world.ask(tenant, 'GET', `/v1/withdrawal-batches?limit=2&cursor=${cursor}`))
    const listed = pages.flatMap(({ body }) => body['data'] as Row[])
    assert.deepEqual(
      listed.map(({ id, status }) => [id, status]),
      [
        [made[2], 'IN_PROGRESS'],
        [made[1], 'ENDED'],
        [made[0], 'IN_PROGRESS'],
      ],
    )
    const other = await world.funded()
    assert.deepEqual((await world.ask(other, 'GET', '/v1/withdrawal-batches')).body['data'], [])
    assert.equal(
      (await world.ask(other, 'GET', '/v1/withdrawal-batches/{id}', { id: String(made[0]) })).status,
      404,
    )
    assert.equal((await act(other, 'cancel', made[0])).status, 404)
    assert.deepEqual(await membersOf(other, made[0]), [])
  })
})
