// What the bank has put off until later, done when it falls due. A restart goes on with what was left.
import { now } from '../kit/clock.ts'
import type { Bank } from './bank.ts'
import { autopay } from './autopay.ts'
import { heldOf } from './dispatch.ts'
import type { Task } from './events.ts'
import { endPayout, returnPayout } from './payouts.ts'
import { endRefund, takeBack } from './refunds.ts'
import { keyOf, present } from './state.ts'

/** A bank that is down sends nothing; it looks again after so long. */
const downMs = 200

/** Begins; the returned function ends it. */
export function runTasks(bank: Bank): () => void {
  const { book } = bank
  const timers = new Map<number, NodeJS.Timeout>()
  const underWay = new Set<number>()
  const arm = (task: number, delayMs?: number) => {
    const found = book.state.tasks.get(task)
    if (found === undefined) return
    clearTimeout(timers.get(task))
    const wait = Math.min(Math.max(0, delayMs ?? found.dueAt - now()), 2 ** 31 - 1)
    timers.set(task, setTimeout(run, wait, task))
  }
  const run = (task: number): void => {
    timers.delete(task)
    const what = book.state.tasks.get(task)?.what
    if (what === undefined || underWay.has(task)) return
    if (what.do === 'deliver') {
      if (bank.passing.down) return arm(task, downMs)
      void deliver(task, what)
      return
    }
    book.together(() => {
      perform(bank, what)
      book.record({ type: 'task.ended', at: now(), task })
    })
  }
  const deliver = async (task: number, what: Extract<Task, { readonly do: 'deliver' }>) => {
    underWay.add(task)
    await bank.dispatch.attempt(task, what).finally(() => underWay.delete(task))
    // Those that let this one go first.
    if (what.held === undefined) for (const held of heldOf(book, what.pixKey)) arm(held, 0)
  }
  book.onScheduled((task) => arm(task))
  for (const task of book.state.tasks.keys()) arm(task)
  return () => {
    for (const timer of timers.values()) clearTimeout(timer)
    book.onScheduled(() => undefined)
  }
}

function perform(bank: Bank, task: Exclude<Task, { readonly do: 'deliver' }>): void {
  const { state } = bank.book
  switch (task.do) {
    case 'autopay':
      return autopay(bank, present(state.charges.get(keyOf(task.pixKey, task.txid))), task.scenario)
    case 'med': {
      const pix = present(state.pix.get(task.endToEndId))
      if (pix.refunds.length === 0) takeBack(bank, pix, { natureza: task.natureza, status: 'DEVOLVIDO' })
      return
    }
    case 'end-refund': {
      const pix = present(state.pix.get(task.endToEndId))
      const isOpen = pix.refunds.some(({ id, status }) => id === task.id && status === 'EM_PROCESSAMENTO')
      if (isOpen) endRefund(bank, pix, task.id, task.status)
      return
    }
    case 'end-payout':
      return endPayout(bank, present(state.payoutsByEndToEndId.get(task.payout)), task.status, task.code)
    case 'return-payout':
      return returnPayout(bank, present(state.payoutsByEndToEndId.get(task.payout)))
  }
}
