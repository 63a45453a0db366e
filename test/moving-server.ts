// A PostgreSQL server from which a cell can move, as the command reads it.
import type { ServerFacts } from '#/cells/move-decision.ts'

export const movingServer: ServerFacts = {
  systemIdentifier: '71',
  startedAt: '1000.1',
  isStandby: false,
  version: 17,
  role: 'postgres',
  isSuperuser: true,
  isOpen: true,
  otherDatabases: [],
  walLevel: 'replica',
  hasSlot: false,
  slotsFree: 1,
  sendersFree: 2,
  admitsReplication: true,
  synchronousNames: '',
  standbys: 0,
  sortsOtherwise: false,
}
