// Faults of who a movement is, of statements that are held against each other, and of debits for a whole file.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const imports = 'src/rails/sepa/import.test.ts'
const identity = 'src/rails/sepa/identity.test.ts'
const reading = 'src/rails/sepa/camt.test.ts'
const wholeFiles = 'src/rails/sepa/held-whole-file.test.ts'

const names: readonly Fault[] = [
  ...planted('banks', 'src/rails/sepa/ids.ts', identity, [
    {
      what: 'a placeholder of a bank identifies a movement, and the next payer’s money is passed over',
      find: 'return placeholders.has(bare) || ',
      put: 'return ',
    },
    {
      what: 'an entry in euro has the name of one in dollars',
      find: "return currency === 'EUR' && !/-[A-Z]{3}$/.test(reference) ?",
      put: "return currency === 'EUR' ?",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/identity.ts', identity, [
    {
      what: 'a known name of the same day with another amount is booked as another movement',
      find: "if (relation === 'same') return isOfDay || comparison(each, row) !== 'different'",
      put: "if (relation === 'same') return comparison(each, row) !== 'different'",
    },
    {
      what: 'the same content under a known name on another day is booked again',
      find: "if (relation === 'same') return isOfDay || comparison(each, row) !== 'different'",
      put: "if (relation === 'same') return isOfDay",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/camt-ids.ts', identity, [
    {
      what: 'an entry is named by its number within a statement',
      find: "at(entry, 'AcctSvcrRef'),",
      put: "identifier(textAt(entry, 'AcctSvcrRef', 'NtryRef')),",
    },
  ]),
]

const following: readonly Fault[] = [
  ...planted('banks', 'src/rails/sepa/follow.ts', imports, [
    {
      what: 'a statement need not follow on the one before it',
      find: 'if (last !== undefined && last.closingMinor !== opening.minor)',
      put: 'if (last === undefined && opening.minor < 0n)',
    },
    {
      what: 'a credit that the bank notified of may be missing from its statement',
      find: 'const missing = await queries.selectUnstated(tx, account, balances.closing.on)',
      put: 'const missing = undefined as { reference: string; bookedOn: string } | undefined',
    },
    {
      what: 'a notification of a closed day is believed',
      find: 'last !== undefined && bookedOn <= last.closedOn)',
      put: 'last !== undefined && bookedOn < last.closedOn && false)',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/follow.ts', identity, [
    {
      what: 'an edited statement with entries added is credited',
      find: 'if (lacking.length === 0 && added.length === 0 && changed === undefined) return',
      put: 'if (lacking.length === 0 && changed === undefined) return',
    },
    {
      what: 'an entry that contradicts itself is booked without a person',
      find: "each.kind === 'new' && movement.contradicts === undefined",
      put: "each.kind === 'new'",
    },
  ]),
]

const sums: readonly Fault[] = [
  ...planted('banks', 'src/rails/sepa/camt-split.ts', reading, [
    {
      what: 'the transfers of an entry are added without their signs',
      find: 'isCredit === whole.isCredit ? minor : -minor',
      put: 'isCredit === whole.isCredit ? minor : minor',
    },
    {
      what: 'what is left over of an entry counts as a charge that nobody stated',
      find: 'const isStated = charge > 0n && chargesIn(',
      put: 'const isStated = charge > 0n || chargesIn(',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/match-file.ts', wholeFiles, [
    {
      what: 'a debit of another sum completes all payouts of a file',
      find: 'remaining.reduce((sum, { minor }) => sum + minor, 0n) === debit.minor &&',
      put: '',
    },
    {
      what: 'a debit of another number of payments completes all payouts of a file',
      find: "debit.ofFile?.count.replace(/^0+/, '') === String(remaining.length) &&",
      put: '',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/pain.ts', wholeFiles, [
    {
      what: 'a group that is refused beside single states gives back money that left',
      find: "wholes.includes('RJCT') && single.length === 0",
      put: "wholes.includes('RJCT')",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/match.ts', 'src/rails/sepa/refund.test.ts', [
    {
      what: 'a second credit for a refund that came back already ends it again',
      find: 'minor === payout.minor && payout.returnedMinor === 0n ?',
      put: 'minor === payout.minor ?',
    },
  ]),
]

const corrections = 'src/rails/sepa/correct.test.ts'

const corrected: readonly Fault[] = [
  ...planted('banks', 'src/rails/sepa/correct.ts', corrections, [
    {
      what: 'a correction leaves what only the earlier statement had with its merchant',
      find: 'await tellOf(tx, keep, connection, { movements, matched, rows })',
      put: 'void tellOf',
    },
    {
      what: 'an entry that a correction took back counts as one of the statement',
      find: 'await corrections.markCorrected(tx, connection, [...lacking, ...rows])',
      put: '',
    },
    {
      what: 'a correction leaves a gap to the statement that was imported after it',
      find: 'if (next !== undefined && next.openingMinor !== balances.closing.minor)',
      put: 'if (next !== undefined && next.openingMinor < 0n)',
    },
    {
      what: 'a correction takes back what the balances of its statement do not have',
      find: 'if (changed !== moved)',
      put: 'if (changed !== moved && moved === 0n)',
    },
    {
      what: 'a correction opens with another balance than the statement before it closed with',
      find: 'if (balances.opening.minor !== expected)',
      put: 'if (balances.opening.minor !== expected && expected < 0n)',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/correct-queries.ts', corrections, [
    {
      what: 'the next statement follows on the balance from before the correction',
      find: 'closing_minor = ${closingMinor}',
      put: 'closing_minor = closing_minor',
    },
  ]),
  ...planted('banks', 'src/operator/corrections.ts', corrections, [
    {
      what: 'a correction that does something else than was requested is carried out',
      find: 'if (!isSame)',
      put: 'if (!isSame && now.length < 0)',
    },
  ]),
]

export const statementFaults: readonly Fault[] = [...names, ...following, ...sums, ...corrected]
