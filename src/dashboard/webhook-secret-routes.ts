// The merchant's own webhook secret, which signs what goes to the webhookUrl of payments and other records. Endpoints have secrets of
// their own.
import { Type as T } from 'typebox'
import { rotateSecret } from '#/operator/merchants.ts'
import { showWebhookSecret } from '#/webhooks/sign.ts'
import { bodyOf } from './place.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

const roll = memberRoute({
  route: 'POST /webhook-secret/roll',
  permission: 'webhooks:write',
  starts: 'setting',
  concern: 'events',
  operationId: 'rollMerchantWebhookSecret',
  summary: 'A new webhook secret. The present one signs beside it for 24 hours',
  answer: T.Object(
    { secret: T.String({ description: 'This answer alone shows it.' }) },
    { title: 'MerchantWebhookSecret' },
  ),
  body: bodyOf({}),
  async handle({ http, operator }, { caller, by }) {
    const { webhookSealKey: sealKey, hasOwnKeys } = operator
    const who = { by, name: caller.visitor.user.email }
    const secret = await rotateSecret({ sql: http.sql, sealKey, hasOwnKeys }, who, caller.merchant.id)
    return { secret: showWebhookSecret(secret) }
  },
})

export const webhookSecretRoutes: readonly DashboardRoute[] = [roll]
