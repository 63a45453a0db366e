// Whatever is changed in refunds, disputes, money in suspense or withdrawals behind their back, verify names it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPixScene, type PixScene } from '../pix-scene.ts'
import { assertFound, nobody, textOf, type Tampering } from '../tampering.ts'

let scene: PixScene

before(async () => {
  scene = await openPixScene()
})

after(() => scene[Symbol.asyncDispose]())

test('what nobody touched is found whole, and everything was looked at', async () => {
  const { faults, checked } = await scene.verify()
  assert.deepEqual(faults.map(textOf), [])
  const counted = new Map(checked.map(({ inspection, what, count }) => [`${inspection}: ${what}`, count]))
  const [rows] = await scene.sql<Record<string, bigint>[]>`
    select (select count(*) from refund) as "settlement: refunds", (select count(*) from refund) as "refunds: refunds",
           (select count(*) from refund_due) as "refunds: due", (select count(*) from dispute) as "settlement: disputes",
           (select count(*) from dispute) as "disputes: disputes",
           (select count(*) from unmatched) as "settlement: receipts without a payment",
           (select count(*) from withdrawal) as "settlement: withdrawals",
           (select count(*) from withdrawal) as "withdrawals: withdrawals",
           (select count(*) from withdrawal_due) as "withdrawals: due",
           (select count(*) from withdrawal_spent) as "daily sums: days",
           (select count(*) from wallet) as "held money: wallets", (select count(*) from connection) as "suspense: connections",
           (select count(*) from receipt) + (select count(*) from unmatched) as "receipts of pix: receipts",
           (select count(*) from attempt_closing) as "closings: closings",
           (select count(*) from refund) as "what had to be told: refunds",
           (select count(*) from dispute) as "what had to be told: disputes",
           (select count(*) from withdrawal) as "what had to be told: withdrawals"`
  for (const [what, count] of Object.entries(rows ?? {})) {
    assert.equal(BigInt(counted.get(what) ?? -1), count, what)
    assert.ok(count > 0n, what)
  }
})

const refund = /^refund [0-9a-f-]{36}$/
const dispute = /^dispute [0-9a-f-]{36}$/
const payment = /^payment [0-9a-f-]{36}$/
const withdrawal = /^withdrawal [0-9a-f-]{36}$/
const setIn = (table: string, name: string, change: string) =>
  `update ${table} set ${change} where id = '{${name}}'`
const second = `interval '1 second'`

