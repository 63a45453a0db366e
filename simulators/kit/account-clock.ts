// Brings the future of one account closer: its tasks, and the dates of its objects. The present does not move: past instants stay
// as they are, and an object that is made later has its whole lifetime.
import type { Markup } from '../../web/live/markup.ts'
import { bad, integer } from './control-fields.ts'
import { route } from './control-route.ts'
import type { Advance, Tasks } from './event-store.ts'
import { asText, type Fields } from './fields.ts'
import type { Route } from './http.ts'
import { action } from './page-parts.ts'
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

/**
 * `POST /_sim/clock {account, advanceMs, id}`: answers, after the tasks that fell due have run, how many tasks and objects moved.
 * The same id again moves nothing, and gets the same answer.
 */
export function clockRoute<Task>(clock: AccountClock<Task>): Route {
  return route('POST', '/_sim/clock', (body) => {
    const { account, id, byMs, tasks, moved } = advance(clock, body)
    return {
      status: 200,
      body: { account, id, advanceMs: byMs, moved: { tasks: tasks.length, ...moved } },
    }
  })
}

function advance<Task>({ eventStore, find, accountOf, move }: AccountClock<Task>, body: Fields): Advance {
  const byMs = integer(body, 'advanceMs', 1, advanceMax)
  if (byMs === undefined) throw bad('advanceMs is missing')
  const id = asText(body['id'], 100)
  if (id === undefined) throw bad('id is a text of at most 100 characters')
  const account = find(asText(body['account'], 200) ?? '')
  if (account === undefined) throw controlProblem(404, 'not_found', 'No such account here')
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

export type ShownAccount = { readonly account: string; readonly credentials: string; readonly name: string }

/** For a simulator's page: buttons for the accounts that came last. */
export function clockSections<Task>(
  { advances }: Pick<Tasks<Task>, 'advances'>,
  accounts: readonly ShownAccount[],
): readonly Markup[] {
  return accounts
    .slice(-accountsShown)
    .reverse()
    .map(({ account, credentials, name }) => {
      // One press counts once, however often it arrives.
      const id = `page ${advances(account) + 1}`
      const button = (words: string, advanceMs: number) =>
        action(words, '/_sim/clock', { account: credentials, advanceMs, id })
      const buttons = [
        button('An hour on', hourMs),
        button('A day on', 24 * hourMs),
        button('A week on', 7 * 24 * hourMs),
      ]
      return [
        'section',
        { 'data-key': `clock ${account}` },
        ['h2', {}, `What is ahead of ${name}`],
        ['code', { class: 'id' }, account],
        ['div', { class: 'actions' }, ...buttons],
      ]
    })
}
