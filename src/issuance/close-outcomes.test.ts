// What becomes of a lost attempt that is to be ended at its provider: by how the provider is asked, what it answers, and how often it was tried.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { addMs, secondMs } from '#/kernel/time.ts'
import type { OpenedAttempt, Opens, OpensInRequest, OpensWithPage, Rail } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { asAttempt, rowOf } from '../../test/bare-attempts.ts'
import { fieldOf } from '../../test/bare-lane.ts'
import { onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { createLostCloser } from './close.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Given = {
  /** How the rail of the attempt opens; undefined: this process has no such rail. */
  readonly opens?: 'CREATION' | 'REQUEST' | 'PAGE'
  readonly namedBy?: string
  /** The name that the log has of it. */
  readonly name?: string
  /** What the provider has received by it. */
  readonly received?: readonly Outcome[]
  readonly isOver?: boolean
  readonly error?: Error
  /** How often it was tried before. */
  readonly tries?: number
  /** For how many seconds it must wait when it has not ended. */
  readonly waits?: number
}

/** The calls to the provider, what was settled and logged, and at last how its row stands. */
async function handled({
  opens,
  namedBy,
  name,
  received = [],
  isOver = true,
  error,
  tries = 0,
  waits = 2,
}: Given): Promise<readonly unknown[]> {
  const happened: unknown[] = []
  const receipts = received.map((outcome) => partly<Receipt>({ outcome }))
  const note = (what: string, { artifacts }: Partial<OpenedAttempt>) =>
    happened.push([what, ...Object.values(artifacts ?? {})].join(' '))
  const ask = (what: string) => async (attempt: OpenedAttempt) => {
    note(what, attempt)
    if (error !== undefined) throw error
    return { receipts, isOver }
  }
  const cancel = async (attempt: Partial<OpenedAttempt>) => void note('cancel', attempt)
  const named = { cancel, ...given({ namedBy }) }
  const kinds: Readonly<Record<Opens['at'], Opens>> = {
    CREATION: { at: 'CREATION' },
    REQUEST: partly<OpensInRequest>({ at: 'REQUEST', close: ask('close'), ...named }),
    PAGE: partly<OpensWithPage>({ at: 'PAGE', check: ask('check'), ...named }),
  }
  const voided = async ({ attempt }: { readonly attempt: OpenedAttempt }) => {
    note('void', attempt)
    return [partly<Receipt>({ outcome: 'voided' })]
  }
  const authorisations = { void: voided, capture: async () => [] }
  const rail = opens && partly<Rail>({ opens: kinds[opens], authorisations })
  const { merchantId, paymentId, amount } = asAttempt
  const lost = {
    ...rowOf(),
    payment_id: paymentId,
    method: 'CREDIT_CARD',
    amount_minor: amount.minor,
    currency: amount.currency,
    name,
  }
  const tables = { lost_issuance: [lost], lost_closing: [rowOf({ tries, said: 'before' })] }
  return onRows(sql, tables, async (tx) => {
    const closer = createLostCloser({
      sql: tx,
      rails: new Map(rail === undefined ? [] : [['CREDIT_CARD', rail]]),
      log: pino({ level: 'warn' }, { write: (line: string) => void happened.push(fieldOf(line, 'msg')) }),
      settle: async (told) => happened.push(`settle ${told.map(({ outcome }) => outcome).join()}`),
    })
    const before = await readNow(tx)
    assert.equal(await closer.once(), 1)
    const after = await readNow(tx)
    const [row] = await tx<{ outcome: string | null; at: Date; said: string | null }[]>`
      select outcome, said, due_at as at from lost_closing where merchant_id = ${merchantId}`
    const { outcome, at, said } = must(row, 'it is there')
    if (outcome === null)
      assert.ok(
        addMs(before, waits * secondMs) <= at && at <= addMs(after, waits * secondMs),
        at.toISOString(),
      )
    return [...happened, outcome ?? 'later', said]
  })
}

const failed = 'a lost charge could not be ended'
const busy = new ProviderError('unavailable', 'busy')

test('a charge is closed, and canceled where its provider does not know its end', async () => {
  const cases: readonly (readonly [Given, expected: readonly unknown[]])[] = [
    [{}, ['close', 'CLOSED', null]],
    [{ isOver: false }, ['close', 'cancel', 'CLOSED', null]],
    [{ received: ['paid'] }, ['close', 'settle paid', 'PAID', null]],
    [{ received: ['seen', 'paid'] }, ['close', 'settle seen,paid', 'PAID', null]],
    [{ received: ['seen'] }, ['close', 'settle seen', 'CLOSED', null]],
    [{ namedBy: 'intentId', name: 'pi_1' }, ['close pi_1', 'CLOSED', null]],
    [{ name: 'pi_1' }, ['close', 'CLOSED', null]],
  ]
  for (const [index, [given, expected]] of cases.entries())
    assert.deepEqual(await handled({ opens: 'REQUEST', ...given }), expected, `case ${index}`)
})

test('what a page opened is canceled first and then looked up; an authorisation is voided when no money came', async () => {
  const asked = ['cancel', 'check']
  const cases: readonly (readonly [Given, expected: readonly unknown[]])[] = [
    [{}, [...asked, 'CLOSED', null]],
    [{ received: ['paid'] }, [...asked, 'settle paid', 'PAID', null]],
    [{ received: ['authorised'] }, [...asked, 'void', 'settle authorised,voided', 'CLOSED', null]],
    [{ received: ['authorised', 'paid'] }, [...asked, 'settle authorised,paid', 'PAID', null]],
    [{ received: ['seen'] }, [...asked, 'settle seen', 'CLOSED', null]],
    [{ isOver: false }, [...asked, failed, 'later', 'its payer may be paying it']],
    [{ namedBy: 'sessionId', name: 'cs_1' }, ['cancel cs_1', 'check cs_1', 'CLOSED', null]],
  ]
  for (const [index, [given, expected]] of cases.entries())
    assert.deepEqual(await handled({ opens: 'PAGE', ...given }), expected, `case ${index}`)
})

test('what cannot be ended is said, and tried again: at first in two seconds, then each time in twice as many, at most an hour', async () => {
  const nobody = 'there is no provider of CREDIT_CARD here'
  const unnamed = 'the log does not have the name by which its provider knows it'
  const cases: readonly (readonly [Given, expected: readonly unknown[]])[] = [
    [{}, [failed, 'later', nobody]],
    [{ opens: 'CREATION' }, [failed, 'later', nobody]],
    [{ opens: 'REQUEST', namedBy: 'intentId' }, [failed, 'later', unnamed]],
    [{ opens: 'REQUEST', error: busy }, ['close', failed, 'later', 'busy']],
    [{ opens: 'REQUEST', error: busy, tries: 1, waits: 4 }, ['close', failed, 'later', 'busy']],
    [{ opens: 'REQUEST', error: busy, tries: 50, waits: 3_600 }, ['close', failed, 'later', 'busy']],
    // The hundredth try is the last one.
    [{ opens: 'REQUEST', error: busy, tries: 98, waits: 3_600 }, ['close', failed, 'later', 'busy']],
    [{ opens: 'REQUEST', error: busy, tries: 99 }, ['close', failed, 'GIVEN_UP', 'busy']],
    // As long as its column takes.
    [
      { opens: 'PAGE', error: new Error('x'.repeat(501)) },
      ['cancel', 'check', failed, 'later', 'x'.repeat(500)],
    ],
  ]
  for (const [index, [given, expected]] of cases.entries())
    assert.deepEqual(await handled(given), expected, `case ${index}`)
})
