// START HERE to add a rail: a folder beside this file, and its line in this list. Only app/core.ts and the commands import it; they
// pass each module the part that it needs.
import { acquirerModule } from './acquirer/module.ts'
import { cryptoModule } from './crypto/module.ts'
import type { RailModule } from './module.ts'
import { partnerPayModule } from './partner-pay/module.ts'
import { pixModule } from './pix/module.ts'
import { sepaModule } from './sepa/module.ts'

export const railModules: readonly RailModule[] = [
  pixModule,
  acquirerModule,
  partnerPayModule,
  cryptoModule,
  sepaModule,
]
