// All planted faults. Where the code changes, the fault changes with it: faults.test.ts reports each line that is gone.
import { bookFaults } from './faults-books.ts'
import { shareFaults } from './faults-shares.ts'
import { bankFaults } from './faults-banks.ts'
import { chainFaults } from './faults-chain.ts'
import { cellFaults } from './faults-cells.ts'
import { edgeFaults } from './faults-edges.ts'
import { issuanceFaults } from './faults-issuance.ts'
import { restoredFaults } from './faults-restored.ts'
import { splitFaults } from './faults-splits.ts'
import { familyFaults } from './faults-family.ts'
import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  ...bookFaults,
  ...shareFaults,
  ...familyFaults,
  ...edgeFaults,
  ...bankFaults,
  ...issuanceFaults,
  ...cellFaults,
  ...chainFaults,
  ...restoredFaults,
  ...splitFaults,
]
