// Moves a cell to another PostgreSQL server: a standby of the new host follows, the old server is closed, the standby is promoted and opened,
// and the directory names it. The directory records each step before it is made, and each step may be repeated, so a run that was killed is
// continued by the next one.
import type { Sql, Tx } from '#/db/client.ts'
import { isConnectionError } from '#/db/failure.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import type { Directory } from './directory.ts'
import {
  faultOfSource,
  faultOfTakeover,
  faultOfTarget,
  isStandbyOf,
  nextStep,
  type BooksFacts,
  type Move,
  type MoveState,
  type Refusal,
  type ServerFacts,
  type Wish,
} from './move-decision.ts'
import type { MoveServers } from './move-servers.ts'
import { insertChange, selectCells, updateCell } from './queries.ts'
import * as moves from './server-queries.ts'
import { slotName } from './server-queries.ts'

/** How long callers may wait for the target to have everything, before the source is opened again. */
const handOverMs = 30 * secondMs
const promoteSeconds = 60

export type MoveDeps = {
  readonly directory: Pick<Directory, 'sql'>
  readonly cell: string
  readonly who: string
  /** `host:port` of the cell's present server. */
  readonly source: string
  /** `host:port` of the new one; undefined: that of the move that has begun. */
  readonly target: string | undefined
  readonly servers: MoveServers
  /** What the processes find at DATABASE_URL. Undefined: nothing answers there. */
  readonly readBooks: () => Promise<BooksFacts | undefined>
  /** Whether DATABASE_URL names the server whose process has this start. */
  readonly isNamed: (startedAt: string) => Promise<boolean>
  /** What the directory's `books` is then. */
  readonly booksAt: (server: string, before: string | undefined) => string
  /** Says what is done next. */
  readonly say: (text: string) => void
}

/** `behindBytes`: what the target has not replayed; absent while it does not follow. `closedMs`: for how long nobody could write. */
export type MoveReport = Pick<Move, 'cell' | 'source' | 'target' | 'state'> & {
  readonly behindBytes?: number
  readonly closedMs?: number
}

/**
 * Does the steps that are next until the wish is fulfilled, or the operator has something to do. One call at a time for a cell.
 * @throws AppError with what keeps the cell where it is, and the remedy.
 */
export async function moveCell(deps: MoveDeps, wish: Wish): Promise<MoveReport> {
  let closedAtMs: number | undefined
  for (;;) {
    const move = await moves.selectOpenMove(deps.directory.sql, deps.cell)
    if (move !== undefined) requireSame(deps, move)
    const step = nextStep(move?.state, wish)
    if (step === 'NONE') throw refused(`No move of cell ${deps.cell} has begun: there is nothing to cancel.`)
    if (step === 'BEGIN' || move === undefined) {
      await begin(deps)
      continue
    }
    switch (step) {
      case 'REPORT':
        return report(deps, move)
      case 'CLOSE':
        await requireReady(deps, move)
        await record(deps.directory.sql, move, 'CLOSING')
        continue
      case 'HAND_OVER':
        closedAtMs = monotonicMs()
        await handOver(deps, move)
        continue
      case 'PROMOTE':
        await takeOver(deps, move)
        return {
          ...outcome(move, 'DONE'),
          ...given({
            closedMs: closedAtMs === undefined ? undefined : Math.round(monotonicMs() - closedAtMs),
          }),
        }
      case 'BACK':
        await record(deps.directory.sql, move, 'REOPENING')
        continue
      case 'REOPEN':
        await reopen(deps, move)
        continue
      case 'END':
        await end(deps, move)
        return outcome(move, 'CANCELED')
      case 'TOO_LATE':
        throw refused(
          `${move.target} has taken over already, so the move cannot be canceled. Run the command without --cancel, and move back by another move.`,
        )
    }
  }
}

function outcome({ cell, source, target }: Move, state: MoveState): MoveReport {
  return { cell, source, target, state }
}

