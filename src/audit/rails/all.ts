// The inspections of each rail. A new method is a line here, and a file beside it if it has inspections of its own.
import { pageArtifacts } from '#/audit/payments.ts'
import type { Method } from '#/rails/method.ts'
import { cryptoAudit } from './crypto.ts'
import { localAudit } from './local.ts'
import { pixAudit } from './pix.ts'
import type { RailAudit } from './rail-audit.ts'
import { sepaAudit } from './sepa.ts'

export const railAudits = {
  PIX: pixAudit,
  CREDIT_CARD: { artifacts: pageArtifacts },
  PARTNER_PAY: { artifacts: pageArtifacts },
  CRYPTO: cryptoAudit,
  MULTIBANCO: localAudit,
  MB_WAY: localAudit,
  IDEAL: localAudit,
  BANCONTACT: localAudit,
  BIZUM: localAudit,
  BOLETO: localAudit,
  SEPA_TRANSFER: sepaAudit,
} as const satisfies Readonly<Record<Method, RailAudit>>
