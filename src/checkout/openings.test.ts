// The limits of what is kept in memory of payments and their providers. refusals.test.ts checks what a payer sees of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { listRails } from '#/rails/all.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import { pageRail } from '../../test/page-rail.ts'
import { createOpenings } from './openings.ts'

const rememberedMax = 10_000
const connection = `t1-${newId()}` as ConnectionId

function openingsOf(check: (attempt: OpenedAttempt) => Promise<void>) {
  const rail = pageRail({
    method: 'PIX',
    opens: 'PAGE',
    currencies: ['BRL'],
    connection,
    now: () => systemClock.now(),
  })
  return createOpenings({
    rails: listRails([rail]),
    clock: systemClock,
    log: silentLog,
    openPage: () => assert.fail('no page is opened'),
    templateOf: () => assert.fail('no page is opened'),
    check,
    onEnd: () => {},
  })
}

const ids = (count: number) => Array.from({ length: count }, () => newId<'payment'>())

test('the reason why a payment could not be opened is kept for at most 10,000 payments', () => {
  const openings = openingsOf(async () => {})
  const problem = { kind: 'refused', method: 'PIX' } as const
  const all = ids(rememberedMax + 1)
  const [first, last] = [all.at(0), all.at(-1)]
  assert.ok(first !== undefined && last !== undefined)
  for (const id of all) openings.note(id, problem)
  assert.deepEqual([openings.problemOf(first), openings.problemOf(last)], [undefined, problem])
  openings.note(last, undefined)
  assert.equal(openings.problemOf(last), undefined)
})

test('the time of the last check is kept for at most 10,000 payments', async () => {
  let checks = 0
  const openings = openingsOf(async () => {
    checks += 1
  })
  const check = (id: OpenedAttempt['paymentId']) => {
    const amount = { minor: 100n, currency: 'BRL' } as const
    const names = { id: newId<'attempt'>(), merchantId: newId<'merchant'>(), paymentId: id, connection }
    return openings.check({ payment: { id }, attempts: [{ ...names, method: 'PIX', amount, artifacts: {} }] })
  }
  const all = ids(rememberedMax + 1)
  const [first, last] = [all.at(0), all.at(-1)]
  assert.ok(first !== undefined && last !== undefined)
  for (const id of all) await check(id)
  assert.equal(checks, all.length)
  assert.deepEqual([await check(last), await check(first)], [false, true])
})
