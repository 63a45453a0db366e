// Another person saved, published or discarded the draft in the meantime. Shows who and when, the differences, and the choice between the
// two.
import { useNavigate } from '@tanstack/react-router'
import { useState, useEffect } from 'react'
import { useMerchant, useSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { useFaultText } from '../../kit/fault.tsx'
import { Notice } from '../../kit/page.tsx'
import { problemWords } from '../../words/problems.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { Changes } from './changes.tsx'
import { isSame } from './differences.ts'
import type { DraftNow, Kept } from './draft-state.ts'
import { type DraftHere, useDifferenceWords } from './draft.ts'
import { editable, isReadable, type Draft } from './model.ts'

type Of = {
  readonly draft: DraftHere
  readonly now: DraftNow<Draft>
  /** What payments use now. Undefined: nothing is published yet. */
  readonly published: Draft | undefined
  readonly original: Draft
}

/** Where what was typed is not the server's draft: why, and what can be done. */
export function Conflict(props: Of) {
  const { draft, now, published } = props
  if (draft.conflict !== undefined) return <Disagreement {...props} />
  if (draft.save === 'failed' || draft.save === 'refused') return <Unsaved draft={draft} />
  const present = now.published
  if (!draft.isChanged || present === undefined || published === undefined) return null
  if (draft.base >= present.revision) return null
  return <Newer draft={draft} present={present} published={published} />
}

/** The server has another draft, or no draft any more. */
function Disagreement({ draft, published, original }: Of) {
  const words = useWords(templateWords)
  const format = useFormat()
  const { id } = useMerchant()
  const { user } = useSession()
  const navigate = useNavigate()
  const sentences = usePublishedWords()
  const theirs = draft.conflict?.draft
  const present = draft.conflict?.published
  const wasPublished = present !== undefined && present.revision > draft.base
  const text =
    theirs === undefined
      ? `${wasPublished ? sentences(present) : words.theyDiscarded} ${words.notSaved}`
      : `${(theirs.authorId === user.id ? words.youSaved : words.theySaved)(theirs.author, format.short(theirs.savedAt))} ${words.notSaved}`
  const take = () => {
    draft.keeper.takeTheirs()
    if (theirs === undefined && published === undefined) void navigate({ to: `/m/${id}/templates` })
  }
  return (
    <Choice
      text={text}
      take={theirs !== undefined ? words.takeTheirs : wasPublished ? words.takePublished : words.discardMine}
      keep={words.keepMine}
      before={isReadable(theirs?.document) ? editable(theirs.document) : editable(published ?? original)}
      after={draft.document}
      onTake={take}
      onKeep={draft.keeper.keepMine}
    />
  )
}

/** The draft began from a revision that is no longer the present one. */
function Newer({
  draft,
  present,
  published,
}: {
  readonly draft: DraftHere
  readonly present: NonNullable<DraftNow<Draft>['published']>
  readonly published: Draft
}) {
  const words = useWords(templateWords)
  const sentences = usePublishedWords()
  return (
    <Choice
      text={`${sentences(present)} ${words.beganBefore}`}
      take={words.takePublished}
      keep={words.keepMine}
      before={editable(published)}
      after={draft.document}
      onTake={() => draft.replace(published)}
      onKeep={() => draft.replace(draft.document, present.revision)}
    />
  )
}

function usePublishedWords(): (present: NonNullable<DraftNow<Draft>['published']>) => string {
  const words = useWords(templateWords)
  const format = useFormat()
  return ({ revision, by, at }) =>
    words.theyPublished(format.count(revision), by ?? words.aCommand, format.short(at))
}

function Unsaved({ draft: { save, fault, keeper } }: { readonly draft: DraftHere }) {
  const words = useWords(templateWords)
  const problems = useWords(problemWords)
  const textOf = useFaultText()
  return (
    <Notice tone="bad" action={<Button onClick={() => void keeper.flush()}>{problems.retry}</Button>}>
      <span role="status">
        {textOf(fault)} {save === 'failed' ? words.sentLater : words.notSaved}
      </span>
    </Notice>
  )
}

/** A sentence, and one of two contents to choose, whose differences are shown on request. */
function Choice({
  text,
  take,
  keep,
  before,
  after,
  onTake,
  onKeep,
}: {
  readonly text: string
  readonly take: string
  readonly keep: string
  readonly before: Draft
  readonly after: Draft
  readonly onTake: () => void
  readonly onKeep: () => void
}) {
  const words = useWords(templateWords)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Notice
        action={
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen(true)}>{words.differences}</Button>
            <Button onClick={onTake}>{take}</Button>
            <Button onClick={onKeep}>{keep}</Button>
          </div>
        }
      >
        <span role="status">{text}</span>
      </Notice>
      {isOpen && (
        <Dialog open onClose={close} title={words.differences} lead={text}>
          <Changes before={before} after={after} labels={[words.onServer, words.yours]} />
          <DialogActions onCancel={close} />
        </Dialog>
      )}
    </>
  )
}

// What is left of the time when drafts were in the browser: offered to its person, and removed when it was used or refused.

function keyOf(merchantId: string, slug: string): string {
  return `vintem.template.${merchantId}.${slug}`
}

/** The templates of which this browser has a draft. */
export function deviceDrafts(merchantId: string): readonly string[] {
  const start = keyOf(merchantId, '')
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(start))
    return keys.map((key) => key.slice(start.length))
  } catch {
    // A browser that lets pages keep nothing.
    return []
  }
}

function read(merchantId: string, slug: string): Kept<Draft> | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(merchantId, slug)) ?? 'null')
    const { base, document } = (kept ?? {}) as Readonly<Record<string, unknown>>
    return typeof base === 'number' && isReadable(document) ? { base, document } : undefined
  } catch {
    return undefined
  }
}

function remove(merchantId: string, slug: string): void {
  if (deviceDrafts(merchantId).includes(slug)) localStorage.removeItem(keyOf(merchantId, slug))
}

/** Offers this browser's draft of the template. One that says nothing new, or cannot be read any more, goes unasked. */
export function DeviceDraft({
  slug,
  draft,
  isPublished,
}: {
  readonly slug: string
  readonly draft: DraftHere
  readonly isPublished: boolean
}) {
  const words = useWords(templateWords)
  const difference = useDifferenceWords()
  const { id } = useMerchant()
  const navigate = useNavigate()
  const [kept, setKept] = useState(() => read(id, slug))
  const isNew = kept !== undefined && !isSame(kept.document, draft.document, difference)
  // One that is used goes when the server has it.
  const isOver = !isNew && draft.save === 'saved'
  useEffect(() => {
    if (!isOver) return
    setKept(undefined)
    remove(id, slug)
  }, [id, slug, isOver])
  if (!isNew || draft.conflict !== undefined) return null
  return (
    <Choice
      text={words.deviceOffer}
      take={words.deviceUse}
      keep={words.deviceRemove}
      before={draft.document}
      after={kept.document}
      onTake={() => draft.replace(kept.document, kept.base)}
      onKeep={() => {
        setKept(undefined)
        remove(id, slug)
        if (!isPublished && !draft.isChanged) void navigate({ to: `/m/${id}/templates` })
      }}
    />
  )
}
