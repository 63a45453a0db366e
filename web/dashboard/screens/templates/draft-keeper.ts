// Keeps a draft the same in this page and on the server. It saves what was typed, and repeats a save that failed. When another person has
// saved, published or discarded the draft since, it stops. Neither version is overwritten or dropped before this person has chosen.
import { codeOf } from '../../api/problem.ts'
import {
  adopted,
  changed,
  disagreed,
  failed,
  insisted,
  isSaved,
  saveOf,
  refreshed,
  stored,
  type DraftNow,
  type DraftState,
  type Kept,
  type Readable,
} from './draft-state.ts'

/** The calls of one draft. */
export type DraftServer<Doc> = {
  readonly read: () => Promise<DraftNow<Doc>>
  /** `seen`: the version that this save replaces. */
  readonly save: (body: Kept<Doc> & { readonly version: string; readonly seen?: string }) => Promise<unknown>
  readonly discard: (version: string) => Promise<unknown>
  /** Publishes the document and deletes the draft of this version. Resolves to the number of the new revision. */
  readonly publish: (kept: Kept<Doc>, version: string | undefined) => Promise<number>
}

export type KeeperOptions<Doc> = {
  readonly first: DraftNow<Doc>
  readonly server: DraftServer<Doc>
  readonly isReadable: Readable
  readonly saveAfterMs?: number
  readonly tryAgainMs?: number
}

export type DraftKeeper<Doc> = {
  subscribe(this: void, listener: () => void): () => void
  /** The same value until something changes. */
  state(this: void): DraftState<Doc>
  /** A member who may only read drafts is shown what others save. */
  setReadOnly(isReadOnly: boolean): void
  /** Whether a screen shows the draft. */
  isOpen(): boolean
  /** `kept` undefined: no draft is needed, because the typed text equals the published one. `isWhole`: the document was replaced. */
  change(kept: Kept<Doc> | undefined, isWhole?: boolean): void
  /** `now`: what was just read from the server. */
  refresh(now: DraftNow<Doc>): void
  takeTheirs(): void
  keepMine(): void
  /** Saves what is unsaved at once. */
  flush(): Promise<void>
  /** Throws when the call failed, or when another person has changed the draft since: then the state has the conflict. */
  discard(): Promise<void>
  /** Throws like `discard`. Text that is typed meanwhile becomes a draft of the new revision. */
  publish(): Promise<void>
}

const tryAgainMaxMs = 30_000

type Inner<Doc> = Required<Omit<KeeperOptions<Doc>, 'first'>> & {
  state: DraftState<Doc>
  readonly listeners: Set<() => void>
  isReadOnly: boolean
  /** Nothing is saved while the draft is discarded or published. */
  isHeld: boolean
  writing: Promise<void> | undefined
  timer: ReturnType<typeof setTimeout> | undefined
}

export function createKeeper<Doc>({ first, ...options }: KeeperOptions<Doc>): DraftKeeper<Doc> {
  const inner: Inner<Doc> = {
    saveAfterMs: 800,
    tryAgainMs: 2_000,
    ...options,
    state: adopted(first, options.isReadable),
    listeners: new Set(),
    isReadOnly: false,
    isHeld: false,
    writing: undefined,
    timer: undefined,
  }
  const { isReadable, listeners } = inner
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => inner.state,
    setReadOnly(isReadOnly) {
      inner.isReadOnly = isReadOnly
    },
    isOpen: () => listeners.size > 0,
    change: (kept, isWhole = false) => put(inner, changed(inner.state, kept, isWhole)),
    refresh(now) {
      // A call that is still running changes what the server has, so `now` may be out of date.
      if (inner.writing === undefined && !inner.isHeld) put(inner, refreshed(inner.state, now, inner))
    },
    takeTheirs() {
      const { conflict, generation } = inner.state
      if (conflict !== undefined) put(inner, adopted(conflict, isReadable, generation + 1))
    },
    keepMine: () => put(inner, insisted(inner.state, isReadable)),
    flush: () => flush(inner),
    discard: () => apart(inner, () => discard(inner)),
    publish() {
      // Publishes the text of this moment, without what is typed until the last save is answered.
      const { kept } = inner.state
      return apart(inner, () => publish(inner, kept))
    },
  }
}

