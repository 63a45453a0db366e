import type { EqualMutant } from './equal-mutant.ts'

const bufferSize =
  'It is the size of a buffer that grows where it is too small; the bytes that are written are the same.'
const onlySign = 'Of the result of a comparison only the sign counts.'
const readAgain = 'An account that was read before is read once more, and what was known of it stays.'
const readBeside =
  'More accounts are read than were asked for, each under its own key, and none of them is looked up.'
const burstPace = 'How many items of a burst go into one commit is a pace.'
const onlyCompared = 'The number of commits is only compared with an earlier number.'
const readAnyway = 'What the cache does not have is read.'

export const ledger: readonly EqualMutant[] = [
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
]
