// What somebody changes of a bank's files, movements, payouts and files of payments is found by verify.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importFile } from '#/rails/sepa/import.ts'
import { asId } from '../as-id.ts'
import { openFilledSepaWorld } from '../filled-sepa-world.ts'
import { openForTests } from '../open-for-tests.ts'
import { notificationFile } from '../rails/sepa-files.ts'
import { iban } from '../sepa-world.ts'
import { assertFound, textOf, type Tampering } from '../tampering.ts'

const world = openForTests(openFilledSepaWorld)

test('untouched records pass, and every inspection has read something', async () => {
  const { faults, checked } = await world.verify()
  assert.deepEqual(faults.map(textOf), [])
  const counted = new Map(checked.map(({ inspection, what, count }) => [`${inspection}: ${what}`, count]))
  const [rows] = await world.base.pix.core.sql<Record<string, bigint>[]>`
    select (select count(*) from sepa_file) as "bank files: files",
           (select count(*) from sepa_statement) as "bank statements: statements",
           (select count(*) from sepa_entry where statement is null) as "bank statements: entries without a statement",
           (select count(*) from sepa_entry) as "bank entries: entries", 3::bigint as "bank entries: accounts",
           (select count(*) from sepa_entry where kind in ('PAID', 'UNATTRIBUTED')) as "receipts of bank entries: receipts",
           (select count(*) from sepa_foreign) as "bank entries in other currencies: entries in other currencies",
           (select count(*) from sepa_batch) as "payment files: files",
           (select count(*) from sepa_payout) as "payouts by bank transfer: payouts"`
  for (const [what, count] of Object.entries(rows ?? {})) {
    assert.equal(BigInt(counted.get(what) ?? -1), count, what)
    assert.ok(count > 0n, what)
  }
})

const entry = (reference: string) => `update sepa_entry set %s where reference = '${reference}'`
const set = (statement: string, values: string) => statement.replace('%s', () => values)

const files: readonly Tampering[] = [
  {
    name: 'a file with other bytes',
    change: `update sepa_file set bytes = bytes || '\\x20' where message = 'camt.054.001.08'`,
    found: ['bank files', /^bank file/, /other bytes than its digest/],
  },
  {
    name: 'a file with the bytes and the digest of another',
    change: `with old as (select sha256 from sepa_file where bytes like '%>N2<%'),
                  new as (select convert_to(replace(convert_from(bytes, 'UTF8'), '>0.70<', '>0.71<'), 'UTF8') as bytes
                            from sepa_file where bytes like '%>N2<%'),
                  moved as (update sepa_entry set file_sha256 = sha256((select bytes from new))
                             where file_sha256 = (select sha256 from old))
             update sepa_file set bytes = (select bytes from new), sha256 = sha256((select bytes from new))
              where sha256 = (select sha256 from old)`,
    found: ['bank files', /^bank file/, /says that entry NOTIFIED moves 71, but 70 is kept/],
  },
  {
    name: 'a statement that was deleted',
    change: `delete from sepa_statement where number = 2`,
    found: ['bank files', /^bank file/, /its statement S1 is not kept/],
    also: [['bank statements', /^statement 3 /, /follows on statement 1/]],
  },
  {
    name: 'a statement with another closing',
    change: `update sepa_statement set closing_minor = closing_minor + 1 where number = 2`,
    found: ['bank statements', /^statement 2 /, /other balances than its file/],
    also: [['bank statements', /^statement 3 /, /opens with \d+, but the one before it closed with \d+/]],
  },
  {
    name: 'a statement of a file that was refused',
    change: `update sepa_file set state = 'REFUSED', reason = 'x' where bytes like '%<Id>S2</Id>%'`,
    found: ['bank statements', /^statement 3 /, /of a file that was never imported/],
    also: [['bank entries', /^entry DONE/, /of a file that was never imported/]],
  },
  {
    name: 'an entry that the statement does not have',
    change: `insert into sepa_entry (connection, reference, part, credit, amount_minor, currency, booked_on, fact, kind, statement,
                                     file_sha256, created_at)
             select connection, 'MADE-UP', 0, true, 7, 'EUR', booked_on, '{"remittance":""}', 'UNATTRIBUTED', 2, file_sha256,
                    created_at from sepa_entry where reference = 'ACCEPTED'`,
    found: ['bank statements', /^statement 2 /, /has entry MADE-UP, which its file does not report/],
    also: [['bank entries', /^entry MADE-UP/, /was never booked, and no signal waits/]],
  },
  {
    name: 'an entry that no file tells of, in no statement yet',
    change: `insert into sepa_entry (connection, reference, part, credit, amount_minor, currency, booked_on, fact, kind, file_sha256,
                                     created_at)
             select connection, 'MADE-UP', 0, false, 7, 'EUR', booked_on, '{"remittance":""}', 'OTHER', file_sha256, created_at
               from sepa_entry where reference = 'NOTIFIED'`,
    found: ['bank statements', /^entry MADE-UP/, /not in the file that it names/],
  },
  {
    name: 'a stated entry that no statement has any more',
    change: set(entry('NOBODY'), 'statement = null'),
    found: ['bank statements', /^entry NOBODY/, /no statement up to .* has it/],
    also: [
      ['bank statements', /^statement 1 /, /leads from its opening to its closing by/],
      ['bank files', /^bank file/, /has entry NOBODY in statement 1, but/],
    ],
  },
  {
    name: 'a report that refuses a payout which goes on',
    change: `update sepa_payout set state = 'BATCHED', reason = null where reference = '{refusedRef}'`,
    found: ['bank files', /^bank file/, /refuses payout \w+, which has not ended/],
  },
  {
    name: 'a report about another file of payments',
    change: `update sepa_file set about = 'other' where about is not null`,
    found: ['bank files', /^bank file/, /is kept as pain.002.001.10 about other/],
    also: [['payouts by bank transfer', /^payout/, /REFUSED, but no report of the bank says so/]],
  },
]

