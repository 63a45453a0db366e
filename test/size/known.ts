// All that is known of the functions of queries files. Whoever adds one adds a line to the file of its room.
import type { Registry } from './registry.ts'
import { cryptoRoom } from './room-crypto.ts'
import { paymentsRoom } from './room-payments.ts'
import { settlementRoom } from './room-settlement.ts'
import { walletsRoom } from './room-wallets.ts'
import { webhooksRoom } from './room-webhooks.ts'

export const known: Registry = {
  ...paymentsRoom,
  ...settlementRoom,
  ...walletsRoom,
  ...webhooksRoom,
  ...cryptoRoom,
}
