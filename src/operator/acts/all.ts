// All acts, for what is made of the whole table.
import type { Act } from './act.ts'
import * as bankFiles from './bank-files.ts'
import * as freezes from './freezes.ts'
import * as inbox from './inbox.ts'
import * as merchants from './merchants.ts'
import * as payouts from './payouts.ts'
import * as suspense from './suspense.ts'
import * as terms from './terms.ts'

/** Every act of an operator. */
export const acts: readonly Act[] = [bankFiles, freezes, inbox, merchants, payouts, suspense, terms]
  .flatMap((part): readonly unknown[] => Object.values(part))
  .filter((each): each is Act => typeof each === 'object' && each !== null && 'carryOut' in each)
