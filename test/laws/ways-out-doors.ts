// The doors of the program, read from its code: kinds of work for the ledger lane, routes of the API and of the operators' console, and audited
// acts, which the commands share. Each is a door of a way out, or says why nothing leaves by it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { routes } from '#/http/routes.ts'
import type { Way } from '#/money-out/ways.ts'

const source = join(import.meta.dirname, '../../src')
const files = globSync('**/*.ts', { cwd: source })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(source, path), 'utf8'))

/** All doors, by a name that says of which sort it is. */
export function foundDoors(): readonly string[] {
  const kinds = files
    .filter((text) => /\b(?:runnable(?:Notifying|Pure)?|pureKind)[<(]/.test(text))
    .flatMap((text) => [...text.matchAll(/^ {2,8}name: '([^']+)',$/gm)].map(([, name]) => `lane: ${name}`))
  // A route's own act is the route: it is found below.
  const besideRoutes = files.map((text) => text.replaceAll(/audit: \{\s*action: '[^']+'/g, ''))
  const acts = besideRoutes.flatMap((text) =>
    [...text.matchAll(/\b(?:action|request|refuse)\b[^\n]*?'([a-z_-]+\.[a-z_-]+)'/g)].map(
      ([, name]) => `act: ${name}`,
    ),
  )
  const ofApi = routes
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `api: ${method} ${path}`)
  const ofConsole = dashboardRoutes
    .filter(({ method, access }) => method !== 'GET' && (access === 'operator' || access === 'member'))
    .map(({ operationId }) => `console: ${operationId}`)
  return [...new Set([...kinds, ...ofApi, ...ofConsole, ...acts])].toSorted()
}

const payouts = ['WITHDRAWAL', 'BATCH', 'SCHEDULE'] as const
const refunds = ['REFUND_SENT', 'REFUND_BACK'] as const

/** The doors by which money leaves, each with its ways. */
export const doorsOut: ReadonlyMap<string, readonly Way[]> = new Map<string, readonly Way[]>([
  ['lane: accept a withdrawal', ['WITHDRAWAL']],
  ['lane: accept a batch of withdrawals', ['BATCH']],
  ['lane: run a payout schedule', ['SCHEDULE']],
  ['lane: decide about a withdrawal', payouts],
  ['lane: decide about a batch of withdrawals', ['BATCH']],
  ['lane: accept a refund', refunds],
  ['lane: decide about a refund', refunds],
  ['lane: transfer between wallets', ['MOVED', 'TAKEN', 'GIVEN']],
  ['lane: give a transfer grant', ['GRANT']],
  // It asks for freezes alone: nobody grants what a closed account cannot keep.
  ['lane: pass on what a closed sub-account has', ['TAKEN']],
  ['lane: resolve suspense', ['SUSPENSE']],
  ['lane: resolve what left unrecorded', ['UNRECORDED']],
  ['api: POST /v1/withdrawals', ['WITHDRAWAL']],
  ['api: POST /v1/withdrawals/{id}/approve', payouts],
  ['api: POST /v1/withdrawal-batches', ['BATCH']],
  ['api: POST /v1/withdrawal-batches/{id}/approve', ['BATCH']],
  ['api: POST /v1/payout-schedules', ['SCHEDULE']],
  ['api: PATCH /v1/payout-schedules/{id}', ['SCHEDULE']],
  ['api: POST /v1/payments/{id}/refunds', refunds],
  ['api: POST /v1/refunds/{id}/approve', ['REFUND_SENT']],
  ['api: POST /v1/disputes/{id}/accept', ['DISPUTE']],
  ['api: POST /v1/transfers', ['MOVED', 'TAKEN', 'GIVEN']],
  ['api: POST /v1/transfer-grants', ['GRANT']],
  ['console: resolveSuspense', ['SUSPENSE']],
  ['console: approveProposal', ['SUSPENSE', 'UNRECORDED']],
  // Both make it due again, and the worker asks the gate before it sends.
  ['console: retryWithdrawal', payouts],
  ['console: retryRefund', refunds],
  ['console: makePaymentFile', [...payouts, 'REFUND_SENT']],
  // The jobs of rescues and refills, which have commands of the same names.
  ['console: requestJob', ['RESCUE', 'REFILL']],
  ['act: job.request', ['RESCUE', 'REFILL']],
  ['act: withdrawal.approve', payouts],
  ['act: refund.approve', ['REFUND_SENT']],
  ['act: payout.retry', [...payouts, ...refunds]],
  ['act: payment-file.make', [...payouts, 'REFUND_SENT']],
  ['act: payout_schedule.create', ['SCHEDULE']],
  ['act: payout_schedule.change', ['SCHEDULE']],
  ['act: sub-account.pass-on', ['TAKEN']],
  ['act: suspense.propose', ['SUSPENSE']],
  ['act: unrecorded.propose', ['UNRECORDED']],
  ['act: rescue.make', ['RESCUE']],
  ['act: rescue.deploy', ['RESCUE']],
  ['act: coins.refill', ['REFILL']],
])

/** Why nothing leaves by these doors. A pattern is for a whole room that has no money. */
const elsewhere: readonly (readonly [because: string, doors: RegExp])[] = [
  [
    'it is about people, keys, letters or files, and moves no money',
    /^(?:act: (?:user|session|member|invitation|link|key|worker-key|mail|template|webhook_endpoint|webhook_recovery|upload|backup|books|cell|sandbox|setup)\.|api: \w+ \/v1\/(?:keys|webhook-endpoints|webhook-recoveries|deliveries|metadata-keys|sandbox|settings)(?:\/|$))/,
  ],
  [
    'it is about people, letters, templates or uploads in the console, and moves no money',
    /^console: (?:changeMember|removeMember|createInvitation|revokeInvitation|inviteToMerchant|createMerchant|createResetLink|(?:dis|en)ableUser|hideSetup|removeUserFactors|choose(?:Notice|Receipts)|(?:check|set|switch)Template|(?:save|discard)TemplateDraft|beginUpload|addUploadPart|roll\w*Secret|rotate\w*Secret|cancelJob)$/,
  ],
  [
    'it sets the operator’s rules and connections, which the gate and the rails read',
    /^(?:act: (?:fee\.set|connection\.\w+|withdrawal\.(?:limit|destination-(?:add|remove))|terms\.(?:propose|refuse)|merchant\.\w[\w-]*|sub-account\.\w+|wallet\.default|chain\.lift|coins\.(?:lift|forget-refill)|job\.cancel)|console: (?:setFee|changeWithdrawalLimits|allowDestination|removeDestination|makeDefaultWallet|activateSubAccount|(?:un)?freeze\w+|suspendMerchant|resumeMerchant|closeSubAccount|\w+Connection|lift(?:Chain|HotWallet))|api: (?:POST|PATCH) \/v1\/sub-accounts.*)$/,
  ],
  [
    'money comes by it, or a payer is asked for money',
    /^(?:api: POST \/v1\/(?:payments|payments\/\{id\}\/(?:capture|cancel)|payment-links|payment-links\/\{id\}\/archive)|act: (?:payment_link\.\w+|statement\.(?:accept|import|held-same|held-new|correct|propose|refuse-correction)|inbox\.\w+)|console: (?:(?:accept|refuse)Typo|decideHeldMovement|requestCorrection|proposeOwner|confirmOwner|(?:retry|drop)Signal)|lane: (?:open a payment|initiate an attempt|end a payment|decide about an authorisation|settle receipts|release what waited|credit found coins))$/,
  ],
  [
    'it ends what was to leave, and the money stays',
    /^(?:api: POST \/v1\/(?:withdrawals|withdrawal-batches)\/\{id\}\/(?:cancel|reject)|api: POST \/v1\/refunds\/\{id\}\/reject|api: POST \/v1\/transfer-grants\/\{id\}\/revoke|lane: revoke a transfer grant|act: (?:transfer-grant\.revoke|withdrawal\.stop|refund\.hold|suspense\.refuse|unrecorded\.refuse|payout\.refuse-end)|console: (?:refuseProposal|stopPayout))$/,
  ],
  [
    'it records what has left or come already, as a provider or bank reports it',
    /^(?:lane: (?:settle a payout|record what left|book our own coins)|act: (?:withdrawal\.resolve|refund\.(?:end|request)|end\.(?:refund|withdrawal)|payout\.propose-end|payment-file\.take|statement\.(?:foreign-done|no-recall)|rescue\.(?:propose|confirm)|restore\.[\w-]+)|console: (?:resolveWithdrawal|endRefund|takePaymentFile|endForeignMoney))$/,
  ],
  [
    'it answers a dispute and moves nothing',
    /^(?:act: dispute_evidence\.\w+|api: \w+ \/v1\/disputes\/\{id\}\/evidence.*)$/,
  ],
  [
    'it says what a call would come to, and writes nothing',
    /^console: review(?:Withdrawal|WithdrawalBatch|Refund|PayoutSchedule)$/,
  ],
  [
    'it changes records of the ledger’s neighbours and moves no money',
    /^(?:api: (?:POST|PATCH) \/v1\/wallets.*|lane: (?:create a wallet|change a wallet|ping a webhook endpoint|disable a webhook endpoint|seal the audit log|advance the clock of a sandbox|begin an epoch))$/,
  ],
]

/** Why nothing leaves by this door; undefined for a door that nobody has judged. */
export function whyNothingLeaves(door: string): string | undefined {
  return elsewhere.find(([, doors]) => doors.test(door))?.[0]
}

/** The reasons by which nothing is excused any more. */
export function unusedReasons(doors: readonly string[]): readonly string[] {
  return elsewhere
    .filter(([, pattern]) => !doors.some((door) => pattern.test(door)))
    .map(([because]) => because)
}
