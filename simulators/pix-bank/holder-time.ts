// The future of the holder of a Pix key: its tasks, the end of its open charges, and until when a Pix can be returned. Any
// application of the key names the holder. Tokens do not move: they are for calls that are made now.
import type { AccountClock, ShownAccount } from '../kit/account-clock.ts'
import { now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { isDelivery } from '../kit/outbox.ts'
import type { Bank } from './bank.ts'
import type { Letter, Task } from './events.ts'
import { openAt, type State } from './state.ts'

export function holderClock({ eventStore }: Bank): AccountClock<Task> {
  const { state } = eventStore
  return {
    eventStore,
    find: (clientId) => state.applications.get(clientId)?.pixKey,
    accountOf: (task) => pixKeyOf(state, task),
    move: (pixKey, byMs) => {
      const at = now()
      const { charges, received } = present(state.accounts.get(pixKey))
      const moved = {
        charges: openAt(charges, at).length,
        refundWindows: received.filter(({ refundableUntil }) => refundableUntil > at).length,
      }
      eventStore.record({ type: 'dates.moved', at, pixKey, byMs })
      return moved
    },
  }
}

function pixKeyOf({ pix, payoutsByEndToEndId: payouts }: State, task: Task): string {
  if (isDelivery<Letter>(task)) return task.pixKey
  switch (task.do) {
    case 'autopay':
      return task.pixKey
    case 'med':
    case 'end-refund':
      return present(pix.get(task.endToEndId)).account.pixKey
    case 'end-payout':
    case 'return-payout':
      return present(payouts.get(task.payout)).account.pixKey
  }
}

/** The holders of keys, each named by its first application, for the page. */
export function holdersOf({ applications }: State): readonly ShownAccount[] {
  const shown = new Map<string, ShownAccount>()
  for (const { clientId, pixKey, name } of applications.values())
    if (!shown.has(pixKey)) shown.set(pixKey, { account: pixKey, credentials: clientId, name })
  return [...shown.values()]
}
