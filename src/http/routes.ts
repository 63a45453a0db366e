// START HERE. Every route that needs a key, in one table. The server registers it, openapi.json is generated from it, and the tests
// walk it. Routes without a key (health, openapi.json) are in server.ts.
import { deliveryRoutes } from './deliveries.ts'
import type { HttpDeps } from './deps.ts'
import { disputeEvidenceRoutes } from './dispute-evidence.ts'
import { disputeRoutes } from './disputes.ts'
import { eventTypeRoutes } from './event-catalogue.ts'
import { eventRoutes } from './events.ts'
import { explainRoutes } from './explain.ts'
import { keyRoutes } from './keys.ts'
import { meRoutes } from './me.ts'
import { metadataKeyRoutes } from './metadata-keys.ts'
import { paymentLinkRoutes } from './payment-links.ts'
import { paymentRoutes } from './payments.ts'
import { payoutScheduleRoutes } from './payout-schedules.ts'
import { refundRoutes } from './refunds.ts'
import { rehearsalRoutes } from './rehearsals.ts'
import { requestRoutes } from './requests.ts'
import type { Route } from './route.ts'
import { sandboxClockRoutes } from './sandbox-clock.ts'
import { sandboxRoutes } from './sandbox.ts'
import { settingsRoutes } from './settings.ts'
import { shareRoutes } from './shares.ts'
import { subAccountRoutes } from './sub-accounts.ts'
import { transferGrantRoutes } from './transfer-grants.ts'
import { transferRoutes } from './transfers.ts'
import { reportRoutes } from './wallet-reports.ts'
import { walletRoutes } from './wallets.ts'
import { webhookEndpointRoutes } from './webhook-endpoints.ts'
import { webhookRecoveryRoutes } from './webhook-recoveries.ts'
import { withdrawalBatchRoutes } from './withdrawal-batches.ts'
import { withdrawalRoutes } from './withdrawals.ts'

export const routes: readonly Route[] = [
  ...paymentRoutes,
  ...paymentLinkRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...disputeEvidenceRoutes,
  ...walletRoutes,
  ...reportRoutes,
  ...transferRoutes,
  ...transferGrantRoutes,
  ...withdrawalRoutes,
  ...withdrawalBatchRoutes,
  ...explainRoutes,
  ...payoutScheduleRoutes,
  ...eventRoutes,
  ...eventTypeRoutes,
  ...metadataKeyRoutes,
  ...requestRoutes,
  ...deliveryRoutes,
  ...webhookEndpointRoutes,
  ...webhookRecoveryRoutes,
  ...meRoutes,
  ...settingsRoutes,
  ...keyRoutes,
  ...subAccountRoutes,
  ...shareRoutes,
  ...sandboxRoutes,
  ...rehearsalRoutes,
  ...sandboxClockRoutes,
]

/** The routes that an installation serves: without a sandbox there is nothing below `/v1/sandbox`. */
export function routesServed({
  isWithoutSandbox = false,
}: Pick<HttpDeps, 'isWithoutSandbox'>): readonly Route[] {
  return isWithoutSandbox ? routes.filter(({ path }) => !path.startsWith('/v1/sandbox/')) : routes
}
