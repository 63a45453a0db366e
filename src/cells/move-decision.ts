// What a move does next, and what keeps a server from being left or from taking over. Pure: all of it is decided from what the servers and
// the directory say.

/** `id`: of the row in the directory. Servers are `host:port`. */
export type Move = {
  readonly id: string
  readonly cell: string
  readonly source: string
  readonly target: string
  readonly systemIdentifier: string
  readonly state: MoveState
}

/**
 * - `FOLLOWING`: the target is being made, or follows.
 * - `CLOSING`: the source is being closed, or is closed: nobody writes.
 * - `PROMOTING`: the target has everything. There is no way back.
 * - `REOPENING`: the source is being opened again.
 */
export type MoveState = 'FOLLOWING' | 'CLOSING' | 'PROMOTING' | 'REOPENING' | 'DONE' | 'CANCELED'

/** What the operator wants: bring the target to follow, also switch to it, or end the move. */
export type Wish = 'FOLLOW' | 'SWITCH' | 'CANCEL'

export type Step =
  | 'BEGIN'
  | 'REPORT'
  | 'CLOSE'
  | 'HAND_OVER'
  | 'PROMOTE'
  | 'REOPEN'
  | 'BACK'
  | 'END'
  | 'NONE'
  | 'TOO_LATE'

/**
 * The next step of a move in this state; undefined: it has not begun. A switch that was cut off is completed whatever is wished, because
 * nobody can write meanwhile; only until the target is promoted it can be canceled instead.
 */
export function nextStep(state: MoveState | undefined, wish: Wish): Step {
  switch (state) {
    case 'FOLLOWING':
      return ({ FOLLOW: 'REPORT', SWITCH: 'CLOSE', CANCEL: 'END' } as const)[wish]
    case 'CLOSING':
      return wish === 'CANCEL' ? 'BACK' : 'HAND_OVER'
    case 'PROMOTING':
      return wish === 'CANCEL' ? 'TOO_LATE' : 'PROMOTE'
    case 'REOPENING':
      return 'REOPEN'
    case 'DONE':
    case 'CANCELED':
    case undefined:
      return wish === 'CANCEL' ? 'NONE' : 'BEGIN'
  }
}

/** What a server says of itself, of the cell's database, and of what replication needs. */
export type ServerFacts = {
  readonly systemIdentifier: string
  /** Of the server's process: two names of one server have the same. */
  readonly startedAt: string
  readonly isStandby: boolean
  /** The major version. */
  readonly version: number
  readonly role: string
  readonly isSuperuser: boolean
  /** Whether the cell's database accepts connections; null: there is none. */
  readonly isOpen: boolean | null
  /** Databases beside the cell's, `postgres` and the templates. */
  readonly otherDatabases: readonly string[]
  readonly walLevel: string
  readonly hasSlot: boolean
  readonly slotsFree: number
  readonly sendersFree: number
  /** Whether pg_hba.conf admits replication from another machine. */
  readonly admitsReplication: boolean
  /** `synchronous_standby_names`. */
  readonly synchronousNames: string
  /** How many standbys follow this server. */
  readonly standbys: number
  /** The cell's database was made with another version of the operating system's collation than the one here. */
  readonly sortsOtherwise: boolean
}

/** What the application's role says of the cell's database. */
export type BooksFacts = {
  readonly systemIdentifier: string
  readonly startedAt: string
  readonly cell: string | null
  /** The schemas with books. */
  readonly schemas: number
}

/** A sentence that says what is wrong and what to do. */
export type Refusal = string | undefined

/** A base backup that streams needs two connections, and the standby one after it. */
const sendersNeeded = 2
/** A target further behind than this would keep callers waiting. One segment of the log. */
const behindBytesMax = 16 * 1_048_576

