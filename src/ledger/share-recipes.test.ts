// The recipes of shares and of transfers between a platform and its sub-account, written as sentences: debit → credit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '#/kernel/secret.ts'
import type { Posting } from './apply.ts'
import type { AccountSpec } from './chart.ts'
import * as recipes from './share-recipes.ts'

const occasion = { subject: '019a0000-0000-7000-8000-000000000004', ordinal: 7, cause: sha256('evidence') }
const place = { occasion, ordinal: 2 }
const platform = { pending: named('P-pending'), available: named('P'), receivable: named('P-debt') }
const recipient = {
  pending: named('R-pending'),
  available: named('R'),
  receivable: named('R-debt'),
  owes: named('owes'),
  owed: named('owed'),
  sources: [named('R'), named('R-second'), named('R-third')],
}
const minor = { pending: 30n, available: 70n }

/** An account of which only the name matters. */
function named(name: string): AccountSpec {
  return { key: `LIVE/${name}`, mode: 'LIVE', name, currency: 'BRL', side: 'CREDIT', floored: true }
}

const sentences = (postings: readonly Posting[]) =>
  postings.map(
    ({ step, kind, debit, credit, minor: amount, upTo, pot }) =>
      `${step} ${kind} ${debit.name} → ${credit.name} ${upTo ? 'up to ' : ''}${amount}${pot === undefined ? '' : ' of the pot'}`,
  )

test('a share is given, released, charged and repaid', () => {
  assert.deepEqual(sentences(recipes.shareGiven(place, platform, recipient, minor)), [
    '7.2.share-pending SHARE P-pending → R-pending 30',
    '7.2.share SHARE P → R up to 70 of the pot',
    '7.2.share-owe OWED P-debt → R 70 of the pot',
  ])
  assert.deepEqual(sentences(recipes.shareReleased(place, recipient, { receipt: 3, minor: 9n })), [
    '7.2.release-3 SHARE R-pending → R 9',
  ])
  assert.deepEqual(sentences(recipes.shareCharged(place, platform, recipient, minor)), [
    '7.2.fee-pending SHARE_FEE R-pending → P-pending 30',
    '7.2.fee SHARE_FEE R → P 70',
  ])
  assert.deepEqual(
    sentences(recipes.shareRepays(place, platform, recipient, { toOperator: 5n, toPlatform: 6n })),
    [
      '7.2.repay SHARE_REPAID R → R-debt 5',
      '7.2.repay-platform SHARE_REPAID R → P 6',
      '7.2.uncover SHARE_COVERED owed → owes 6',
    ],
  )
})

test('a share is taken back whole, or from all wallets, and what is missing is covered', () => {
  const waiting = '7.2.back-pending SHARE_RETURNED R-pending → P-pending 30'
  assert.deepEqual(sentences(recipes.shareTaken(place, platform, recipient, minor, 'whole')), [
    waiting,
    '7.2.back SHARE_RETURNED R → P 70',
  ])
  assert.deepEqual(sentences(recipes.shareTaken(place, platform, recipient, minor, 'from_all_wallets')), [
    waiting,
    '7.2.back SHARE_RETURNED R → P up to 70 of the pot',
    '7.2.back-2 SHARE_RETURNED R-second → P up to 70 of the pot',
    '7.2.back-3 SHARE_RETURNED R-third → P up to 70 of the pot',
    '7.2.cover SHARE_COVERED owes → owed 70 of the pot',
  ])
})

test('what comes to a platform, or to a sub-account that owes its parent, repays', () => {
  assert.deepEqual(sentences(recipes.platformRepaid(occasion, platform, 8n)), [
    '7.platform-repay SHARE_REPAID P → P-debt up to 8',
  ])
  const parent = { ...platform, owes: recipient.owes, owed: recipient.owed }
  const from = { available: recipient.available, parent }
  assert.deepEqual(sentences(recipes.parentRepaid(occasion, from, 8n, 'late-')), [
    '7.late-repay-parent PARENT_REPAID R → P 8',
    '7.late-uncover SHARE_COVERED owed → owes 8',
    '7.late-parent-repay PLATFORM_REPAID P → P-debt up to 8',
  ])
})

test('a transfer between a platform and its sub-account repays what is owed on its way', () => {
  const moved = { occasion, platform, recipient }
  assert.deepEqual(
    sentences(recipes.givenToSubAccount(moved, { minor: 50n, toOperator: 5n, toPlatform: 6n })),
    [
      '7.move SUB_TRANSFER P → R 50',
      '7.repay TRANSFER_REPAID R → R-debt 5',
      '7.repay-platform TRANSFER_REPAID R → P 6',
      '7.uncover SHARE_COVERED owed → owes 6',
      '7.platform-repay TRANSFER_REPAID P → P-debt up to 6',
    ],
  )
  assert.deepEqual(sentences(recipes.takenFromSubAccount(moved, 50n)), [
    '7.move SUB_TRANSFER R → P 50',
    '7.platform-repay TRANSFER_REPAID P → P-debt up to 50',
  ])
})
