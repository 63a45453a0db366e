// The draft of a template in the editor. It is saved on the server while the user types, for all members, until it is published or
// discarded.
import { useQuery, useQueryClient, type QueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore, useRef } from 'react'
import { fill } from '#/kernel/dictionary.ts'
import { call, type Body } from '../../api/call.ts'
import type { TemplateWithDocument, ContrastWarning } from '../../api/generated.ts'
import { ProblemError, type FieldFault } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { sessionQuery, useMerchant, useSession } from '../../api/session.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { templateFaultWords } from '../../words/template-faults.ts'
import { templateFieldWords } from '../../words/template-fields.ts'
import { isSame, type Words } from './differences.ts'
import { createKeeper, type DraftKeeper, type DraftServer } from './draft-keeper.ts'
import { isSaved, saveOf, type DraftNow, type DraftState } from './draft-state.ts'
import { editable, isReadable, sentOf, withValue, type Draft, type Path, type Stored } from './model.ts'

const pollMs = 10_000
/** A request that may outlive its page has at most 64 KiB; a character has at most three bytes. */
const outlivesMax = 20_000

function keyOf(merchantId: string, slug: string) {
  return ['m', merchantId, 'templates', 'draft', slug]
}

/** Another version of these pages may have written its document: `isReadable` tells. */
async function readDraft(
  merchant: string,
  slug: string,
  options?: { readonly signal: AbortSignal },
): Promise<DraftNow<Draft>> {
  const { draft, ...now } = await call('getTemplateDraft', { merchant, id: slug }, options)
  return { ...now, ...(draft && { draft: { ...draft, document: draft.document as Draft } }) }
}

/** A template with its document: the present revision, or the given one. */
export function useTemplate(slug: string, revision?: number) {
  return useRead('getTemplate', { id: slug, query: { revision } }) as UseQueryResult<Stored>
}

/** The draft on the server, which is polled. `now` is undefined until it was read for this screen. */
export function useStoredDraft(slug: string) {
  const { id } = useMerchant()
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    queryKey: keyOf(id, slug),
    queryFn: ({ signal }) => readDraft(id, slug, { signal }),
    staleTime: 0,
    refetchInterval: pollMs,
    // The keeper gets every answer, also an equal one: it ignores answers while a call of its own is running.
    structuralSharing: false,
  })
  return { now: isFetchedAfterMount ? data : undefined, error, refetch }
}

type Author = { readonly client: QueryClient; readonly userId: string; readonly merchantId: string }

/** Saves the first draft of a template that is not published yet: it begins as another template is. */
export async function createDraft(author: Author, slug: string, name: string, from: TemplateWithDocument) {
  const { client, userId, merchantId } = author
  const document = { ...editable(from.document as Draft), name }
  await serverOf(client, userId, merchantId, slug).save({ version: crypto.randomUUID(), base: 0, document })
}

export function useDifferenceWords(): Words {
  return { fields: useWords(templateFieldWords), states: useWords(stateWords), format: useFormat() }
}

/** The calls of a draft. What they change, the page's queries know afterwards. */
function serverOf(client: QueryClient, userId: string, merchantId: string, slug: string): DraftServer<Draft> {
  const draft = { merchant: merchantId, id: slug }
  const queryKey = keyOf(merchantId, slug)
  const note = async (stored: DraftNow<Draft>['draft']) => {
    // An answer that is on its way shows the draft before this change.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, ({ published }: DraftNow<Draft> = {}): DraftNow<Draft> => ({
      ...(published && { published }),
      ...(stored && { draft: stored }),
    }))
    void client.invalidateQueries({ queryKey: ['m', merchantId, 'templates', 'one', 'listTemplates'] })
  }
  /** What one person typed is not saved in the name of the next who signs in on the same page. */
  const checkPerson = () => {
    if (client.getQueryData(sessionQuery.queryKey)?.user.id === userId) return
    const title = 'Signed out'
    throw new ProblemError({ status: 401, code: 'unauthenticated', title, detail: title })
  }
  return {
    async read() {
      const now = await readDraft(merchantId, slug)
      client.setQueryData(queryKey, now)
      return now
    },
    async save(body) {
      checkPerson()
      const keepalive = JSON.stringify(body).length <= outlivesMax
      const summary = await call('saveTemplateDraft', { ...draft, body }, { keepalive })
      await note({ ...summary, document: body.document })
    },
    async discard(version) {
      checkPerson()
      await call('discardTemplateDraft', { ...draft, query: { version } })
      await note(undefined)
    },
    async publish({ base, document }, version) {
      checkPerson()
      const { template } = await call('setTemplate', {
        ...draft,
        query: { draft: version, revision: base },
        // What was typed may be of another type: the server says what is wrong.
        body: sentOf(document) as Body<'setTemplate'>,
      })
      await note(undefined)
      // The server may write it differently: the draft is shown until what was published is there.
      await client.invalidateQueries({ queryKey: ['m', merchantId, 'templates'] })
      return template.revision
    },
  }
}

/** The drafts that are open, and those that were left before all of it was saved: by person, merchant and template. */
const keepers = new Map<string, DraftKeeper<Draft>>()

const flushAll = () => {
  for (const keeper of keepers.values()) void keeper.flush()
}
window.addEventListener('online', flushAll)
window.addEventListener('pagehide', flushAll)
window.addEventListener('beforeunload', (event) => {
  if ([...keepers.values()].every((keeper) => isSaved(keeper.state()))) return
  flushAll()
  event.preventDefault()
})

