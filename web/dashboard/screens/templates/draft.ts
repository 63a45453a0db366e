// The draft of a template: kept on this device while one types, until it is published or thrown away.
import { useEffect, useState } from 'react'
import { useReader, useFormat, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { templateFieldWords } from '../../words/template-fields.ts'
import { isSame, type Words } from './differences.ts'
import { editable, withValue, type Draft, type Path } from './model.ts'

/** `base`: the revision that the draft began with. */
export type KeptDraft = { readonly base: number; readonly document: Draft }

const keepAfterMs = 300

function keyOf(merchantId: string, slug: string): string {
  return `vintem.template.${merchantId}.${slug}`
}

/** The draft of this template on this device. */
export function readDraft(merchantId: string, slug: string): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(merchantId, slug)) ?? 'null')
    return isKeptDraft(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Keeps the draft, or removes it. */
export function keepDraft(merchantId: string, slug: string, draft: KeptDraft | undefined): void {
  try {
    if (draft === undefined) localStorage.removeItem(keyOf(merchantId, slug))
    else localStorage.setItem(keyOf(merchantId, slug), JSON.stringify(draft))
  } catch {
    // A browser that keeps nothing loses the draft with the page.
  }
}

/** The templates that have a draft on this device. */
export function draftsOf(merchantId: string): ReadonlySet<string> {
  const start = keyOf(merchantId, '')
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
  return new Set(keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length)))
}

/** Another version of these pages may have written it. */
function isKeptDraft(kept: unknown): kept is KeptDraft {
  if (typeof kept !== 'object' || kept === null || !('base' in kept) || !('document' in kept)) return false
  const { base, document } = kept
  if (typeof base !== 'number' || typeof document !== 'object' || document === null) return false
  const objects = ['brand', 'languages', 'fields', 'texts', 'support', 'legal', 'urls', 'expiry'] as const
  const fields = document as Readonly<Record<string, unknown>>
  return (
    objects.every((name) => typeof fields[name] === 'object' && fields[name] !== null) &&
    Array.isArray(fields['methods']) &&
    Array.isArray(fields['currencies'])
  )
}

export function useDifferenceWords(): Words {
  return { fields: useWords(templateFieldWords), states: useWords(stateWords), format: useFormat() }
}

export type DraftState = {
  readonly document: Draft
  /** Whether it differs from what is published. */
  readonly isChanged: boolean
  /** Grows when the whole document is replaced: fields with a text of their own begin anew. */
  readonly generation: number
  readonly base: number
  change(path: Path, value: unknown): void
  replace(document: Draft): void
  discard(): void
}

/** `published`: what payments use now; undefined for a template that is not published yet. */
export function useDraft(
  merchantId: string,
  slug: string,
  published: { readonly revision: number; readonly document: Draft } | undefined,
): DraftState | undefined {
  const words = useDifferenceWords()
  const { locale } = useReader()
  const [kept, setKept] = useState(() => readDraft(merchantId, slug))
  const [generation, setGeneration] = useState(0)
  const source = kept?.document ?? (published === undefined ? undefined : published.document)
  const isChanged =
    kept !== undefined &&
    (published === undefined || !isSame(editable(published.document), kept.document, words))
  useEffect(() => {
    const timer = setTimeout(() => keepDraft(merchantId, slug, isChanged ? kept : undefined), keepAfterMs)
    return () => clearTimeout(timer)
  }, [merchantId, slug, kept, isChanged, locale])
  if (source === undefined) return undefined
  const document = editable(source)
  const present = published?.revision ?? 0
  const base = isChanged ? kept.base : present
  const replace = (next: Draft) => {
    setKept({ base, document: editable(next) })
    setGeneration(generation + 1)
  }
  return {
    document,
    isChanged,
    generation,
    base,
    change: (path, value) =>
      setKept((now) => ({ base, document: withValue(now?.document ?? document, path, value) })),
    replace,
    discard() {
      keepDraft(merchantId, slug, undefined)
      setKept(undefined)
      setGeneration(generation + 1)
    },
  }
}
