import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { connect } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { minuteMs } from '#/kernel/time.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { listRails } from '#/rails/all.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import type { Signal } from '#/rails/receipt.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { auditKey, cell, cent, openLine, type Line } from '../../test/line.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { insertSignals } from './inbox-queries.ts'
import { createInbox, drainOnce, type InboxDeps } from './inbox.ts'
import { settleKind } from './settle.ts'

function depsOf(line: Line, more: Partial<InboxDeps> = {}): InboxDeps {
  const rails = listRails([createCryptoRail(() => [line.chain])])
  return {
    sql: line.sql,
    rails,
    lane: line.lane,
    kind: settleKind(rails),
    log: silentLog,
    ...more,
  }
}

async function keep(line: Line, signals: readonly Signal[]): Promise<void> {
  await insertSignals(
    line.sql,
    signals.map((signal) => ({ method: 'CRYPTO' as const, ...signal })),
    line.clock.now(),
  )
}

/** Pays a new payment. Returns its signals: a sighting and the final money. */
async function payOne(line: Line, cents = 1_000n) {
  const payment = await line.create()
  await line.mine([{ to: await line.addressOf(payment), units: cents * cent }])
  await line.finalize()
  return { payment, signals: line.drainSignals() }
}

async function rowsOf(line: Line) {
  return [
    ...(await line.sql<
      { tries: number; parked: boolean; last_error: string | null }[]
    >`select tries, parked, last_error from inbox order by id`),
  ]
}

test('a signal is settled once and deleted in that transaction, however many copies came', async () => {
  await using line = await openLine()
  const { payment, signals } = await payOne(line)
  await keep(line, [...signals, ...signals, ...signals])
  assert.equal(await drainOnce(depsOf(line)), 6)
  assert.deepEqual(await rowsOf(line), [])
  const after = await line.payment(payment.id)
  assert.deepEqual([after.status, after.receivedMinor, after.receipts], ['PAID', 1_000n, 2])
})

test('two workers share the inbox and settle everything once', async () => {
  await using line = await openLine()
  const paid = []
  for (let n = 0; n < 6; n++) paid.push(await payOne(line))
  await keep(
    line,
    paid.flatMap(({ signals }) => signals),
  )
  const claimed = await Promise.all([1, 2, 3].map(() => drainOnce(depsOf(line, { batchMax: 5 }))))
  assert.equal(
    claimed.reduce((a, b) => a + b),
    12,
  )
  for (const { payment } of paid) assert.equal((await line.payment(payment.id)).receivedMinor, 1_000n)
  assert.deepEqual(await rowsOf(line), [])
})

test('a signal that cannot be read is tried five times, later each time, and then waits for a person', async () => {
  await using line = await openLine()
  const good = await payOne(line)
  await keep(line, [
    { connection: line.chain.connection, receivedAt: line.clock.now(), body: Buffer.from('{"no') },
    ...good.signals,
  ])
  const levels: number[] = []
  const write = (entry: string) => void levels.push((JSON.parse(entry) as { level: number }).level)
  const log = pino({ base: null }, { write })
  for (let tries = 1; tries <= 5; tries++) {
    assert.deepEqual(
      (await rowsOf(line)).some(({ parked }) => parked),
      false,
    )
    await drainOnce(depsOf(line, { log }))
    // Nothing is due again at once.
    assert.equal(await drainOnce(depsOf(line)), 0)
    await line.clock.advance(2 * minuteMs)
  }
  const [row, ...others] = await rowsOf(line)
  assert.deepEqual(others, [])
  assert.deepEqual([row?.parked, row?.tries], [true, 5])
  assert.match(row?.last_error ?? '', /JSON/)
  const { warn, error } = log.levels.values
  assert.deepEqual(levels, [warn, warn, warn, warn, error], 'a person is called when it is parked')
  assert.equal(await drainOnce(depsOf(line)), 0)
  assert.equal((await line.payment(good.payment.id)).status, 'PAID')
})

