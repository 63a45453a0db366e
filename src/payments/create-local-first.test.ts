// The order of a checkout's methods: the template's own, or what is local in the payer's country first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Rail } from '#/rails/rail.ts'
import { checkTemplate } from '#/templates/check.ts'
import { setTemplate } from '#/templates/record.ts'
import { openChooseWorld } from '../../test/choose-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { pages } from '../../test/page-hosts.ts'
import { createPaymentCreator } from './create.ts'
import type { PaymentRequest } from './payment.ts'

const world = openForTests(openChooseWorld)

/** A template of one's own. Returns its slug. */
async function template(more: object): Promise<string> {
  const slug = `t-${newId()}`
  const checked = checkTemplate({ name: slug, ...more }, 'SANDBOX')
  assert.ok(checked.ok, JSON.stringify(checked))
  const { sql, clock, merchant } = world.line
  await setTemplate({ sql, clock }, { merchantId: merchant.id, slug }, checked)
  await world.templates.refresh()
  return slug
}

/** Creates where the card is what payers in Portugal know as their own. Returns the methods in the order that the payer sees. */
async function orderFor(more: Partial<PaymentRequest>): Promise<readonly string[]> {
  const { line, rails, templates } = world
  const local = new Map(
    [...rails].map(([method, rail]) => [method, method === 'CREDIT_CARD' ? cardOf(rail) : rail]),
  )
  const creator = createPaymentCreator({
    pages,
    sql: line.sql,
    rails: local,
    ledger: line.lane,
    clock: line.clock,
    log: silentLog,
    templates,
  })
  try {
    return (await creator.create(line.merchant, newId(), { amount: 1_000, currency: 'BRL', ...more })).payment
      .methods
  } finally {
    await creator.close()
  }
}
const cardOf = (rail: Rail): Rail => ({ ...rail, countries: ['PT'] })

const inLisbon = { line1: 'Rua Augusta, 10', city: 'Lisboa', country: 'PT' }

test('where a template gives no order, what is local in the payer’s country comes first; its own order stands', async () => {
  const [usual, moved] = [
    ['PIX', 'CREDIT_CARD'],
    ['CREDIT_CARD', 'PIX'],
  ]
  const methods = [{ method: 'PIX' }, { method: 'CREDIT_CARD' }]
  const none = await template({})
  const own = await template({ methods })
  const both = await template({ methods, localFirst: true })
  const unmoved = await template({ localFirst: false })
  for (const [checkout, order] of [
    [none, moved],
    [own, usual],
    [both, moved],
    [unmoved, usual],
  ] as const) {
    assert.deepEqual(await orderFor({ checkout, customerCountry: 'PT' }), order)
    assert.deepEqual(
      await orderFor({ checkout, customerAddress: inLisbon }),
      order,
      'the address says it too',
    )
    assert.deepEqual(await orderFor({ checkout }), usual, 'a payer of no known country')
    const abroad = { checkout, customerCountry: 'BR', customerAddress: inLisbon }
    assert.deepEqual(await orderFor(abroad), usual, 'the country counts before the address')
  }
})