function put<Doc>(inner: Inner<Doc>, state: DraftState<Doc>): void {
  if (state !== inner.state) {
    inner.state = state
    for (const listener of inner.listeners) listener()
  }
  schedule(inner)
}

function mayWrite<Doc>({ state, isReadOnly, isHeld }: Inner<Doc>): boolean {
  return !isReadOnly && !isHeld && state.conflict === undefined && !isSaved(state)
}

function schedule<Doc>(inner: Inner<Doc>): void {
  clearTimeout(inner.timer)
  const { failures } = inner.state
  if (!mayWrite(inner) || inner.writing !== undefined || saveOf(inner.state) === 'refused') return
  const againMs = Math.min(inner.tryAgainMs * 2 ** (failures - 1), tryAgainMaxMs)
  inner.timer = setTimeout(() => void flush(inner), failures === 0 ? inner.saveAfterMs : againMs)
}

async function flush<Doc>(inner: Inner<Doc>): Promise<void> {
  clearTimeout(inner.timer)
  while (inner.writing !== undefined) await inner.writing
  if (mayWrite(inner)) await write(inner)
}

async function write<Doc>(inner: Inner<Doc>): Promise<void> {
  inner.writing = send(inner)
  await inner.writing
  inner.writing = undefined
  schedule(inner)
}

async function send<Doc>(inner: Inner<Doc>): Promise<void> {
  try {
    const { kept, serverCopy } = inner.state
    const sent = inner.state.sent ?? (kept && { version: crypto.randomUUID(), kept })
    put(inner, { ...inner.state, sent })
    if (sent !== undefined)
      await inner.server.save({
        ...sent.kept,
        version: sent.version,
        ...(serverCopy.version === undefined ? {} : { seen: serverCopy.version }),
      })
    else if (serverCopy.version !== undefined) await inner.server.discard(serverCopy.version)
    put(inner, stored(inner.state, sent))
  } catch (error) {
    await refused(inner, error)
  }
}

/** The call failed. After a 409, reads what the server has instead. */
async function refused<Doc>(inner: Inner<Doc>, error: unknown): Promise<void> {
  if (codeOf(error) !== 'invalid_state') {
    put(inner, failed(inner.state, error))
    return
  }
  try {
    put(inner, disagreed(inner.state, await inner.server.read(), inner.isReadable))
  } catch (failure) {
    put(inner, failed(inner.state, failure))
  }
}

async function apart<Doc>(inner: Inner<Doc>, act: () => Promise<void>): Promise<void> {
  inner.isHeld = true
  clearTimeout(inner.timer)
  try {
    await inner.writing
    await act()
  } finally {
    inner.isHeld = false
    schedule(inner)
  }
}

async function discard<Doc>(inner: Inner<Doc>): Promise<void> {
  // An unanswered save may have arrived. Only after its answer is the version known that has to be discarded.
  if (inner.state.sent !== undefined) await write(inner)
  if (inner.state.sent !== undefined) throw inner.state.fault
  const { version } = inner.state.serverCopy
  if (version !== undefined)
    await unlessChanged(inner, () => inner.server.discard(version)).catch((error: unknown) => {
      // No draft is there: an answer was lost, or another person discarded it.
      if (inner.state.conflict === undefined || inner.state.conflict.draft !== undefined) throw error
    })
  put(inner, adopted({}, inner.isReadable, inner.state.generation + 1))
}

async function publish<Doc>(inner: Inner<Doc>, kept: Kept<Doc> | undefined): Promise<void> {
  if (kept === undefined) return
  const { version } = inner.state.serverCopy
  const revision = await unlessChanged(inner, () => inner.server.publish(kept, version))
  const typed = inner.state.kept
  const done = adopted<Doc>({}, inner.isReadable, inner.state.generation + 1)
  put(inner, typed === undefined || typed === kept ? done : { ...done, kept: { ...typed, base: revision } })
}

/** Runs `act`. If the server has another draft than the last one read here, puts the conflict into the state. Rethrows the error. */
async function unlessChanged<Doc, T>(inner: Inner<Doc>, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (codeOf(error) === 'invalid_state') {
      const now = await inner.server.read()
      if (now.draft?.version !== inner.state.serverCopy.version) put(inner, { ...inner.state, conflict: now })
    }
    throw error
  }
}