function refused(text: string): AppError {
  return new AppError('invalid_state', text)
}

function refuseFor(fault: Refusal): void {
  if (fault !== undefined) throw refused(fault)
}

/** A move that has begun is continued with its own servers. */
function requireSame({ source, target }: MoveDeps, move: Move): void {
  if (source === move.source && (target === undefined || target === move.target)) return
  throw refused(
    `A move of cell ${move.cell} from ${move.source} to ${move.target} has begun. Name these in VINTEM_MOVE_URL and --to, or end it by --cancel.`,
  )
}

/** Records the next state, unless another command has gone on meanwhile. */
async function record(sql: Sql | Tx, move: Move, next: MoveState): Promise<void> {
  if (await moves.updateMoveState(sql, move, next)) return
  throw refused(`Another ./vintem cell move of ${move.cell} has gone on. Run the command again.`)
}

async function begin(deps: MoveDeps): Promise<void> {
  const { directory, cell, who, source, target } = deps
  if (target === undefined)
    throw refused(`No move of cell ${cell} has begun. Name the new server: --to host:port.`)
  if (!(await selectCells(directory.sql)).some(({ code }) => code === cell))
    throw new AppError('not_found', `There is no cell ${cell}. See ./vintem cell list.`)
  const from = await requireSource(deps, { cell, source, target })
  const to = await readTarget(deps, target)
  if (to !== undefined) refuseFor(faultOfTarget({ source, target }, from, to))
  const { systemIdentifier } = from
  await directory.sql.begin(async (tx) => {
    await moves.insertMove(tx, { cell, source, target, systemIdentifier }, who)
    await insertChange(tx, { cell, action: 'cell.move', who, after: { source, target, state: 'FOLLOWING' } })
  })
}

async function requireSource(
  deps: MoveDeps,
  move: Pick<Move, 'cell' | 'source' | 'target'>,
): Promise<ServerFacts> {
  const facts = await deps.servers.facts(move.source)
  const directory = await moves.selectIdentity(deps.directory.sql)
  const books = facts.isOpen === true && !facts.isStandby ? await deps.readBooks() : undefined
  refuseFor(faultOfSource(move, facts, books, directory.systemIdentifier))
  return facts
}

/** Undefined while nothing answers there: it is still to be made. */
async function readTarget({ servers }: MoveDeps, target: string): Promise<ServerFacts | undefined> {
  try {
    return await servers.facts(target)
  } catch (error) {
    if (isConnectionError(error)) return undefined
    throw refused(
      `${target} does not let the superuser of VINTEM_MOVE_URL in (${messageOf(error)}). Correct its pg_hba.conf, or name a server that is empty with --to.`,
    )
  }
}

/** The source keeps its log for the target. Both are as they have to be. */
async function prepare(
  deps: MoveDeps,
  move: Move,
): Promise<{ readonly from: ServerFacts; readonly to: ServerFacts | undefined }> {
  const from = await requireSource(deps, move)
  if (from.systemIdentifier !== move.systemIdentifier)
    throw refused(`${move.source} is not the server that the move began with. End it by --cancel.`)
  if (!from.hasSlot) {
    deps.say(`${move.source} keeps its log for ${move.target} (replication slot ${slotName}).`)
    await deps.servers.keepSlot(move.source)
  }
  const to = await readTarget(deps, move.target)
  if (to !== undefined) refuseFor(faultOfTarget(move, from, to))
  return { from, to }
}

async function report(deps: MoveDeps, move: Move): Promise<MoveReport> {
  const { from, to } = await prepare(deps, move)
  if (!isStandbyOf(from, to)) return outcome(move, 'FOLLOWING')
  const behindBytes = await deps.servers.behindBytes(move.source, move.target)
  return { ...outcome(move, 'FOLLOWING'), behindBytes }
}

