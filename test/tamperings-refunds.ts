// Changes behind the back of refunds and disputes, each with the fault that verify must report.
import { nobody, type Tampering } from './tampering.ts'

const refund = /^refund [0-9a-f-]{36}$/
const dispute = /^dispute [0-9a-f-]{36}$/
const payment = /^payment [0-9a-f-]{36}$/
const setIn = (table: string, name: string, change: string) =>
  `update ${table} set ${change} where id = '{${name}}'`
const second = `interval '1 second'`

export const refunds: readonly Tampering[] = [
  {
    name: 'the amount of a refund',
    change: setIn('refund', 'done', 'amount_minor = 1'),
    found: ['settlement', refund, /made transfer \d+ of 300 instead of 1$/],
    also: [['refunds', refund, /gives back 1, its request asks for 300/]],
  },
  {
    name: 'a refund that is done made one that failed',
    change: setIn('refund', 'done', `status = 'FAILED', completed_at = null`),
    found: ['settlement', refund, /is FAILED, but its receipts make it COMPLETED/],
  },
  {
    name: 'a refund that failed made one that is done',
    change: setIn('refund', 'failed', `status = 'COMPLETED', completed_at = now()`),
    found: ['settlement', refund, /is COMPLETED, but its receipts make it FAILED/],
  },
  {
    name: 'a pending refund made one that is done',
    change: `${setIn('refund', 'pending', `status = 'COMPLETED', completed_at = now()`)}; delete from refund_due`,
    found: ['settlement', refund, /is COMPLETED, but its receipts make it PENDING/],
    also: [['held money', /^wallet/, /holds \d+, but what is open asks for 0 for refunds/]],
  },
  {
    name: 'the version of a refund',
    change: setIn('refund', 'undone', 'version = version + 1'),
    found: ['settlement', refund, /has version 4, but its receipts make 3/],
  },
  {
    name: 'when a refund was done',
    change: setIn('refund', 'done', `completed_at = completed_at + ${second}`),
    found: ['settlement', refund, /completed at another time/],
  },
  {
    name: 'when a refund was requested',
    change: setIn('refund', 'done', `created_at = created_at - ${second}`),
    found: ['settlement', refund, /says another time than the batch of transfer/],
  },
  {
    name: 'the failure of a refund that came back, given to one that did not',
    change: setIn('refund', 'done', `failure = '{"code":"x","message":"y"}'`),
    found: ['settlement', refund, /has a failure, but did not fail/],
  },
  {
    name: 'why a refund failed',
    change: setIn('refund', 'failed', `failure = '{"code":"x","message":"y"}'`),
    found: ['notified events', refund, /another failureCode than was notified/],
  },
  {
    name: 'the wallet of a refund',
    change: setIn('refund', 'done', `wallet_id = '{other}'`),
    found: ['refunds', refund, /another wallet than its money/],
    also: [['settlement', refund, /made transfer \d+ from wallet:/]],
  },
  {
    name: 'the currency of a refund',
    change: setIn('refund', 'done', `currency = 'EUR'`),
    found: ['refunds', refund, /another currency than its payment/],
  },
  {
    name: 'the amount of a refund',
    change: setIn('refund', 'done', `paid_ref = 'E0'`),
    found: ['refunds', refund, /gives back money that never came/],
  },
  {
    name: 'the request of a refund',
    change: setIn('refund', 'done', `request = '{"amount":300}'`),
    found: ['refunds', refund, /another fingerprint/],
  },
  {
    name: 'the request of a refund with its fingerprint',
    change: setIn(
      'refund',
      'pending',
      `request = '{"amount":100,"reason":"x"}', reason = 'x', fingerprint = sha256('x')`,
    ),
    found: ['settlement', refund, /has other evidence than transfer/],
  },
  {
    name: 'the reason of a refund',
    change: setIn('refund', 'done', `reason = 'another'`),
    found: ['refunds', refund, /another reason/],
  },
  {
    name: 'the metadata of a refund',
    change: setIn('refund', 'done', `metadata = '{}'`),
    found: ['refunds', refund, /other metadata/],
  },
  {
    name: 'the payment of a refund',
    change: setIn('refund', 'done', `payment_id = '{waiting}'`),
    found: ['refunds', refund, /another fingerprint than its payment/],
  },
  {
    name: 'a refund removed',
    change: `delete from refund where id = '{done}'`,
    found: ['settlement', /^transfer \d+$/, /is nothing that moves money/],
    also: [
      ['settlement', /^receipt refunded/, /was booked, but no refund moved for it/],
      ['notified events', refund, /is not there, but its merchant was notified of refund\.created/],
    ],
  },
  {
    name: 'a refund put in',
    change: `insert into refund select merchant_id, '${nobody}', payment_id, attempt_id, method, connection, paid_ref, wallet_id,
               amount_minor, currency, 'FAILED', reason, metadata, failure, null, fingerprint, request, 2, created_at, null
               from refund where id = '{done}'`,
    found: ['settlement', refund, /moved nothing as hold instead of 300/],
    also: [['missing events', refund, /never notified of refund\.failed/]],
  },
  {
    name: 'a refund that no worker will send',
    change: `delete from refund_due`,
    found: ['refunds', refund, /is PENDING, but nobody will ask/],
  },
  {
    name: 'a refund that is to be sent again',
    change: `insert into refund_due select merchant_id, id, now(), 0 from refund where id = '{failed}'`,
    found: ['refunds', refund, /is FAILED, but still due/],
  },
  {
    name: 'a due refund that is none',
    change: `insert into refund_due select merchant_id, '${nobody}', now(), 0 from merchant, lateral (select id as merchant_id) as m limit 1`,
    found: ['refunds', /^due refund/, /is due, but does not wait/],
  },
  {
    name: 'the refunded amount of a payment',
    change: setIn('payment', 'exact', 'refunded_minor = 0'),
    found: ['settlement', payment, /says refunded 0, but its receipts make 450/],
  },
  {
    name: 'the outcome of a refund, in its receipt',
    change: `update receipt set outcome = 'refund_failed' where outcome = 'refunded' and payment_id = '{exact}' and booked_minor = 300`,
    found: ['settlement', refund, /moved nothing as release instead of 300/],
  },
  {
    name: 'the evidence of a refund',
    change: `update receipt set evidence = evidence || ' '::bytea where outcome = 'refunded' and payment_id = '{exact}' and booked_minor = 300`,
    found: ['settlement', refund, /but no receipt says why/],
  },
  {
    name: 'what was booked for the end of a refund',
    change: `update receipt set booked_minor = 299 where outcome = 'refunded' and payment_id = '{exact}' and booked_minor = 300`,
    found: ['settlement', /^receipt refunded/, /was booked as 299, but ended a refund of 300/],
  },
]

