// What only a second person may do after a restore: confirm that money out was compared, and let money out again.
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { personNamed, objectionTo } from '#/people/person.ts'
import { countUndecided, selectBeginner, selectLastComparison } from './money-out-queries.ts'

/**
 * Throws AppError `forbidden` for the person who began the repair, by whichever of their accounts they come. `name`: the account at the command
 * line.
 */
export async function requireSecondPerson(sql: Sql, name: string): Promise<void> {
  const beginner = await selectBeginner(sql)
  if (beginner === undefined) return
  const [decider, began] = await Promise.all([personNamed(sql, name), personNamed(sql, beginner)])
  if (objectionTo(decider, [began]) !== undefined)
    throw new AppError('forbidden', 'You began this repair: another person does this step.', {
      extra: { reason: 'own_request' },
    })
}

/**
 * Throws AppError `invalid_state` while nobody has decided about money that left unrecorded: the books still hold it for
 * somebody, so it could leave a second time.
 */
export async function requireDecided(sql: Sql): Promise<void> {
  const count = await countUndecided(sql)
  if (count > 0)
    throw new AppError(
      'invalid_state',
      `Of what left unrecorded, ${count} still wait for two people who decide whose it was: ./vintem suspense sent.`,
    )
}

/**
 * Throws AppError `invalid_state` without a comparison, and while the last comparison missed a list that `without` does not
 * name. `without`: the connections whose lists a person compared by hand. A connection whose list was not missed is refused
 * there.
 */
export async function requireCompared(
  sql: Sql,
  epoch: number,
  without: readonly ConnectionId[],
): Promise<void> {
  const last = await selectLastComparison(sql, epoch)
  if (last === undefined)
    throw new AppError(
      'invalid_state',
      'Nothing was compared with the providers: ./vintem restored money-out.',
    )
  const missed = new Map(last.incomplete.map(({ connection, why }) => [connection, why]))
  const needless = without.filter((id) => !missed.has(id))
  if (needless.length > 0)
    throw new AppError('invalid_state', `The last comparison missed nothing of ${needless.join(', ')}.`)
  const open = [...missed].filter(([id]) => !without.includes(id))
  if (open.length > 0)
    throw new AppError(
      'invalid_state',
      `The last comparison missed ${open.map(([id, why]) => `${id} (${why})`).join(', ')}: compare again, or compare by hand and name it with --without.`,
    )
}
