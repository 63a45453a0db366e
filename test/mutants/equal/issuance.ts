import type { EqualMutant } from './equal-mutant.ts'

export const issuance: readonly EqualMutant[] = [
  {
    file: 'src/issuance/line.ts',
    find: 'parts.length < 8 || parts.length > 9',
    put: '(parts.length > 9)',
    why: 'A line with fewer parts has no amount, and is refused for that.',
  },
  {
    file: 'src/issuance/line.ts',
    find: 'Math.max(end, 0)',
    put: 'Math.max(end, 1)',
    why: 'Before the first space of such a text is nothing, or one character: neither is a line nor a first line.',
  },
  {
    file: 'src/issuance/line.ts',
    find: '20, 32]',
    put: '20, 33]',
    why: 'The id of a written line has 32 digits: beyond them is nothing.',
  },
  {
    file: 'src/issuance/read.ts',
    find: 'lineMax = 2_048',
    put: 'lineMax = 2049',
    why: 'A text as long as either was never a line.',
  },
]
