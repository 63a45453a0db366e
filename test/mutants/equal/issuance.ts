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
]
