// What is left of the time when drafts were in the browser: offered to its person, and removed when it was used or refused.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMerchant } from '../../api/session.ts'
import { useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { Choice } from './conflict.tsx'
import { isSame } from './differences.ts'
import type { Kept } from './draft-state.ts'
import { useDifferenceWords, type DraftHere } from './draft.ts'
import { isReadable, type Draft } from './model.ts'

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
