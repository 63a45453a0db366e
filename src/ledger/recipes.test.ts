// The recipes and the chart, written as sentences: debit → credit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '#/kernel/secret.ts'
import * as chart from './chart.ts'
import { posting } from './recipe-parts.ts'
import * as recipes from './recipes.ts'

const wallet = '019a0000-0000-7000-8000-000000000001'
const merchant = '019a0000-0000-7000-8000-000000000002'
const connection = 'a1-019a0000-0000-7000-8000-000000000003'
const occasion = { subject: '019a0000-0000-7000-8000-000000000004', ordinal: 7, cause: sha256('evidence') }
const incoming = {
  seen: chart.seen('LIVE', connection, 'USDT'),
  pending: chart.walletPending('LIVE', wallet, 'USDT'),
  available: chart.walletAvailable('LIVE', wallet, 'USDT'),
  fees: chart.fees('LIVE', 'USDT'),
  receivable: chart.receivable('LIVE', merchant, 'USDT'),
}
const N = `seen:${connection}:USDT`
const Wp = `wallet:${wallet}:pending`
const Wa = `wallet:${wallet}:available`
const Cd = 'coins:bsc:USDT:deposit'

const sentences = (postings: ReturnType<typeof recipes.paid>) =>
  postings.map(
    ({ step, kind, debit, credit, minor, upTo }) =>
      `${step} ${kind} ${debit.name} → ${credit.name} ${upTo ? 'up to ' : ''}${minor}`,
  )

test('only the available account of a wallet is the available account of a wallet', () => {
  const asked = [incoming.available, incoming.pending, chart.gas('LIVE', 'bsc', 'available')]
  assert.deepEqual(asked.map(chart.isWalletAvailable), [true, false, false])
})

test('money on its way is booked from seen to pending, and back when it is gone', () => {
  assert.deepEqual(sentences(recipes.moneyAnnounced(occasion, incoming, 50n)), [
    `7.pending PENDING ${N} → ${Wp} 50`,
  ])
  assert.deepEqual(sentences(recipes.announcementEnded(occasion, incoming, 50n)), [
    `7.unpending PENDING ${Wp} → ${N} 50`,
  ])
})

test('final money: pending first, then the full amount, our fee, and the repayment of a debt, in this order', () => {
  const accounts = { ...incoming, arrival: chart.coins('LIVE', 'bsc', 'USDT', 'deposit') }
  assert.deepEqual(sentences(recipes.paid(occasion, accounts, { announced: 50n, arrived: 60n, fee: 2n })), [
    `7.unpending PENDING ${Wp} → ${N} 50`,
    `7.credit PAYMENT ${Cd} → ${Wa} 60`,
    `7.fee FEE ${Wa} → fees:USDT 2`,
    `7.repay RECEIVABLE_REPAID ${Wa} → receivable:${merchant}:USDT up to 58`,
  ])
})

test('money that comes back in any way repays a debt before it is available', () => {
  const R = `receivable:${merchant}:USDT`
  const held = chart.walletHeld('LIVE', wallet, 'USDT')
  const Wh = held.name
  const accounts = { ...incoming, held, arrival: chart.coins('LIVE', 'bsc', 'USDT', 'deposit') }
  assert.deepEqual(sentences(recipes.withdrawalReleased(occasion, accounts, { amount: 50n, fee: 2n })), [
    `7.release WITHDRAWAL_RETURNED ${Wh} → ${Wa} 50`,
    `7.release-fee WITHDRAWAL_FEE ${Wh} → ${Wa} 2`,
    `7.repay WITHDRAWAL_REPAID ${Wa} → ${R} up to 52`,
  ])
  const unreleased = { pending: incoming.pending, minor: 20n }
  assert.deepEqual(sentences(recipes.refundReleased(occasion, { ...accounts, unreleased }, 50n)), [
    `7.release-unreleased REFUND_RETURNED ${Wh} → ${Wp} 20`,
    `7.release REFUND_RETURNED ${Wh} → ${Wa} 30`,
    `7.repay REFUND_REPAID ${Wa} → ${R} up to 30`,
  ])
  assert.deepEqual(sentences(recipes.disputeWon(occasion, accounts, 50n, { isTaken: true })), [
    `7.back BACK ${Cd} → ${Wh} 50`,
    `7.repay REPAID ${Wh} → ${R} up to 50`,
    `7.release DISPUTE_WON ${Wh} → ${Wa} 50`,
  ])
})

