// Faults of money that comes and leaves by bank transfer: files, matching, payouts, and the audit of them.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const imports = 'src/rails/sepa/import.test.ts'
const currencies = 'src/rails/sepa/foreign-currencies.test.ts'
const payouts = 'src/rails/sepa/payout.test.ts'
const tamper = 'test/laws/sepa-tamper.test.ts'

const files: readonly Fault[] = [
  ...planted('banks', 'src/rails/sepa/import.ts', imports, [
    {
      what: 'a proposal is booked before a person decided',
      find: "if (matched.kind !== 'PAID' && matched.kind !== 'UNATTRIBUTED') return []",
      put: "if (matched.kind === 'SENT' || matched.kind === 'RETURNED' || matched.kind === 'OTHER') return []",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/camt.ts', 'src/rails/sepa/camt.test.ts', [
    {
      what: 'a statement need not add up',
      find: 'if (sum !== closing.minor)',
      put: 'if (sum < 0n && sum !== closing.minor)',
    },
    {
      what: 'a pending entry counts as money',
      find: "return textAt(entry, 'Sts/Cd', 'Sts') === 'BOOK'",
      put: 'return true',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/match.ts', imports, [
    {
      what: 'a transfer that quotes two references is the first one’s',
      find: 'return first === undefined || more.length > 0 ?',
      put: 'return first === undefined || more.length < 0 ?',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/statement-queries.ts', imports, [
    {
      what: 'the balances count a proposal as money of the books',
      find: "and entry.kind = 'PROPOSED'), 0)::bigint",
      put: "and entry.kind = 'NONE'), 0)::bigint",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/match.ts', currencies, [
    {
      what: 'dollars pay what is asked for in euro',
      find: "return currency === 'EUR'",
      put: "return currency !== ''",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/recall-queries.ts', currencies, [
    {
      what: 'a debit in one currency takes back a credit in another',
      find: 'and entry.currency = wanted.currency',
      put: "and entry.currency <> ''",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/receipts.ts', 'src/rails/sepa/receipts.test.ts', [
    {
      what: 'an entry of a bank has the name of a part of another one',
      find: 'return part === 0 && !/\\/\\d{1,6}$/.test(reference) ?',
      put: 'return part === 0 ?',
    },
  ]),
]

const leaving: readonly Fault[] = [
  ...planted('banks', 'src/rails/sepa/payout.ts', payouts, [
    {
      what: 'a payout in a file counts as paid before the bank said so',
      find: "if (state !== 'DONE') return { ...base, state: 'sent' }",
      put: "if (state === 'WAITING') return { ...base, state: 'sent' }",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/payout-queries.ts', payouts, [
    {
      what: 'a file of payments is handed out twice',
      find: 'where id = ${id} and taken_at is null',
      put: 'where id = ${id}',
    },
    {
      what: 'a refusal of one payment ends all of its file',
      find: 'and (${refused.isWhole} or payout.reference',
      put: 'and (true or ${refused.isWhole} or payout.reference',
    },
  ]),
]

const recall = 'src/rails/sepa/recall.test.ts'
const back: readonly Fault[] = [
  ...planted('banks', 'src/rails/sepa/recall.ts', recall, [
    {
      what: 'more of a credit is taken back than came',
      find: 'const remaining = found.filter(({ leftMinor }) => leftMinor >= minor)',
      put: 'const remaining = found',
    },
    {
      what: 'a recall of another payer’s transfer debits this merchant',
      find: 'return is === undefined || was === undefined || is === was',
      put: 'return is !== was || was !== undefined',
    },
  ]),
  ...planted('banks', 'src/settlement/suspend.ts', recall, [
    {
      what: 'money that the bank took back lies in suspense for ever',
      find: "if (dispute === undefined || outcome !== 'dispute_lost') return undefined",
      put: "if (dispute === undefined || outcome !== 'dispute_won') return undefined",
    },
    {
      what: 'a part that was taken back empties suspense of all of it',
      find: 'if (money === undefined || money.minor !== amount.minor) return undefined',
      put: 'if (money === undefined || money.minor < 0n) return undefined',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/import.ts', recall, [
    {
      what: 'a proposal stays after the bank took its money back',
      find: 'if (recalled.length > 0) await endProposals(tx, connection, recalled)',
      put: '',
    },
  ]),
]

const audit: readonly Fault[] = [
  ...planted('banks', 'src/audit/rails/sepa-files.ts', tamper, [
    {
      what: 'verify does not compare a file with its digest',
      find: 'if (!sha256(kept.bytes).equals(file.sha256))',
      put: 'if (kept.bytes.length === 0)',
    },
    {
      what: 'verify does not compare a statement with the one before it',
      find: 'if (last !== undefined && last.closingMinor !== openingMinor)',
      put: 'if (last === undefined && openingMinor < 0n)',
    },
  ]),
  ...planted('banks', 'src/audit/rails/sepa-entries.ts', tamper, [
    {
      what: 'verify believes an entry that claims to be booked',
      find: 'if (!hasReceipt(row)) return isWaiting ?',
      put: 'if (!hasReceipt(row)) return !isWaiting ?',
    },
  ]),
  ...planted('banks', 'src/audit/rails/sepa-payouts.ts', tamper, [
    {
      what: 'verify does not compare where a payout goes with its file',
      find: '|| iban !== payout.iban)',
      put: '|| iban === undefined)',
    },
    {
      what: 'verify misses a payout in two files',
      find: 'else if (payout.batchId !== batch.id)',
      put: 'else if (payout.batchId === null)',
    },
  ]),
]

export const bankFaults: readonly Fault[] = [...files, ...leaving, ...back, ...audit]