export const disputes: readonly Tampering[] = [
  {
    name: 'a dispute that was lost made one that was won',
    change: setIn('dispute', 'lost', `status = 'WON', is_taken = false`),
    found: ['settlement', dispute, /says status WON, but its receipts make LOST/],
  },
  {
    name: 'an open dispute made one that was won',
    change: setIn('dispute', 'open', `status = 'WON', closed_at = now()`),
    found: ['settlement', dispute, /says status WON, but its receipts make OPEN/],
    also: [['held money', /^wallet/, /for refunds, 0 for disputes/]],
  },
  {
    name: 'whether the money of a dispute was taken',
    change: setIn('dispute', 'open', `is_taken = true`),
    found: ['settlement', dispute, /says taken true/],
  },
  {
    name: 'the amount of a dispute',
    change: setIn('dispute', 'won', 'amount_minor = 1'),
    found: ['settlement', /^receipt dispute_opened/, /was booked as 400 for a dispute of 1/],
  },
  {
    name: 'the fee of a dispute',
    change: setIn('dispute', 'won', 'fee_minor = 10'),
    found: ['settlement', dispute, /says fee 10/],
  },
  {
    name: 'the version of a dispute',
    change: setIn('dispute', 'lost', 'version = 1'),
    found: ['settlement', dispute, /says version 1, but its receipts make 3/],
  },
  {
    name: 'when a dispute was opened',
    change: setIn('dispute', 'won', `created_at = created_at - ${second}`),
    found: ['settlement', dispute, /was opened at another time/],
  },
  {
    name: 'when a dispute was closed',
    change: setIn('dispute', 'won', `closed_at = closed_at + ${second}`),
    found: ['settlement', dispute, /was closed at another time/],
  },
  {
    name: 'the kind of a dispute',
    change: setIn('dispute', 'won', `kind = 'CHARGEBACK'`),
    found: ['notified events', dispute, /another kind than was notified/],
  },
  {
    name: 'why the payer disputes',
    change: setIn('dispute', 'won', `reason = 'another'`),
    found: ['notified events', dispute, /another reason than was notified/],
  },
  {
    name: 'when evidence of a dispute is due',
    change: setIn('dispute', 'won', `evidence_due_at = now()`),
    found: ['notified events', dispute, /another evidenceDueAt than was notified/],
  },
  {
    name: 'the name of a dispute',
    change: setIn('dispute', 'won', `provider_ref = 'E0:D0'`),
    found: ['settlement', /^receipt dispute_/, /was booked, but there is no such dispute/],
  },
  {
    name: 'the money that a dispute is about',
    change: setIn('dispute', 'won', `paid_ref = 'E0'`),
    found: ['disputes', dispute, /about money that never came/],
  },
  {
    name: 'the wallet of a dispute',
    change: setIn('dispute', 'won', `wallet_id = '{other}'`),
    found: ['disputes', dispute, /another wallet/],
  },
  {
    name: 'the payment of a dispute',
    change: setIn('dispute', 'won', `payment_id = '{exact}'`),
    found: ['settlement', dispute, /was never heard of/],
  },
  {
    name: 'a dispute removed',
    change: `delete from dispute where id = '{lost}'`,
    found: ['settlement', /^transfer \d+$/, /is nothing that moves money/],
  },
  {
    name: 'a dispute put in',
    change: `insert into dispute select merchant_id, '${nobody}', payment_id, connection, 'E0:D9', paid_ref, wallet_id, kind, status,
               is_taken, amount_minor, fee_minor, currency, reason, evidence_due_at, version, created_at, closed_at
               from dispute where id = '{won}'`,
    found: ['missing events', dispute, /never notified of dispute\.opened/],
  },
  {
    name: 'what a payment is disputed for',
    change: setIn('payment', 'disputed', 'disputed_minor = 0'),
    found: ['settlement', payment, /says disputed 0, but its receipts make 700/],
  },
  {
    name: 'the other wallet that a dispute debited',
    change: `update transfer set debit = (select id from account where name like 'fees:%' or name like 'provider:%' order by id limit 1)
              where subject = '{lost}' and step = '1.hold-2'`,
    found: ['settlement', /^receipt dispute_/, /instead of another of the merchant's wallets/],
  },
  {
    name: 'what a dispute left owing',
    change: `update transfer set minor = minor - 1 where subject = '{lost}' and step = '1.owe'`,
    found: ['settlement', /^receipt dispute_/, /moved 1999 as hold and hold-2 and owe instead of 2000/],
    also: [['debts', /^account receivable:/, /was owed and \d+ repaid/]],
  },
  {
    name: 'what was repaid, in the eyes of the debt',
    change: `update transfer set kind = 'FEE' where kind = 'RECEIVABLE_REPAID'`,
    found: ['debts', /^account receivable:/, /was owed and 0 repaid/],
  },
]
