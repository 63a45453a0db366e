// The worker of operators' jobs, with kinds that the test controls, on a real database.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { Type as T } from 'typebox'
import { connect } from '#/db/client.ts'
import { currentContext, inContext } from '#/kernel/context.ts'
import { AppError, ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { minuteMs } from '#/kernel/time.ts'
import { eventually } from '../../test/eventually.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import type { KindTerms } from './kinds.ts'
import type { OperatorJob, OperatorJobId } from './operator-job.ts'
import { insertJob, renewJob } from './queries.ts'
import { cancelJob, findJob, listJobs, requestJob } from './store.ts'
import {
  createJobWorker,
  deleteOldJobs,
  JobFailure,
  type JobContext,
  type JobOutcome,
  type JobWorkerDeps,
} from './worker.ts'

const stops: (() => Promise<void>)[] = []

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 4 }))
beforeEach(() => sql`delete from operator_job`)
// A job that a failed test left would be claimed in the next test.
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())))

const ana = { kind: 'OPERATOR', id: 'ana@office' } as const
const schema = T.Object({ word: T.Optional(T.String({ maxLength: 10 })) }, { additionalProperties: false })
const terms: KindTerms = { schema, isRepeatable: true, longestMs: minuteMs, slots: 2 }
const once: KindTerms = { ...terms, isRepeatable: false }
const kinds = { count: terms, other: terms, pay: once } as const

type Runs = Partial<Record<keyof typeof kinds, (context: JobContext) => Promise<JobOutcome>>>

/** A worker that runs until the returned function is called, or the end of the test. */
function work(runs: Runs, more: Partial<JobWorkerDeps> & { readonly longestMs?: number } = {}) {
  const { longestMs = minuteMs, ...deps } = more
  const worker = createJobWorker({
    sql,
    log: silentLog,
    tickMs: 20,
    kinds: new Map(
      Object.entries(runs).map(([kind, run]) => [
        kind,
        { ...kinds[kind as keyof typeof kinds], longestMs, run },
      ]),
    ),
    ...deps,
  })
  const stopping = new AbortController()
  const running = worker.run(stopping.signal)
  const stop = async () => {
    stopping.abort()
    await running
  }
  stops.push(stop)
  return { stop, wake: worker.wake }
}

const request = (kind: string, args: Record<string, unknown> = {}) =>
  requestJob({ sql, kinds }, { kind, arguments: args, by: ana })
const find = async ({ id }: Pick<OperatorJob, 'id'>) => (await findJob(sql, id)) ?? assert.fail('it is there')
const ended = (job: Pick<OperatorJob, 'id'>) =>
  eventually('its end', async () => {
    const found = await find(job)
    return found.endedAt !== null && found
  })
const actionsOf = async ({ id }: Pick<OperatorJob, 'id'>) =>
  (
    await sql<{ action: string; by: string }[]>`
    select action, actor_id as by from audit_log where subject = ${`operator-job:${id}`} order by id`
  ).map(({ action, by }) => [action, by])
const untilAborted = ({ signal }: JobContext) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

test('a job is queued with its entry in the audit log, runs, and keeps its result', async () => {
  const job = await request('count', { word: 'seven' })
  assert.deepEqual(
    [job.status, job.arguments, job.requestedBy, job.startedAt, job.result],
    ['QUEUED', { word: 'seven' }, ana, null, null],
  )
  assert.deepEqual(await actionsOf(job), [['job.request', 'ana@office']])
  const { stop } = work({
    count: async ({ job: { arguments: given } }) => ({
      result: { word: given['word'], minor: 9_007_199_254_740_993n },
      entries: [{ actor: ana, action: 'count.done', subject: `operator-job:${job.id}` }],
    }),
  })
  const done = await ended(job)
  assert.equal(done.status, 'DONE')
  assert.match(JSON.stringify(done.result), /"word":"seven","minor":9007199254740993/)
  assert.ok(done.startedAt !== null && done.endedAt !== null && done.startedAt <= done.endedAt)
  assert.deepEqual((await actionsOf(job)).at(-1), ['count.done', 'ana@office'])
  await stop()
})

test('a job runs in the trace of the request that asked for it', async () => {
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const traces = new Map<string, unknown>()
  const { stop } = work({
    count: async ({ job: { id } }) => {
      traces.set(id, currentContext().trace)
      return { result: {} }
    },
  })
  const traced = await inContext({ trace }, () => request('count'))
  const plain = await request('count')
  for (const job of [traced, plain]) await ended(job)
  assert.deepEqual([traces.get(traced.id), traces.get(plain.id)], [trace, undefined])
  await stop()
})

test('an unknown kind and arguments that do not fit its schema are refused, and nothing is stored', async () => {
  await assert.rejects(request('constructor'), { code: 'invalid_request' })
  await assert.rejects(request('count', { word: 'much too long for it' }), (error: unknown) => {
    const { faults } = error as { faults: readonly { pointer: string }[] }
    return faults.some(({ pointer }) => pointer === '/arguments/word')
  })
  await assert.rejects(request('count', { another: 1 }), { code: 'invalid_request' })
  assert.deepEqual(await listJobs(sql), [])
})

