// On the payer's pages too: no address is committed, and no provider is asked, before its line is on the disk.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { createPageOpener, type PageOpener } from '#/payments/open.ts'
import { listRails } from '#/rails/all.ts'
import type { Method } from '#/rails/method.ts'
import { openChooseWorld, type ChooseWorld } from '../../test/choose-world.ts'
import { pages } from '../../test/page-hosts.ts'
import { shopAt, startTestAcquirer } from '../../test/rails/acquirer/acquirer.ts'
import type { Issued } from './line.ts'
import { createIssuanceLog, type IssuanceLog } from './log.ts'
import { selectBooks } from './queries.ts'
import { readLogs } from './read.ts'

const place = mkdtempSync(path.join(tmpdir(), 'vintem-handed-'))
const folder = path.join(place, 'issued')
let world: ChooseWorld
let log: IssuanceLog
let opener: PageOpener

before(async () => {
  world = await openChooseWorld()
  const { sql, lane, clock } = world.line
  log = createIssuanceLog({ folder, books: () => selectBooks(sql), clock, log: silentLog })
  opener = createPageOpener({ sql, rails: world.rails, lane, clock, log: silentLog, issue: log.write })
})
after(async () => {
  await log.close()
  await world[Symbol.asyncDispose]()
  rmSync(place, { recursive: true, force: true })
})

const isUnavailable = (error: unknown) => error instanceof AppError && error.code === 'unavailable'

async function linesOf(paymentId: string): Promise<readonly Issued[]> {
  const counts = { files: 0, lines: 0, torn: 0, damaged: 0 }
  const books = must(await selectBooks(world.line.sql), 'there are books')
  const found: Issued[] = []
  for await (const page of readLogs([folder], books, counts)) found.push(...page)
  return found.filter(({ attempt }) => attempt.paymentId === paymentId)
}

for (const [method, currency] of [
  ['CRYPTO', 'USDT'],
  ['PIX', 'BRL'],
  ['CREDIT_CARD', 'EUR'],
] as const satisfies readonly (readonly [Method, string])[])
  test(`a payer who chooses ${method} gets it when it is written down, and nothing while it cannot be`, async () => {
    const request = { amount: 1_000, currency, checkout: 'default' }
    const { payment } = await world.creator.create(world.line.merchant, newId(), request)
    const openingCount = () => world.pix.openings.length + world.card.openings.length
    const openings = openingCount()
    await log.close()
    rmSync(folder, { recursive: true, force: true })
    writeFileSync(folder, '')
    const { sql, lane, clock } = world.line
    log = createIssuanceLog({ folder, books: () => selectBooks(sql), clock, log: silentLog })
    opener = createPageOpener({ sql, rails: world.rails, lane, clock, log: silentLog, issue: log.write })
    const choose = async () => opener.openChosen(await world.line.payment(payment.id), { method }, {})
    await assert.rejects(choose(), isUnavailable)
    assert.equal(openingCount(), openings)
    if (method === 'CRYPTO') assert.deepEqual(await world.attempts(payment), [])
    unlinkSync(folder)
    await sleep(1_100)
    const { attempt } = await choose()
    const { id, amount } = must(attempt, 'it can be paid')
    assert.deepEqual(
      (await linesOf(payment.id)).map((each) => [each.attempt.id, each.attempt.method, each.attempt.amount]),
      [[id, method, amount]],
    )
  })

test('what a provider knows by a name of its own is written down again with that name, before the page shows it', async (t) => {
  const acquirer = await startTestAcquirer()
  t.after(() => acquirer.stop())
  const shop = await shopAt(acquirer, t)
  const { sql, lane, clock, merchant, owner } = world.line
  await owner`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${shop.id}, 'SANDBOX', 'CREDIT_CARD', 'stripe', '{}', clock_timestamp())`
  const deps = { sql, rails: listRails([shop.rail]), clock, log: silentLog, issue: log.write }
  const creator = createPaymentCreator({ pages, ...deps, ledger: lane })
  t.after(() => creator.close())
  const request = { amount: 1_990, currency: 'EUR', paymentMethods: ['CREDIT_CARD' as const] }
  const { payment } = await creator.create(merchant, newId(), request)
  assert.deepEqual(await linesOf(payment.id), [])
  const opened = await createPageOpener({ ...deps, lane }).openPage(payment, { method: 'CREDIT_CARD' })
  const attempt = must(opened.attempt, 'it can be paid')
  assert.deepEqual(
    (await linesOf(payment.id)).map((each) => [each.attempt.id, each.name]),
    [
      [attempt.id, undefined],
      [attempt.id, attempt.artifacts['sessionId']],
    ],
  )
})
