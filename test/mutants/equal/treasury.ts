import type { EqualMutant } from './equal-mutant.ts'

const aboveZeroByte = 'Every address has twenty bytes, so it is above no byte and above one byte of zero.'
const sumsLeaveOut = 'A sum leaves out what has no units. The condition is that of the index.'
const onlySign = 'Of the result of a comparison only the sign counts.'
const longAgo = 'The first millisecond of a process is over when it reads this.'
const readAgain = 'What is open is read once more: it is the same, or newer.'
const eachIsThere = 'Every address that was asked about has an answer at its place.'
const lessThanACent = 'Nothing, and one unit, have no whole cent.'

export const treasury: readonly EqualMutant[] = [
  {
    file: 'src/treasury/compare-queries.ts',
    find: 'Buffer.alloc(0)',
    put: 'Buffer.alloc(1)',
    why: aboveZeroByte,
  },
  {
    file: 'src/treasury/compare-queries.ts',
    find: 'and shown.address > ${first}',
    put: '',
    why: 'The address is that of the deposit, which the statement compares too. Said twice, the index finds fewer rows.',
  },
  {
    file: 'src/treasury/payout-queries.ts',
    find: 'and units is not null and not units_booked',
    put: 'and not units_booked',
    why: sumsLeaveOut,
  },
  {
    file: 'src/treasury/refill-queries.ts',
    find: 'and units is not null\n                           and not units_booked',
    put: 'and not units_booked',
    why: sumsLeaveOut,
  },
  {
    file: 'src/treasury/rescue-queries.ts',
    find: 'Buffer.alloc(0)',
    put: 'Buffer.alloc(1)',
    why: aboveZeroByte,
  },
  {
    file: 'src/treasury/sweep-queries.ts',
    find: 'and tx is not null',
    put: '',
    why: 'A count of a column leaves out its nulls.',
  },
  {
    file: 'src/treasury/fees.ts',
    find: '(a < b ? -1 : 1)',
    put: '(a <= b ? -1 : 1)',
    why: 'Which of two equal tips stands first changes nothing.',
  },
  {
    file: 'src/treasury/fees.ts',
    find: '(a < b ? -1 : 1)',
    put: '(a < b ? -2 : 1)',
    why: onlySign,
  },
  {
    file: 'src/treasury/fees.ts',
    find: '(a < b ? -1 : 1)',
    put: '(a < b ? -1 : 2)',
    why: onlySign,
  },
  {
    file: 'src/treasury/hot-wallet.ts',
    find: 'passes: 0 }\n    held.pollAt',
    put: 'passes: 1 }\n    held.pollAt',
    why: 'What is not proven is another suspicion than those whose passes count.',
  },
  {
    file: 'src/treasury/hot-wallet.ts',
    find: 'held.pollAt = 0\n    return false',
    put: 'held.pollAt = 1\n    return false',
    why: longAgo,
  },
  {
    file: 'src/treasury/hot-wallet.ts',
    find: 'held.pollAt = 0\n  if (held',
    put: 'held.pollAt = 1\n  if (held',
    why: longAgo,
  },
  {
    file: 'src/treasury/hot-wallet.ts',
    find: 'assigned !== undefined && assigned.count > 0',
    put: '(assigned !== undefined)',
    why: readAgain,
  },
  {
    file: 'src/treasury/hot-wallet.ts',
    find: 'assigned.count > 0',
    put: 'assigned.count >= 0',
    why: readAgain,
  },
  {
    file: 'src/treasury/hot-wallet.ts',
    find: '(signed.count > 0)',
    put: '(signed.count >= 0)',
    why: readAgain,
  },
  {
    file: 'src/treasury/rescue.ts',
    find: 'const [units = 0n] = held[index] ?? []',
    put: 'const [units = 1n] = held[index] ?? []',
    why: eachIsThere,
  },
  {
    file: 'src/treasury/rescue.ts',
    find: 'held[index] ?? 0n',
    put: 'held[index] ?? 1n',
    why: eachIsThere,
  },
  {
    file: 'src/treasury/rescue.ts',
    find: 'after, 500)',
    put: 'after, 501)',
    why: 'Pages are read until there is none: their length changes nothing.',
  },
  {
    file: 'src/treasury/rescue.ts',
    find: 'const [units = 0n] = await unitsAt',
    put: 'const [units = 1n] = await unitsAt',
    why: eachIsThere,
  },
  {
    file: 'src/treasury/compare.ts',
    find: 'units > 0n ?',
    put: 'units >= 0n ?',
    why: 'It is asked for differences alone, and a difference is not zero.',
  },
  {
    file: 'src/treasury/sweep.ts',
    find: 'gas < txGasMax',
    put: 'gas <= txGasMax',
    why: 'Of two equal limits either is the least.',
  },
  {
    file: 'src/treasury/refill.ts',
    find: 'if (units > 0n)',
    put: 'if (units > 1n)',
    why: 'A refill is whole cents, each of many units.',
  },
  {
    file: 'src/treasury/refill.ts',
    find: 'lacking <= 0n',
    put: 'lacking < 0n',
    why: lessThanACent,
  },
  {
    file: 'src/treasury/refill.ts',
    find: 'lacking <= 0n',
    put: 'lacking <= 1n',
    why: lessThanACent,
  },
  {
    file: 'src/treasury/compare.ts',
    find: 'const onChain = held[index] ?? 0n',
    put: 'const onChain = held[index] ?? 1n',
    why: eachIsThere,
  },
  {
    file: 'src/treasury/compare.ts',
    find: 'held[deposits.length + index] ?? 0n',
    put: 'held[deposits.length + index] ?? 1n',
    why: eachIsThere,
  },
  {
    file: 'src/treasury/compare.ts',
    find: 'from < holders.length',
    put: 'from <= holders.length',
    why: 'Of no holders nothing is asked.',
  },
]
