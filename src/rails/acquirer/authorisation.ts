// What is done to a card payment after its payer has gone: an authorisation is taken or let go, a dispute is given in to. An
// intent is captured once and canceled once by the provider's own rules, so what is there afterwards is always asked for.
import type { Receipt } from '#/rails/words.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { Clock } from '#/kernel/time.ts'
import type { Authorisations, OpenedAttempt, Rail } from '#/rails/rail.ts'
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
      if (held.intent?.status !== 'requires_capture') return endedAs(held, 'let go')
      const { id } = held.intent
      return settled(deps, attempt, () => client.cancelIntent(id))
    },
  }
}

/** What was done before, by whomever. Without an authorisation there is nothing to do it to. */
function endedAs({ intent, receipts }: FollowedSession, what: string): readonly Receipt[] {
  if (intent?.status === 'succeeded' || intent?.status === 'canceled') return receipts
  const outcome = intent?.status === 'processing' ? 'unknown' : 'refused'
  throw new ProviderError(outcome, `nothing is authorised that could be ${what}`)
}

/** Does it, and answers what is true then. A refusal is believed only while the authorisation stands as it was. */
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

/** Gives in to a dispute; one that has ended meanwhile has ended. */
export function createDisputeAcceptor({ open, clock }: Deps): NonNullable<Rail['disputes']> {
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
      if (ended === undefined) throw new ProviderError('refused', 'this dispute is of no payment of ours')
      const source = toSource(connection, clock, ended.raw)
      return receiptsOfDispute(source, ended.value, attempt.id).map((receipt) => ({ ...receipt, attempt }))
    },
  }
}
