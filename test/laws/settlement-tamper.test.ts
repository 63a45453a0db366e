// Verify finds every change to payments, attempts or receipts that was made behind their back.
import { test } from 'node:test'
import { openForTests } from '../open-for-tests.ts'
import { assertFound, nobody, openFilledWorld, type Tampering } from '../tampering.ts'

const world = openForTests(openFilledWorld)

const payment = /^payment [0-9a-f-]{36}$/
const says = (what: string) => ['settlement', payment, new RegExp(`says ${what}`)] as const
const setExact = (column: string, value: string) =>
  `update payment set ${column} = ${value} where id = '{exact}'`

const setMoney = (pair: string) =>
  setExact(
    'money',
    `jsonb_set(money::jsonb, array['0'], (money::jsonb -> 0) || jsonb_build_object(${pair}))::json`,
  )

const sums: readonly Tampering[] = [
  {
    name: 'what a payment received',
    change: setExact('received_minor', '9999'),
    found: says('received 9999'),
  },
  {
    name: 'what is on its way',
    change: `update payment set seen_minor = 0 where id = '{pending}'`,
    found: says('on its way 0'),
  },
  {
    name: 'what waits for its release',
    change: setExact('unreleased_minor', '10'),
    found: says('not released 10'),
  },
  { name: 'what was refunded', change: setExact('refunded_minor', '10'), found: says('refunded 10') },
  { name: 'the fee', change: setExact('fee_minor', '0'), found: says('fee 0') },
  { name: 'the number of receipts', change: setExact('receipts', '1'), found: says('receipts 1') },
  {
    name: 'the version',
    change: setExact('version', '1'),
    found: ['settlement', payment, /has version 1 after/],
  },
  {
    name: 'the wallet',
    change: setExact('wallet_id', `'${nobody}'`),
    found: ['settlement', payment, /shows wallet \S+, but its money in USDT is in/],
  },
  {
    name: 'the wallet of its money',
    change: setMoney(`'walletId', '${nobody}'`),
    found: ['settlement', payment, /which its merchant does not have in USDT/],
  },
  {
    name: 'the wallet of its money, for one in another currency',
    change: setMoney(`'walletId', (select id from wallet where currency = 'BRL')`),
    found: ['settlement', payment, /which its merchant does not have in USDT/],
  },
  {
    name: 'the currency of its money',
    change: setMoney(`'currency', 'BRL'`),
    found: ['settlement', payment, /has no wallet in USDT, but money came/],
  },
  {
    name: 'the method of its money',
    change: setMoney(`'methods', '[{"method":"PIX"}]'::jsonb`),
    found: ['settlement', payment, /does not say what came by CRYPTO in USDT/],
  },
  {
    name: 'its money twice',
    change: `update payment set money = (money::jsonb || money::jsonb)::json where id = '{exact}'`,
    found: ['settlement', payment, /says twice what it has in USDT/],
  },
  {
    name: 'money in a currency that never came',
    change: `update payment set money = (money::jsonb || '[{"currency":"BRL","walletId":"${nobody}","unreleased":"0","refunded":"0","methods":[]}]')::json where id = '{exact}'`,
    found: ['settlement', payment, /has a wallet in BRL, but no money came in it/],
  },
  {
    name: 'the wallet, for one in another currency',
    change: setExact('wallet_id', `(select id from wallet where currency = 'BRL')`),
    found: ['settlement', payment, /shows wallet \S+, but its money in USDT is in/],
  },
  {
    name: 'the wallet removed',
    change: setExact('wallet_id', 'null'),
    found: ['settlement', payment, /shows wallet null, but its money in USDT is in/],
  },
  {
    name: 'the wallet removed, with its money',
    change: `update payment set wallet_id = null, money = null where id = '{exact}'`,
    found: ['settlement', payment, /has no wallet, but money came/],
  },
  {
    name: 'a wallet before any money came',
    change: `update payment set wallet_id = (select id from wallet where currency = 'USDT') where id = '{waiting}'`,
    found: ['settlement', payment, /has a wallet, but no money came/],
  },
  {
    name: "the currency of a wallet's account",
    change: `update account set currency = 'EUR' where name like 'wallet:%:available'`,
    found: ['wallets', /^wallet/, /is in USDT, but has an account in EUR/],
  },
]

