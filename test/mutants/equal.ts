// Mutants that no test can notice, because the product does the same with them. Each has a sentence that says why.

export type EqualMutant = {
  readonly file: string
  /** The changed place as it stands in the file, with enough around it to be found once, and as it stands in the mutant. */
  readonly find: string
  readonly put: string
  readonly why: string
}

const laterRank =
  'Only the order of the ranks counts, and every comparison that can occur comes out the same.'
const othersNames =
  'What else is read has names of its own, by connection and reference, for which no receipt of the batch asks.'

const bufferSize =
  'It is the size of a buffer that grows where it is too small; the bytes that are written are the same.'
const onlySign = 'Of the result of a comparison only the sign counts.'
const readAgain = 'An account that was read before is read once more, and what was known of it stays.'
const readBeside =
  'More accounts are read than were asked for, each under its own key, and none of them is looked up.'
const burstPace = 'How many items of a burst go into one commit is a pace.'
const onlyCompared = 'The number of commits is only compared with an earlier number.'
const readAnyway = 'What the cache does not have is read.'
const textsDecide = 'The hash finds the place in the index; the comparison of the texts decides.'

export const equal: readonly EqualMutant[] = [
  {
    file: 'src/settlement/dispute.ts',
    find: 'dispute_taken: 1,',
    put: 'dispute_taken: 2,',
    why: laterRank,
  },
  { file: 'src/settlement/dispute.ts', find: 'dispute_won: 3,', put: 'dispute_won: 4,', why: laterRank },
  { file: 'src/settlement/dispute.ts', find: '  WON: 3,', put: '  WON: 4,', why: laterRank },
  {
    file: 'src/settlement/dispute.ts',
    find: '(places[outcome] ?? 0) > now',
    put: '(places[outcome] ?? 0) >= now',
    why: 'The only report of the present rank in a round is the one that was recorded, and a repeated report ends before.',
  },
  {
    file: 'src/settlement/queries.ts',
    find: 'join receipt on receipt.connection = wanted.connection and receipt.pending_ref',
    put: 'join receipt on receipt.pending_ref',
    why: othersNames,
  },
  {
    file: 'src/refunds/choose-piece.ts',
    find: 'a.method < b.method ?',
    put: 'a.method <= b.method ?',
    why: 'Each method is there once, so no two are the same.',
  },
  {
    file: 'src/refunds/choose-piece.ts',
    find: 'a.method < b.method ? -1',
    put: 'a.method < b.method ? -2',
    why: 'Of what a comparator returns only the sign counts.',
  },
  {
    file: 'src/refunds/choose-piece.ts',
    find: '? -1 : 1)',
    put: '? -1 : 2)',
    why: 'Of what a comparator returns only the sign counts.',
  },
  {
    file: 'src/refunds/choose-piece.ts',
    find: 'return a.isDuplicate ? -1 : 1',
    put: 'return a.isDuplicate ? -2 : 1',
    why: 'Of what a comparator returns only the sign counts.',
  },
  {
    file: 'src/refunds/choose-piece.ts',
    find: 'return a.isDuplicate ? -1 : 1',
    put: 'return a.isDuplicate ? -1 : 2',
    why: 'Of what a comparator returns only the sign counts.',
  },
  {
    file: 'src/withdrawals/accept.ts',
    find: "(allowed.reason === 'frozen' || allowed.reason === 'account')",
    put: "((allowed.reason === 'frozen'))",
    why: 'The same stops were asked before with the same facts, so neither reason comes here.',
  },
  {
    file: 'src/withdrawals/accept.ts',
    find: "(allowed.reason === 'frozen' || allowed.reason === 'account')",
    put: "((allowed.reason === 'account'))",
    why: 'The same stops were asked before with the same facts, so neither reason comes here.',
  },
  {
    file: 'src/withdrawals/accept.ts',
    find: 'least + most + 1n',
    put: 'least + most + 2n',
    why: 'The search asks another amount between the same bounds, and finds the same.',
  },
  {
    file: 'src/withdrawals/list-queries.ts',
    find: 'batchId === undefined || type === undefined',
    put: '(type === undefined)',
    why: 'Without a batch the type is compared by the kinds already, and is only compared twice.',
  },
  {
    file: 'src/withdrawals/list-queries.ts',
    find: 'batchId === undefined || currency === undefined',
    put: '(currency === undefined)',
    why: 'Without a batch the currency is compared by the kinds already, and is only compared twice.',
  },
  {
    file: 'src/withdrawals/list-queries.ts',
    find: 'sql`and withdrawal.batch_id is not null`',
    put: 'sql``',
    why: 'A batch is compared as well: it is there for the partial index.',
  },
  {
    file: 'src/withdrawals/queries.ts',
    find: 'row.batch_id === null || row.batch_place === null',
    put: '(row.batch_id === null)',
    why: 'Both are written together with the withdrawal, and never again.',
  },
  {
    file: 'src/withdrawals/queries.ts',
    find: 'row.batch_id === null || row.batch_place === null',
    put: '(row.batch_place === null)',
    why: 'Both are written together with the withdrawal, and never again.',
  },
  {
    file: 'src/people/throttle.ts',
    find: 'Buffer.compare(a.key, b.key)',
    put: 'Buffer.compare(b.key, a.key)',
    why: 'Any order does, as long as it is one everywhere.',
  },
  {
    file: 'src/people/challenge.ts',
    find: 'instantPart = 8',
    put: 'instantPart = 9',
    why: 'The parts are read where they were written, and the ninth byte is never used.',
  },
  {
    file: 'src/ledger/chain.ts',
    find: 'a.sequence < b.sequence',
    put: 'a.sequence <= b.sequence',
    why: 'No two events of a merchant have one sequence.',
  },
  {
    file: 'src/ledger/chain.ts',
    find: '? (a.sequence < b.sequence ? -1 : 1)',
    put: '? (a.sequence < b.sequence ? -2 : 1)',
    why: onlySign,
  },
  {
    file: 'src/ledger/chain.ts',
    find: '? (a.sequence < b.sequence ? -1 : 1)',
    put: '? (a.sequence < b.sequence ? -1 : 2)',
    why: onlySign,
  },
  {
    file: 'src/ledger/chain.ts',
    find: 'a.merchantId < b.merchantId',
    put: 'a.merchantId <= b.merchantId',
    why: 'Equal merchants were compared by their sequences before.',
  },
  {
    file: 'src/ledger/chain.ts',
    find: 'a.merchantId < b.merchantId ? -1 : 1,',
    put: 'a.merchantId < b.merchantId ? -2 : 1,',
    why: onlySign,
  },
  {
    file: 'src/ledger/chain.ts',
    find: 'a.merchantId < b.merchantId ? -1 : 1,',
    put: 'a.merchantId < b.merchantId ? -1 : 2,',
    why: onlySign,
  },
  {
    file: 'src/ledger/chain.ts',
    find: 'Buffer.alloc(4_096)',
    put: 'Buffer.alloc(4097)',
    why: bufferSize,
  },
  {
    file: 'src/ledger/chain.ts',
    find: "=== 'bigint' ? 8 :",
    put: "=== 'bigint' ? 9 :",
    why: bufferSize,
  },
  {
    file: 'src/ledger/chain.ts',
    find: '? 3 * part.length',
    put: '? 4 * part.length',
    why: bufferSize,
  },
  {
    file: 'src/ledger/chain.ts',
    find: 'while (end + 4 + most',
    put: 'while (end + 5 + most',
    why: bufferSize,
  },
  {
    file: 'src/ledger/chain.ts',
    find: 'most > scratch.length',
    put: 'most >= scratch.length',
    why: bufferSize,
  },
  {
    file: 'src/ledger/chain.ts',
    find: '2 * scratch.length',
    put: '3 * scratch.length',
    why: bufferSize,
  },
  {
    file: 'src/ledger/books.ts',
    find: '!loaded.has(key) && !cache.has(key)',
    put: '(!loaded.has(key))',
    why: readAgain,
  },
  {
    file: 'src/ledger/books.ts',
    find: '!loaded.has(key) && !cache.has(key)',
    put: '(!cache.has(key))',
    why: readAgain,
  },
  {
    file: 'src/ledger/books.ts',
    find: 'cache.set(key, stored)',
    put: 'void 0',
    why: readAnyway,
  },
  {
    file: 'src/ledger/queries.ts',
    find: ' account.mode = wanted.mode and',
    put: '',
    why: readBeside,
  },
  {
    file: 'src/ledger/queries.ts',
    find: 'and account.name = wanted.name\n      ',
    put: '',
    why: readBeside,
  },
  {
    file: 'src/ledger/post.ts',
    find: 'alone: 20',
    put: 'alone: 21',
    why: burstPace,
  },
  {
    file: 'src/ledger/post.ts',
    find: 'beside: 4',
    put: 'beside: 5',
    why: burstPace,
  },
  {
    file: 'src/ledger/post.ts',
    find: 'let commits = 0',
    put: 'let commits = 1',
    why: onlyCompared,
  },
  {
    file: 'src/ledger/post.ts',
    find: 'commits += 1\n      if',
    put: 'commits += 2\n      if',
    why: onlyCompared,
  },
  {
    file: 'src/ledger/post.ts',
    find: 'commits += 1\n    books',
    put: 'commits += 2\n    books',
    why: onlyCompared,
  },
  {
    file: 'src/ledger/post.ts',
    find: 'books.remember()',
    put: 'void 0',
    why: readAnyway,
  },
  {
    file: 'src/ledger/post.ts',
    find: 'drafts.length > 0 ?',
    put: 'drafts.length >= 0 ?',
    why: 'To announce nothing writes nothing.',
  },
  {
    file: 'src/erasure/queries.ts',
    find: 'and hashtext(${taxId}) = hashtext(${by.taxId}::text) ',
    put: '',
    why: textsDecide,
  },
  {
    file: 'src/erasure/queries.ts',
    find: 'and hashtext(lower(${email} collate "C")) = hashtext(lower(${by.email}::text collate "C"))\n            ',
    put: '',
    why: textsDecide,
  },
]
