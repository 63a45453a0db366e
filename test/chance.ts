// The one source of chance in tests. The same seed draws the same cases on every machine and every day: what must be seen is a fixed
// example beside it, never what chance happened to draw. The soak, and `VINTEM_SEED=random`, draw others; a number repeats its run.
import { randomInt } from 'node:crypto'
import { configureGlobal } from 'fast-check'
import { isSoak } from './counts.ts'

const given = process.env['VINTEM_SEED'] ?? (isSoak ? 'random' : '20261128')
/** Printed below, where it is not the usual one: a run that fails is repeated with it, and its case becomes an example. */
const seed = given === 'random' ? randomInt(2 ** 31) : Number(given)
if (!Number.isSafeInteger(seed)) throw new Error(`VINTEM_SEED is a whole number or "random", not ${given}`)
if (given !== '20261128') console.log(`VINTEM_SEED=${seed}`)

configureGlobal({ seed })

export * as fc from 'fast-check'
