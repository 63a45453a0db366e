// Decisions about money that left unrecorded: whose it was. Two people always decide: one requests, and another one approves.
import type { Tx } from '#/db/client.ts'
import { AppError, noSuch } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import {
  unrecordedKind,
  type UnrecordedItem,
  type UnrecordedVerdict,
} from '#/settlement/resolve-unrecorded.ts'
import {
  selectUnrecordedById,
  type Unrecorded,
  type UnrecordedId,
  type UnrecordedResolution,
} from '#/settlement/unrecorded-queries.ts'
import { requireOwnKeys, type Operator } from './deps.ts'
import { selectConnectionOwner } from './interest-queries.ts'
import type { Proposal } from './proposal-queries.ts'
import { propose } from './proposals.ts'
import type { SuspenseDeps } from './suspense.ts'

export type UnrecordedRequest = {
  readonly id: UnrecordedId
  readonly resolution: UnrecordedResolution
  /** For `CHARGED`: whose it was. */
  readonly merchantId?: MerchantId
}

/** How the audit log and the list of requests name each decision. */
const unrecordedActs = {
  CHARGED: 'unrecorded.charge',
  WRITTEN_OFF: 'unrecorded.write-off',
  RETURNED: 'unrecorded.return',
} as const satisfies Record<UnrecordedResolution, Proposal['kind']>

/**
 * Requests a decision of another person. Throws AppError: `not_found`, `invalid_state` when it was decided or a request about it is open,
 * `invalid_request` without a reason.
 */
export async function proposeUnrecorded(
  deps: Pick<SuspenseDeps, 'sql' | 'hasOwnKeys'>,
  operator: Operator,
  request: UnrecordedRequest,
  reason: string | undefined,
): Promise<Proposal> {
  const [found] = await selectUnrecordedById(deps.sql, [request.id])
  if (found === undefined) throw refusalOfUnrecorded({ kind: 'not_found' })
  if (found.resolution !== null) throw refusalOfUnrecorded({ kind: 'already', unrecorded: found })
  requireOwnKeys(deps, found.mode)
  const { id, resolution, merchantId } = request
  const merchant = merchantId === undefined ? {} : { merchantId }
  return propose(deps.sql, operator, {
    kind: unrecordedActs[resolution],
    subject: subjectOf(id),
    arguments: { id, resolution, ...merchant },
    reason,
    ...merchant,
    concerned: [merchantId, found.merchantId, await selectConnectionOwner(deps.sql, found.connection)],
  })
}

/** Carries a decision out. `beside`: what is written in the same transaction: who approved it. */
export async function submitUnrecorded(
  deps: Pick<SuspenseDeps, 'sql' | 'lane' | 'hasOwnKeys'>,
  { by }: Operator,
  { request, note }: { readonly request: UnrecordedRequest; readonly note: string },
  beside: (tx: Tx) => Promise<void>,
): Promise<Unrecorded> {
  const { id, resolution, merchantId } = request
  const [found] = await selectUnrecordedById(deps.sql, [id])
  if (found !== undefined) requireOwnKeys(deps, found.mode)
  const audit: AuditEntry = {
    ...by,
    action: unrecordedActs[resolution],
    subject: subjectOf(id),
    ...given({ merchantId }),
    reason: note,
  }
  const verdict = await deps.lane.submit(unrecordedKind, itemOf(request, { id, note, audit }), { beside })
  if (verdict.kind !== 'resolved') throw refusalOfUnrecorded(verdict)
  return verdict.unrecorded
}

function itemOf(
  { resolution, merchantId }: UnrecordedRequest,
  common: Pick<UnrecordedItem, 'id' | 'note' | 'audit'>,
): UnrecordedItem {
  if (resolution !== 'CHARGED') return { ...common, resolution }
  if (merchantId === undefined)
    throw new AppError('invalid_request', 'Name the merchant that it is charged to.')
  return { ...common, resolution, merchantId }
}

function subjectOf(id: UnrecordedId): string {
  return `unrecorded:${id}`
}

function refusalOfUnrecorded(verdict: Exclude<UnrecordedVerdict, { readonly kind: 'resolved' }>): AppError {
  switch (verdict.kind) {
    case 'not_found':
      return noSuch('money')
    case 'unknown_merchant':
      return noSuch('merchant')
    case 'already':
      return new AppError('invalid_state', `It was decided before: ${verdict.unrecorded.resolution}.`)
    case 'other_merchant':
      return new AppError(
        'invalid_state',
        `It is a refund of a payment of merchant ${verdict.unrecorded.merchantId}: nobody else is charged for it.`,
      )
    case 'other_mode':
      return new AppError(
        'invalid_state',
        `The money is ${verdict.unrecorded.mode}, the merchant ${verdict.mode}.`,
      )
    case 'no_wallet':
      return new AppError(
        'invalid_state',
        `The merchant has no wallet in ${verdict.unrecorded.currency}: create one, or write it off.`,
      )
    case 'no_return':
      return new AppError(
        'invalid_state',
        'Coins that come back to the wallet are found coins, with an owner of their own: ./vintem rescue.',
      )
    case 'unbookable':
      return new AppError(
        'invalid_state',
        'An account that it would move is in another currency. A run of verify says which account.',
      )
  }
}
