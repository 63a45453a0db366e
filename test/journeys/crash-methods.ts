// The part of the load that needs no chain: payments by Pix, card, iDEAL, SEPA transfer and the partner's wallet app, captures, refunds, and
// withdrawals by PIX. They go on while servers or single processes are killed.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { count } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { pagesHold, startPagesLoad, type PagePayer, type PagesLoad } from './crash-pages.ts'
import { payoutsHold, startPayoutLoad } from './crash-payouts.ts'
import { pixHolds, startPixLoad } from './crash-pix.ts'
import { centsBySepa, sepaHolds, startSepaLoad } from './crash-sepa.ts'
import type { LoadedInstallation } from './installation.ts'
import { call, startWebhookServer, type Json, type WebhookServer } from './merchant.ts'

/** Acknowledged between two blows: without them a blow proves nothing. */
export const acknowledgedBetween = count({ quick: 4, soak: 8 })
const acknowledgedOnPages = count({ quick: 2, soak: 4 })
/** Of the methods that one merchant's worker uses. */
const acknowledgedOnce = 1

/** How many were acknowledged, and how many are to be. */
export type Goal = { readonly what: string; readonly promised: readonly unknown[]; readonly goal: number }

export type MethodsLoad = {
  readonly hooks: WebhookServer
  readonly onPages: PagesLoad
  /** What is to be acknowledged until the next blow. */
  goals(): readonly Goal[]
  stop(): Promise<void>
  /** After the stop: all that was acknowledged is true, here and at the providers. */
  holds(t: TestContext): Promise<void>
}

/** Starts the load on a running installation. `stack` ends it. `payer`: pays on pages where there is no `start` to play the payer. */
export async function startMethodsLoad(
  installation: LoadedInstallation,
  stack: AsyncDisposableStack,
  payer?: PagePayer,
): Promise<MethodsLoad> {
  const hooks = stack.use(await startWebhookServer(installation.sandbox().webhookSecret))
  const pix = startPixLoad(installation, hooks)
  const onPages = startPagesLoad(installation, hooks, payer)
  const sepa = startSepaLoad(installation, hooks)
  const payouts = startPayoutLoad(installation, hooks)
  const stop = async () => {
    await Promise.all([pix, onPages, sepa, payouts].map((load) => load.stop()))
  }
  stack.defer(() => stop().catch(() => {}))
  return {
    hooks,
    onPages,
    stop,
    goals: () => [
      goalOf('Pix', pix.promised, acknowledgedBetween),
      goalOf('on pages', onPages.promised, acknowledgedOnPages),
      goalOf('SEPA', sepa.promised, acknowledgedOnce),
      goalOf('withdrawals', payouts.promised, acknowledgedOnce),
    ],
    async holds(t) {
      t.diagnostic(await sepaHolds(installation, sepa))
      t.diagnostic(await pagesHold(installation, onPages, centsBySepa(sepa)))
      t.diagnostic(await payoutsHold(installation, payouts))
      t.diagnostic(await pixHolds(installation, pix, await payouts.cents()))
      await eventsAreDelivered(installation, hooks)
    },
  }
}

/** `more` than now. */
export function goalOf(what: string, promised: readonly unknown[], more: number): Goal {
  return { what, promised, goal: promised.length + more }
}

/** Waits until all goals are reached. `said`: the last words of the processes, for the error. */
export async function reached(after: string, goals: readonly Goal[], said: () => string): Promise<void> {
  const progress = () =>
    goals.map(({ what, promised, goal }) => `${what} ${promised.length} of ${goal}`).join(', ')
  await eventually(
    () => `${after}: ${progress()} acknowledged; ${said()}`,
    () => goals.every(({ promised, goal }) => promised.length >= goal),
    300_000,
  )
}

/** The numbers have no gap, and each event arrived at least once. */
async function eventsAreDelivered(installation: LoadedInstallation, hooks: WebhookServer): Promise<void> {
  let after = 0
  while (true) {
    const { body } = await call(installation.sandbox(), 'GET', `/v1/events?after=${after}&limit=100`)
    const events = body['data'] as Json[]
    if (events.length === 0) break
    for (const event of events) {
      after += 1
      assert.equal(event['sequence'], after)
      const id = event['id']
      await eventually(`event ${after} is delivered`, async () =>
        hooks.received.some((each) => each.id === id),
      )
    }
  }
  assert.ok(after > 0, 'there were events')
  assert.equal(hooks.refused(), 0)
}
