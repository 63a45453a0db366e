// Another person saved, published or discarded the draft in the meantime. Shows who and when, the differences, and the choice between the
// two.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMerchant, useSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { useFaultText } from '../../kit/fault.tsx'
import { Notice } from '../../kit/page.tsx'
import { problemWords } from '../../words/problems.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { Changes } from './changes.tsx'
import type { DraftNow } from './draft-state.ts'
import type { DraftHere } from './draft.ts'
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
export function Choice({
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
