// The kinds of jobs as a worker of the program runs them, against a bank and real books.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { workerParts } from '#/app/work.ts'
import { selectHealth } from '#/merchants/connection-queries.ts'
import { eventually } from '../../test/eventually.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import type { OperatorJob } from './operator-job.ts'
import { findJob, requestJob } from './store.ts'

let bank: PixBank
let world: PixWorld
const stopping = new AbortController()
let running: Promise<void>

before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer())
  const part = workerParts(world.core).find(({ name }) => name === 'jobs of operators')
  running = part?.run(stopping.signal) ?? assert.fail('a worker has this part')
})
after(async () => {
  stopping.abort()
  await running
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

const by = { kind: 'OPERATOR', id: 'ana@office' } as const

async function run(kind: string, args: Record<string, unknown> = {}): Promise<OperatorJob> {
  const { sql, wakeUps } = world.core
  const onRequested = () => wakeUps.jobs.forEach((wake) => wake())
  const { id } = await requestJob({ sql, onRequested }, { kind, arguments: args, by })
  return eventually('its end', async () => {
    const job = await findJob(sql, id)
    return job !== undefined && job.endedAt !== null && job
  })
}

type Result = Readonly<Record<string, unknown>>
const resultOf = ({ status, error, result }: OperatorJob): Result => {
  assert.deepEqual([status, error], ['DONE', null])
  return result ?? assert.fail('it has a result')
}

test('connection.test asks the provider with each of its credentials, also those for refunds', async () => {
  const { ok, probes } = resultOf(await run('connection.test', { connectionId: world.connection })) as {
    ok: boolean
    probes: readonly { what: string; ok: boolean }[]
  }
  assert.equal(ok, true, JSON.stringify(probes))
  assert.ok(probes.some(({ what }) => what.startsWith('refunds: token')))
  assert.ok(probes.some(({ what }) => what.startsWith('collection: token')))
  assert.ok(!JSON.stringify(probes).includes('PRIVATE KEY'))
  const unknown = await run('connection.test', { connectionId: 'a1-nobody' })
  assert.equal(unknown.status, 'FAILED')
  assert.match(unknown.error ?? '', /There is no connection a1-nobody, or it was sealed under other keys/)
  assert.deepEqual(unknown.failure, { key: 'connection_unknown', values: { connection: 'a1-nobody' } })
})

test('connection.register says what the provider refuses', async () => {
  const job = await run('connection.register', { connectionId: world.connection })
  assert.equal(job.status, 'FAILED')
  assert.match(job.error ?? '', /^The provider refuses .*\/callbacks\/pix\//)
  assert.equal(job.failure?.key, 'address_refused')
})

test('verify reads all books again, and says that nothing is unexplained, or how much', async () => {
  const { payment } = await world.create()
  const pix = await bank.pay(await world.txidOf(payment), { webhook: 'lose' })
  await world.callback({ pix })
  const sound = await run('verify')
  const result = resultOf(sound)
  assert.deepEqual([result['ok'], result['summary']], [true, 'unexplained: 0.00'])
  assert.deepEqual(result['unexplained'], [{ currency: 'BRL', amount: '0.00' }])
  assert.ok((result['inspections'] as readonly string[]).length > 20)

  const { sql } = world.core
  const [moved] = await sql<{ account: bigint }[]>`
    update balance set minor = minor + 250
     where account_id = (select id from account where name like 'wallet:%:available' order by id limit 1)
    returning account_id as account`
  try {
    const faulty = resultOf(await run('verify'))
    assert.deepEqual([faulty['ok'], faulty['summary']], [false, 'unexplained: 2.50 BRL'])
    const faults = faulty['faults'] as readonly { row: string }[]
    assert.ok(faults.some(({ row }) => row === `balance of account ${moved?.account}`))
  } finally {
    await sql`update balance set minor = minor - 250 where account_id = ${moved?.account ?? 0n}`
  }
})

test('balances compares the books with the provider, those that differ first', async () => {
  const { rows, count } = resultOf(await run('balances')) as {
    count: number
    rows: readonly { connection: string; verdict: string }[]
  }
  assert.equal(rows.length, count)
  assert.ok(rows.some(({ connection }) => connection === world.connection))
})

test('what a worker lacks for a job is said by name', async () => {
  const address = `0x${'12'.repeat(20)}`
  const away = { key: 'chain_not_connected', values: { chains: 'none', chain: 'bsc' } }
  for (const [kind, args, sentence, failure] of [
    [
      'sweep',
      {},
      /^Which chain\? This worker is connected to: none\.$/,
      { key: 'which_chain', values: { chains: 'none' } },
    ],
    ['sweep', { chain: 'bsc' }, /^This worker is not connected to the chain bsc, but to: none\.$/, away],
    [
      'rescue',
      { chain: 'bsc', address, token: 'native' },
      /^This worker is not connected to the chain bsc/,
      away,
    ],
  ] as const) {
    const job = await run(kind, args)
    assert.equal(job.status, 'FAILED')
    assert.match(job.error ?? '', sentence)
    assert.deepEqual(job.failure, failure)
  }
})

test('the program counts the calls to the provider of a connection', async () => {
  const { payment } = await world.create()
  await world.txidOf(payment)
  const counted = await eventually('the figures of the calls', async () => {
    const hours = await selectHealth(world.core.sql, world.connection, 48)
    return hours.length > 0 && hours
  })
  assert.ok(counted.every(({ calls, errors }) => calls > 0n && errors <= calls))
})