const states: readonly Tampering[] = [
  {
    name: 'a payment made PAID',
    change: `update payment set status = 'PAID', paid_at = created_at where id = '{under}'`,
    found: ['settlement', payment, /is PAID, but not enough money came/],
  },
  {
    name: 'a paid payment that is not paid any more',
    change: `update payment set status = 'WAITING_PAYMENT', paid_at = null where id = '{exact}'`,
    found: ['settlement', payment, /is WAITING_PAYMENT, but the full amount came/],
  },
  {
    name: 'a paid payment canceled',
    change: `update payment set status = 'CANCELED', paid_at = null, completing_tx = null where id = '{exact}'`,
    found: ['notified events', payment, /is CANCELED after payment\.completed/],
  },
  {
    name: 'a payment expired without an event',
    change: `update payment set status = 'EXPIRED' where id = '{waiting}'`,
    found: ['missing events', payment, /is EXPIRED, but its merchant was never notified of payment\.expired/],
  },
  {
    name: 'an expired payment that waits again',
    change: `update payment set status = 'WAITING_PAYMENT' where id = '{expired}'`,
    found: ['notified events', payment, /is WAITING_PAYMENT after payment\.expired/],
  },
  {
    name: 'a canceled payment that waits again',
    change: `update payment set status = 'WAITING_PAYMENT', exceptions = array['UNDERPAID'] where id = '{canceled}'`,
    found: ['notified events', payment, /is WAITING_PAYMENT after payment\.canceled/],
  },
  {
    name: 'when a payment was paid',
    change: setExact('paid_at', `paid_at + interval '1 second'`),
    found: ['settlement', payment, /another time of payment/],
  },
  {
    name: 'the transaction that paid',
    change: setExact('completing_tx', `'0xabc'`),
    found: ['settlement', payment, /another transaction/],
  },
  {
    name: 'the transaction that paid removed',
    change: setExact('completing_tx', 'null'),
    found: ['notified events', payment, /another onchainTxHash than was notified/],
  },
  ...(['UNDERPAID', 'OVERPAID', 'DUPLICATE', 'LATE'] as const).map((exception): Tampering => ({
    name: `the exception ${exception} put in`,
    change: setExact('exceptions', `array['${exception}']`),
    found: ['settlement', payment, new RegExp(`has the exception ${exception}`)],
  })),
  ...(
    [
      ['under', 'UNDERPAID'],
      ['over', 'OVERPAID'],
      ['twice', 'DUPLICATE'],
    ] as const
  ).map(([role, exception]): Tampering => ({
    name: `the exception ${exception} removed`,
    change: `update payment set exceptions = '{}' where id = '{${role}}'`,
    found: ['settlement', payment, new RegExp(`lacks the exception ${exception}`)],
  })),
  {
    name: 'the exception LATE removed',
    change: `update payment set exceptions = '{}' where id = '{late}'`,
    found: ['notified events', payment, /another exceptions than was notified/],
  },
]

