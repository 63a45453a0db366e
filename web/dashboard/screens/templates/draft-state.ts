// The editor's state of a draft: what was typed here, what the server has, and whether they conflict. All functions are pure.
import type { TemplateDraft, TemplateDraftNow } from '../../api/generated.ts'
import { ProblemError } from '../../api/problem.ts'

/** `base`: the revision that the draft began from. */
export type Kept<Doc> = { readonly base: number; readonly document: Doc }

/** What the server has: the draft, and which revision is published. */
export type DraftNow<Doc> = Pick<TemplateDraftNow, 'published'> & {
  readonly draft?: Omit<TemplateDraft, 'slug' | 'document'> & { readonly document: Doc }
}

export type DraftState<Doc> = {
  /** What the draft should be. Undefined: no draft is needed, the published revision stays. */
  readonly kept: Kept<Doc> | undefined
  /** The draft that the server had at its last answer; empty: no draft. A draft that is not readable here has a version and no text. */
  readonly serverCopy: { readonly version?: string; readonly text?: string }
  /** A save whose answer has not come. The same save is sent again, before anything newer. */
  readonly sent: { readonly version: string; readonly kept: Kept<Doc> } | undefined
  /** What the server has instead of `serverCopy`. Nothing is saved until the person has chosen. */
  readonly conflict: DraftNow<Doc> | undefined
  /** Why the last save failed, and how many failed one after the other. */
  readonly fault: unknown
  readonly failures: number
  /** Grows when the whole document is replaced, so that fields that hold typed text start again. */
  readonly generation: number
}

/** Whether these pages can show the document. Another version of these pages may have written it. */
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

/** `isWhole`: the document was replaced, not edited. A refusal is forgotten, because the server may accept the new document. */
export function changed<Doc>(state: DraftState<Doc>, kept: Kept<Doc> | undefined, isWhole: boolean) {
  const generation = state.generation + (isWhole ? 1 : 0)
  return { ...state, kept, generation, ...(saveOf(state) === 'refused' ? noFault : {}) }
}

/** `now` was just read from the server. Unsaved text stays: its save will be refused, and that refusal shows the conflict. */
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

/**
 * The server refused the save, because it has `now`. If `now` equals what should be saved, an earlier answer was lost: then nothing is
 * wrong.
 */
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

/** The person was shown what the server has, and keeps what was typed here. */
export function insisted<Doc>(state: DraftState<Doc>, isReadable: Readable): DraftState<Doc> {
  const { conflict, kept } = state
  if (conflict === undefined) return state
  // If the draft was published, the person was shown the differences to that revision, so the draft is now based on it.
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

/** The server accepted: it now has the draft `sent`, or no draft. */
export function stored<Doc>(state: DraftState<Doc>, sent: DraftState<Doc>['sent']): DraftState<Doc> {
  const serverCopy = sent === undefined ? {} : { version: sent.version, text: textOf(sent.kept) }
  return { ...state, serverCopy, sent: undefined, ...noFault }
}

/** After `failed` the save is repeated automatically; after `refused` only when the text changes or the person requests it. */
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
