// What a payment is for, where it is paid, and what its record and that of a share show.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { pages } from '../../test/page-hosts.ts'
import { splitOf } from '../../test/settlement-view.ts'
import { joinCalls } from './join-calls.ts'
import { itemFaults, isPageToken, newLinkUrl, newPageLink, unpaid, type Payment } from './payment.ts'
import { paymentRecord } from './record.ts'
import { shareRecord } from './shares.ts'

const item = (amount: number, quantity = 1, name = 'A') => ({ name, quantity, amount })

test('items add up to the amount, discounts included', () => {
  assert.deepEqual(itemFaults(undefined, 100), [])
  assert.deepEqual(itemFaults([item(40, 3), item(-20)], 100), [])
  const message = 'add up to 99, and amount is 100'
  assert.deepEqual(itemFaults([item(99)], 100), [{ pointer: '/items', code: 'differs', message }])
})

test('items have at most 16 KiB as they are sent', () => {
  const bytes = Buffer.byteLength(JSON.stringify([item(1, 1, '')]))
  const withBytes = (count: number) => itemFaults([item(1, 1, 'a'.repeat(count - bytes))], 1)
  assert.deepEqual(withBytes(16 * 1_024), [])
  assert.deepEqual(
    withBytes(16 * 1_024 + 1).map(({ code }) => code),
    ['too_large'],
  )
})

test('a page’s link has a token that pages look up, and is at its host', () => {
  const [checkout, partner, link] = [
    newPageLink(pages, 'CHECKOUT'),
    newPageLink(pages, 'PARTNER'),
    newLinkUrl(pages),
  ]
  for (const { token } of [checkout, partner, link]) assert.ok(isPageToken(token), token)
  assert.equal(checkout.url, `${pages.checkout}/c/${checkout.token}`)
  assert.equal(partner.url, `${pages.partner}/c/${partner.token}`)
  assert.equal(link.url, `${pages.checkout}/l/${link.token}`)
  assert.notEqual(checkout.token, partner.token)
})

test('work of one name is done once while it is under way, and again afterwards', async () => {
  const share = joinCalls<number>()
  let count = 0
  const work = async () => (count += 1)
  assert.deepEqual(await Promise.all([share('a', work), share('a', work), share('b', work)]), [1, 1, 2])
  assert.equal(await share('a', work), 3)
})

test('a payment’s record has no refund under way by itself, and of an error only what the interface names', () => {
  const payment: Payment = {
    ...unpaid,
    merchantId: splitOf().split.merchantId,
    id: splitOf().split.paymentId,
    mode: 'SANDBOX',
    request: { amount: 100 },
    status: 'FAILED',
    amountMinor: 100n,
    currency: 'BRL',
    methods: ['PIX'],
    version: 1,
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
  }
  const record = paymentRecord(payment)
  assert.deepEqual([record['amountRefundPending'], record['netAmount'], 'lastError' in record], [0, 0, false])
  const lastError = { code: 'refused', message: 'no' }
  assert.deepEqual(
    paymentRecord({ ...payment, lastError: { ...lastError, method: 'PIX' } })['lastError'],
    lastError,
  )
  assert.equal(paymentRecord(payment, { amountRefundPending: 7 })['amountRefundPending'], 7)
})

test('a share’s record shows its percentage without zeros at its end', () => {
  const percentOf = (ratePpm: bigint) => {
    const { split } = splitOf({ share: { ratePpm } })
    return shareRecord(must(split.shares[0], 'a share'), split)['percent']
  }
  assert.deepEqual([333_300n, 1n, 1_000_000n, 123_456n, 10_000n, 9_999n].map(percentOf), [
    '33.33',
    '0.0001',
    '100',
    '12.3456',
    '1',
    '0.9999',
  ])
})
