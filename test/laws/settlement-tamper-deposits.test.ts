// Verify finds every change to deposits, events or deliveries that was made behind their back.
import { test } from 'node:test'
import { openForTests } from '../open-for-tests.ts'
import { assertFound, nobody, openFilledWorld, type Tampering } from '../tampering.ts'

const world = openForTests(openFilledWorld)

const payment = /^payment [0-9a-f-]{36}$/
const exactAddress = `where payment_id = '{exact}'`
const shown = `where state = 'FINAL' and address = (select address from deposit_address where payment_id = '{exact}')`
const deposits: readonly Tampering[] = [
  {
    name: 'a deposit address, for one of another’s',
    change: `update deposit_address set address = sha256('mine')::bytea where payment_id = '{waiting}'`,
    found: ['deposit addresses', /^address 0x/, /is not the address of payment/],
  },
  {
    name: 'the payment of an address',
    change: `update deposit_address set payment_id = '${nobody}' where payment_id = '{waiting}'`,
    found: ['deposit addresses', /^address 0x/, /is not the address of payment/],
  },
  {
    name: 'the requested amount of an address',
    change: `update deposit_address set asked = 1 where payment_id = '{waiting}'`,
    found: ['deposit addresses', /^address/, /asks for something else/],
  },
  {
    name: 'what an address received',
    change: `update deposit_address set received = received + 1, held = held + 1 ${exactAddress}`,
    found: ['deposit addresses', /^address/, /received \d+ units, but its receipts report/],
  },
  {
    name: 'what an address holds',
    change: `update deposit_address set held = held - 1 ${exactAddress}`,
    found: ['deposit addresses', /^address/, /holds \d+ of the/],
  },
  {
    name: 'the attempt of an address',
    change: `update deposit_address set attempt_id = '${nobody}' ${exactAddress}`,
    found: ['deposit addresses', /^address/, /belongs to no attempt/],
  },
  {
    name: 'an address removed',
    change: `delete from deposit_address ${exactAddress}`,
    found: ['deposits', /^deposit 0x/, /address that is not ours/],
  },
  {
    name: 'an address removed, by the sum of the coins',
    change: `delete from deposit_address ${exactAddress}`,
    found: [
      'deposit addresses',
      /^account coins:sandbox:USDT:deposit$/,
      /holds \d+ cents, but its addresses were credited/,
    ],
  },
  {
    name: 'the factory of a chain',
    change: `update chain set factory = treasury`,
    found: ['deposit addresses', /^chain sandbox$/, /another factory/],
  },
  {
    name: 'the treasury of a chain',
    change: `update chain set treasury = factory`,
    found: ['deposit addresses', /^address/, /is not the address of payment/],
  },
  {
    name: 'the connection of a chain',
    change: `update connection set settings = '{}'`,
    found: ['deposit addresses', /^chain sandbox$/, /has no connection/],
  },
  {
    name: 'the value of a deposit',
    change: `update chain_transfer set value = value + 1 ${shown}`,
    found: ['deposits', /^deposit 0x/, /settled as another payment, address or value/],
  },
  {
    name: 'the address of a deposit',
    change: `update chain_transfer set address = (select address from deposit_address where payment_id = '{waiting}') ${shown}`,
    found: ['deposits', /^deposit 0x/, /settled as another payment/],
  },
  {
    name: 'a deposit made final',
    change: `update chain_transfer set state = 'FINAL' where state = 'SEEN'`,
    found: ['deposits', /^deposit 0x/, /is FINAL, but was never settled as that, and no signal waits/],
  },
  {
    name: 'a deposit removed',
    change: `delete from chain_transfer ${shown}`,
    found: ['receipts of deposits', /^receipt paid/, /no deposit that the chain showed/],
  },
  {
    name: 'a deposit put in',
    change: `insert into chain_transfer select chain, sha256('mine'::bytea), 0, block_number, block_at, sha256('mine'::bytea), 0, address, sender, value, 'FINAL', 1, log from chain_transfer ${shown} limit 1`,
    found: ['deposits', /^deposit 0x/, /never settled/],
  },
  {
    name: 'how many deposits came',
    change: `update deposit_count set transfers = transfers + 1
              where address = (select address from deposit_address where payment_id = '{exact}')`,
    found: ['counts of deposits', /^address 0x/, /is said to have 2 deposits, and has 1/],
  },
  {
    name: 'the deposit that completed a payment',
    change: `update payment set completing_ref = completing_tx || ':7' where id = '{exact}'`,
    found: ['settlement', /^payment/, /names other money than what completed it/],
  },
  {
    name: 'a signal that waited removed',
    change: `delete from inbox`,
    found: ['deposits', /^deposit 0x/, /is FINAL, but was never settled as that, and no signal waits/],
  },
]

