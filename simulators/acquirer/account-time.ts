// The future of an account: its tasks, and the dates of its open sessions and intents, authorisations, disputes, refunds, and
// pending money. The time for which an idempotency key is remembered does not move, because callers repeat calls by their own time.
import type { AccountClock } from '../kit/account-clock.ts'
import { now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { isDelivery } from '../kit/outbox.ts'
import type { Acquirer, KeptTransaction, Letter, Task } from './acquirer.ts'
import { isOpen } from './disputes.ts'

export function accountClock(acquirer: Acquirer): AccountClock<Task> {
  return {
    eventStore: acquirer.store,
    find: (id) => acquirer.accounts.get(id)?.id,
    accountOf: (task) => accountOf(acquirer, task),
    move: (account, byMs) => {
      acquirer.log.add(`What is ahead came ${byMs / 1000} seconds closer`, account)
      const seconds = wholeSeconds(acquirer, account, byMs)
      return {
        sessions: moveSessions(acquirer, account, seconds),
        intents: moveIntents(acquirer, account, seconds),
        authorisations: moveAuthorisations(acquirer, account, seconds),
        disputes: moveDisputes(acquirer, account, seconds),
        refunds: moveRefunds(acquirer, account, seconds),
        pendingTransactions: moveTransactions(acquirer, account, { byMs, seconds }),
      }
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

function moveSessions({ sessions }: Acquirer, account: string, seconds: number): number {
  const open = [...sessions.all()].filter(
    (each) => each.account === account && each.wire.status === 'open' && isAhead(each.wire.expires_at),
  )
  for (const session of open) {
    const { wire } = session
    sessions.put(wire.id, { ...session, wire: { ...wire, expires_at: wire.expires_at - seconds } })
  }
  return open.length
}

/** Moves the intents of local methods whose payers can still act. What is printed on a voucher does not change. */
function moveIntents({ intents }: Acquirer, account: string, seconds: number): number {
  const open = [...intents.all()].filter(
    (each) => each.account === account && each.local !== undefined && each.wire.status === 'requires_action',
  )
  for (const intent of open) {
    const { wire, local } = intent
    if (local === undefined || !isAhead(local.expiresAt)) continue
    intents.put(wire.id, { ...intent, local: { ...local, expiresAt: local.expiresAt - seconds } })
  }
  return open.length
}

function moveAuthorisations({ intents, charges }: Acquirer, account: string, seconds: number): number {
  const held = [...intents.all()].filter(
    (each) => each.account === account && each.wire.status === 'requires_capture',
  )
  for (const { wire: intent } of held) {
    const charge = present(charges.get(intent.latest_charge ?? ''))
    const { wire } = charge
    const { card = {} } = wire.payment_method_details
    const before = card['capture_before']
    if (typeof before !== 'number' || !isAhead(before)) continue
    const moved = { type: 'card', card: { ...card, capture_before: before - seconds } } as const
    charges.put(wire.id, { ...charge, wire: { ...wire, payment_method_details: moved } })
  }
  return held.length
}

function moveDisputes({ disputes }: Acquirer, account: string, seconds: number): number {
  const open = [...disputes.all()].filter(
    ({ account: owner, wire }) =>
      owner === account && isOpen(wire.status) && isAhead(wire.evidence_details.due_by),
  )
  for (const dispute of open) {
    const { wire } = dispute
    const details = { ...wire.evidence_details, due_by: wire.evidence_details.due_by - seconds }
    disputes.put(wire.id, { ...dispute, wire: { ...wire, evidence_details: details } })
  }
  return open.length
}

/** Moves the deadlines of refunds whose payers were asked for a bank account and have not named one. */
function moveRefunds({ refunds }: Acquirer, account: string, seconds: number): number {
  const waiting = [...refunds.all()].filter(
    ({ account: owner, wire: { next_action: next } }) =>
      owner === account && next !== undefined && isAhead(next.display_details.expires_at),
  )
  for (const { wire } of waiting) {
    const next = present(wire.next_action)
    const details = { ...next.display_details, expires_at: next.display_details.expires_at - seconds }
    refunds.put(wire.id, { account, wire: { ...wire, next_action: { ...next, display_details: details } } })
  }
  return waiting.length
}

function moveTransactions(
  { transactions, store }: Acquirer,
  account: string,
  { byMs, seconds }: { readonly byMs: number; readonly seconds: number },
): number {
  const availableAt = ({ wire, availableAt: at = wire.available_on * 1000 }: KeptTransaction) => at
  const pending = [...transactions.all()].filter(
    (each) => each.account === account && availableAt(each) > store.clock(),
  )
  for (const each of pending) {
    const { wire } = each
    transactions.put(wire.id, {
      ...each,
      wire: { ...wire, available_on: wire.available_on - seconds },
      availableAt: availableAt(each) - byMs,
    })
  }
  return pending.length
}

function isAhead(seconds: number): boolean {
  return seconds * 1000 > now()
}
