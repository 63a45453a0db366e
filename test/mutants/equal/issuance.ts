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
    file: 'src/issuance/record-lost.ts',
    find: "rail.opens.at === 'PAGE' || rail.opens.takesMore !== true",
    put: '(rail.opens.takesMore !== true)',
    why: 'What opens with the page never takes more, and its type has no such field.',
  },
]
