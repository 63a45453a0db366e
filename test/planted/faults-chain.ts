// Faults of our own coins on chains, and of the wallet that sends.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

export const chainFaults: readonly Fault[] = [
  ...planted('treasury', 'src/treasury/payout-queries.ts', 'src/treasury/hot-wallet-sandbox.test.ts', [
    {
      what: 'past refills are counted twice when a chain is rebuilt',
      find: "and wallet = place.address and purpose = 'PAYOUT' and state = 'FINAL'",
      put: "and wallet = place.address and state = 'FINAL'",
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet-send.ts', 'src/treasury/hot-wallet-receipts.test.ts', [
    {
      what: 'a node that answers "underpriced" is offered more in each pass',
      find: 'sent?.isCheap === true && view.head > sent.last',
      put: 'sent?.isCheap === true',
    },
  ]),
]
