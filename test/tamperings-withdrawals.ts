// Changes behind the back of money in suspense, openings and withdrawals, each with the fault that verify must report.
import { nobody, type Tampering } from './tampering.ts'

const payment = /^payment [0-9a-f-]{36}$/
const withdrawal = /^withdrawal [0-9a-f-]{36}$/
const setIn = (table: string, name: string, change: string) =>
  `update ${table} set ${change} where id = '{${name}}'`
const second = `interval '1 second'`

const stray = /^receipt paid .*, which fits nothing,$/
export const suspense: readonly Tampering[] = [
  {
    name: 'money in suspense that was never resolved, shown as resolved',
    change: setIn('unmatched', 'stray', `resolution = 'RETURNED', resolved_at = now()`),
    found: ['settlement', stray, /moved nothing as return instead of 1300/],
    also: [['suspense', /^account suspense:/, /holds 1300, but 0 is undecided/]],
  },
  {
    name: 'a decision undone',
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
    name: 'to no attempt',
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
    name: 'money in suspense removed',
    change: `delete from unmatched where id = '{stray}'`,
    found: ['settlement', /^transfer \d+$/, /is nothing that moves money/],
  },
]

export const openings: readonly Tampering[] = [
  {
    name: 'a code that was changed by hand',
    change: `update attempt set artifacts = replace(artifacts::text, 'br.gov', 'br.gow')::json where payment_id = '{waiting}'`,
    found: ['payments', payment, /has a code that nobody can pay/],
  },
  {
    name: 'a code that differs from the event',
    change: `update attempt set artifacts = (select artifacts from attempt where payment_id = '{waiting}') where payment_id = '{exact}'`,
    found: ['notified events', payment, /another pixCopyPaste than was notified/],
  },
  {
    name: 'a code removed',
    change: `update attempt set artifacts = null where payment_id = '{waiting}'`,
    found: ['payments', payment, /is WAITING_PAYMENT, but nothing was opened to pay with/],
  },
  {
    name: 'the amount of a charge for the rest',
    change: `update attempt set amount_minor = 700 where payment_id = '{rest}' and asked -> 'rest' is not null`,
    found: ['payments', payment, /has attempt .* at something else/],
  },
  {
    name: 'what the rest was computed from',
    change: `update attempt set amount_minor = 700, asked = jsonb_set(asked::jsonb, array['rest', 'received'], '"300"')::json where payment_id = '{rest}' and asked -> 'rest' is not null`,
    found: ['payments', payment, /for the rest of 300, but received 400/],
  },
  {
    name: 'a charge that was ended made one that can be paid beside that for the rest',
    change: `update attempt set over_at = null where payment_id = '{rest}'`,
    found: ['payments', payment, /has 2 attempts that can be paid, one of them for the rest/],
  },
  {
    name: 'a payment that was opened made one that was not',
    change: setIn('payment', 'waiting', `status = 'PENDING'`),
    found: ['payments', payment, /is PENDING, but attempt .* was opened/],
  },
  {
    name: 'a payment failed without an event',
    change: setIn('payment', 'waiting', `status = 'FAILED', last_error = '{"code":"x","message":"y"}'`),
    found: ['missing events', payment, /is FAILED, but its merchant was never notified of payment\.failed/],
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
    name: 'a connection removed',
    change: `delete from connection where method = 'PIX'`,
    found: ['connections', /^pass/, /at a connection that is not there/],
  },
  {
    name: 'an end that is reported to a bank before it came',
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
    name: 'what was received before money was returned',
    change: setIn(
      'payment',
      'parts',
      `paid_at = (select recorded_at from receipt where payment_id = '{parts}' and booked_minor = 600)`,
    ),
    found: ['settlement', payment, /another time of payment than the receipt that completed it/],
  },
]

