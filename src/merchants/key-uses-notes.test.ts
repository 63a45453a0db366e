// What is noted of keys in memory and written later: their last uses, and digests under a new key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { fingerprintOf, type KeyRing } from '#/kernel/secret.ts'
import { dayMs, minuteMs } from '#/kernel/time.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { eventually } from '../../test/eventually.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { createKeyRenewals, createKeyUses } from './key-uses.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.ownerUrl, { max: 2 }))

const merchantId = bareId(1) as MerchantId
const idOf = (number: number) => bareId(number) as ApiKeyId
const keyOf = (number: number) => ({ merchant_id: merchantId, id: idOf(number), digest: '\\x01' })
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** A clock that moves only when the test moves it. */
function stopwatch() {
  let now = 0
  return { elapsedMs: () => now, pass: (ms: number) => (now += ms) }
}

function lines() {
  const written: string[] = []
  return { written, log: pino({ level: 'debug' }, { write: (line: string) => void written.push(line) }) }
}

/** A database that answers no more. */
async function endedSql(): Promise<Sql> {
  const ended = connect(database.appUrl, { max: 1 })
  await ended.end({ timeout: 0 })
  return ended
}

/** How many of the keys have a last use, after `use` noted some and all was written. */
function usesWritten(
  api_key: BareRows[string],
  use: (uses: ReturnType<typeof createKeyUses>, pass: (ms: number) => void) => void,
): Promise<readonly { readonly id: string; readonly agoMs: number }[]> {
  return onRows(sql, { api_key }, async (tx) => {
    const { elapsedMs, pass } = stopwatch()
    const uses = createKeyUses({ sql: tx as Sql, log: silentLog, elapsedMs, everyMs: 10 * dayMs })
    use(uses, pass)
    await uses.close()
    return tx<{ id: string; agoMs: number }[]>`
      select id, extract(epoch from statement_timestamp() - last_used_at)::float8 * 1000 as "agoMs"
        from api_key where last_used_at > statement_timestamp() - interval '9 days' order by id`
  })
}

test('the last use of each key is written, as long ago as it was', async () => {
  const [first, second] = await usesWritten([0, 1, 2].map(keyOf), (uses, pass) => {
    uses.note(merchantId, idOf(0))
    uses.note(merchantId, idOf(1))
    pass(5 * dayMs)
    uses.note(merchantId, idOf(1))
    pass(dayMs)
  })
  assert.deepEqual([first?.id, second?.id], [idOf(0), idOf(1)])
  assert.ok(first !== undefined && first.agoMs >= 6 * dayMs && first.agoMs < 7 * dayMs)
  assert.ok(second !== undefined && second.agoMs >= dayMs && second.agoMs < 2 * dayMs)
})

test('a use is written when nine tenths of the span have passed since the one before', async () => {
  const usedBefore = async (days: number) => {
    const last_used_at = new Date((await databaseNow()).getTime() - days * dayMs).toISOString()
    const used = await usesWritten([{ ...keyOf(0), last_used_at }], (uses) => uses.note(merchantId, idOf(0)))
    return used.map(({ agoMs }) => agoMs < dayMs)
  }
  assert.deepEqual(await usedBefore(9.02), [true])
  assert.deepEqual(await usedBefore(8.98), [false])
})

