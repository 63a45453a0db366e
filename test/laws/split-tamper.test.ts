// What somebody changes of splits and shares with the rights of the database's owner is found by verify.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import type { Payment } from '#/payments/payment.ts'
import { newSubAccount } from '../split-world.ts'
import { openTabsWorld, type TabsWorld } from '../tabs-world.ts'

let world: TabsWorld
let subs: readonly MerchantId[]
let payment: Payment

before(async () => {
  world = await openTabsWorld()
  subs = [await newSubAccount(world.line), await newSubAccount(world.line)]
  const [one, other] = subs
  const splits = [
    { subAccountId: must(one, 'one'), percent: '33.33' },
    { subAccountId: must(other, 'other'), amount: 100 },
  ]
  const opened = await world.open('BRL', 1_000, ['PIX', 'CREDIT_CARD'], {
    splits,
    feePayer: must(one, 'one'),
  })
  payment = opened.payment
  for (const minor of [400n, 600n, 50n])
    await world.settle(world.receipt(must(opened.tabs.get('PIX'), 'there is PIX'), 'paid', minor))
})
after(() => world[Symbol.asyncDispose]())

const faults = async () => (await world.line.verify(['settlement', 'splits'])).faults.map(({ what }) => what)

test('untouched, there is nothing to find', async () => {
  assert.deepEqual(await faults(), [])
})

/** A change, and what verify says of it. Each is undone by the change after the arrow. */
const changes: Readonly<Record<string, readonly [change: string, undo: string, found: RegExp]>> = {
  'a share has more': [
    'update payment_share set booked_minor = booked_minor + 1 where ordinal = 1',
    'update payment_share set booked_minor = booked_minor - 1 where ordinal = 1',
    /share 1 says 334, but the payment makes it 333/,
  ],
  'a share paid a fee': [
    'update payment_share set fee_minor = 5 where ordinal = 1',
    'update payment_share set fee_minor = 0 where ordinal = 1',
    /share 1 says a fee of 5, but its transfers make 0/,
  ],
  'a share is kept from an open sub-account': [
    'update payment_share set booked_minor = booked_minor - 1, kept_minor = 1 where ordinal = 1',
    'update payment_share set booked_minor = booked_minor + 1, kept_minor = 0 where ordinal = 1',
    /share 1 has 1 kept from a sub-account that is not closed/,
  ],
  'other terms': [
    'update payment_share set rate_ppm = 400000 where ordinal = 1',
    'update payment_share set rate_ppm = 333300 where ordinal = 1',
    /share 1 is not as it was requested/,
  ],
  'another wallet': [
    `update payment_share set wallet_id = (select id from wallet where currency = 'EUR' limit 1) where ordinal = 2`,
    `update payment_share set wallet_id = (select id from wallet where merchant_id = sub_account_id and currency = 'BRL')
      where ordinal = 2`,
    /share 2 goes to a wallet that is not its recipient's/,
  ],
  'another fee payer': [
    'update payment_split set fee_payer = null',
    'update payment_split set fee_payer = (select sub_account_id from payment_share where ordinal = 1)',
    /has another fee payer than requested/,
  ],
  'duplicates that did not come': [
    'update payment_split set duplicate_minor = duplicate_minor + 500',
    'update payment_split set duplicate_minor = duplicate_minor - 500',
    /of duplicates, but the receipts make 50/,
  ],
  'money that does not wait': [
    'update payment_split set waiting_minor = 500',
    'update payment_split set waiting_minor = 0',
    /says that 500 waits, but only 0 may/,
  ],
  'a version of the past': [
    'update payment_split set version = version - 2',
    'update payment_split set version = version + 2',
    /is no movement of its shares/,
  ],
  'a sub-account of another': [
    'update sub_account set parent_id = (select merchant_id from sub_account order by 1 desc limit 1) where merchant_id = (select sub_account_id from payment_share where ordinal = 1)',
    'update sub_account set parent_id = (select merchant_id from payment_split)',
    /share 1 is of no sub-account of the merchant/,
  ],
}

for (const [name, tampering] of Object.entries(changes)) test(`${name}: found`, () => isFound(tampering))

async function isFound([change, undo, found]: (typeof changes)[string]): Promise<void> {
  await world.line.owner.unsafe(change)
  const said = await faults()
  await world.line.owner.unsafe(undo)
  assert.ok(
    said.some((what) => found.test(what)),
    said.join('; '),
  )
  assert.deepEqual(await faults(), [])
}

test('a split that was deleted: found, and so are its transfers', async () => {
  const { owner } = world.line
  await owner`create table kept as table payment_split`
  await owner`delete from payment_split`
  const said = await faults()
  await owner`insert into payment_split table kept`
  assert.ok(said.some((what) => what === 'was requested with splits, and has none'))
  assert.ok(said.some((what) => /which is nothing that moves money/.test(what)))
  assert.deepEqual(await faults(), [])
  assert.equal((await world.line.payment(payment.id)).status, 'PAID')
})

test('shares of money that waits for a settlement delay: untouched, there is nothing to find', async () => {
  world.delayMs = hourMs
  const waits = await world.open('BRL', 2_000, ['CREDIT_CARD'], {
    splits: must(payment.request.splits, 'it is split'),
  })
  const card = must(waits.tabs.get('CREDIT_CARD'), 'there are cards')
  for (const minor of [500n, 700n]) await world.settle(world.receipt(card, 'paid', minor))
  assert.deepEqual(await faults(), [])
})

/** The same, of money that waits. */
const waiting: typeof changes = {
  'a share of which more waits': [
    'update payment_share set unreleased_minor = unreleased_minor + 1 where ordinal = 1 and unreleased_minor > 0',
    'update payment_share set unreleased_minor = unreleased_minor - 1 where ordinal = 1 and unreleased_minor > 0',
    /share 1 says that 400 of it waits, but its transfers make 399/,
  ],
  'a receipt that brought more': [
    'update release set share_minors[1] = share_minors[1] + 1 where ordinal = 1',
    'update release set share_minors[1] = share_minors[1] - 1 where ordinal = 1',
    /share 1 has 399 that waits, but the receipts that wait brought it 400/,
  ],
  'a receipt that brought more than its share': [
    'update release set share_minors[1] = share_minors[1] + 100 where ordinal = 1',
    'update release set share_minors[1] = share_minors[1] - 100 where ordinal = 1',
    /share 1 got 266 by receipt 1, but its share of that is at most 167/,
  ],
  'money whose shares were not given': [
    'update release set share_minors = null where ordinal = 2',
    `update release set share_minors = '{233,35}' where ordinal = 2`,
    /share 1 has 399 that waits, but the receipts that wait brought it 166/,
  ],
}

for (const [name, tampering] of Object.entries(waiting)) test(`${name}: found`, () => isFound(tampering))
