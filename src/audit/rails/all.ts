// The inspections of each rail. One that has inspections of its own is a file beside this one, and its line here.
import { pageArtifacts } from '#/audit/payments.ts'
import type { Descriptor } from '#/rails/descriptor.ts'
import type { Method } from '#/rails/method.ts'
import { descriptors, type InspectedName } from '#/rails/methods.ts'
import { cryptoAudit } from './crypto.ts'
import { voucherArtifacts } from './local.ts'
import { pixAudit } from './pix.ts'
import type { RailAudit } from './rail-audit.ts'
import { sepaAudit } from './sepa.ts'

const own: Readonly<Record<InspectedName, RailAudit>> = {
  PIX: pixAudit,
  CRYPTO: cryptoAudit,
  SEPA_TRANSFER: sepaAudit,
}

export const railAudits: ReadonlyMap<Method, RailAudit> = new Map(
  descriptors.map((each) => [each.method, auditOf(each)]),
)

function auditOf({ method, audit, connectedAs }: Descriptor<Method>): RailAudit {
  if (audit === 'OWN') return own[method as InspectedName]
  const rules = audit === 'VOUCHER' ? voucherArtifacts : pageArtifacts
  return { artifacts: connectedAs === undefined ? rules : { ...rules, connectedAs } }
}