test('a debit takes from each source in its order, by steps of its own, and what is missing is owed', () => {
  const R = `receivable:${merchant}:USDT`
  const second = chart.walletAvailable('LIVE', merchant, 'USDT')
  const from = {
    sources: [incoming.available, second],
    receivable: incoming.receivable,
    source: chart.coins('LIVE', 'bsc', 'USDT', 'hot'),
    fees: incoming.fees,
  }
  assert.deepEqual(
    sentences(recipes.withdrawalDoneAfterAll(occasion, from, { amount: 50n, fee: 2n })),
    [
      ['take', 'owe', 'WITHDRAWAL', 'coins:bsc:USDT:hot', 50],
      ['take-fee', 'owe-fee', 'WITHDRAWAL_FEE', 'fees:USDT', 2],
    ].flatMap(([step, owe, kind, to, minor]) => [
      `7.${step} ${kind} ${Wa} → ${to} up to ${minor}`,
      `7.${step}-2 ${kind} ${second.name} → ${to} up to ${minor}`,
      `7.${owe} OWED ${R} → ${to} ${minor}`,
    ]),
  )
})

test('a dispute that is won before its money was taken brings nothing back', () => {
  const held = chart.walletHeld('LIVE', wallet, 'USDT')
  const accounts = { ...incoming, held, arrival: chart.coins('LIVE', 'bsc', 'USDT', 'deposit') }
  const [back] = recipes.disputeWon(occasion, accounts, 50n, { isTaken: false })
  assert.deepEqual([back?.step, back?.minor], ['7.back', 0n])
})

test('no posting alone makes money available: only recipes that repay do', () => {
  const free = chart.walletAvailable('LIVE', merchant, 'USDT')
  assert.throws(
    () => posting(occasion, 'x', 'X', incoming.pending, incoming.available, 1n),
    /without repaying/,
  )
  assert.doesNotThrow(() => posting(occasion, 'x', 'X', free, incoming.available, 1n))
})

test('every posting of an event names its subject and the hash of its evidence', () => {
  for (const posting of recipes.moneyAnnounced(occasion, incoming, 50n)) {
    assert.equal(posting.subject, occasion.subject)
    assert.deepEqual(posting.cause, occasion.cause)
  }
})

test('accounts have the side and the floor of the chart', () => {
  const sides = Object.fromEntries(
    [
      ...Object.values(incoming),
      chart.walletHeld('LIVE', wallet, 'USDT'),
      chart.provider('LIVE', connection, 'BRL'),
      chart.coins('LIVE', 'bsc', 'USDT', 'treasury'),
      chart.suspense('LIVE', connection, 'BRL'),
    ].map(({ name, side, floored }) => [
      name.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…'),
      `${side}${floored ? ' floored' : ''}`,
    ]),
  )
  assert.deepEqual(sides, {
    'seen:a1-…:USDT': 'DEBIT floored',
    'wallet:…:pending': 'CREDIT floored',
    'wallet:…:available': 'CREDIT floored',
    'wallet:…:held': 'CREDIT floored',
    'fees:USDT': 'CREDIT',
    'receivable:…:USDT': 'DEBIT floored',
    'provider:a1-…:BRL': 'DEBIT',
    'coins:bsc:USDT:treasury': 'DEBIT',
    'suspense:a1-…:BRL': 'CREDIT floored',
  })
})

test('LIVE and SANDBOX never share an account', () => {
  const [live, sandbox] = (['LIVE', 'SANDBOX'] as const).map(
    (mode) => chart.walletAvailable(mode, wallet, 'BRL').key,
  )
  assert.notEqual(live, sandbox)
})
