// What a member changes through a route of the API leaves a row in the audit log, in the transaction of the change. Some routes write
// their own rows, for keys as for members. For the others the row is written beside the item in its lane, and where there is no
// transaction of ours around the change, before it.
import type { HttpDeps } from '#/http/deps.ts'
import type { Call, Route } from '#/http/route.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import type { Submission } from '#/ledger/post.ts'

type Auditing =
  /** The code behind the route writes the row. */
  | { readonly by: 'itself' }
  /** `action`: as the audit log names it. */
  | { readonly by: 'lane' | 'before'; readonly action: string }

const itself = { by: 'itself' } as const
const lane = (action: string) => ({ by: 'lane', action }) as const
const before = (action: string) => ({ by: 'before', action }) as const

/** Every route of the API that changes something. */
const auditing: Readonly<Record<string, Auditing>> = {
  createPayment: lane('payment.create'),
  createPaymentLink: itself,
  archivePaymentLink: itself,
  capturePayment: before('payment.capture'),
  cancelPayment: lane('payment.cancel'),
  createRefund: lane('refund.create'),
  approveRefund: itself,
  rejectRefund: itself,
  acceptDispute: before('dispute.accept'),
  changeDisputeEvidence: itself,
  addDisputeEvidenceFile: itself,
  submitDisputeEvidence: itself,
  createWallet: lane('wallet.create'),
  changeWallet: lane('wallet.change'),
  createTransfer: lane('transfer.create'),
  createTransferGrant: itself,
  revokeTransferGrant: itself,
  createWithdrawal: lane('withdrawal.create'),
  cancelWithdrawal: lane('withdrawal.cancel'),
  approveWithdrawal: itself,
  rejectWithdrawal: itself,
  createWithdrawalBatch: lane('withdrawal_batch.create'),
  cancelWithdrawalBatch: lane('withdrawal_batch.cancel'),
  approveWithdrawalBatch: itself,
  rejectWithdrawalBatch: itself,
  createPayoutSchedule: itself,
  changePayoutSchedule: itself,
  declareMetadataKeys: before('metadata_keys.declare'),
  resendDelivery: before('delivery.resend'),
  createWebhookEndpoint: itself,
  changeWebhookEndpoint: itself,
  rollWebhookSecret: itself,
  pingWebhookEndpoint: before('webhook_endpoint.ping'),
  deleteWebhookEndpoint: itself,
  createWebhookRecovery: itself,
  cancelWebhookRecovery: itself,
  createSubAccount: itself,
  changeSubAccount: itself,
  createSubAccountKey: itself,
  createApiKey: itself,
  changeApiKey: itself,
  rollApiKey: itself,
  revokeApiKey: itself,
  paySandboxPayment: before('sandbox.pay'),
  advanceSandboxClock: before('sandbox.advance_clock'),
  createRehearsal: before('rehearsal.create'),
  cancelRehearsal: before('rehearsal.cancel'),
}

/** How the change that this route makes is audited. Undefined for routes that change nothing, and for unknown ones. */
export function auditingOf({ operationId }: Pick<Route, 'operationId'>): Auditing | undefined {
  return auditing[operationId]
}

/** The dependencies for this call: what it submits to a lane writes its row beside it. */
export function auditedDeps(deps: HttpDeps, route: Route, call: Call<unknown, unknown>): HttpDeps {
  const how = auditingOf(route)
  if (how?.by !== 'lane') return deps
  const entryOf = (subject: string): AuditEntry => ({
    ...call.origin,
    action: how.action,
    subject,
    merchantId: call.merchant.id,
    ...afterOf(call),
  })
  const { lane: ledger, creator } = deps
  return {
    ...deps,
    lane: {
      ...ledger,
      submit: (kind, item, from = {}) =>
        ledger.submit(kind, item, { ...from, beside: besideOf(entryOf, subjectOf(route, call)) }),
    },
    creator: {
      ...creator,
      create: (merchant, key, request) =>
        creator.create(merchant, key, request, {
          beside: (tx, { id }) => writeAudit(tx, [entryOf(`payment:${id}`)]),
        }),
    },
  }
}

/** Writes the row of a change that has no transaction of ours around it. */
export async function auditBefore(
  { sql }: Pick<HttpDeps, 'sql'>,
  route: Route,
  call: Call<unknown, unknown>,
): Promise<void> {
  const how = auditingOf(route)
  if (how?.by !== 'before') return
  const { origin, merchant } = call
  const entry = {
    ...origin,
    action: how.action,
    subject: subjectOf(route, call),
    merchantId: merchant.id,
    ...afterOf(call),
  }
  await writeAudit(sql, [entry])
}

function besideOf(
  entryOf: (subject: string) => AuditEntry,
  fallback: string,
): NonNullable<Submission<unknown>['beside']> {
  return (tx, verdict) => writeAudit(tx, [entryOf(madeBy(verdict) ?? fallback)])
}

/** The record that the call names in its path, or its merchant. */
function subjectOf({ path }: Route, { id, merchant }: Call<unknown, unknown>): string {
  const [, collection] = /^\/v1\/(?:sandbox\/)?([a-z-]+)\/\{id\}/.exec(path) ?? []
  const kind = collection
    ?.replaceAll('-', '_')
    .replace(/(?:ies)$/, 'y')
    .replace(/s$/, '')
  return kind === undefined || id === '' ? `merchant:${merchant.id}` : `${kind}:${id}`
}

/** The records that verdicts of lanes hold. */
const records = ['refund', 'withdrawal', 'wallet', 'transfer', 'batch', 'payment'] as const

/** The record that the item made or changed. */
function madeBy(verdict: unknown): string | undefined {
  if (typeof verdict !== 'object' || verdict === null) return undefined
  const fields = verdict as Readonly<Record<string, { readonly id?: unknown } | undefined>>
  const kind = records.find((each) => typeof fields[each]?.id === 'string')
  return kind === undefined
    ? undefined
    : `${kind === 'batch' ? 'withdrawal_batch' : kind}:${String(fields[kind]?.id)}`
}

/** What was requested. Bodies of the API hold no secrets. */
function afterOf({ body }: Call<unknown, unknown>): Pick<AuditEntry, 'after'> {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject && Object.keys(body).length > 0 ? { after: body as Readonly<Record<string, unknown>> } : {}
}
