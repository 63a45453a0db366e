// What the wallet has put off until later, done when it falls due. A restart goes on with what was left.
import { now } from '../kit/clock.ts'
import type { Task } from './events.ts'
import { expireIfDue } from './orders.ts'
import { endRefund } from './refunds.ts'
import { present } from './state.ts'
import type { Wallet } from './wallet.ts'
import { heldFor } from './webhooks.ts'

const timerMax = 2 ** 31 - 1

export type Tasks = {
  /** Sends a delivery now, and settles when it was answered. */
  deliverNow(task: number): Promise<void>
  /** The clock was advanced: what falls due is done. */
  rearm(): void
  stop(): void
}

export function runTasks(wallet: Wallet): Tasks {
  const { book } = wallet
  const timers = new Map<number, NodeJS.Timeout>()
  const underWay = new Set<number>()
  const arm = (task: number) => {
    const found = book.state.tasks.get(task)
    if (found === undefined) return
    clearTimeout(timers.get(task))
    const wait = Math.min(Math.max(0, found.dueAt - book.clock()), timerMax)
    timers.set(task, setTimeout(run, wait, task))
  }
  const run = (task: number): void => {
    timers.delete(task)
    const what = book.state.tasks.get(task)?.what
    if (what === undefined) return
    if (what.do === 'deliver') return void deliver(task, what)
    book.together(() => {
      perform(wallet, what)
      book.record({ type: 'task.ended', at: now(), task })
    })
    // No call caused them, so there is no answer to come before.
    for (const early of wallet.passing.early.splice(0)) run(early)
  }
  const deliver = async (task: number, what: Extract<Task, { readonly do: 'deliver' }>) => {
    if (underWay.has(task)) return
    underWay.add(task)
    clearTimeout(timers.get(task))
    timers.delete(task)
    await wallet.webhooks.attempt(task, what).finally(() => underWay.delete(task))
    // Those that let this one go first.
    if (what.held === undefined) for (const held of heldFor(book, what.url)) run(held)
  }
  book.onScheduled(arm)
  for (const task of book.state.tasks.keys()) arm(task)
  return {
    deliverNow: async (task) => {
      const what = book.state.tasks.get(task)?.what
      if (what?.do === 'deliver') await deliver(task, what)
    },
    rearm: () => {
      for (const task of book.state.tasks.keys()) if (!underWay.has(task)) arm(task)
    },
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer)
      book.onScheduled(() => undefined)
    },
  }
}

function perform(wallet: Wallet, task: Exclude<Task, { readonly do: 'deliver' }>): void {
  const { state } = wallet.book
  switch (task.do) {
    case 'expire':
      return expireIfDue(wallet, present(state.orders.get(task.prepayId)))
    case 'end-refund':
      return endRefund(wallet, present(state.refunds.get(task.refund)), task.status)
  }
}