const entries: readonly Tampering[] = [
  {
    name: 'an entry with another amount',
    change: set(entry('EXACT'), 'amount_minor = amount_minor + 1'),
    found: ['bank entries', /^entry EXACT/, /moves 90001, but 90000 was booked/],
    also: [
      ['receipts of bank entries', /EXACT/, /counts 90000, but the bank reported 90001/],
      ['bank files', /^bank file/, /says that entry EXACT moves 90000, but 90001 is kept/],
    ],
  },
  {
    name: 'an entry of another payment than it was booked to',
    change: set(
      entry('EXACT'),
      `attempt_id = (select attempt_id from sepa_entry where reference = 'WAITING')`,
    ),
    found: ['bank entries', /^entry EXACT/, /counted for another payment/],
    also: [['bank entries', /^entry EXACT/, /whose reference it does not quote/]],
  },
  {
    name: 'an entry that claims to be booked, and has no receipt',
    change: set(entry('WAITING'), `kind = 'PAID'`),
    found: ['bank entries', /^entry WAITING/, /is PAID, but was never booked, and no signal waits/],
  },
  {
    name: 'a proposal that was refused, and never came to suspense',
    change: set(entry('WAITING'), `kind = 'UNATTRIBUTED'`),
    found: ['bank entries', /^entry WAITING/, /is UNATTRIBUTED, but was never booked/],
  },
  {
    name: 'a booked entry that waits for a person again',
    change: set(entry('ACCEPTED'), `kind = 'PROPOSED'`),
    found: ['bank entries', /^entry ACCEPTED/, /is PROPOSED, but was booked as money that came/],
  },
  {
    name: 'money of nobody that is said to be a payment’s',
    change: `update sepa_entry set kind = 'PAID', attempt_id = (select attempt_id from sepa_entry where reference = 'EXACT')
              where reference = 'NOBODY'`,
    found: ['bank entries', /^entry NOBODY/, /is of a payment, but lies in suspense/],
  },
  {
    name: 'a receipt of an entry that was deleted',
    change: `delete from sepa_entry where reference = 'EXACT'`,
    found: ['receipts of bank entries', /EXACT/, /of no movement that the bank reported/],
    also: [
      ['bank files', /^bank file/, /reports entry EXACT, which is not kept/],
      ['bank entries', /^account provider:/, /holds \d+, but what the bank reported/],
    ],
  },
  {
    name: 'a debit that is said to be a credit',
    change: set(entry('FEE'), 'credit = true'),
    found: ['bank entries', /^entry FEE/, /is OTHER, but a credit/],
    also: [['bank statements', /^statement 1 /, /leads from its opening to its closing by 90497/]],
  },
  {
    name: 'a recall of another credit than was settled',
    change: set(entry('RECALL'), `of_reference = 'EXACT'`),
    found: ['bank entries', /^entry RECALL\/0/, /takes back EXACT, but was settled as of RECALLED/],
  },
  {
    name: 'a recall that was not settled',
    change: set(entry('UNCLEAR'), `kind = 'RECALL', of_reference = 'EXACT', of_part = 0`),
    found: ['bank entries', /^entry UNCLEAR/, /was never settled, and no signal waits/],
  },
  {
    name: 'a recall that waits for a person again',
    change: set(entry('RECALL'), `kind = 'UNCLEAR', of_reference = null, of_part = null`),
    found: ['bank entries', /^entry RECALL\/0/, /is UNCLEAR, but was settled/],
  },
  {
    name: 'a recall of more than came',
    change: set(entry('RECALLED'), 'amount_minor = 700'),
    found: ['bank entries', /^entry RECALL\/0/, /is of a credit of 700, of which 800 was taken back/],
  },
  {
    name: 'a recall of a credit that is not there',
    change: set(entry('RECALL'), `of_reference = 'NOTHING'`),
    found: ['bank entries', /^entry RECALL\/0/, /takes back a credit that is not there/],
  },
  {
    name: 'other words of a payer',
    change: set(entry('WAITING'), `fact = '{"remittance":"other","quoted":"x"}'`),
    found: ['bank files', /^bank file/, /says something else of entry WAITING/],
    also: [['bank entries', /^entry WAITING/, /whose reference it does not quote/]],
  },
]

