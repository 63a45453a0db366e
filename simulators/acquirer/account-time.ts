// The future of an account: its tasks, and the dates of its open sessions and intents, authorisations, disputes, refunds, and
// pending money. The time for which an idempotency key is remembered does not move, because callers repeat calls by their own time.
import type { AccountClock } from '../kit/account-clock.ts'
import { now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { isDelivery } from '../kit/outbox.ts'
import type { Table } from '../kit/store.ts'
import type { Acquirer, Kept, Letter, Task } from './acquirer.ts'
import { isOpen } from './disputes.ts'

export function accountClock(acquirer: Acquirer): AccountClock<Task> {
  return {
    eventStore: acquirer.store,
    find: (id) => acquirer.accounts.get(id)?.id,
    accountOf: (task) => accountOf(acquirer, task),
    move: (account, byMs) => {
      acquirer.log.add(`What is ahead came ${byMs / 1000} seconds closer`, account)
      return moveDates(acquirer, account, { byMs, seconds: wholeSeconds(acquirer, account, byMs) })
    },
  }
}

/**
 * By how many seconds the dates of the account move. The API's instants are whole seconds, but an advance comes in steps. The part
 * of a second that one step leaves counts in the next step, so that many small steps move the dates as far as a single one.
 */
function wholeSeconds({ accounts }: Acquirer, account: string, byMs: number): number {
  const found = present(accounts.get(account))
  const before = found.movedMs ?? 0
  const movedMs = before + byMs
  accounts.put(account, { ...found, movedMs })
  return Math.floor(movedMs / 1000) - Math.floor(before / 1000)
}

function accountOf(acquirer: Acquirer, task: Task): string | undefined {
  if (isDelivery<Letter>(task)) return acquirer.endpoints.get(task.endpoint)?.account
  switch (task.do) {
    case 'expire-session':
      return acquirer.sessions.get(task.session)?.account
    case 'lapse':
    case 'expire-intent':
    case 'end-intent':
      return acquirer.intents.get(task.intent)?.account
    case 'dispute':
      return acquirer.charges.get(task.charge)?.account
    case 'end-refund':
      return acquirer.refunds.get(task.refund)?.account
  }
}

type Span = { readonly byMs: number; readonly seconds: number }

/** Moves the dates of the account's objects. Returns how many of each kind were open. */
function moveDates(acquirer: Acquirer, account: string, { byMs, seconds }: Span) {
  const { sessions, intents, charges, disputes, refunds, transactions, store } = acquirer
  /** `moved`: the object with its dates moved; undefined for one that has none ahead. */
  const moveIn = <One extends Kept<{ readonly id: string }>>(
    table: Table<One>,
    moved: (kept: One) => One | undefined,
  ): number => {
    const open = [...table.all()]
      .filter((each) => each.account === account)
      .flatMap((each) => moved(each) ?? [])
    for (const each of open) table.put(each.wire.id, each)
    return open.length
  }
  return {
    sessions: moveIn(sessions, (session) => {
      const { wire } = session
      if (wire.status !== 'open' || !isAhead(wire.expires_at)) return undefined
      return { ...session, wire: { ...wire, expires_at: wire.expires_at - seconds } }
    }),
    // Of local methods whose payers can still act. What is printed on a voucher does not change.
    intents: moveIn(intents, (intent) => {
      const { wire, local } = intent
      if (local === undefined || wire.status !== 'requires_action') return undefined
      const { expiresAt } = local
      return {
        ...intent,
        local: { ...local, expiresAt: isAhead(expiresAt) ? expiresAt - seconds : expiresAt },
      }
    }),
    authorisations: moveIn(charges, (charge) => {
      const { wire } = charge
      const { card = {} } = wire.payment_method_details
      const before = card['capture_before']
      const isHeld = intents.get(wire.payment_intent)?.wire.status === 'requires_capture'
      if (!isHeld || !wire.paid || typeof before !== 'number' || !isAhead(before)) return undefined
      const moved = { type: 'card', card: { ...card, capture_before: before - seconds } } as const
      return { ...charge, wire: { ...wire, payment_method_details: moved } }
    }),
    disputes: moveIn(disputes, (dispute) => {
      const { wire } = dispute
      const details = wire.evidence_details
      if (!isOpen(wire.status) || !isAhead(details.due_by)) return undefined
      const evidence_details = { ...details, due_by: details.due_by - seconds }
      return { ...dispute, wire: { ...wire, evidence_details } }
    }),
    // Of refunds whose payers were asked for a bank account and have not named one.
    refunds: moveIn(refunds, (refund) => {
      const { wire } = refund
      const { next_action: next } = wire
      if (next === undefined || !isAhead(next.display_details.expires_at)) return undefined
      const { expires_at, ...asked } = next.display_details
      const display_details = { ...asked, expires_at: expires_at - seconds }
      return { ...refund, wire: { ...wire, next_action: { ...next, display_details } } }
    }),
    pendingTransactions: moveIn(transactions, (transaction) => {
      const { wire, availableAt = wire.available_on * 1000 } = transaction
      if (availableAt <= store.clock()) return undefined
      const available_on = wire.available_on - seconds
      return { ...transaction, wire: { ...wire, available_on }, availableAt: availableAt - byMs }
    }),
  }
}

function isAhead(seconds: number): boolean {
  return seconds * 1000 > now()
}