test('a kind has at most a hundred jobs that have not ended, however many are requested at once of another', async () => {
  for (let nth = 0; nth < 100; nth += 1)
    await insertJob(sql, { id: newId(), kind: 'count', arguments: {}, requestedBy: ana }, 100)
  await assert.rejects(request('count'), { code: 'invalid_state' })
  assert.equal((await request('other')).status, 'QUEUED')
})

test('how far a job is, is stored at most once in each tick, and its last word before its end', async () => {
  const go = Promise.withResolvers<void>()
  const job = await request('count')
  const { stop } = work({
    async count({ progress }) {
      for (let done = 0; done <= 1_000; done += 1) progress({ key: 'job.count', done, total: 1_000 })
      await go.promise
      return { result: {} }
    },
  })
  const far = await eventually('progress', async () => (await find(job)).progress ?? false)
  assert.deepEqual(far, { key: 'job.count', done: 1_000, total: 1_000 })
  go.resolve()
  await ended(job)
  await stop()
})

test('a failure is told as a sentence; one of the database’s connection is tried again, when it may be', async () => {
  let tries = 0
  const reason = { key: 'no_gas_wallet', values: { chain: 'bsc' } } as const
  const lost = () => Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })
  const { stop } = work({
    count: () => Promise.reject(new JobFailure('This worker has no wallet there.', reason)),
    async other() {
      tries += 1
      if (tries === 1) throw lost()
      return { result: { tries } }
    },
    pay: () => Promise.reject(lost()),
  })
  const [clear, again, unsure] = [await request('count'), await request('other'), await request('pay')]
  const [first, last] = [await ended(clear), await ended(unsure)]
  assert.deepEqual([first.status, first.error], ['FAILED', 'This worker has no wallet there.'])
  assert.deepEqual([first.failure, last.failure], [reason, { key: 'broke', isUnsure: true }])
  assert.deepEqual([(await ended(again)).status, tries], ['DONE', 2])
  assert.equal(last.status, 'FAILED')
  assert.match(last.error ?? '', /the connection was lost\. It may have been carried out: look before/)
  await stop()
})

test('a refusal is told by its code, and what a provider did by its kind', async () => {
  const thrown: Error[] = []
  const { stop } = work({ count: () => Promise.reject(thrown.shift() ?? new Error('none')) })
  for (const [error, failure] of [
    [new AppError('not_found', 'There is no such file.'), { key: 'problem', values: { code: 'not_found' } }],
    [new ProviderError('refused', 'the key is wrong'), { key: 'provider_refused' }],
    [new ProviderError('unavailable', 'no route to host'), { key: 'provider_unavailable' }],
    [new JobFailure('Nothing fits.'), { key: 'broke' }],
  ] as const) {
    thrown.push(error)
    const job = await ended(await request('count'))
    assert.deepEqual([job.status, job.error, job.failure], ['FAILED', error.message, failure])
  }
  await stop()
})

test('a result that is too large is not stored', async () => {
  const job = await request('count')
  const { stop } = work({ count: async () => ({ result: { text: 'x'.repeat(256 * 1024) } }) })
  const found = await ended(job)
  assert.deepEqual([found.status, found.result], ['FAILED', null])
  assert.match(found.error ?? '', /its result has more than 262144 bytes/)
  assert.deepEqual(found.failure, { key: 'result_too_large', values: { bytes: 262_144 } })
  await stop()
})

