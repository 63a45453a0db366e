// The registry of all functions of queries files. A new function needs a line in the file of its room.
import type { Registry } from './registry.ts'
import { cellsRoom } from './room-cells.ts'
import { cryptoRoom } from './room-crypto.ts'
import { endpointsRoom } from './room-endpoints.ts'
import { erasureRoom } from './room-erasure.ts'
import { findingRoom } from './room-finding.ts'
import { insightsRoom } from './room-insights.ts'
import { issuanceRoom } from './room-issuance.ts'
import { jobsRoom } from './room-jobs.ts'
import { operatorRoom } from './room-operator.ts'
import { operatorsRoom } from './room-operators.ts'
import { paymentsRoom } from './room-payments.ts'
import { peopleRoom } from './room-people.ts'
import { restoredRoom } from './room-restored.ts'
import { sandboxRoom } from './room-sandbox.ts'
import { sepaRoom } from './room-sepa.ts'
import { settlementRoom } from './room-settlement.ts'
import { splitsRoom } from './room-splits.ts'
import { templatesRoom } from './room-templates.ts'
import { walletsRoom } from './room-wallets.ts'
import { webhooksRoom } from './room-webhooks.ts'

const rooms: readonly Registry[] = [
  cellsRoom,
  findingRoom,
  paymentsRoom,
  templatesRoom,
  settlementRoom,
  walletsRoom,
  splitsRoom,
  insightsRoom,
  webhooksRoom,
  endpointsRoom,
  cryptoRoom,
  sepaRoom,
  sandboxRoom,
  peopleRoom,
  operatorsRoom,
  operatorRoom,
  restoredRoom,
  issuanceRoom,
  jobsRoom,
  erasureRoom,
]

/** All rooms together: the functions of one file may be called in several. */
export const registry: Registry = Object.fromEntries(
  [
    ...Map.groupBy(
      rooms.flatMap((room) => Object.entries(room)),
      ([file]) => file,
    ),
  ].map(([file, parts]) => [file, Object.assign({}, ...parts.map(([, functions]) => functions))]),
)