function useKeeper(slug: string, first: DraftNow<Draft>, isReadOnly: boolean): DraftKeeper<Draft> {
  const { id } = useMerchant()
  const { user } = useSession()
  const client = useQueryClient()
  const key = `${user.id} ${id} ${slug}`
  const [keeper] = useState(
    () =>
      keepers.get(key) ?? createKeeper({ first, server: serverOf(client, user.id, id, slug), isReadable }),
  )
  useEffect(() => {
    keeper.setReadOnly(isReadOnly)
    keepers.set(key, keeper)
    void keeper.flush()
    return () => {
      void keeper.flush().then(() => {
        if (isSaved(keeper.state()) && !keeper.isOpen()) keepers.delete(key)
      })
    }
  }, [key, keeper, isReadOnly])
  return keeper
}

/** The draft as the editor shows and changes it. */
export type DraftHere = Pick<DraftState<Draft>, 'generation' | 'serverCopy' | 'conflict' | 'fault'> & {
  readonly document: Draft
  /** Whether it differs from what is published. */
  readonly isChanged: boolean
  /** The revision that it began from. */
  readonly base: number
  readonly save: ReturnType<typeof saveOf>
  readonly keeper: DraftKeeper<Draft>
  change(path: Path, value: unknown): void
  /** `base`: goes on from this revision. */
  replace(document: Draft, base?: number): void
}

type Given = {
  readonly slug: string
  /** What payments use now. Undefined: nothing is published yet. */
  readonly published: { readonly revision: number; readonly document: Draft } | undefined
  /** What every template begins with. */
  readonly original: Draft
  readonly now: DraftNow<Draft>
  readonly mayWrite: boolean
}

export function useDraft({ slug, published, original, now, mayWrite }: Given): DraftHere {
  const words = useDifferenceWords()
  const keeper = useKeeper(slug, now, !mayWrite)
  const state = useSyncExternalStore(keeper.subscribe, keeper.state)
  const isPublished = (document: Draft) =>
    published !== undefined && isSame(editable(published.document), document, words)
  const { kept, conflict, generation, serverCopy, fault } = state
  const isChanged = kept !== undefined && !isPublished(kept.document)
  const document = editable(kept?.document ?? published?.document ?? original)
  const base = isChanged ? kept.base : (published?.revision ?? 0)
  useEffect(() => keeper.refresh(now), [keeper, now])
  // What is here was published by a request whose answer was lost, or by somebody else.
  const isDone = conflict !== undefined && conflict.draft === undefined && !isChanged
  useEffect(() => {
    if (isDone) keeper.takeTheirs()
  }, [keeper, isDone])
  const put = (next: Draft, at: number, isWhole: boolean) =>
    keeper.change(isPublished(next) ? undefined : { base: at, document: next }, isWhole)
  return {
    generation,
    serverCopy,
    conflict,
    fault,
    document,
    isChanged,
    base,
    save: saveOf(state),
    keeper,
    // From what was typed last: a second change may come before the page was drawn again.
    change: (path, value) =>
      put(withValue(editable(keeper.state().kept?.document ?? document), path, value), base, false),
    replace: (next, at = base) => put(editable(next), at, true),
  }
}

// The faults of the draft. The server checks the draft while the user types.

export type Checked = {
  readonly faults: readonly FieldFault[]
  readonly warnings: readonly ContrastWarning[]
  /** Whether the faults are of the draft as it is now. */
  readonly isNow: boolean
}

const askAfterMs = 250

const nothing = { faults: [], warnings: [], of: undefined } as const

export function useChecked(merchantId: string, draft: Draft): Checked {
  const [answer, setAnswer] = useState<{
    readonly faults: readonly FieldFault[]
    readonly warnings: readonly ContrastWarning[]
    readonly of: string | undefined
  }>(nothing)
  const sent = JSON.stringify(sentOf(draft))
  useEffect(() => {
    const asking = new AbortController()
    const ask = async () => {
      try {
        const { faults, warnings } = await call(
          'checkTemplate',
          { merchant: merchantId, body: JSON.parse(sent) as Body<'checkTemplate'> },
          { signal: asking.signal },
        )
        setAnswer({ faults, warnings, of: sent })
      } catch {
        // Publishing checks again, and says why it fails.
      }
    }
    const timer = setTimeout(() => void ask(), askAfterMs)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [merchantId, sent])
  const { faults, warnings, of } = answer
  return { faults, warnings, isNow: of === sent }
}

/** A fault in the reader's language. The server's own sentence stands where we have none. */
export function useFaultSentence(): (fault: FieldFault) => string {
  const words: Readonly<Record<string, string>> = useWords(templateFaultWords)
  return ({ code, message }) => {
    const [number = ''] = /\d+/.exec(message) ?? []
    const sentence = words[code]
    return sentence === undefined ? message : fill(sentence, { number })
  }
}

/**
 * The last draft without faults, so that the preview does not disappear while the user types. A draft that always had faults is shown as
 * it is.
 */
export function useLastValid(draft: Draft, { isNow, faults }: Checked): Draft {
  const last = useRef<Draft>(undefined)
  if (isNow && faults.length === 0) last.current = draft
  return last.current ?? draft
}
