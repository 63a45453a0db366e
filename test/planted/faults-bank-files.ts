// Faults of reading and writing what banks exchange: simple types, texts, packed files, names and amounts.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const dialects = 'src/rails/sepa/import-dialects.test.ts'

export const bankFileFaults: readonly Fault[] = [
  ...planted('banks', 'src/rails/sepa/lexical.ts', dialects, [
    {
      what: 'a reversal in the other spelling is not seen, and the merchant keeps the money',
      find: "  ['1', true],",
      put: "  ['1', false],",
    },
    {
      what: 'a part of a statement in the other spelling is taken for the whole',
      find: "  ['0', false],",
      put: "  ['0', true],",
    },
    {
      what: 'a day that there is not reaches the database',
      find: 'if (Number.isNaN(at) || isoDay(at) !== day) return undefined',
      put: 'if (Number.isNaN(at)) return undefined',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/hand-in.ts', dialects, [
    {
      what: 'a fault of one file stops the files after it',
      find: "if (classify(error) !== 'poison') throw error",
      put: 'throw error',
    },
    {
      what: 'a ZIP with a refused file counts as imported whole',
      find: 'if (refused.length > others.length) {',
      put: 'if (refused.length > results.length) {',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/camt.ts', dialects, [
    {
      what: 'a report of the day is settled like a notification',
      find: "kind === 'REPORT' ? [seenOf(each)] :",
      put: "kind === 'REPORT' && each.children.size === 0 ? [seenOf(each)] :",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/camt-texts.ts', dialects, [
    {
      what: 'the text of a collected entry pays each of its transfers',
      find: "all(each, 'TxDtls').length, 0) === 1",
      put: "all(each, 'TxDtls').length, 0) >= 1",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/xml.ts', dialects, [
    {
      what: 'a character that the database does not keep is imported',
      find: 'if (forbidden.test(text)) throw',
      put: "if (forbidden.test(text) && text === '') throw",
    },
  ]),
  ...planted('banks', 'src/rails/sepa/zip.ts', 'src/rails/sepa/zip.test.ts', [
    {
      what: 'a small ZIP is unpacked to whatever it becomes',
      find: 'maxOutputLength: Math.max(1, max)',
      put: 'maxOutputLength: 2 ** 31',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/payout.ts', 'src/rails/sepa/payout.test.ts', [
    {
      what: 'a recipient of whom no letter is left is paid as a full stop',
      find: 'if (!hasLetters(beneficiary, nameMax)) {',
      put: "if (!hasLetters(beneficiary, nameMax) && beneficiary === '') {",
    },
  ]),
  ...planted('settlement', 'src/settlement/settle.ts', dialects, [
    {
      what: 'an amount that no JSON number holds is booked',
      find: 'if (minor < least || minor > minorMax ||',
      put: 'if (minor < least || minor > minorMax * minorMax ||',
    },
  ]),
]
