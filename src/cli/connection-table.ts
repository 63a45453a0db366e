// A connection as the command `connection` shows it: never its secrets.
import type { ConnectionRow } from '#/merchants/connection-queries.ts'
import { findType } from '#/rails/connection-types.ts'
import { dateText, type Column } from './table.ts'

type ConnectionRecord = ReturnType<typeof recordOf>

/** As `--json` shows it. Of the secrets only whether they exist. */
export function recordOf({
  id,
  merchantId,
  mode,
  method,
  provider,
  settings,
  sealedRefunds,
  isActive,
  createdAt,
  changedAt,
}: ConnectionRow) {
  return {
    id,
    method,
    provider,
    mode,
    ...(merchantId === null ? {} : { merchantId }),
    isActive,
    canRefund: sealedRefunds !== null,
    settings,
    createdAt,
    changedAt,
  }
}

export const columns: readonly Column<ConnectionRecord>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Method', value: ({ method }) => method },
  { name: 'Provider', value: ({ provider }) => provider },
  { name: 'Mode', value: ({ mode }) => mode },
  { name: 'Active', value: ({ isActive }) => (isActive ? 'active' : 'disabled') },
  { name: 'Refunds', value: refundsText },
  { name: 'Changed', value: ({ changedAt }) => dateText(changedAt) },
  { name: 'Merchant', value: ({ merchantId }) => merchantId ?? 'shared' },
]

function refundsText({ method, canRefund }: ConnectionRecord): string {
  // A connection that only sends has no payments that could be refunded.
  if (findType({ method })?.refundSecrets === undefined) return ''
  return canRefund ? 'yes' : 'no'
}

export const labels: Readonly<Record<string, string>> = {
  id: 'Connection',
  method: 'Method',
  provider: 'Provider',
  mode: 'Mode',
  merchantId: 'Merchant',
  isActive: 'Active',
  canRefund: 'Can refund',
  changedAt: 'Changed',
  callbackUrl: 'Callbacks',
}
