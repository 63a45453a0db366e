// The SQL of moves in the directory of cells.
import type { Sql, Tx } from '#/db/client.ts'
import type { Move, MoveState } from './move-decision.ts'

/** The move of this cell that has not ended. */
export async function selectOpenMove(sql: Sql | Tx, cell: string): Promise<Move | undefined> {
  const [row] = await sql<Move[]>`
    select id::text as id, cell, source, target, system_identifier as "systemIdentifier", state
      from cell_move where cell = ${cell} and state not in ('DONE', 'CANCELED')`
  return row
}

export async function insertMove(tx: Tx, move: Omit<Move, 'id' | 'state'>, who: string): Promise<void> {
  const { cell, source, target, systemIdentifier } = move
  await tx`
    insert into cell_move (cell, source, target, system_identifier, who)
    values (${cell}, ${source}, ${target}, ${systemIdentifier}, ${who})`
}

/** Records the next state. False when the move is not in the state that this run knows: another run went on with it. */
export async function updateMoveState(
  sql: Sql | Tx,
  { id, state }: Pick<Move, 'id' | 'state'>,
  next: MoveState,
): Promise<boolean> {
  const updated = await sql`
    update cell_move set state = ${next}, changed_at = clock_timestamp()
     where id = ${id}::bigint and state = ${state} returning id`
  return updated.length === 1
}

/** Which PostgreSQL this is: a copy of a server has the same identifier, and a process of its own. */
export async function selectIdentity(
  sql: Sql | Tx,
): Promise<{ readonly systemIdentifier: string; readonly startedAt: string; readonly isStandby: boolean }> {
  const [row] = await sql<{ systemIdentifier: string; startedAt: string; isStandby: boolean }[]>`
    select (select system_identifier::text from pg_control_system()) as "systemIdentifier",
           extract(epoch from pg_postmaster_start_time())::text as "startedAt",
           pg_is_in_recovery() as "isStandby"`
  return row ?? { systemIdentifier: '', startedAt: '', isStandby: false }
}
