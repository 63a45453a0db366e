// Faults where a call, a merchant or an account gets into a wrong cell.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

export const cellFaults: readonly Fault[] = [
  ...planted('cells', 'src/cells/claim.ts', 'src/cells/directory.test.ts', [
    {
      what: 'two cells count what comes into one account',
      find: 'if (holder !== cell)',
      put: 'if (false)',
    },
  ]),
  ...planted('cells', 'src/cells/place-merchant.ts', 'src/cells/directory.test.ts', [
    {
      what: 'a merchant whose creation was cut off is made a second time',
      find: 'if (before !== undefined) return { id: before, isOpen }',
      put: '',
    },
    {
      what: 'a cell that is drained gets a merchant that was only begun',
      find: '(isOpen ? await makeOnce(id, { find, make }) : undefined)',
      put: '(await makeOnce(id, { find, make }))',
    },
  ]),
  ...planted('cells', 'src/cells/directory.ts', 'src/cells/directory.test.ts', [
    {
      what: 'a server of one cell gets the calls of another',
      find: 'requireDistinct(await queries.selectCells(tx))',
      put: '',
    },
  ]),
  ...planted('cells', 'src/cells/proxy-config.ts', 'src/cells/proxy-config.test.ts', [
    {
      what: 'the proxy sends a request again that a process may have carried out',
      find: 'retry-on conn-failure',
      put: 'retry-on all-retryable-errors',
    },
  ]),
  ...planted('cells', 'src/cli/cell-claims.ts', 'src/cli/cell.test.ts', [
    {
      what: 'a treasury of two cells is noticed by nobody',
      find: "if (config.VINTEM_DIRECTORY_URL === '') return",
      put: 'if (config.VINTEM_DIRECTORY_URL !== undefined) return',
    },
  ]),
]