const sent = `where event_sequence = (select sequence from event where resource_id = '{exact}')`
const ofExact = `where resource_id = '{exact}'`
const events: readonly Tampering[] = [
  {
    name: 'the mode of an event',
    change: `update event set mode = 'LIVE' ${ofExact}`,
    found: ['events', /^event \d+/, /another mode in its row/],
  },
  {
    name: 'the resource of an event',
    change: `update event set resource_id = '${nobody}' ${ofExact}`,
    found: ['events', /^event \d+/, /another resource in its row/],
  },
  {
    name: 'the time of an event',
    change: `update event set at = at + interval '1 second' ${ofExact}`,
    found: ['events', /^event \d+/, /another time than its batch/],
  },
  {
    name: 'the batch of an event',
    change: `update event set batch = 900 ${ofExact}`,
    found: ['events', /^event \d+/, /names batch 900, which is not there/],
  },
  {
    name: 'a body that is no JSON',
    change: `update event set body = 'hello' ${ofExact}`,
    found: ['events', /^event \d+/, /no JSON/],
  },
  {
    name: 'a body that is no JSON, of a payment',
    change: `update event set body = 'hello' ${ofExact}`,
    found: ['notified events', payment, /no JSON/],
  },
  {
    name: 'a gap in the numbers',
    change: `delete from event where sequence = 3`,
    found: ['events', /^event 4/, /follows number 2/],
  },
  {
    name: 'an event about an unknown payment',
    change: `delete from payment where id = '{exact}'`,
    found: ['notified events', payment, /is not there/],
  },
  {
    name: 'the counter of events',
    change: `update event_counter set sequence = sequence + 1`,
    found: ['events', /^event counter/, /the last event has/],
  },
  {
    name: 'the counter removed',
    change: `delete from event_counter`,
    found: ['events', /^event counter/, /is not there/],
  },
  {
    name: 'a counter of no merchant',
    change: `insert into event_counter values ('${nobody}', 5)`,
    found: ['event numbers', /^event counter/, /is 5, the last event has no number/],
  },
  {
    name: 'a delivery removed',
    change: `delete from delivery ${sent}`,
    found: ['events', /^event \d+/, /has no delivery/],
  },
  {
    name: 'where a delivery goes',
    change: `update delivery set url = 'https://mine.example/x' ${sent}`,
    found: ['events', /^event \d+/, /another URL than its body names/],
  },
  {
    name: 'the origin of a delivery',
    change: `update delivery set origin = 'https://mine.example' ${sent}`,
    found: ['events', /^event \d+/, /another origin than its URL/],
  },
  {
    name: 'a second delivery',
    change: `insert into delivery select merchant_id, '${nobody}', event_sequence, url, origin, 'DELIVERED' from delivery ${sent}`,
    found: ['events', /^event \d+/, /has 2 deliveries/],
  },
  {
    name: 'a delivery that is called done',
    change: `update delivery set status = 'DELIVERED' where status = 'PENDING'; delete from delivery_due`,
    found: ['events', /^event \d+/, /is DELIVERED, but no attempt succeeded/],
  },
  {
    name: 'a delivery that is called hopeless',
    change: `update delivery set status = 'EXHAUSTED' ${sent}; delete from delivery_attempt`,
    found: ['events', /^event \d+/, /was never tried/],
  },
  {
    name: 'what is due removed',
    change: `delete from delivery_due`,
    found: ['events', /^event \d+/, /is PENDING, but nothing is due/],
  },
  {
    name: 'what is done made due again',
    change: `insert into delivery_due select merchant_id, id, event_sequence, origin, now(), null, 0, 1 from delivery ${sent}`,
    found: ['events', /^event \d+/, /is DELIVERED, but still due/],
  },
  {
    name: 'an attempt removed',
    change: `delete from delivery_attempt where response_status = 200`,
    found: ['events', /^event \d+/, /no attempt succeeded/],
  },
  {
    name: 'a delivery of nothing',
    change: `insert into delivery select merchant_id, '${nobody}', 900, url, origin, 'DELIVERED' from delivery ${sent}`,
    found: ['deliveries', /^delivery/, /belongs to no event/],
  },
  {
    name: 'nothing that is due',
    change: `insert into delivery_due select merchant_id, '${nobody}', 900, origin, now(), null, 0, 1 from delivery ${sent}`,
    found: ['deliveries', /^due delivery/, /does not wait/],
  },
]

for (const tampering of [...deposits, ...events]) {
  test(`verify finds: ${tampering.name}`, () => assertFound(world, tampering))
}
