// All planted faults. Where the code changes, the fault changes with it: faults.test.ts reports each line that is gone.
import { actFaults } from './faults-acts.ts'
import { bookFaults } from './faults-books.ts'
import { shareFaults } from './faults-shares.ts'
import { bankFaults } from './faults-banks.ts'
import { bankFileFaults } from './faults-bank-files.ts'
import { closedFaults } from './faults-closed.ts'
import { chainFaults } from './faults-chain.ts'
import { cellFaults } from './faults-cells.ts'
import { edgeFaults } from './faults-edges.ts'
import { issuanceFaults } from './faults-issuance.ts'
import { restoredFaults } from './faults-restored.ts'
import { shareFeeFaults } from './faults-share-fees.ts'
import { splitFaults } from './faults-splits.ts'
import { statementFaults } from './faults-statements.ts'
import { familyFaults } from './faults-family.ts'
import { moneyOutFaults } from './faults-money-out.ts'
import { whoFaults } from './faults-who.ts'
import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  ...bookFaults,
  ...shareFaults,
  ...familyFaults,
  ...moneyOutFaults,
  ...closedFaults,
  ...edgeFaults,
  ...bankFaults,
  ...bankFileFaults,
  ...statementFaults,
  ...issuanceFaults,
  ...cellFaults,
  ...chainFaults,
  ...restoredFaults,
  ...splitFaults,
  ...whoFaults,
  ...actFaults,
  ...shareFeeFaults,
]