async function databaseNow(): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select statement_timestamp() as now`
  assert.ok(row !== undefined)
  return row.now
}

test('uses of many keys are written, and of no more than 20 000 in one round', async () => {
  const used = await usesWritten([0, 19_999, 20_000].map(keyOf), (uses) => {
    for (const number of numbers(20_001)) uses.note(merchantId, idOf(number))
  })
  assert.deepEqual(
    used.map(({ id }) => id),
    [idOf(0), idOf(19_999)],
  )
})

test('a round begins with no uses: those of the round before leave room for others', async () => {
  await onRows(sql, { api_key: [19_999, 20_000].map(keyOf) }, async (tx) => {
    const uses = createKeyUses({ sql: tx as Sql, log: silentLog, ...stopwatch(), everyMs: 5 })
    for (const number of numbers(20_000)) uses.note(merchantId, idOf(number))
    await eventually('the last use of the first round', async () => (await usedKeys(tx)).length > 0)
    uses.note(merchantId, idOf(20_000))
    await uses.close()
    assert.deepEqual(await usedKeys(tx), [idOf(19_999), idOf(20_000)])
  })
})

test('uses that are noted while the last round is written are written too', async () => {
  await onRows(sql, { api_key: [0, 1].map(keyOf) }, async (tx) => {
    const noting = new Proxy(tx, {
      apply(target, self, args): unknown {
        uses.note(merchantId, idOf(1))
        return Reflect.apply(target, self, args)
      },
    })
    const uses = createKeyUses({ sql: noting as Sql, log: silentLog, ...stopwatch(), everyMs: dayMs })
    uses.note(merchantId, idOf(0))
    await uses.close()
    assert.deepEqual(await usedKeys(tx), [idOf(0), idOf(1)])
  })
})

async function usedKeys(tx: Tx): Promise<readonly string[]> {
  const rows = await tx<{ id: string }[]>`select id from api_key where last_used_at is not null order by id`
  return rows.map(({ id }) => id)
}

test('a round of uses that cannot be written is told in the log, and the next begins anew', async () => {
  const { written, log } = lines()
  const { elapsedMs } = stopwatch()
  const uses = createKeyUses({ sql: await endedSql(), log, elapsedMs })
  uses.note(merchantId, idOf(0))
  await uses.close()
  assert.match(written.join(''), /the last uses of keys could not be written/)
})

const [newKey, oldKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const [newPrint, oldPrint] = [fingerprintOf(newKey), fingerprintOf(oldKey)]
const inForce = [{ purpose: 'API_KEYS', fingerprint: `\\x${newPrint.toString('hex')}` }]

type Renewals = ReturnType<typeof createKeyRenewals>
const found = (number: number, digestKey: Buffer | null = oldPrint) => ({
  merchantId,
  keyId: idOf(number),
  digest: Buffer.from([1]),
  digestKey,
})
const digests = [Buffer.from([9])]

/** Which of three keys have a new digest, after `use` noted and wrote some. */
function renewed(
  use: (renewals: Renewals, pass: (ms: number) => void, tx: Tx) => Promise<void>,
  { pepper = [newKey, oldKey], count = 3 }: { readonly pepper?: KeyRing; readonly count?: number } = {},
): Promise<readonly string[]> {
  return onRows(sql, { api_key: numbers(count).map(keyOf), key_in_force: inForce }, async (tx) => {
    const { elapsedMs, pass } = stopwatch()
    const deps = { sql: tx as Sql, pepper, log: silentLog, elapsedMs, keysMax: 10_000 }
    await use(createKeyRenewals(deps), pass, tx)
    const rows = await tx<{ id: string }[]>`
      select id from api_key where digest = '\\x09' and digest_key = ${newPrint} order by id`
    return rows.map(({ id }) => id)
  })
}

test('a key that is used gets a digest under the new key, unless it has one', async () => {
  const all = (renewals: Renewals) => {
    renewals.note(found(0), digests)
    renewals.note(found(1, null), digests)
    renewals.note(found(2, newPrint), digests)
    return renewals.write()
  }
  assert.deepEqual(await renewed(all), [idOf(0), idOf(1)])
  assert.deepEqual(await renewed(all, { pepper: newKey }), [], 'no key is being changed')
  const none = (renewals: Renewals) => {
    renewals.note(found(0), [])
    return renewals.write()
  }
  assert.deepEqual(await renewed(none), [])
})

test('a key is tried again after a minute, and what was written is not written again', async () => {
  const tries: string[][] = []
  const again: Parameters<typeof renewed>[0] = async (renewals, pass, tx) => {
    for (const ms of [0, minuteMs - 1, 1]) {
      pass(ms)
      renewals.note(found(0), digests)
      await renewals.write()
      const changed = await tx<{ id: string }[]>`
        update api_key set digest = '\\x01' where digest = '\\x09' returning id`
      tries.push(changed.map(({ id }) => id))
      // Nothing new was noted.
      await renewals.write()
    }
  }
  assert.deepEqual(await renewed(again), [])
  assert.deepEqual(tries, [[idOf(0)], [], [idOf(0)]])
})

test('a round renews at most a thousand keys', async () => {
  const many = async (renewals: Renewals) => {
    for (const number of numbers(1_001)) renewals.note(found(number), digests)
    await renewals.write()
  }
  assert.equal((await renewed(many, { count: 1_001 })).length, 1_000)
})

test('digests that cannot be renewed are told in the log', async () => {
  const { written, log } = lines()
  const { elapsedMs } = stopwatch()
  const deps = { sql: await endedSql(), pepper: [newKey, oldKey] as const, log, elapsedMs, keysMax: 10 }
  const renewals = createKeyRenewals(deps)
  await renewals.write()
  assert.deepEqual(written, [])
  renewals.note(found(0), digests)
  await renewals.write()
  assert.match(written.join(''), /digests of keys could not be renewed/)
})
