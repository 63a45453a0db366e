// The queries of the directory of cells, which lies in a database of its own.
import { notRun, type Registry } from './registry.ts'

const few = notRun('the directory is another database; it has one row for each cell')
const byKey = notRun('the directory is another database; it reads one row by a key')
const ofServer = notRun('it asks the server about itself, in a move of a cell')

export const cellsRoom: Registry = {
  'cells/queries.ts': {
    selectCells: few,
    insertCell: few,
    updateCell: few,
    moveDefault: few,
    lockCells: few,
    selectStateForShare: byKey,
    selectPending: byKey,
    deletePending: byKey,
    insertClaim: byKey,
    countPlaced: notRun('the directory is another database; only a list for people counts its merchants'),
  },
  'cells/server-queries.ts': {
    selectOpenMove: byKey,
    updateMoveState: byKey,
    selectIdentity: ofServer,
    selectServerFacts: ofServer,
    selectAdmitsReplication: ofServer,
    selectBooks: ofServer,
    setOpen: ofServer,
    selectStarting: ofServer,
    terminateSessions: ofServer,
    flushLog: ofServer,
  },
}