test('money for an unknown payment stays in the inbox and is not booked', async () => {
  await using line = await openLine()
  const { signals } = await payOne(line)
  const strange = signals.map((signal) => ({
    ...signal,
    body: Buffer.from(signal.body.toString().replace(/"paymentId":"[^"]+"/, `"paymentId":"${newId()}"`)),
  }))
  await keep(line, strange)
  await drainOnce(depsOf(line))
  assert.deepEqual(
    (await rowsOf(line)).map(({ tries, last_error }) => [tries, /not there/.test(last_error ?? '')]),
    [
      [1, true],
      [1, true],
    ],
  )
  assert.equal((await line.sql`select from transfer`).count, 0)
})

test('while the database is away no try of a signal is counted, and none is parked', async () => {
  await using line = await openLine()
  await using proxy = await startTcpProxy(line.appUrl)
  const { payment, signals } = await payOne(line)
  await keep(line, signals)
  const openSql = () => connect(proxy.url, { max: 1, connectTimeoutSeconds: 1 })
  const lane = await createLedgerLane<EventDraft>({
    openSql,
    cell,
    auditKey,
    announce,
    clock: line.clock.running,
    log: silentLog,
    patienceMs: 5,
  })
  proxy.greet('by closing')
  for (let n = 0; n < 8; n++) {
    proxy.cutAll()
    await drainOnce(depsOf(line, { lane }))
    await line.clock.advance(2 * minuteMs)
  }
  assert.deepEqual(
    (await rowsOf(line)).map(({ parked, tries }) => [parked, tries]),
    [
      [false, 0],
      [false, 0],
    ],
  )
  proxy.greet('well')
  await drainOnce(depsOf(line, { lane }))
  assert.equal((await line.payment(payment.id)).status, 'PAID')
  assert.deepEqual(await rowsOf(line), [])
  await lane.close()
})

test('a signal that a dead worker had claimed is claimed again when its lease is over', async () => {
  await using line = await openLine()
  const { payment, signals } = await payOne(line)
  await keep(line, signals)
  // It claims the signals and never settles them.
  const dead = depsOf(line, { lane: { ...line.lane, submit: () => new Promise(() => {}) } })
  void drainOnce(dead)
  for (let n = 0; n < 100 && (await rowsOf(line)).some(({ tries }) => tries === 0); n++)
    await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(await drainOnce(depsOf(line)), 0)
  await line.clock.advance(minuteMs)
  assert.equal(await drainOnce(depsOf(line)), 2)
  assert.equal((await line.payment(payment.id)).status, 'PAID')
})

test('a worker polls when it is woken, and ends when it is asked to stop', async () => {
  await using line = await openLine()
  const { payment, signals } = await payOne(line)
  const inbox = createInbox(depsOf(line))
  const stopping = new AbortController()
  const running = inbox.run(stopping.signal)
  await keep(line, signals)
  inbox.wake()
  for (let n = 0; n < 400 && (await line.payment(payment.id)).status !== 'PAID'; n++)
    await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal((await line.payment(payment.id)).status, 'PAID')
  stopping.abort()
  await running
})

/** From now on receipts of this payment, or of all, take too long to write. Returns a function that ends this. */
async function slowDown(line: Line, payment?: string): Promise<() => Promise<unknown>> {
  await line.owner.unsafe(`
    create function slow_down() returns trigger language plpgsql as $$
    begin
      if ${payment === undefined ? 'true' : `new.payment_id = '${payment}'`} then
        raise exception 'canceling statement due to statement timeout' using errcode = '57014';
      end if;
      return new;
    end $$;
    create trigger slow_down before insert on receipt for each row execute function slow_down()`)
  return () => line.owner`drop trigger slow_down on receipt`
}

function laneOf(line: Line) {
  return createLedgerLane<EventDraft>({
    openSql: () => connect(line.appUrl, { max: 1 }),
    cell,
    auditKey,
    announce,
    clock: line.clock.running,
    log: silentLog,
    othersMs: 30,
  })
}

test('a signal that takes too long alone is parked after its tries, and delays no other', async () => {
  await using line = await openLine()
  const stuck = await payOne(line)
  await slowDown(line, stuck.payment.id)
  const lane = await laneOf(line)
  await keep(line, stuck.signals.slice(1))
  for (let n = 0; n < 5; n++) {
    const other = await payOne(line)
    await keep(line, other.signals)
    await drainOnce(depsOf(line, { lane }))
    assert.equal((await line.payment(other.payment.id)).status, 'PAID')
    await line.clock.advance(2 * minuteMs)
  }
  assert.deepEqual(
    (await rowsOf(line)).map(({ parked, tries }) => [parked, tries]),
    [[true, 5]],
  )
  await lane.close()
})

test('while all writes take too long no try of a signal is counted, and none is parked', async () => {
  await using line = await openLine()
  const { payment, signals } = await payOne(line)
  const end = await slowDown(line)
  const lane = await laneOf(line)
  await keep(line, signals)
  for (let n = 0; n < 7; n++) {
    await drainOnce(depsOf(line, { lane }))
    await line.clock.advance(2 * minuteMs)
  }
  assert.deepEqual(
    (await rowsOf(line)).map(({ parked, tries }) => [parked, tries]),
    [
      [false, 0],
      [false, 0],
    ],
  )
  await end()
  await drainOnce(depsOf(line, { lane }))
  assert.equal((await line.payment(payment.id)).status, 'PAID')
  await lane.close()
})

test('a signal with very many receipts is settled in parts, and deleted with the last', async () => {
  await using line = await openLine()
  const payment = await line.create({ amount: 250 })
  const to = await line.addressOf(payment)
  await line.mine(Array.from({ length: 250 }, () => ({ to, units: cent })))
  await line.finalize()
  const signals = line.drainSignals().slice(250)
  const rails = listRails([
    {
      ...createCryptoRail(() => [line.chain]),
      read: async () => (await Promise.all(signals.map((signal) => line.receiptsOf(signal)))).flat(),
    },
  ])
  const sizes: number[] = []
  const lane: typeof line.lane = {
    ...line.lane,
    submit: (kind, item) => {
      sizes.push((item as { receipts: readonly unknown[] }).receipts.length)
      return line.lane.submit(kind, item)
    },
  }
  await keep(line, signals.slice(0, 1))
  await drainOnce(depsOf(line, { rails, kind: settleKind(rails), lane }))
  assert.deepEqual(sizes, [100, 100, 50])
  assert.equal((await line.payment(payment.id)).receivedMinor, 250n)
  assert.deepEqual(await rowsOf(line), [])
})