const currencies: readonly Tampering[] = [
  {
    name: 'dollars that are said to be euros',
    change: set(entry('DOLLARS-USD'), `currency = 'EUR'`),
    found: ['bank entries', /^entry DOLLARS-USD/, /is in EUR, but was booked in USD/],
    also: [['bank entries', /^account provider:\S+:USD/, /holds 250, but what the bank reported .* make 0/]],
  },
  {
    name: 'dollars that are said to be a payment’s',
    change: set(
      entry('DOLLARS-USD'),
      `kind = 'PAID', attempt_id = (select attempt_id from sepa_entry where reference = 'EXACT')`,
    ),
    found: ['bank entries', /^entry DOLLARS-USD/, /is PAID, but in USD/],
    also: [['bank entries', /^entry DOLLARS-USD/, /is of a payment, but lies in suspense/]],
  },
  {
    name: 'a statement in dollars among those in euro',
    change: `update sepa_statement set currency = 'EUR' where bank_id = 'SUSD'`,
    found: ['bank statements', /^statement \d+ /, /opens with 0, but the one before it closed with \d+/],
    also: [
      ['bank statements', /^statement \d+ /, /is SUSD, which is not in its file/],
      ['bank files', /^bank file/, /its statement SUSD is not kept/],
    ],
  },
  {
    name: 'francs that are gone',
    change: `delete from sepa_foreign`,
    found: ['bank files', /^bank file/, /reports entry FRANCS of 0.60 CHF, which is not kept/],
  },
  {
    name: 'francs of no file',
    change: `update sepa_foreign set file_sha256 = sha256('x')`,
    found: ['bank entries in other currencies', /^entry FRANCS in CHF/, /of a file that was never imported/],
  },
]