/** Why the cell cannot leave this server. */
export function faultOfSource(
  { cell, source, target }: Pick<Move, 'cell' | 'source' | 'target'>,
  facts: ServerFacts,
  books: BooksFacts | undefined,
  directoryIdentifier: string,
): Refusal {
  if (!facts.isSuperuser)
    return `${facts.role} is no superuser at ${source}. Name a superuser in VINTEM_MOVE_URL; one that is not yours (a managed PostgreSQL) moves by the means of its provider.`
  if (facts.isStandby) return `${source} is a standby. Name the primary in VINTEM_MOVE_URL.`
  if (facts.isOpen === null)
    return `${source} has no database of this name. Correct DATABASE_URL or VINTEM_MOVE_URL.`
  if (!facts.isOpen)
    return `The cell's database at ${source} accepts no connections: the cell has moved away from there. See ./vintem cell list, and name its present server in VINTEM_MOVE_URL.`
  if (
    books === undefined ||
    books.systemIdentifier !== facts.systemIdentifier ||
    books.startedAt !== facts.startedAt
  )
    return `DATABASE_URL leads to another PostgreSQL than ${source}. Name the server of cell ${cell} in VINTEM_MOVE_URL.`
  if (books.cell !== cell)
    return `The books at ${source} are of cell ${books.cell ?? 'nobody'}. Run the command with the settings of cell ${cell}.`
  if (books.schemas > 1)
    return `The database at ${source} has the books of ${books.schemas} cells, and a server moves as a whole. Only a cell with a server of its own can move.`
  if (facts.otherDatabases.length > 0)
    return `${source} also has the databases ${facts.otherDatabases.join(', ')}, and a server moves as a whole. Move them to another server first.`
  if (directoryIdentifier === facts.systemIdentifier)
    return `The directory of cells is at ${source} too, and records the move. Put it on another server first.`
  if (facts.walLevel === 'minimal')
    return `wal_level is minimal at ${source}, which nobody can follow. Run: alter system set wal_level = 'replica'; and restart it.`
  if (!facts.admitsReplication)
    return `pg_hba.conf at ${source} admits no replication from another machine. Add: host replication ${facts.role} <address of ${target}>/32 scram-sha-256, and run: select pg_reload_conf();`
  if (!facts.hasSlot && facts.slotsFree < 1)
    return `${source} has no replication slot left. Drop one that is not used, or raise max_replication_slots and restart it.`
  if (!facts.hasSlot && facts.sendersFree < sendersNeeded)
    return `${source} has fewer than ${sendersNeeded} connections for replication left. Raise max_wal_senders and restart it.`
  return undefined
}

/** Why a server with these facts can never become the copy of the source that takes over. */
export function faultOfTarget(
  { source, target }: Pick<Move, 'source' | 'target'>,
  from: ServerFacts,
  to: ServerFacts,
): Refusal {
  if (to.startedAt === from.startedAt && to.systemIdentifier === from.systemIdentifier)
    return `${target} and ${source} are the same server. Name another one with --to.`
  if (to.systemIdentifier !== from.systemIdentifier) {
    const others = to.otherDatabases.length + Number(to.isOpen !== null)
    if (others > 0)
      return `${target} is another PostgreSQL, with databases of its own. Name a server that is empty with --to.`
    if (to.version !== from.version)
      return `${target} is PostgreSQL ${to.version} and ${source} is ${from.version}: only the same major version can follow. Install ${from.version} there.`
    return undefined
  }
  if (!to.isStandby)
    return `${target} is a copy of ${source} that does not follow it any more. Stop it, empty its data folder, and make it again.`
  return undefined
}

/** Whether it is a copy of the source that follows. Otherwise it is still to be made. */
export function isStandbyOf(from: ServerFacts, to: ServerFacts | undefined): to is ServerFacts {
  return to !== undefined && to.isStandby && to.systemIdentifier === from.systemIdentifier
}

/** Why the standby cannot take over now. `knowsProcesses`: DATABASE_URL leads to it. */
export function faultOfTakeover(
  { source, target }: Pick<Move, 'source' | 'target'>,
  to: ServerFacts,
  { behindBytes, isNamed }: { readonly behindBytes: number; readonly isNamed: boolean },
): Refusal {
  if (to.synchronousNames !== '' && to.standbys === 0)
    return `${target} would wait for a synchronous standby that it does not have. Make one that follows it, or run there: alter system set synchronous_standby_names = ''; select pg_reload_conf();`
  if (to.sortsOtherwise)
    return `${target} sorts text otherwise than ${source}: indexes would be wrong. Install the same release of the operating system (glibc, ICU) there.`
  if (!isNamed)
    return `DATABASE_URL does not lead to ${target}: the processes would not find it. Name both servers there and in DATABASE_OWNER_URL, admit the roles in pg_hba.conf, and replace the processes.`
  if (behindBytes > behindBytesMax)
    return `${target} is ${Math.ceil(behindBytes / 1_048_576)} MB behind ${source}. Wait until it has caught up, or see its log.`
  return undefined
}
