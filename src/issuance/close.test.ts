// Lost sessions, intents and orders are ended at the sandbox's acquirer and wallet app, by the names that the log has of them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { listRails } from '#/rails/all.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { pageOf, type OpenedAttempt, type Rail } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { beginRepair, usualJump } from '#/restored/begin.ts'
import { selectSuspended } from '#/settlement/queries.ts'
import { settleKind } from '#/settlement/settle.ts'
import { openLine, type Line } from '../../test/line.ts'
import {
  opened,
  openingOf,
  shopAt,
  startTestAcquirer,
  type TestAcquirer,
} from '../../test/rails/acquirer/acquirer.ts'
import { europe, shopIn } from '../../test/rails/acquirer/local.ts'
import { shopAt as partnerShopAt } from '../../test/rails/partner-pay/rail.ts'
import { startTestWallet, type TestWallet } from '../../test/rails/partner-pay/wallet.ts'
import { createLostCloser } from './close.ts'
import { createIssuanceLog } from './log.ts'
import { selectBooks, selectLostPage } from './queries.ts'
import { recordLost } from './record-lost.ts'

const place = mkdtempSync(path.join(tmpdir(), 'vintem-ended-'))
const by = { actor: { kind: 'OPERATOR', id: 'ana@office' } } as const
let line: Line
let acquirer: TestAcquirer
let wallet: TestWallet
before(async () => {
  ;[line, acquirer, wallet] = await Promise.all([openLine(), startTestAcquirer(), startTestWallet()])
  const opening = { by, name: 'ana', reason: 'a disk was lost', eventJump: usualJump }
  await beginRepair({ sql: line.sql, lane: line.lane }, opening)
})
after(async () => {
  await Promise.all([line[Symbol.asyncDispose](), acquirer.stop(), wallet.stop()])
  rmSync(place, { recursive: true, force: true })
})

/** These attempts were opened at their providers, written down and lost. Returns how each ended there. */
async function ended(
  t: TestContext,
  {
    connection,
    rail,
    attempts,
  }: { connection: ProviderConnection; rail: Rail; attempts: readonly OpenedAttempt[] },
) {
  const folder = path.join(place, newId())
  await line.owner`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${connection.id}, 'SANDBOX', ${connection.method}, ${connection.provider}, '{}', clock_timestamp())
    on conflict do nothing`
  // The clock of a line's database is ahead.
  const clock = { now: line.clock.now }
  const log = createIssuanceLog({ folder, books: () => selectBooks(line.sql), clock, log: silentLog })
  const namedBy = pageOf(rail)?.namedBy
  for (const { artifacts, ...attempt } of attempts) {
    await log.write(attempt)
    if (namedBy !== undefined) await log.write(attempt, String(artifacts[namedBy]))
  }
  await log.close()
  const rails = listRails([rail])
  const deps = { sql: line.sql, rails, watch: async () => {} }
  assert.equal((await recordLost(deps, by, [folder])).added, attempts.length)
  const settling = settleKind(rails)
  const settle = (receipts: readonly Receipt[]) => line.lane.submit(settling, { receipts })
  const closer = createLostCloser({ sql: line.sql, rails, log: silentLog, settle })
  assert.equal(await closer.once(), attempts.length)
  t.after(
    () => line.owner`update lost_closing set outcome = 'GIVEN_UP', ended_at = now() where ended_at is null`,
  )
  const rows = await selectLostPage(line.sql, undefined, 1_000)
  return attempts.map(({ id }) => rows.find(({ attemptId }) => attemptId === id))
}

const lostPaymentOf = async ({ paymentId }: Attempt) =>
  (await selectSuspended(line.sql, false)).find((each) => each.lostPaymentId === paymentId)

test('a session is expired, an authorisation is voided, and one that was paid is said to be, with its money in suspense', async (t) => {
  const shop = await shopAt(acquirer, t)
  const unpaid = await opened(shop.rail, openingOf(shop.id))
  const { attempt: paid } = await shop.paid()
  const { attempt: held, paymentIntent } = await shop.paid({ captureMode: 'MANUAL' })
  const { connection, rail } = shop
  const rows = await ended(t, { connection, rail, attempts: [unpaid, paid, held] })
  assert.deepEqual(
    rows.map((row) => row?.outcome),
    ['CLOSED', 'PAID', 'CLOSED'],
  )
  const intent = (await shop.has('paymentIntents')).find((each) => each['id'] === paymentIntent)
  assert.equal(intent?.['status'], 'canceled')
  const statuses = new Map((await shop.has('sessions')).map((each) => [each['id'], each['status']]))
  assert.deepEqual(
    [unpaid, paid].map(({ artifacts }) => statuses.get(artifacts['sessionId'])),
    ['expired', 'complete'],
  )
  assert.equal((await lostPaymentOf(paid))?.amountMinor, paid.amount.minor)
  assert.equal(await lostPaymentOf(unpaid), undefined)
})

test('a voucher’s intent is canceled', async (t) => {
  const shop = await shopIn(acquirer, t, europe)
  const attempt = await shop.opened('MULTIBANCO')
  const { connection } = shop
  const [row] = await ended(t, { connection, rail: shop.railOf('MULTIBANCO'), attempts: [attempt] })
  assert.equal(row?.outcome, 'CLOSED')
  const intent = (await acquirer.state())['paymentIntents']?.find(
    (each) => each['id'] === attempt.artifacts['intentId'],
  )
  assert.equal(intent?.['status'], 'canceled')
})

test('an order is closed by our own number; while its payer pays it, it is tried again and then said to be paid', async (t) => {
  const shop = await partnerShopAt(wallet, t)
  const first = await shop.opened()
  const second = await shop.opened()
  await second.act('begin')
  const { connection, rail } = shop
  const attempts = [first, second].map(
    ({ attempt: { id, merchantId, paymentId, method, amount, artifacts } }) => ({
      id,
      merchantId,
      paymentId,
      method,
      connection: connection.id,
      amount,
      artifacts,
    }),
  )
  const rows = await ended(t, { connection, rail, attempts })
  assert.deepEqual(
    rows.map((row) => [row?.outcome, row?.said]),
    [
      ['CLOSED', null],
      [null, 'the order cannot be closed: its payer may be paying it'],
    ],
  )
  await second.act('confirm')
  await line.owner`update lost_closing set due_at = statement_timestamp() - interval '1 second' where ended_at is null`
  const settling = settleKind(listRails([rail]))
  const closer = createLostCloser({
    sql: line.sql,
    rails: listRails([rail]),
    log: silentLog,
    settle: (receipts) => line.lane.submit(settling, { receipts }),
  })
  assert.equal(await closer.once(), 1)
  const [, again] = attempts
  const found = (await selectLostPage(line.sql, undefined, 1_000)).find(
    ({ attemptId }) => attemptId === again?.id,
  )
  assert.equal(found?.outcome, 'PAID')
  assert.equal((await lostPaymentOf(second.attempt))?.amountMinor, 12_34n)
})
