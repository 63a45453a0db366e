// Brings the future of one account closer: its tasks, and the dates of its objects. The present does not move: past instants stay
// as they are, and an object that is made later has its whole lifetime.
import type { Markup } from '../../web/live/markup.ts'
import { name, text, whole } from './control-fields.ts'
import { control, type Control } from './control.ts'
import type { Advance, Tasks } from './event-store.ts'
import { actions } from './page-parts.ts'
import { controlProblem } from './refusal.ts'

const hourMs = 3_600_000
/** Ten years. */
const advanceMax = 3_660 * 24 * hourMs
const accountsShown = 5

export type AccountClock<Task> = {
  readonly eventStore: Tasks<Task> & { together<T>(work: () => T): T }
  /** The account that has these credentials; undefined when there is none. */
  readonly find: (credentials: string) => string | undefined
  /** The account that a task belongs to. */
  readonly accountOf: (task: Task) => string | undefined
  /** Moves the dates of the account's objects that are still ahead back by `byMs`. Returns how many of each kind. */
  readonly move: (account: string, byMs: number) => Readonly<Record<string, number>>
}

export type ShownAccount = { readonly account: string; readonly credentials: string; readonly name: string }

/**
 * `POST /_sim/clock {account, advanceMs, id}`: answers, after the tasks that fell due have run, how many tasks and objects moved.
 * The same id again moves nothing, and gets the same answer.
 */
export function clockControl<Task>(clock: AccountClock<Task>): Control<ShownAccount> {
  const { eventStore, find } = clock
  // An advance is a group of its own: what falls due runs after it.
  const alone = { together: <T>(work: () => T) => work() }
  return control(alone, {
    path: 'clock',
    fields: { account: name, advanceMs: whole(1, advanceMax), id: text(100) },
    run: ({ account: credentials, advanceMs: byMs, id }) => {
      const account = find(credentials)
      if (account === undefined) throw controlProblem(404, 'not_found', 'No such account here')
      const { tasks, moved } = advance(clock, { account, id, byMs })
      return { account, id, advanceMs: byMs, moved: { tasks: tasks.length, ...moved } }
    },
    // One press counts once, however often it arrives.
    names: ({ account, credentials }) => ({
      account: credentials,
      id: `page ${eventStore.advances(account) + 1}`,
    }),
    buttons: () => [
      ['An hour on', { advanceMs: hourMs }],
      ['A day on', { advanceMs: 24 * hourMs }],
      ['A week on', { advanceMs: 7 * 24 * hourMs }],
    ],
  })
}

function advance<Task>(
  { eventStore, accountOf, move }: AccountClock<Task>,
  { account, id, byMs }: Pick<Advance, 'account' | 'id' | 'byMs'>,
): Advance {
  const earlier = eventStore.advanceOf(account, id)
  if (earlier !== undefined && earlier.byMs !== byMs)
    throw controlProblem(409, 'id_reused', `This id advanced the account by ${earlier.byMs} ms`)
  if (earlier !== undefined) return earlier
  const made = eventStore.together(() => {
    const ofAccount = [...eventStore.tasks].filter(([, { what }]) => accountOf(what) === account)
    const tasks = ofAccount.map(([task]) => task)
    const fresh = { account, id, byMs, tasks, moved: move(account, byMs) }
    eventStore.advance(fresh)
    return fresh
  })
  eventStore.settle()
  return made
}

/** For a simulator's page: buttons for the accounts that came last. */
export function clockSections(
  clock: Control<ShownAccount>,
  accounts: readonly ShownAccount[],
): readonly Markup[] {
  return accounts
    .slice(-accountsShown)
    .reverse()
    .map((shown) => [
      'section',
      { 'data-key': `clock ${shown.account}` },
      ['h2', {}, `What is ahead of ${shown.name}`],
      ['code', { class: 'id' }, shown.account],
      ...actions(clock.buttons(shown)),
    ])
}
