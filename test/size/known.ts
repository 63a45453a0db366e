// The registry of all functions of queries files. A new function needs a line in the file of its room.
import type { Registry } from './registry.ts'
import { cryptoRoom } from './room-crypto.ts'
import { paymentsRoom } from './room-payments.ts'
import { sandboxRoom } from './room-sandbox.ts'
import { settlementRoom } from './room-settlement.ts'
import { walletsRoom } from './room-wallets.ts'
import { endpointsRoom } from './room-endpoints.ts'
import { webhooksRoom } from './room-webhooks.ts'

export const registry: Registry = {
  ...paymentsRoom,
  ...settlementRoom,
  ...walletsRoom,
  ...webhooksRoom,
  ...endpointsRoom,
  ...cryptoRoom,
  ...sandboxRoom,
}