test('a job that waits is canceled at once, one that runs at its next step, and the entries say by whom', async () => {
  const [waiting, running] = [await request('other'), await request('count')]
  const steps: number[] = []
  const { stop } = work({
    async count({ step }) {
      for (;;) {
        step()
        steps.push(1)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
  })
  const bob = { kind: 'OPERATOR', id: 'bob@office' } as const
  const canceled = await cancelJob(sql, { id: waiting.id, by: bob })
  assert.deepEqual([canceled?.status, canceled?.startedAt], ['CANCELED', null])
  await eventually('it runs', () => steps.length > 0)
  const cancel = await cancelJob(sql, { id: running.id, by: bob })
  assert.deepEqual([cancel?.status, cancel?.isCancelRequested], ['RUNNING', true])
  assert.equal((await ended(running)).status, 'CANCELED')
  for (const job of [waiting, running]) {
    await cancelJob(sql, { id: job.id, by: bob })
    assert.deepEqual(await actionsOf(job), [
      ['job.request', 'ana@office'],
      ['job.cancel', 'bob@office'],
    ])
  }
  assert.equal(await cancelJob(sql, { id: newId<'operator-job'>(), by: bob }), undefined)
  await stop()
})

test('a job whose worker died begins again after the lease; one that may not be repeated fails and says why', async () => {
  const [repeated, single] = [await request('count'), await request('pay')]
  // A worker that claimed both and died: nothing prolongs its claims.
  await sql`update operator_job set status = 'RUNNING', takes = 1, started_at = now(), due_at = now() + interval '300 ms'`
  let runs = 0
  const run = async () => {
    runs += 1
    return { result: { runs } }
  }
  const { stop } = work({ count: run, pay: run })
  const [done, failed] = [await ended(repeated), await ended(single)]
  assert.deepEqual([done.status, failed.status, runs], ['DONE', 'FAILED', 1])
  assert.match(failed.error ?? '', /Its worker ended while it ran\. It may have been carried out/)
  assert.deepEqual(failed.failure, { key: 'worker_ended', isUnsure: true })
  await stop()
})

test('a worker that was superseded writes no end, and is told to stop', async () => {
  const job = await request('count')
  const reasons: unknown[] = []
  const started = Promise.withResolvers<void>()
  const { stop } = work({
    async count(context) {
      started.resolve()
      return untilAborted(context).catch((error: unknown) => {
        reasons.push(error)
        return { result: { by: 'the first' } }
      })
    },
  })
  await started.promise
  await sql`update operator_job set takes = takes + 1, due_at = now() + interval '1 minute'`
  await eventually('it is told', () => reasons.length === 1)
  await stop()
  assert.deepEqual([(await find(job)).status, (await find(job)).result], ['RUNNING', null])
})

test('a worker that is asked to stop gives its repeatable jobs to the next one, and ends the others first', async () => {
  const [repeated, single] = [await request('count'), await request('pay')]
  const go = Promise.withResolvers<void>()
  let isPaying = false
  const first = work({
    count: (context) => untilAborted(context),
    async pay() {
      isPaying = true
      await go.promise
      return { result: { paid: true } }
    },
  })
  await eventually('both run', async () => isPaying && (await find(repeated)).status === 'RUNNING')
  const stopping = first.stop()
  setTimeout(() => go.resolve(), 100)
  await stopping
  assert.deepEqual([(await find(single)).status, (await find(repeated)).status], ['DONE', 'RUNNING'])
  const second = work({ count: async () => ({ result: { by: 'the second' } }) })
  assert.deepEqual((await ended(repeated)).result, { by: 'the second' })
  await second.stop()
})

test('jobs that never end keep no other kind, and are given up after their time', async () => {
  const hanging = await Promise.all([1, 2, 3, 4].map(() => request('count')))
  const { stop } = work(
    { count: (context) => untilAborted(context), other: async () => ({ result: {} }) },
    { longestMs: 1_000 },
  )
  await eventually(
    'its slots are full',
    async () => (await find(hanging[0] ?? assert.fail())).status === 'RUNNING',
  )
  const others = await Promise.all([1, 2, 3].map(() => request('other')))
  for (const other of others) assert.equal((await ended(other)).status, 'DONE')
  const late = await ended(hanging[0] ?? assert.fail())
  assert.deepEqual([late.status, late.error], ['FAILED', 'It took longer than 1 min.'])
  assert.deepEqual(late.failure, { key: 'too_long', values: { minutes: 1 } })
  await stop()
})

test('a worker claims only kinds that it knows, and two workers never run one job both', async () => {
  const unknown = await request('other')
  const ran: OperatorJobId[] = []
  const run = async ({ job }: JobContext) => {
    ran.push(job.id)
    return { result: {} }
  }
  const workers = [work({ count: run }), work({ count: run })]
  const jobs = await Promise.all(Array.from({ length: 20 }, () => request('count')))
  for (const job of jobs) await ended(job)
  assert.deepEqual(ran.toSorted(), jobs.map(({ id }) => id).toSorted())
  assert.equal((await find(unknown)).status, 'QUEUED')
  for (const each of workers) await each.stop()
})

test('the list is newest first, by pages that neither repeat nor omit a job', async () => {
  const ids: OperatorJobId[] = []
  for (let nth = 0; nth < 7; nth += 1) ids.unshift((await request(nth % 2 === 0 ? 'count' : 'other')).id)
  const listed: OperatorJobId[] = []
  for (let before: OperatorJobId | undefined; ;) {
    const page = await listJobs(sql, { limit: 3, ...given({ before }) })
    before = page.at(-1)?.id
    if (before === undefined) break
    listed.push(...page.map(({ id }) => id))
  }
  assert.deepEqual(listed, ids)
  assert.equal((await listJobs(sql, { kind: 'other' })).length, 3)
})

test('jobs are deleted ninety days after their end, and none before', async () => {
  const [old, young, open] = [await request('count'), await request('count'), await request('count')]
  for (const { id } of [old, young]) await cancelJob(sql, { id, by: ana })
  await sql`update operator_job set created_at = created_at - interval '200 days'`
  await sql`update operator_job set ended_at = now() - interval '91 days' where id = ${old.id}`
  await sql`update operator_job set ended_at = now() - interval '89 days' where id = ${young.id}`
  assert.equal(await deleteOldJobs(sql), 1)
  assert.equal(await deleteOldJobs(sql), 0)
  assert.deepEqual(
    [await findJob(sql, old.id), (await find(young)).id, (await find(open)).id],
    [undefined, young.id, open.id],
  )
  assert.equal(
    await renewJob(sql, { claim: { id: open.id, connection: '', number: 1 } }, 1, undefined),
    'lost',
  )
})
