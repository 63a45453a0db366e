// Runs the tasks of an event store when they fall due, in the order of their due times. After a restart it continues with the
// tasks that are left.
import type { Tasks } from './event-store.ts'
import { isDelivery, type Delivery, type Outbox } from './outbox.ts'

const timerMax = 2 ** 31 - 1

export type AgendaWiring<Task extends object, Letter> = {
  readonly eventStore: Tasks<Task | Delivery<Letter>> & { together<T>(work: () => T): T }
  readonly outbox: Pick<Outbox<Letter>, 'attempt'>
  /** Runs a due task, in one group with the record that it is done. */
  readonly perform: (what: Task) => void
  /** How long deliveries wait while nothing can be sent, in milliseconds. */
  readonly pauseMs?: () => number | undefined
  /** Called after each task. */
  readonly done?: () => void
}

/** Starts; the returned function stops it. */
export function runAgenda<Task extends object, Letter>(wiring: AgendaWiring<Task, Letter>): () => void {
  const { eventStore, outbox, perform, pauseMs, done } = wiring
  const timers = new Map<number, NodeJS.Timeout>()
  const arm = (task: number, delayMs?: number) => {
    const found = eventStore.tasks.get(task)
    if (found === undefined) return
    clearTimeout(timers.get(task))
    const wait = Math.min(Math.max(0, delayMs ?? found.dueAt - eventStore.clock()), timerMax)
    timers.set(task, setTimeout(run, wait, task))
  }
  const run = (task: number): void => {
    clearTimeout(timers.get(task))
    timers.delete(task)
    const found = eventStore.tasks.get(task)
    if (found === undefined) return
    // A timer's longest span was too short for the wait.
    if (found.dueAt > eventStore.clock()) return arm(task)
    const { what } = found
    if (isDelivery<Letter>(what)) {
      const pause = pauseMs?.()
      if (pause !== undefined) return arm(task, pause)
      void outbox.attempt(task)
      return
    }
    eventStore.together(() => {
      perform(what)
      eventStore.end(task)
    })
    done?.()
  }
  const rearm = () => {
    const byDue = [...eventStore.tasks].toSorted(([, a], [, b]) => a.dueAt - b.dueAt)
    for (const [task, { dueAt }] of byDue) {
      if (dueAt > eventStore.clock()) arm(task)
      else run(task)
    }
  }
  eventStore.onChange((task) => (task === undefined ? rearm() : arm(task)))
  rearm()
  return () => {
    for (const timer of timers.values()) clearTimeout(timer)
    eventStore.onChange(() => undefined)
  }
}
