// The worker of evidence: it submits evidence to providers until they have it or refuse it. What they answer of the dispute is settled.
import type { Sql } from '#/db/client.ts'
import { dueWorker, type DueWorker } from '#/jobs/worker.ts'
import { must } from '#/kernel/check.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs } from '#/kernel/time.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import * as queries from './evidence-queries.ts'
import { listDisputes, selectDisputedAttempt } from './queries.ts'

export type EvidenceSenderDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
  /** Settles what a provider answered. */
  readonly settle: (receipts: readonly Receipt[]) => Promise<unknown>
}

/** Nine files and a submission, each with the client's limit of 20 s. */
const leaseMs = 5 * minuteMs
/** Each holds its files in memory. */
const concurrency = { each: 2, total: 8 }

/** What a merchant reads when the provider takes no evidence. Its own words may name objects of its account, so they are only logged. */
const refusal =
  'The provider did not take the evidence: it may be too late, the dispute may have ended, or a file may not be readable.'

/** Submits evidence when it is due. */
export function createEvidenceWorker(deps: EvidenceSenderDeps): DueWorker {
  const { sql, log } = deps
  return dueWorker<queries.DueEvidence>({
    name: 'evidence',
    log,
    leaseMs,
    concurrency,
    isDue: queries.isEvidenceDue,
    claim: (slots, forMs) => queries.claimEvidence(sql, slots, forMs),
    run: (due) => send(deps, due),
    postpone: (due, waitMs) => queries.postponeEvidence(sql, due, waitMs),
  })
}

async function send(deps: EvidenceSenderDeps, due: queries.DueEvidence): Promise<'done'> {
  const { sql, rails, log, settle } = deps
  const { merchantId, disputeId, submissionId, texts, claim } = due
  const [dispute] = await listDisputes(sql, merchantId, { id: disputeId, limit: 1 })
  const { connection, providerRef, paymentId } = must(dispute, 'evidence has a dispute')
  const paid = must(paymentId, 'evidence is about a payment')
  const { method, ...attempt } = must(
    await selectDisputedAttempt(sql, must(dispute, 'evidence has a dispute'), paid),
    'a dispute has a receipt of its attempt',
  )
  const sender = must(rails.get(method)?.disputes?.evidence, `${method} takes evidence`)
  const files = await queries.selectFileContents(sql, due)
  const mayLeave = () => queries.isClaimed(sql, due)
  const order = { connection, providerRef, attempt, submissionId, texts, files, mayLeave }
  let failure: string | undefined
  try {
    await settle(await sender.submit(order, claim.number > 1))
  } catch (error) {
    if (!(error instanceof ProviderError) || error.outcome !== 'refused') throw error
    log.warn({ dispute: disputeId, error: messageOf(error) }, 'a provider refused evidence')
    failure = refusal
  }
  await queries.endSubmission(sql, due, failure)
  return 'done'
}