const requests: readonly Tampering[] = [
  {
    name: 'the requested amount',
    change: `update payment set amount_minor = 1 where id = '{waiting}'`,
    found: ['payments', payment, /asks for 1, its request for 1000/],
  },
  {
    name: 'items with another sum',
    change: `update payment set request = jsonb_set(request::jsonb, array['items'], '[{"name": "x", "quantity": 3, "amount": 7}]')::json where id = '{waiting}'`,
    found: ['payments', payment, /asks for 1000, its items for 21/],
  },
  {
    name: 'the currency',
    change: `update payment set currency = 'USD' where id = '{waiting}'`,
    found: ['payments', payment, /is in USD, its request in USDT/],
  },
  {
    name: 'the webhookUrl',
    change: setExact('webhook_url', `'https://mine.example'`),
    found: ['payments', payment, /another webhookUrl/],
  },
  {
    name: 'the request',
    change: `update payment set request = replace(request::text, '"amount":1000', '"amount":1')::json, amount_minor = 1 where id = '{waiting}'`,
    found: ['payments', payment, /another fingerprint/],
  },
  {
    name: 'the fingerprint',
    change: setExact('fingerprint', 'sha256(fingerprint)'),
    found: ['payments', payment, /another fingerprint/],
  },
  {
    name: 'the method',
    change: setExact('method', `'PIX'`),
    found: ['payments', payment, /takes PIX, which it does not offer/],
  },
  {
    name: 'the methods',
    change: setExact('methods', `array['PIX']`),
    found: ['payments', payment, /takes CRYPTO, which it does not offer/],
  },
  {
    name: 'the time of creation',
    change: setExact('created_at', `created_at - interval '1 day'`),
    found: ['notified events', payment, /another createdAt than was notified/],
  },
  {
    name: 'the time of expiry',
    change: `update payment set expires_at = expires_at + interval '1 day' where id = '{expired}'`,
    found: ['notified events', payment, /another expiresAt than was notified/],
  },
  {
    name: 'the whole request after an event about it',
    change: `update payment set request = replace(request::text, '"amount":1000', '"amount":900')::json, amount_minor = 900 where id = '{exact}'`,
    found: ['notified events', payment, /another amount than was notified/],
  },
  {
    name: 'the amount of an attempt',
    change: `update attempt set amount_minor = 1 where payment_id = '{waiting}'`,
    found: ['payments', payment, /has attempt .* at something else/],
  },
  {
    name: 'the currency of an attempt',
    change: `update attempt set currency = 'BRL' where payment_id = '{waiting}'`,
    found: ['payments', payment, /at something else/],
  },
  {
    name: 'the method of an attempt',
    change: `update attempt set method = 'PIX' where payment_id = '{waiting}'`,
    found: ['payments', payment, /at something else/],
  },
  {
    name: 'the connection of an attempt',
    change: `update attempt set connection = 'mine' where payment_id = '{exact}'`,
    found: ['settlement', /^receipt/, /does not fit the attempt/],
  },
  {
    name: 'an attempt removed',
    change: `delete from attempt where payment_id = '{waiting}'`,
    found: ['payments', payment, /has no attempt/],
  },
  {
    name: 'an attempt that money came for removed',
    change: `delete from attempt where payment_id = '{exact}'`,
    found: ['settlement', /^receipt/, /does not fit the attempt/],
  },
  {
    name: 'a payment removed, its receipts left',
    change: `delete from payment where id = '{exact}'`,
    found: ['receipts', /^receipt/, /belongs to no payment/],
  },
  {
    name: 'a payment removed, its transfers left',
    change: `delete from payment where id = '{exact}'`,
    found: ['settlement', /^transfer \d+$/, /is nothing that moves money/],
  },
  {
    name: 'a payment removed, its events left',
    change: `delete from payment where id = '{exact}'`,
    found: ['notified events', payment, /is not there, but its merchant was notified of/],
  },
  {
    name: 'the mode of a merchant',
    change: `update merchant set mode = 'LIVE'`,
    found: ['settlement', /^receipt/, /in SANDBOX for a payment in LIVE/],
  },
  {
    name: 'a merchant removed',
    change: `delete from wallet; delete from fee_rule; delete from api_key; delete from merchant`,
    found: ['settlement', payment, /belongs to no merchant/],
  },
]

