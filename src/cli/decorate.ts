// What only a sandbox's server has besides the API: the page at / and the inbox for webhooks.
import type { FastifyInstance } from 'fastify'
import type { Core } from '#/app/core.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { listPayments } from '#/payments/queries.ts'
import { registerInbox } from '#/sandbox/inbox.ts'
import { registerWelcomePage } from '#/sandbox/page.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { latestWebhooks } from '#/sandbox/queries.ts'
import { latestDeliveries } from '#/webhooks/delivery-queries.ts'
import { version } from './version.ts'

export function decorateSandbox(server: FastifyInstance, core: Core, sandbox: SandboxFile): void {
  const { sql, clock, log, secretsOf } = core
  const merchantId = sandbox.merchantId as MerchantId
  registerInbox(server, { sql, clock, merchantId, apiUrl: sandbox.apiUrl, secretsOf })
  registerWelcomePage(server, {
    sandbox,
    version,
    referencePath: core.config.VINTEM_REFERENCE === 'off' ? '/openapi.json' : '/reference',
    clock,
    log,
    latestPayments: (limit) => listPayments(sql, merchantId, { limit }),
    latestWebhooks: (limit) => latestWebhooks(sql, limit),
    latestDeliveries: (limit) => latestDeliveries(sql, merchantId, limit),
  })
}
