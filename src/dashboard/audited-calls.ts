// Each change that a member makes through a route of the API writes a row of the audit log, in the transaction of the change. A call that
// is refused writes none.
// - Some routes write their own rows, for keys as for members.
// - For the others the row is written beside the item in its lane, or by the route in its own transaction.
// - A change that a provider makes has no transaction of ours. Its row is written after all our checks have passed and before the provider
//   is called.
import type { Sql, Tx } from '#/db/client.ts'
import type { HttpDeps } from '#/http/deps.ts'
import type { Call, Route } from '#/http/route.ts'
import type { Submission } from '#/ledger/post.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'

type Auditing =
  /** The code behind the route writes the row. */
  | { readonly by: 'itself' }
  /** `action`: as the audit log names it. `act`: the route calls `auditAct` of its dependencies. */
  | { readonly by: 'lane' | 'act'; readonly action: string }

const itself = { by: 'itself' } as const
const lane = (action: string) => ({ by: 'lane', action }) as const
const act = (action: string) => ({ by: 'act', action }) as const

/** Every route of the API that changes something. */
const auditing: Readonly<Record<string, Auditing>> = {
  createPayment: lane('payment.create'),
  createPaymentLink: itself,
  archivePaymentLink: itself,
  capturePayment: lane('payment.capture'),
  cancelPayment: lane('payment.cancel'),
  createRefund: lane('refund.create'),
  approveRefund: itself,
  rejectRefund: itself,
  acceptDispute: act('dispute.accept'),
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
  declareMetadataKeys: act('metadata_keys.declare'),
  resendDelivery: act('delivery.resend'),
  createWebhookEndpoint: itself,
  changeWebhookEndpoint: itself,
  rollWebhookSecret: itself,
  pingWebhookEndpoint: lane('webhook_endpoint.ping'),
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
  paySandboxPayment: act('sandbox.pay'),
  advanceSandboxClock: act('sandbox.advance_clock'),
  createRehearsal: act('rehearsal.create'),
  cancelRehearsal: act('rehearsal.cancel'),
}

/** How a change by this route is audited. Undefined for routes that change nothing, and for unknown ones. */
export function auditingOf({ operationId }: Pick<Route, 'operationId'>): Auditing | undefined {
  return auditing[operationId]
}

/** The dependencies for this call: what it submits to a lane, or does by itself, writes its row in the same transaction. */
export function auditedDeps(deps: HttpDeps, route: Route, call: Call<unknown, unknown>): HttpDeps {
  const how = auditingOf(route)
  if (how === undefined || how.by === 'itself') return deps
  const entryOf = (subject: string): AuditEntry => ({
    ...call.origin,
    action: how.action,
    subject,
    merchantId: call.merchant.id,
    ...afterOf(call),
  })
  const subject = subjectOf(route, call)
  if (how.by === 'act')
    return {
      ...deps,
      auditAct: (tx: Sql | Tx, made = subject) => writeAudit(tx, [entryOf(made)]),
    }
  const { lane: ledger, creator, capturer } = deps
  const beside = besideOf(entryOf, subject)
  return {
    ...deps,
    lane: {
      ...ledger,
      submit: (kind, item, from = {}) => ledger.submit(kind, item, { ...from, beside }),
    },
    capturer: {
      ...capturer,
      capture: (ref, amountMinor) => capturer.capture(ref, amountMinor, beside),
      cancel: (ref) => capturer.cancel(ref, beside),
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
