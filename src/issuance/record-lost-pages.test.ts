// Which lines of a log are recorded as lost, and what is done about each of their attempts.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { AttemptId, PaymentId } from '#/kernel/id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import type { Opens, OpensInRequest, OpensWithPage, Rail, Rails } from '#/rails/rail.ts'
import { asAttempt, attempt as kept, bank, ours } from '../../test/bare-attempts.ts'
import { poolOn } from '../../test/bare-lane.ts'
import { bareId, onRows, type RowsTx } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { digestOf, headerOf, lineOf } from './line.ts'
import { recordLost, type Result } from './record-lost.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))
const place = mkdtempSync(path.join(tmpdir(), 'vintem-pages-'))
after(() => rmSync(place, { recursive: true, force: true }))

const books = { cell: 'a1', first: ours }
const by = { actor: { kind: 'OPERATOR', id: 'ana@office' } } as const
/** The last instant that was restored, and when the repair began. */
const [lastAt, begunAt] = [new Date('2026-11-22T10:00:00Z'), new Date('2026-11-22T12:00:00Z')]
const amid = new Date('2026-11-22T11:00:00Z')

/** The attempt of this number, with a payment of its own. */
const lost = (number: number, method: Method = 'PIX'): Attempt => ({
  ...asAttempt,
  id: bareId(number) as AttemptId,
  paymentId: bareId(number + 100) as PaymentId,
  method,
})

const railOf = (method: Method, opens: Opens) => [method, partly<Rail>({ method, opens })] as const
const rails: Rails = new Map([
  railOf('CRYPTO', { at: 'CREATION' }),
  railOf('PIX', partly<OpensInRequest>({ at: 'REQUEST' })),
  railOf('SEPA_TRANSFER', partly<OpensInRequest>({ at: 'REQUEST', takesMore: true })),
  railOf('CREDIT_CARD', partly<OpensWithPage>({ at: 'PAGE' })),
])

type Recorded = {
  readonly result: Result
  /** The numbers of the attempts that are recorded, are ended at providers, and were watched. */
  readonly recorded: readonly number[]
  readonly closings: readonly number[]
  readonly watched: readonly number[]
  /** What was told of the progress. */
  readonly progress: readonly number[]
}

/** Records the lines of one log, on books that have the attempt `kept` and a restore. `look` sees the rows that this wrote. */
async function recordedOf(
  lines: readonly string[],
  look: (tx: RowsTx) => Promise<unknown> = async () => {},
): Promise<Recorded> {
  const folder = mkdtempSync(path.join(place, 'f'))
  writeFileSync(path.join(folder, 'a.issued'), headerOf(books) + lines.join(''))
  const tables = {
    epoch: [
      { number: 1, last_at: '2020-01-01T00:00:00Z', at: '2020-01-01T00:00:00Z' },
      { number: 2, last_at: lastAt.toISOString(), at: begunAt.toISOString() },
    ],
    head: [{ cell: 'a1' }],
    merchant: [{ id: ours }],
    connection: [{ id: bank }],
    attempt: [kept],
    lost_issuance: [],
    lost_closing: [],
    audit_log: [],
  }
  const numberOf = (id: string) => Number(id.slice(-4))
  return onRows(sql, tables, async (tx) => {
    const [watched, progress]: [number[], number[]] = [[], []]
    const watch = async (_tx: unknown, attempts: readonly Attempt[]) =>
      void watched.push(...attempts.map(({ id }) => numberOf(id)))
    const deps = { sql: poolOn(tx), rails, watch }
    const result = await recordLost(deps, by, [folder], (count) => progress.push(count))
    const idsIn = async (table: string) =>
      (await tx<{ id: string }[]>`select attempt_id as id from ${tx(table)} order by 1`).map(({ id }) =>
        numberOf(id),
      )
    await look(tx)
    const [recorded, closings] = [await idsIn('lost_issuance'), await idsIn('lost_closing')]
    return { result, recorded, closings, watched, progress }
  })
}

const nothing = { epoch: 2, files: 1, torn: 0, damaged: 0, outside: 0, known: 0, added: 0 }

test('lines count from ten minutes before the last instant that was restored until ten minutes after the repair began', async () => {
  const [from, to] = [addMs(lastAt, -10 * minuteMs), addMs(begunAt, 10 * minuteMs)]
  const moments = [addMs(from, -1), from, amid, to, addMs(to, 1)]
  const lines = moments.map((at, index) => lineOf({ at, attempt: lost(31 + index) }))
  const { result, recorded, progress } = await recordedOf(lines)
  assert.deepEqual(recorded, [32, 33, 34])
  assert.deepEqual(result, { ...nothing, lines: 5, outside: 2, added: 3 })
  assert.deepEqual(progress, [5])
})

test('what the books have is not lost: by its id, and for a method that opens at the creation by its payment', async () => {
  const lines = [
    { ...lost(31), id: kept.id },
    { ...lost(32), paymentId: kept.payment_id },
    { ...lost(33, 'CRYPTO'), paymentId: kept.payment_id },
  ].map((attempt) => lineOf({ at: amid, attempt }))
  const { result, recorded } = await recordedOf(lines)
  assert.deepEqual(recorded, [32, 33])
  assert.deepEqual(result, { ...nothing, lines: 3, known: 1, added: 2 })
  const torn = await recordedOf([...lines.slice(0, 1), 'no line\n', 'torn'])
  assert.deepEqual(torn.result, { ...nothing, lines: 1, torn: 1, damaged: 1, known: 1 })
  assert.deepEqual([torn.recorded, torn.watched], [[], []])
})

test('each lost attempt is watched; it is ended at its provider when it takes money once', async () => {
  const methods: readonly Method[] = ['CRYPTO', 'PIX', 'SEPA_TRANSFER', 'CREDIT_CARD', 'BOLETO']
  const lines = methods.map((method, index) => lineOf({ at: amid, attempt: lost(31 + index, method) }))
  const { recorded, watched, closings } = await recordedOf(lines)
  assert.deepEqual(recorded, [31, 32, 33, 34, 35])
  assert.deepEqual(new Set(watched), new Set(recorded))
  assert.deepEqual(closings, [32, 34])
  const one = await recordedOf([lineOf({ at: amid, attempt: lost(31) })])
  assert.deepEqual([one.recorded, one.watched, one.closings], [[31], [31], [31]])
})

test('an attempt is recorded with its first line and its name, and the audit log has the digest of its page', async () => {
  const attempt = lost(31)
  const lines = [
    { at: amid, attempt },
    { at: addMs(amid, 1), attempt, name: 'cs_1' },
  ].map(lineOf)
  const { result } = await recordedOf(lines, async (tx) => {
    const rows = await tx`select issued_at as at, name, page_id as page, epoch from lost_issuance`
    const page = rows[0]?.['page'] as string
    assert.deepEqual([...rows], [{ at: amid, name: 'cs_1', page, epoch: 2 }])
    const { id: attemptId, merchantId, paymentId, method, connection, amount } = attempt
    const money = { amountMinor: amount.minor, currency: amount.currency }
    const digested = {
      merchantId,
      paymentId,
      attemptId,
      epoch: 2,
      method,
      connection,
      issuedAt: amid,
      ...money,
    }
    assert.deepEqual(
      [...(await tx`select actor_id as by, action, subject, after from audit_log`)],
      [
        {
          by: 'ana@office',
          action: 'restore.find-issued',
          subject: `lost-page:${page}`,
          after: { epoch: 2, attempts: 1, digest: digestOf([digested]) },
        },
      ],
    )
  })
  assert.deepEqual(result, { ...nothing, lines: 2, added: 1 })
})