async function requireReady(deps: MoveDeps, move: Move): Promise<void> {
  const { from, to } = await prepare(deps, move)
  if (!isStandbyOf(from, to))
    throw refused(
      `${move.target} does not follow ${move.source} yet. ./vintem cell move ${move.cell} says what to run there.`,
    )
  const behindBytes = await deps.servers.behindBytes(move.source, move.target)
  const isNamed = await deps.isNamed(to.startedAt)
  refuseFor(faultOfTakeover(move, to, { behindBytes, isNamed }))
}

/**
 * Closes the source and waits until the target has everything. If that fails or takes too long, the source is opened again: callers must not
 * wait for a target that is gone.
 */
async function handOver(deps: MoveDeps, move: Move): Promise<void> {
  const { source, target } = move
  const signal = AbortSignal.timeout(handOverMs)
  const to = await readTarget(deps, target)
  if (to !== undefined && !(to.isStandby && to.systemIdentifier === move.systemIdentifier))
    throw refused(
      `${target} takes writes already, and this command did not promote it. Stop it, and end the move by --cancel.`,
    )
  try {
    if (to === undefined) throw refused(`${target} does not answer. Start it, or end the move by --cancel.`)
    deps.say(`Closing ${source}: from now on callers get 503.`)
    await deps.servers.setOpen(source, false)
    const lsn = await deps.servers.empty(source, signal)
    await deps.servers.awaitReplay(target, lsn, signal)
  } catch (error) {
    await record(deps.directory.sql, move, 'REOPENING')
    await reopen(deps, { ...move, state: 'REOPENING' })
    throw signal.aborted
      ? refused(
          `${target} did not have everything within ${handOverMs / secondMs} s, so ${source} is open again. See the log of ${target}.`,
        )
      : error
  }
  await record(deps.directory.sql, move, 'PROMOTING')
}

async function reopen(deps: MoveDeps, move: Move): Promise<void> {
  deps.say(`Opening ${move.source} again.`)
  await deps.servers.setOpen(move.source, true)
  await record(deps.directory.sql, move, 'FOLLOWING')
}

/** The target has everything, and the source stays closed for ever. */
async function takeOver(deps: MoveDeps, move: Move): Promise<void> {
  const { directory, cell, who } = deps
  const { source, target } = move
  deps.say(`${target} has everything. Promoting it.`)
  if (!(await deps.servers.promote(target, promoteSeconds)))
    throw refused(
      `${target} did not become the primary within ${promoteSeconds} s. See its log, and run the command again.`,
    )
  deps.say(`Opening ${target}.`)
  await deps.servers.setOpen(target, true)
  // Whatever keeps the slot there, the cell has moved.
  await deps.servers.dropSlot(source).catch((error: unknown) => sayKept(deps, source, error))
  const before = (await selectCells(directory.sql)).find(({ code }) => code === cell)?.books
  const books = deps.booksAt(target, before)
  await directory.sql.begin(async (tx) => {
    await updateCell(tx, cell, { books })
    await insertChange(tx, {
      cell,
      action: 'cell.move',
      who,
      after: { source, target, state: 'DONE', books },
    })
    await record(tx, move, 'DONE')
  })
}

async function end(deps: MoveDeps, move: Move): Promise<void> {
  const { directory, who } = deps
  const { cell, source, target } = move
  try {
    // A command that was stopped for long may have closed it after another one had opened it.
    await deps.servers.setOpen(source, true)
    await deps.servers.dropSlot(source)
  } catch (error) {
    if (!isConnectionError(error)) throw error
    sayKept(deps, source, error)
  }
  await directory.sql.begin(async (tx) => {
    await insertChange(tx, { cell, action: 'cell.move', who, after: { source, target, state: 'CANCELED' } })
    await record(tx, move, 'CANCELED')
  })
}

/** A server keeps all of its log for a slot that nobody reads. */
function sayKept({ say }: MoveDeps, server: string, error: unknown): void {
  say(
    `${server} may still have the replication slot ${slotName}, and then keeps its log for it (${messageOf(error)}). If the server goes on, drop it there: select pg_drop_replication_slot('${slotName}');`,
  )
}
