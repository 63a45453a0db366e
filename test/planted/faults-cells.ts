// Faults where a call, a merchant or an account gets into a wrong cell.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

export const cellFaults: readonly Fault[] = [
  ...planted('cells', 'src/cells/directory.ts', 'src/cells/directory.test.ts', [
    {
      what: 'two cells count what comes into one account',
      find: 'if (holder !== cell)',
      put: 'if (false)',
    },
  ]),
  ...planted('cells', 'src/cells/directory.ts', 'src/cells/directory.test.ts', [
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
  ...planted('cells', 'src/cells/move.ts', 'src/cells/move.test.ts', [
    {
      what: 'a cell moves without its old server being closed, and both take writes',
      find: 'await deps.servers.setOpen(source, false)',
      put: '',
    },
    {
      what: 'the new server is promoted before it has what was acknowledged',
      find: 'await deps.servers.awaitReplay(target, lsn, signal)',
      put: '',
    },
    {
      what: 'what another command recorded meanwhile is overwritten',
      find: 'if (await moves.updateMoveState(sql, move, next)) return',
      put: 'await moves.updateMoveState(sql, move, next)\n  if (next) return',
    },
    {
      what: 'a server that somebody else promoted takes over',
      find: 'if (to !== undefined && !(to.isStandby && to.systemIdentifier === move.systemIdentifier))',
      put: 'if (to === move)',
    },
    {
      what: 'a cell stays closed when its new server goes away',
      find: "await reopen(deps, { ...move, state: 'REOPENING' })",
      put: '',
    },
  ]),
  ...planted('cells', 'src/cells/move-decision.ts', 'src/cells/move-decision.test.ts', [
    {
      what: 'a move is canceled after the new server was promoted, and two servers take writes',
      find: "return wish === 'CANCEL' ? 'TOO_LATE' : 'PROMOTE'",
      put: "return wish === 'CANCEL' ? 'BACK' : 'PROMOTE'",
    },
    {
      what: 'a server moves with databases that nobody closes',
      find: 'if (facts.otherDatabases.length > 0)',
      put: 'if (facts.otherDatabases.length > 9)',
    },
    {
      what: 'a new server with an older collation takes over',
      find: 'if (to.sortsOtherwise)',
      put: 'if (to.sortsOtherwise && behindBytes < 0)',
    },
  ]),
  ...planted('cells', 'src/cells/move-servers.ts', 'src/cells/move-servers.test.ts', [
    {
      what: 'a session that was there before the server was closed goes on writing',
      find: 'const ended = await queries.terminateSessions(sql, database)',
      put: 'const ended = 0',
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