const refunds: readonly Tampering[] = [
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
    name: 'when a refund was asked for',
    change: setIn('refund', 'done', `created_at = created_at - ${second}`),
    found: ['settlement', refund, /says another time than the batch of transfer/],
  },
  {
    name: 'the failure of a refund that came back, taken over by one that did not',
    change: setIn('refund', 'done', `failure = '{"code":"x","message":"y"}'`),
    found: ['settlement', refund, /has a failure, but did not fail/],
  },
  {
    name: 'why a refund failed',
    change: setIn('refund', 'failed', `failure = '{"code":"x","message":"y"}'`),
    found: ['what was told', refund, /another failureCode than was told/],
  },
  {
    name: 'the wallet of a refund',
    change: setIn('refund', 'done', `wallet_id = '{other}'`),
    found: ['refunds', refund, /another wallet than the payment/],
    also: [['settlement', refund, /made transfer \d+ from wallet:/]],
  },
  {
    name: 'the currency of a refund',
    change: setIn('refund', 'done', `currency = 'EUR'`),
    found: ['refunds', refund, /another currency than its payment/],
  },
  {
    name: 'the money that a refund gives back',
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
    name: 'a refund taken out',
    change: `delete from refund where id = '{done}'`,
    found: ['settlement', /^transfer \d+$/, /is nothing that moves money/],
    also: [
      ['settlement', /^receipt refunded/, /was booked, but no refund moved for it/],
      ['what was told', refund, /is not there, but its merchant was told refund\.created/],
    ],
  },
  {
    name: 'a refund put in',
    change: `insert into refund select merchant_id, '${nobody}', payment_id, attempt_id, method, connection, paid_ref, wallet_id,
               amount_minor, currency, 'FAILED', reason, metadata, failure, null, fingerprint, request, 2, created_at, null
               from refund where id = '{done}'`,
    found: ['settlement', refund, /moved nothing as hold instead of 300/],
    also: [['what had to be told', refund, /never told refund\.failed/]],
  },
  {
    name: 'a refund that nobody will ask for',
    change: `delete from refund_due`,
    found: ['refunds', refund, /is PENDING, but nobody will ask/],
  },
  {
    name: 'a refund that is asked for again',
    change: `insert into refund_due select merchant_id, id, now(), 0 from refund where id = '{failed}'`,
    found: ['refunds', refund, /is FAILED, but still due/],
  },
  {
    name: 'a due refund that is none',
    change: `insert into refund_due select merchant_id, '${nobody}', now(), 0 from merchant, lateral (select id as merchant_id) as m limit 1`,
    found: ['refunds', /^due refund/, /is due, but does not wait/],
  },
  {
    name: 'what a payment gave back',
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

const disputes: readonly Tampering[] = [
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
    found: ['what was told', dispute, /another kind than was told/],
  },
  {
    name: 'why the payer disputes',
    change: setIn('dispute', 'won', `reason = 'another'`),
    found: ['what was told', dispute, /another reason than was told/],
  },
  {
    name: 'when evidence of a dispute is due',
    change: setIn('dispute', 'won', `evidence_due_at = now()`),
    found: ['what was told', dispute, /another evidenceDueAt than was told/],
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
    name: 'a dispute taken out',
    change: `delete from dispute where id = '{lost}'`,
    found: ['settlement', /^transfer \d+$/, /is nothing that moves money/],
  },
  {
    name: 'a dispute put in',
    change: `insert into dispute select merchant_id, '${nobody}', payment_id, connection, 'E0:D9', paid_ref, wallet_id, kind, status,
               is_taken, amount_minor, fee_minor, currency, reason, evidence_due_at, version, created_at, closed_at
               from dispute where id = '{won}'`,
    found: ['what had to be told', dispute, /never told dispute\.opened/],
  },
  {
    name: 'what a payment is disputed for',
    change: setIn('payment', 'disputed', 'disputed_minor = 0'),
    found: ['settlement', payment, /says disputed 0, but its receipts make 700/],
  },
  {
    name: 'the wallet that a dispute took from besides',
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

const stray = /^receipt paid .*, which fits nothing,$/
const suspense: readonly Tampering[] = [
  {
    name: 'money in suspense that was never decided about, as if it had been',
    change: setIn('unmatched', 'stray', `resolution = 'RETURNED', resolved_at = now()`),
    found: ['settlement', stray, /moved nothing as return instead of 1300/],
    also: [['suspense', /^account suspense:/, /holds 1300, but 0 is undecided/]],
  },
  {
    name: 'a decision taken back',
    change: setIn('unmatched', 'returned', `resolution = null, resolved_at = null`),
    found: ['settlement', stray, /moved transfer \d+ without a reason/],
  },
  {
    name: 'half of a decision',
    change: setIn('unmatched', 'returned', `resolution = null`),
    found: ['settlement', stray, /has half a decision/],
  },
  {
    name: 'what was decided',
    change: setIn('unmatched', 'credited', `resolution = 'RETURNED', wallet_id = null`),
    found: ['settlement', stray, /moved nothing as return/],
  },
  {
    name: 'to which wallet money in suspense went',
    change: setIn('unmatched', 'credited', `wallet_id = '{other}'`),
    found: ['settlement', stray, /made transfer \d+ from suspense:/],
  },
  {
    name: 'to nobody',
    change: setIn('unmatched', 'credited', `wallet_id = '${nobody}'`),
    found: ['settlement', stray, /which is nobody's in BRL/],
  },
  {
    name: 'why a person decided so',
    change: setIn('unmatched', 'credited', `note = 'another'`),
    found: ['settlement', stray, /has other evidence than transfer/],
  },
  {
    name: 'when a person decided',
    change: setIn('unmatched', 'credited', `resolved_at = resolved_at + ${second}`),
    found: ['settlement', stray, /another time than the batch/],
  },
  {
    name: 'the amount of money in suspense',
    change: setIn('unmatched', 'stray', 'amount_minor = 1'),
    found: ['settlement', stray, /made transfer \d+ of 1300 instead of 1$/],
  },
  {
    name: 'the evidence of money in suspense',
    change: setIn('unmatched', 'stray', `evidence = evidence || ' '::bytea`),
    found: ['settlement', stray, /has other evidence than/],
  },
  {
    name: 'the name of money in suspense',
    change: setIn('unmatched', 'stray', `provider_ref = 'E0'`),
    found: ['receipts of pix', /^receipt paid E0/, /is not what its evidence tells of/],
  },
  {
    name: 'when money in suspense happened',
    change: setIn('unmatched', 'stray', `happened_at = happened_at - ${second}`),
    found: ['receipts of pix', /^receipt paid/, /happened at another time/],
  },
  {
    name: 'what happened',
    change: setIn('unmatched', 'stray', `outcome = 'refunded'`),
    found: [
      'settlement',
      /^receipt refunded .*, which fits nothing,$/,
      /moved transfer \d+ without a reason/,
    ],
  },
  {
    name: 'the mode of money in suspense',
    change: setIn('unmatched', 'stray', `mode = 'LIVE'`),
    found: ['settlement', stray, /is LIVE, but its connection is SANDBOX/],
  },
  {
    name: 'the connection of money in suspense',
    change: setIn('unmatched', 'stray', `connection = 'mine'`),
    found: ['settlement', stray, /its connection is not there/],
  },
  {
    name: 'money that is counted twice',
    change: `update unmatched set (connection, provider_ref) =
               (select connection, provider_ref from receipt where outcome = 'paid' and payment_id = '{exact}') where id = '{stray}'`,
    found: ['settlement', stray, /is counted for a payment too/],
  },
  {
    name: 'money in suspense taken out',
    change: `delete from unmatched where id = '{stray}'`,
    found: ['settlement', /^transfer \d+$/, /is nothing that moves money/],
  },
]

const openings: readonly Tampering[] = [
  {
    name: 'a code that was changed by hand',
    change: `update attempt set artifacts = replace(artifacts::text, 'br.gov', 'br.gow')::json where payment_id = '{waiting}'`,
    found: ['payments', payment, /has a code that nobody can pay/],
  },
  {
    name: 'a code that is another one than was told',
    change: `update attempt set artifacts = (select artifacts from attempt where payment_id = '{waiting}') where payment_id = '{exact}'`,
    found: ['what was told', payment, /another pixCopyPaste than was told/],
  },
  {
    name: 'a code taken away',
    change: `update attempt set artifacts = null where payment_id = '{waiting}'`,
    found: ['payments', payment, /is WAITING_PAYMENT, but nothing was opened to pay with/],
  },
  {
    name: 'a payment that was opened made one that was not',
    change: setIn('payment', 'waiting', `status = 'PENDING'`),
    found: ['payments', payment, /is PENDING, but attempt .* was opened/],
  },
  {
    name: 'a payment failed without a word',
    change: setIn('payment', 'waiting', `status = 'FAILED', last_error = '{"code":"x","message":"y"}'`),
    found: ['what had to be told', payment, /is FAILED, but its merchant was never told payment\.failed/],
  },
  {
    name: 'an attempt at a connection of another method',
    change: `update attempt set connection = (select id from connection where method = 'PIX_PAYOUT') where payment_id = '{waiting}'`,
    found: ['payments', payment, /at a connection that is not there for it/],
  },
  {
    name: 'the mode of a connection',
    change: `update connection set mode = 'LIVE' where method = 'PIX'`,
    found: ['payments', payment, /at a connection that is not there for it/],
  },
  {
    name: "a connection given to another mode's merchant",
    change: `update connection set mode = 'LIVE', merchant_id = (select id from merchant limit 1) where method = 'PIX_PAYOUT'`,
    found: ['connections', /^connection/, /is LIVE, but its merchant is SANDBOX/],
  },
  {
    name: 'a connection taken out',
    change: `delete from connection where method = 'PIX'`,
    found: ['connections', /^look/, /at a connection that is not there/],
  },
  {
    name: 'an end that a bank is told of before it came',
    change: `insert into attempt_closing select merchant_id, id, now(), 0 from attempt where payment_id = '{waiting}'`,
    found: ['closings', /^closing/, /is due, but its payment is WAITING_PAYMENT/],
  },
  {
    name: 'an end of nothing',
    change: `update attempt_closing set attempt_id = '${nobody}'`,
    found: ['closings', /^closing/, /belongs to no attempt/],
  },
  {
    name: 'how a PIX payment is called at the bank',
    change: `update receipt set provider_ref = 'E0' where outcome = 'paid' and payment_id = '{exact}'`,
    found: ['receipts of pix', /^receipt paid E0/, /is not what its evidence tells of/],
  },
  {
    name: 'when a PIX payment happened',
    change: `update receipt set happened_at = happened_at - ${second} where outcome = 'paid' and payment_id = '{exact}'`,
    found: ['receipts of pix', /^receipt paid/, /happened at another time/],
  },
  {
    name: 'what was received before money was given back',
    change: setIn(
      'payment',
      'parts',
      `paid_at = (select recorded_at from receipt where payment_id = '{parts}' and booked_minor = 600)`,
    ),
    found: ['settlement', payment, /another time of payment than the receipt that completed it/],
  },
]

const withdrawals: readonly Tampering[] = [
  {
    name: 'where a withdrawal goes',
    change: setIn('withdrawal', 'asking', `destination = replace(destination::text, 'ana@', 'eve@')::json`),
    found: ['withdrawals', withdrawal, /goes somewhere else than its request says/],
  },
  {
    name: 'where a withdrawal goes, with its request and fingerprint',
    change: setIn(
      'withdrawal',
      'asking',
      `destination = replace(destination::text, 'ana@', 'eve@')::json, request = replace(request::text, 'Ana@', 'eve@')::json, fingerprint = sha256('x')`,
    ),
    found: ['settlement', withdrawal, /has other evidence than transfer/],
  },
  {
    name: 'the amount of a withdrawal',
    change: setIn('withdrawal', 'asking', 'amount_minor = 1'),
    found: ['settlement', withdrawal, /made transfer \d+ of 250 instead of 1$/],
  },
  {
    name: 'the fee of a withdrawal',
    change: setIn('withdrawal', 'asking', 'fee_minor = 1'),
    found: ['settlement', withdrawal, /moved nothing as hold-fee instead of 1/],
  },
  {
    name: 'a withdrawal that left made one that failed',
    change: setIn('withdrawal', 'sent', `status = 'FAILED', failure = '{"code":"x","message":"y"}'`),
    found: ['settlement', withdrawal, /is FAILED, but what was moved for it makes it COMPLETED/],
  },
  {
    name: 'a withdrawal under way made one that has left',
    change: `${setIn('withdrawal', 'going', `status = 'COMPLETED', completed_at = now()`)}`,
    found: ['settlement', withdrawal, /is COMPLETED, but what was moved for it makes it open/],
    also: [['held money', /^wallet/, /for withdrawals$/]],
  },
  {
    name: 'a canceled withdrawal made one that failed',
    change: setIn('withdrawal', 'dropped', `status = 'FAILED', failure = '{"code":"x","message":"y"}'`),
    found: ['settlement', withdrawal, /is FAILED, but what was moved for it makes it CANCELED/],
  },
  {
    name: 'a withdrawal that needs approval made one that needs none',
    change: setIn('withdrawal', 'approval', `status = 'PENDING'`),
    found: ['withdrawals', withdrawal, /is PENDING, but nobody will ask its provider/],
  },
  {
    name: 'a withdrawal that is sent before anybody approved',
    change: `insert into withdrawal_due (merchant_id, withdrawal_id, due_at) select merchant_id, id, now() from withdrawal where id = '{approval}'`,
    found: ['withdrawals', withdrawal, /waits for a person, but is due/],
  },
  {
    name: 'a withdrawal approved by whoever asked for it',
    change: setIn('withdrawal', 'asking', `decided_by = requested_by`),
    found: ['withdrawals', withdrawal, /decided by the key that asked/],
  },
  {
    name: 'what came back of a withdrawal',
    change: setIn('withdrawal', 'sent', 'returned_minor = 0'),
    found: ['settlement', withdrawal, /says returned 0, but 300 came back/],
  },
  {
    name: 'when a withdrawal left',
    change: setIn('withdrawal', 'sent', `completed_at = completed_at + ${second}`),
    found: ['settlement', withdrawal, /was completed at another time/],
  },
  {
    name: 'the wallet of a withdrawal',
    change: setIn('withdrawal', 'sent', `wallet_id = '{other}'`),
    found: ['settlement', withdrawal, /made transfer \d+ from wallet:/],
  },
  {
    name: 'the reference of a withdrawal, which would be paid again',
    change: setIn('withdrawal', 'going', `reference = 'another'`),
    found: ['withdrawals', withdrawal, /another reference than its key makes/],
  },
  {
    name: 'the key of a withdrawal',
    change: setIn('withdrawal', 'sent', `idempotency_key = 'another'`),
    found: ['withdrawals', withdrawal, /another reference than its key makes/],
  },
  {
    name: 'the connection of a withdrawal',
    change: setIn('withdrawal', 'sent', `connection = (select id from connection where method = 'PIX')`),
    found: ['settlement', withdrawal, /made transfer \d+ from wallet:.* to provider:/],
  },
  {
    name: 'why a withdrawal failed',
    change: setIn('withdrawal', 'bounced', `failure = '{"code":"x","message":"y"}'`),
    found: ['what was told', withdrawal, /another failureCode than was told/],
  },
  {
    name: "the provider's name of a withdrawal",
    change: setIn('withdrawal', 'sent', `end_to_end_id = 'E2'`),
    found: ['what was told', withdrawal, /another endToEndId than was told/],
  },
  {
    name: 'a withdrawal that nobody will ask for',
    change: `delete from withdrawal_due where withdrawal_id = '{going}'`,
    found: ['withdrawals', withdrawal, /is PROCESSING, but nobody will ask/],
  },
  {
    name: 'a due withdrawal that is none',
    change: `update withdrawal_due set withdrawal_id = '${nobody}' where withdrawal_id = '{going}'`,
    found: ['withdrawals', /^due withdrawal/, /belongs to nothing/],
  },
  {
    name: 'what was counted on a day',
    change: `update withdrawal_spent set minor = 0`,
    found: ['daily sums', /of merchant/, /counts 0 BRL by PIX, but \d+ was accepted/],
  },
  {
    name: 'a day on which nothing happened',
    change: `insert into withdrawal_spent select merchant_id, type, currency, day - 1, 5 from withdrawal_spent`,
    found: ['daily sums', /of merchant/, /counts 5 BRL by PIX, but 0 was accepted/],
  },
  {
    name: 'a withdrawal taken out',
    change: `delete from withdrawal where id = '{sent}'`,
    found: ['settlement', /^transfer \d+$/, /is nothing that moves money/],
  },
  {
    name: 'a withdrawal put in',
    change: `insert into withdrawal (merchant_id, id, type, status, amount_minor, fee_minor, currency, wallet_id, connection, reference,
                                     destination, request, fingerprint, requested_by, created_at)
             select merchant_id, '${nobody}', type, 'PENDING', amount_minor, fee_minor, currency, wallet_id, connection, 'mine',
                    destination, request, fingerprint, requested_by, created_at from withdrawal where id = '{asking}'`,
    found: ['settlement', withdrawal, /moved nothing as hold instead of 250/],
  },
  {
    name: 'where the news of a withdrawal went',
    change: `update delivery set url = 'https://mine.example/hook', origin = 'https://mine.example'
              where event_sequence = (select sequence from event where type = 'withdrawal.completed' and resource_id = '{sent}')`,
    found: ['what was told', withdrawal, /has its news sent to https:\/\/mine\.example\/hook/],
  },
]

for (const tampering of [...refunds, ...disputes, ...suspense, ...openings, ...withdrawals]) {
  test(`verify finds: ${tampering.name}`, () => assertFound(scene, tampering))
}