export const withdrawals: readonly Tampering[] = [
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
    change: setIn('withdrawal', 'going', `status = 'COMPLETED', completed_at = now()`),
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
    name: 'a withdrawal approved by its requester',
    change: setIn('withdrawal', 'asking', `decided_by = requested_by`),
    found: ['withdrawals', withdrawal, /decided by the person who asked for it/],
  },
  {
    name: 'a decision by a rotation of the key that requested',
    change: `with rotated as (
               insert into api_key (merchant_id, id, lineage, digest, last_four, name, scopes, created_at)
               select merchant_id, '${nobody}', requested_by, 'x'::bytea, 'xxxx', 'x', '{}', now()
                 from withdrawal where id = '{asking}'
               returning id)
             update withdrawal set decided_by = rotated.id from rotated where withdrawal.id = '{asking}'`,
    found: ['withdrawals', withdrawal, /decided by the person who asked for it/],
  },
  {
    name: 'a decision by another key of the person who requested',
    change: `with asking as (
               insert into api_key (merchant_id, id, digest, last_four, name, scopes, created_at, person)
               select merchant_id, requested_by, 'x'::bytea, 'xxxx', 'x', '{}', now(), 'ana'
                 from withdrawal where id = '{asking}'
                   on conflict do nothing),
             second as (
               insert into api_key (merchant_id, id, lineage, digest, last_four, name, scopes, created_at, person)
               select merchant_id, '${nobody}', '${nobody}', 'y'::bytea, 'xxxx', 'x', '{}', now(), 'ana'
                 from withdrawal where id = '{asking}'
               returning id)
             update withdrawal set decided_by = second.id from second where withdrawal.id = '{asking}'`,
    found: ['withdrawals', withdrawal, /decided by the person who asked for it/],
  },
  {
    name: 'a decision by a key that another merchant’s requesting key made',
    change: `with other as (
               insert into merchant (id, mode, name, webhook_secret, created_at)
               select '${nobody}', mode, 'Other', webhook_secret, now() from merchant
                where id = (select merchant_id from withdrawal where id = '{asking}')
               returning id),
             first as (
               insert into api_key (merchant_id, id, digest, last_four, name, scopes, created_at)
               select other.id, '${nobody}', 'x'::bytea, 'xxxx', 'x', '{}', now() from other
               returning id),
             second as (
               insert into api_key (merchant_id, id, lineage, digest, last_four, name, scopes, created_at)
               select withdrawal.merchant_id, '${nobody.replace(/^0/, '1')}', first.id, 'y'::bytea, 'xxxx', 'x', '{}', now()
                 from withdrawal, first where withdrawal.id = '{asking}'
               returning id)
             update withdrawal set requested_by = first.id, decided_by = second.id
               from first, second where withdrawal.id = '{asking}'`,
    found: ['withdrawals', withdrawal, /decided by the person who asked for it/],
  },
  {
    name: 'a decision by the requester, whose name the operator spelled in another way',
    change: `with asking as (
               insert into api_key (merchant_id, id, digest, last_four, name, scopes, created_at, person)
               select merchant_id, '${nobody}', 'x'::bytea, 'xxxx', 'x', '{}', now(), 'ana@example.com'
                 from withdrawal where id = '{asking}'
               returning id),
             second as (
               insert into api_key (merchant_id, id, digest, last_four, name, scopes, created_at, person)
               select merchant_id, '${nobody.replace(/^0/, '1')}', 'y'::bytea, 'xxxx', 'x', '{}', now(), ' Ana <ANA+ci@Example.com> '
                 from withdrawal where id = '{asking}'
               returning id)
             update withdrawal set requested_by = asking.id, decided_by = second.id
               from asking, second where withdrawal.id = '{asking}'`,
    found: ['withdrawals', withdrawal, /decided by the person who asked for it/],
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
    found: ['notified events', withdrawal, /another failureCode than was notified/],
  },
  {
    name: "the provider's name of a withdrawal",
    change: setIn('withdrawal', 'sent', `end_to_end_id = 'E2'`),
    found: ['notified events', withdrawal, /another endToEndId than was notified/],
  },
  {
    name: 'a withdrawal that no worker will query',
    change: `delete from withdrawal_due where withdrawal_id = '{going}'`,
    found: ['withdrawals', withdrawal, /is PROCESSING, but nobody will ask/],
  },
  {
    name: 'a withdrawal that had left before a restore, canceled all the same',
    change: setIn('withdrawal', 'dropped', `left_before_restore = true`),
    found: ['withdrawals', withdrawal, /had left before a restore, and was canceled all the same/],
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
    name: 'a withdrawal removed',
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
    found: ['notified events', withdrawal, /has its events sent to https:\/\/mine\.example\/hook/],
  },
]
