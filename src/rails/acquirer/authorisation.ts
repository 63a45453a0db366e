// What is done with a card payment after the payer has left: an authorisation is captured or voided, a dispute is accepted. The
// provider lets an intent be captured once and canceled once, so its state is read after each call.
import { ProviderError } from '#/kernel/error.ts'
import type { Clock } from '#/kernel/time.ts'
import type { Authorisations, OpenedAttempt, Rail } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { CardError } from './client.ts'
import type { OpenConnections } from './connections.ts'
import { attemptReceipts, toSource, type FollowedSession } from './follow.ts'
import { receiptsOfDispute, receiptsOfIntent } from './receipts.ts'

type Deps = { readonly open: OpenConnections; readonly clock: Clock }

export function createCardAuthorisations(deps: Deps): Authorisations {
  return {
    async capture({ attempt, amount }) {
      const { client } = deps.open.collecting(attempt.connection)
      const held = await attemptReceipts(deps, attempt)
      if (held.intent?.status !== 'requires_capture') return endedAs(held, 'captured')
      const { id } = held.intent
      return settled(deps, attempt, () => client.captureIntent(id, amount.minor))
    },
    async void({ attempt }) {
      const { client } = deps.open.collecting(attempt.connection)
      const held = await attemptReceipts(deps, attempt)
      if (held.intent?.status !== 'requires_capture') return endedAs(held, 'voided')
      const { id } = held.intent
      return settled(deps, attempt, () => client.cancelIntent(id))
    },
  }
}

/** Returns the receipts of an authorisation that has already ended. Throws if there is none. */
function endedAs({ intent, receipts }: FollowedSession, what: string): readonly Receipt[] {
  if (intent?.status === 'succeeded' || intent?.status === 'canceled') return receipts
  const outcome = intent?.status === 'processing' ? 'unknown' : 'refused'
  throw new ProviderError(outcome, `there is no authorisation that could be ${what}`)
}

/** Makes the call and returns the state after it. A refusal counts only while the authorisation is unchanged. */
async function settled(
  deps: Deps,
  attempt: OpenedAttempt,
  act: () => ReturnType<ReturnType<OpenConnections['collecting']>['client']['getIntent']>,
): Promise<readonly Receipt[]> {
  const connection = deps.open.collecting(attempt.connection)
  try {
    const done = await act()
    if (done === undefined) return (await attemptReceipts(deps, attempt)).receipts
    return receiptsOfIntent(toSource(connection, deps.clock, done.raw), done.value)
  } catch (error) {
    if (!(error instanceof CardError)) throw error
    const now = await attemptReceipts(deps, attempt)
    if (now.intent?.status === 'requires_capture') throw error
    return now.receipts
  }
}

/** Accepts a dispute. One that has ended meanwhile is reported as it ended. */
export function createDisputeAcceptor({ open, clock }: Deps): Pick<NonNullable<Rail['disputes']>, 'accept'> {
  return {
    async accept({ connection: id, providerRef, attempt }) {
      const connection = open.collecting(id)
      const { client } = connection
      const ended = await client.closeDispute(providerRef).catch(async (error: unknown) => {
        if (!(error instanceof CardError) || error.outcome !== 'refused') throw error
        const now = await client.getDispute(providerRef)
        if (now?.value.status === 'won' || now?.value.status === 'lost') return now
        throw error
      })
      if (ended === undefined)
        throw new ProviderError('refused', 'this dispute belongs to no payment of ours')
      const source = toSource(connection, clock, ended.raw)
      return receiptsOfDispute(source, ended.value, attempt.id).map((receipt) => ({ ...receipt, attempt }))
    },
  }
}
