// What the editor knows of a draft: what was typed here, what the server has, and whether the two can be made the same. All of it is pure.
import { ProblemError } from '../../api/problem.ts'

/** `base`: the revision that the draft began from. */
export type Kept<Doc> = { readonly base: number; readonly document: Doc }

export type DraftSummary = {
  readonly version: string
  readonly base: number
  readonly authorId: string
  readonly author: string
  readonly savedAt: string
}

/** What the server has: the draft, and which revision is published. */
export type DraftNow<Doc> = {
  readonly draft?: DraftSummary & { readonly document: Doc }
  readonly published?: { readonly revision: number; readonly at: string; readonly by: string | null }
}

export type DraftState<Doc> = {
  /** What the draft shall be. Undefined: none is needed, what is published stands. */
  readonly kept: Kept<Doc> | undefined
  /** What the server is known to have. A draft that cannot be read here has a version and no text. */
  readonly serverCopy: { readonly version?: string; readonly text?: string }
  /** Sent, and not known to have arrived: it is sent again as it was, before anything newer. */
  readonly sent: { readonly version: string; readonly kept: Kept<Doc> } | undefined
  /** What the server has instead of what was seen here. Nothing is saved until a person has chosen. */
  readonly conflict: DraftNow<Doc> | undefined
  /** Why the last save failed, and how many failed one after the other. */
  readonly fault: unknown
  readonly failures: number
  /** Grows when the whole document is replaced: fields with a text of their own begin anew. */
  readonly generation: number
}

/** Another version of these pages may have written a draft: what is not readable is not shown. */
export type Readable = (document: unknown) => boolean

const noFault = { fault: undefined, failures: 0 } as const

/** The state in which the server's draft is shown. */
export function adopted<Doc>(now: DraftNow<Doc>, isReadable: Readable, generation = 0): DraftState<Doc> {
  const { draft } = now
  const kept = draft !== undefined && isReadable(draft.document) ? draft : undefined
  return {
    kept: kept && { base: kept.base, document: kept.document },
    serverCopy: serverCopyOf(now, isReadable),
    sent: undefined,
    conflict: undefined,
    ...noFault,
    generation,
  }
}

/** Whether the server has all that was typed here. */
export function isSaved<Doc>({ sent, kept, serverCopy }: DraftState<Doc>): boolean {
  return sent === undefined && (kept && textOf(kept)) === serverCopy.text
}

/** `isWhole`: the document was replaced, not typed in. What was refused as it was may be accepted as it is now. */
export function changed<Doc>(state: DraftState<Doc>, kept: Kept<Doc> | undefined, isWhole: boolean) {
  const generation = state.generation + (isWhole ? 1 : 0)
  return { ...state, kept, generation, ...(saveOf(state) === 'refused' ? noFault : {}) }
}

/** The server was just seen to have this. What is unsaved here is saved first, and is refused then. */
export function refreshed<Doc>(
  state: DraftState<Doc>,
  now: DraftNow<Doc>,
  { isReadable, isReadOnly }: { readonly isReadable: Readable; readonly isReadOnly: boolean },
): DraftState<Doc> {
  if (state.conflict !== undefined) return { ...state, conflict: now }
  if (now.draft?.version === state.serverCopy.version) return state
  if (isReadOnly) return adopted(now, isReadable, state.generation + 1)
  if (!isSaved(state)) return state
  if (now.draft === undefined && state.kept !== undefined) return { ...state, conflict: now }
  return adopted(now, isReadable, state.generation + 1)
}

/** The server refused to replace what was seen here: it has this instead. Where that is what was wanted, an answer was lost. */
export function disagreed<Doc>(
  state: DraftState<Doc>,
  now: DraftNow<Doc>,
  isReadable: Readable,
): DraftState<Doc> {
  const serverCopy = serverCopyOf(now, isReadable)
  const isWanted =
    state.kept === undefined
      ? now.draft === undefined
      : now.draft !== undefined && textOf(state.kept) === serverCopy.text
  const rest = { ...state, sent: undefined, ...noFault }
  return isWanted ? { ...rest, serverCopy } : { ...rest, conflict: now }
}

/** The person has seen what the server has, and goes on with what was typed here. */
export function insisted<Doc>(state: DraftState<Doc>, isReadable: Readable): DraftState<Doc> {
  const { conflict, kept } = state
  if (conflict === undefined) return state
  // Where the draft was published, its differences to that revision are what was seen.
  const base = conflict.draft === undefined ? (conflict.published?.revision ?? 0) : 0
  return {
    ...state,
    conflict: undefined,
    serverCopy: serverCopyOf(conflict, isReadable),
    kept: kept && { ...kept, base: Math.max(kept.base, base) },
  }
}

export function failed<Doc>(state: DraftState<Doc>, fault: unknown): DraftState<Doc> {
  const sent = isPassing(fault) ? state.sent : undefined
  return { ...state, sent, fault, failures: state.failures + 1 }
}

/** The server has this draft now, or none. */
export function stored<Doc>(state: DraftState<Doc>, sent: DraftState<Doc>['sent']): DraftState<Doc> {
  const serverCopy = sent === undefined ? {} : { version: sent.version, text: textOf(sent.kept) }
  return { ...state, serverCopy, sent: undefined, ...noFault }
}

/** `failed` is tried again by itself; `refused` when something changes, or a person asks for it. */
export function saveOf<Doc>(state: DraftState<Doc>): 'saved' | 'saving' | 'failed' | 'refused' {
  if (isSaved(state)) return 'saved'
  if (state.failures === 0) return 'saving'
  return isPassing(state.fault) ? 'failed' : 'refused'
}

function serverCopyOf<Doc>({ draft }: DraftNow<Doc>, isReadable: Readable): DraftState<Doc>['serverCopy'] {
  if (draft === undefined) return {}
  return { version: draft.version, ...(isReadable(draft.document) && { text: textOf(draft) }) }
}

function textOf<Doc>({ base, document }: Kept<Doc>): string {
  return JSON.stringify([base, document])
}

/** Whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return true
  const { status } = error.problem
  return status === 0 || status === 429 || status >= 500
}
