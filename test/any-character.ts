// Any code point, as one character of a generated text: halves of surrogate pairs too.
import { fc } from './chance.ts'

/** Like fast-check's unit `binary`, which takes a second of processor time: it makes a table of all 1,114,112 code points. */
export const anyCharacter = fc.nat({ max: 0x10_ff_ff }).map((point) => String.fromCodePoint(point))