const paid = `outcome = 'paid' and payment_id = '{exact}' and ordinal = (select max(ordinal) from receipt where payment_id = '{exact}' and outcome = 'paid')`
const receipts: readonly Tampering[] = [
  {
    name: 'the evidence of a receipt',
    change: `update receipt set evidence = evidence || ' '::bytea where ${paid}`,
    found: ['settlement', /^receipt paid/, /has other evidence than transfer/],
  },
  {
    name: 'unreadable evidence',
    change: `update receipt set evidence = 'hello' where ${paid}`,
    found: ['deposit addresses', /^inspection$/, /could not be finished: invalid input syntax for type json/],
  },
  {
    name: 'what was booked for a receipt',
    change: `update receipt set booked_minor = 5 where ${paid}`,
    found: ['settlement', /^receipt paid/, /made transfer \d+ of 1000 instead of 5/],
  },
  {
    name: 'what was booked for a sighting',
    change: `update receipt set booked_minor = 5 where outcome = 'seen' and payment_id = '{pending}'`,
    found: ['settlement', /^receipt seen/, /of 500 instead of 5/],
  },
  {
    name: 'a receipt that moved nothing',
    change: `update receipt set booked_minor = 5 where outcome = 'seen' and payment_id = '{dust}' and ordinal = 1`,
    found: ['settlement', /^receipt seen/, /moved nothing as pending instead of 5/],
  },
  {
    name: 'the number of a receipt',
    change: `update receipt set ordinal = 70 where ${paid}`,
    found: ['settlement', /^receipt paid/, /has number 70 instead of/],
  },
  {
    name: 'the currency of a receipt',
    change: `update receipt set currency = 'BRL' where ${paid}`,
    found: ['settlement', /^receipt paid/, /does not fit the attempt/],
  },
  {
    name: 'what a receipt ends',
    change: `update receipt set pending_ref = 'another' where ${paid}`,
    found: ['settlement', /^receipt paid/, /instead of 0/],
  },
  {
    name: 'when a receipt was recorded',
    change: `update receipt set recorded_at = recorded_at + interval '1 second' where ${paid}`,
    found: ['settlement', /^receipt paid/, /another time than the batch/],
  },
  {
    name: 'when a receipt happened',
    change: `update receipt set happened_at = happened_at + interval '1 second' where ${paid}`,
    found: ['receipts of deposits', /^receipt paid/, /something else than its evidence/],
  },
  {
    name: 'the attempt of a receipt',
    change: `update receipt set attempt_id = '${nobody}' where ${paid}`,
    found: ['settlement', /^receipt paid/, /does not fit the attempt/],
  },
  {
    name: 'the outcome of a receipt',
    change: `update receipt set outcome = 'orphaned' where ${paid}`,
    found: ['receipts of deposits', /^receipt orphaned/, /something else than its evidence/],
  },
  {
    name: 'what a receipt is called',
    change: `update receipt set provider_ref = '0xabcd:0' where ${paid}`,
    found: ['receipts of deposits', /^receipt paid 0xabcd:0/, /no deposit that the chain showed/],
  },
  {
    name: 'how often something happened',
    change: `update receipt set occurrence = 2 where outcome = 'seen' and payment_id = '{pending}'`,
    found: ['receipts of deposits', /^receipt seen/, /something else than its evidence/],
  },
  {
    name: 'the payment of a receipt',
    change: `update receipt set payment_id = '{waiting}', ordinal = 1 where ${paid}`,
    found: ['settlement', /^receipt paid/, /moved nothing as credit instead of 1000/],
  },
  {
    name: 'the merchant of a receipt',
    change: `update receipt set merchant_id = '${nobody}' where ${paid}`,
    found: ['receipts', /^receipt paid/, /belongs to no payment/],
  },
  {
    name: 'a receipt removed',
    change: `delete from receipt where ${paid}`,
    found: ['settlement', /^transfer \d+$/, /no receipt explains it/],
  },
  {
    name: 'a receipt put in',
    change: `insert into receipt select connection, '0xfeed:0', outcome, occurrence, merchant_id, payment_id, attempt_id, ordinal + 1, null, 1000, currency, evidence, happened_at, recorded_at from receipt where ${paid}`,
    found: ['settlement', /^receipt paid 0xfeed:0/, /moved nothing as credit instead of 1000/],
  },
]

for (const tampering of [...sums, ...states, ...requests, ...receipts]) {
  test(`verify finds: ${tampering.name}`, () => assertFound(world, tampering))
}
