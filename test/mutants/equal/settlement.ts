import type { EqualMutant } from './equal-mutant.ts'

const laterRank =
  'Only the order of the ranks counts, and every comparison that can occur comes out the same.'
const openedNeverChanges =
  'Only an opening has no place of its own, and both this condition and its missing place keep it from changing a dispute.'
const othersNames =
  'What else is read has names of its own, by connection and reference, for which no receipt of the batch asks.'

const onlySign = 'Of the result of a comparison only the sign counts.'
const walletsBeside = 'More wallets are read, and none of them is debited.'
const agreesBefore = 'Without a difference the answer was given before.'

export const settlement: readonly EqualMutant[] = [
  {
    file: 'src/settlement/settle.ts',
    find: 'return !books.isMixed() || accountList(facts, draft, receipt).every((account) => books.accepts(account))',
    put: 'return (accountList(facts, draft, receipt).every((account) => books.accepts(account)))',
    why: 'Where no loaded account has another currency, every one accepts its own: the left side spares the walk.',
  },
  {
    file: 'src/settlement/view.ts',
    find: 'rule.validFrom <= at)',
    put: 'rule.validFrom < at)',
    why: 'A payment of that very moment pays by the rule in force, whatever else was read.',
  },
  {
    file: 'src/settlement/balances.ts',
    find: 'differenceMinor < 0n',
    put: 'differenceMinor <= 0n',
    why: agreesBefore,
  },
  {
    file: 'src/settlement/balances.ts',
    find: 'differenceMinor < 0n',
    put: 'differenceMinor < 1n',
    why: agreesBefore,
  },
  {
    file: 'src/settlement/held-back.ts',
    find: 'a.id < b.id',
    put: 'a.id <= b.id',
    why: 'No two refunds have one id.',
  },
  {
    file: 'src/settlement/held-back.ts',
    find: '? -1 : 1',
    put: '? -2 : 1',
    why: onlySign,
  },
  {
    file: 'src/settlement/held-back.ts',
    find: '? -1 : 1',
    put: '? -1 : 2',
    why: onlySign,
  },
  {
    file: 'src/settlement/reconcile.ts',
    find: 'due.through < to',
    put: 'due.through <= to',
    why: 'Both are the same moment then.',
  },
  {
    file: 'src/settlement/dispute.ts',
    find: 'dispute_taken: 1,',
    put: 'dispute_taken: 2,',
    why: laterRank,
  },
  { file: 'src/settlement/dispute.ts', find: 'dispute_lost: 2,', put: 'dispute_lost: 3,', why: laterRank },
  { file: 'src/settlement/dispute.ts', find: 'dispute_won: 3,', put: 'dispute_won: 4,', why: laterRank },
  { file: 'src/settlement/dispute.ts', find: '  WON: 3,', put: '  WON: 4,', why: laterRank },
  {
    file: 'src/settlement/dispute.ts',
    find: '(places[outcome] ?? 0) > now',
    put: '(places[outcome] ?? 0) >= now',
    why: 'The only report of the present rank in a round is the one that was recorded, and a repeated report ends before.',
  },
  {
    file: 'src/settlement/dispute.ts',
    find: "isAgain && status === 'WON' ?",
    put: "(status === 'WON') ?",
    why: 'No outcome comes after WON in the same round, so what changes a WON dispute is of a new round.',
  },
  {
    file: 'src/settlement/dispute.ts',
    find: "if (outcome === 'dispute_opened' || occurrence < round)",
    put: 'if ((occurrence < round))',
    why: openedNeverChanges,
  },
  {
    file: 'src/settlement/dispute.ts',
    find: 'places[outcome] ?? 0',
    put: 'places[outcome] ?? 1',
    why: openedNeverChanges,
  },
  {
    file: 'src/settlement/payout.ts',
    find: "isPaid && status !== 'COMPLETED'",
    put: '(isPaid)',
    why: walletsBeside,
  },
  {
    file: 'src/settlement/payout.ts',
    find: "isPaid && status !== 'COMPLETED'",
    put: "(status !== 'COMPLETED')",
    why: walletsBeside,
  },
  {
    file: 'src/settlement/payout.ts',
    find: '!isCounted(before) && isCounted(after)',
    put: '(!isCounted(before))',
    why: 'What ended without money changes only when the money left after all.',
  },
  {
    file: 'src/settlement/payout.ts',
    find: 'isCounted(before) && !isCounted(after)',
    put: '(!isCounted(after))',
    why: 'A withdrawal that ends without money here counted before.',
  },
  {
    file: 'src/settlement/queries.ts',
    find: 'join receipt on receipt.connection = wanted.connection and receipt.pending_ref',
    put: 'join receipt on receipt.pending_ref',
    why: othersNames,
  },
]
