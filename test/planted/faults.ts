// All planted faults. Where the code changes, the fault changes with it: faults.test.ts reports each line that is gone.
import type { Fault } from './fault.ts'
import { actFaults } from './faults-acts.ts'
import { bankFileFaults } from './faults-bank-files.ts'
import { bankFaults } from './faults-banks.ts'
import { bookFaults } from './faults-books.ts'
import { cellFaults } from './faults-cells.ts'
import { chainFaults } from './faults-chain.ts'
import { closedFaults } from './faults-closed.ts'
import { decimalFaults } from './faults-decimals.ts'
import { edgeFaults } from './faults-edges.ts'
import { familyFaults } from './faults-family.ts'
import { issuanceFaults } from './faults-issuance.ts'
import { moneyOutFaults } from './faults-money-out.ts'
import { restoredFaults } from './faults-restored.ts'
import { shareFeeFaults } from './faults-share-fees.ts'
import { shareFaults } from './faults-shares.ts'
import { splitFaults } from './faults-splits.ts'
import { statementFaults } from './faults-statements.ts'
import { whoFaults } from './faults-who.ts'

export const faults: readonly Fault[] = [
  ...bookFaults,
  ...shareFaults,
  ...familyFaults,
  ...moneyOutFaults,
  ...closedFaults,
  ...decimalFaults,
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
