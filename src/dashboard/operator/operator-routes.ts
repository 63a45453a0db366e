// START HERE for the operator's console: all of its routes, in one table. Everybody but an operator gets 404 at each.
import type { DashboardRoute } from '../route.ts'
import { attentionRoutes } from './attention-routes.ts'
import { chainRoutes } from './chain-routes.ts'
import { connectionRoutes } from './connection-routes.ts'
import { foreignRoutes } from './foreign-routes.ts'
import { heldRoutes } from './held-routes.ts'
import { hotWalletRoutes } from './hot-wallet-routes.ts'
import { jobRoutes } from './job-routes.ts'
import { merchantRoutes } from './merchant-routes.ts'
import { moneyRoutes } from './money-routes.ts'
import { paymentFileRoutes } from './payment-file-routes.ts'
import { payoutRoutes } from './payout-routes.ts'
import { queueRoutes } from './queue-routes.ts'
import { statementRoutes } from './statement-routes.ts'
import { termsRoutes } from './terms-routes.ts'
import { userRoutes } from './user-routes.ts'

export const operatorRoutes: readonly DashboardRoute[] = [
  ...attentionRoutes,
  ...merchantRoutes,
  ...termsRoutes,
  ...connectionRoutes,
  ...jobRoutes,
  ...moneyRoutes,
  ...payoutRoutes,
  ...statementRoutes,
  ...heldRoutes,
  ...foreignRoutes,
  ...paymentFileRoutes,
  ...chainRoutes,
  ...hotWalletRoutes,
  ...queueRoutes,
  ...userRoutes,
]