const payouts: readonly Tampering[] = [
  {
    name: 'a payout to another account',
    change: `update sepa_payout set iban = 'FR1420041010050500013M02606' where reference = '{doneRef}'`,
    found: ['payment files', /^payment file/, /pays 20.00 EUR to DE\d+ for \w+, which is of 20.00 EUR to FR/],
    also: [['payouts by bank transfer', /^payout/, /goes to FR\w+, but its withdrawal to DE/]],
  },
  {
    name: 'a payout of another amount',
    change: `update sepa_payout set amount_minor = amount_minor + 1 where reference = '{batchedRef}'`,
    found: ['payment files', /^payment file/, /pays 6.00 EUR to .* which is of 6.01 EUR/],
    also: [
      ['payouts by bank transfer', /^payout/, /pays 601, but its withdrawal is of 600/],
      ['payment files', /^payment file/, /said to pay 600 by 1 payments, but has 601 by 1/],
    ],
  },
  {
    name: 'a file with another IBAN in its bytes',
    change: `update sepa_batch set bytes = convert_to(replace(convert_from(bytes, 'UTF8'), 'DE89370400440532013000',
               'FR1420041010050500013M02606'), 'UTF8') where id = '{batch2}'`,
    found: ['payment files', /^payment file/, /pays 6.00 EUR to FR\w+ for \w+, which is of 6.00 EUR to DE/],
  },
  {
    name: 'a file that debits another account',
    change: `update sepa_batch set bytes = convert_to(replace(convert_from(bytes, 'UTF8'), '<DbtrAcct><Id><IBAN>PT5',
               '<DbtrAcct><Id><IBAN>PT6'), 'UTF8') where id = '{batch2}'`,
    found: ['payment files', /^payment file/, /debits PT6\w+, but its account is PT5/],
  },
  {
    name: 'a payout in two files',
    change: `update sepa_payout set batch_id = '{batch2}' where reference = '{doneRef}'`,
    found: ['payment files', /^payment file/, /pays \w+, which is in the file/],
    also: [['payment files', /^payment file/, /does not pay \w+, which is said to be in it/]],
  },
  {
    name: 'a file that says another sum',
    change: `update sepa_batch set sum_minor = sum_minor + 1 where id = '{batch2}'`,
    found: ['payment files', /^payment file/, /another number or sum/],
  },
  {
    name: 'a file of another name',
    change: `update sepa_batch set message_id = 'other' where id = '{batch2}'`,
    found: ['payment files', /^payment file/, /is called other, but its bytes say/],
  },
  {
    name: 'a file that is no file',
    change: `update sepa_batch set bytes = 'hello' where id = '{batch2}'`,
    found: ['payment files', /^payment file/, /cannot be read/],
  },
  {
    name: 'a payout that is said to have left',
    change: `update sepa_payout set state = 'DONE' where reference = '{batchedRef}'`,
    found: ['payouts by bank transfer', /^payout/, /DONE, but the bank reported no such debit/],
  },
  {
    name: 'a payout that left and is said to be on its way',
    change: `update sepa_payout set state = 'BATCHED' where reference = '{doneRef}'`,
    found: ['payouts by bank transfer', /^payout/, /BATCHED, but the bank reported that it left/],
    also: [
      ['bank entries', /^entry DONE/, /is SENT, but its payout \w+ is BATCHED/],
      ['payouts by bank transfer', /^payout/, /is BATCHED, but its withdrawal is COMPLETED/],
    ],
  },
  {
    name: 'a payout that came back and is said not to have',
    change: `update sepa_payout set returned_minor = 0 where reference = '{returnedRef}'`,
    found: ['payouts by bank transfer', /^payout/, /says returned 0, but 3000 came back/],
  },
  {
    name: 'a payout of no withdrawal',
    change: `update sepa_payout set payout_id = '01890000-0000-7000-8000-000000000000' where reference = '{queuedRef}'`,
    found: ['payouts by bank transfer', /^payout/, /pays neither a withdrawal nor a refund/],
  },
  {
    name: 'a completed withdrawal without a payout',
    change: `delete from sepa_payout where reference = '{doneRef}'`,
    found: ['payouts by bank transfer', /^withdrawal/, /never queued for the bank/],
    also: [['payment files', /^payment file/, /pays \w+, which is no payout/]],
  },
]

for (const tampering of [...files, ...entries, ...currencies, ...payouts])
  test(`verify finds: ${tampering.name}`, () => assertFound(world, tampering))

test('movements whose signals wait in the inbox are no fault', async () => {
  const { base } = world
  const text = `"waits" ${await base.referenceOf(asId(world.ids['open']))}`
  const waits = { ref: 'A/1', minor: 5, day: '2027-01-01', text }
  const bytes = notificationFile({
    iban,
    id: 'N3',
    transfers: [waits, { ...waits, ref: 'A "b"', text: 'rent' }],
  })
  assert.equal((await importFile(base.deps, { bytes, name: 'n.xml', by: 'a test' })).state, 'IMPORTED')
  const bank = ['bank files', 'bank statements', 'bank entries', 'receipts of bank entries']
  assert.deepEqual((await world.verify(bank)).faults.map(textOf), [])
  await base.drain()
  assert.deepEqual((await world.verify()).faults.map(textOf), [])
})
