// The dashboard's own routes, in one table. The server registers it and the tests walk it.
import { accountRoutes } from './account-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { findRoutes } from './find-routes.ts'
import { mailRoutes } from './mail-routes.ts'
import { memberRoutes } from './member-routes.ts'
import { operatorRoutes } from './operator/operator-routes.ts'
import { overviewRoutes } from './overview-routes.ts'
import { reportRoutes } from './report-routes.ts'
import { reviewRoutes } from './review-routes.ts'
import type { DashboardRoute } from './route.ts'
import { senderRoutes } from './sender-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { setupRoutes } from './setup-routes.ts'
import { templateRoutes } from './template-routes.ts'
import { webhookSecretRoutes } from './webhook-secret-routes.ts'
import { withdrawalTermsRoutes } from './withdrawal-terms-routes.ts'

export const dashboardRoutes: readonly DashboardRoute[] = [
  ...sessionRoutes,
  ...accountRoutes,
  ...overviewRoutes,
  ...setupRoutes,
  ...findRoutes,
  ...eventRoutes,
  ...memberRoutes,
  ...mailRoutes,
  ...templateRoutes,
  ...operatorRoutes,
  ...webhookSecretRoutes,
  ...withdrawalTermsRoutes,
  ...reportRoutes,
  ...reviewRoutes,
  ...senderRoutes,
]
