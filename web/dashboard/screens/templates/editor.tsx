// The editor of a checkout template: the form beside the live preview of the payer's page.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { codeOf } from '../../api/problem.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { LoadingOrFault } from '../../kit/fault.tsx'
import { Notice } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { BrandPart } from './brand-part.tsx'
import { Conflict, DeviceDraft, deviceDrafts } from './conflict.tsx'
import type { DraftNow } from './draft-state.ts'
import { useDraft, useStoredDraft, useTemplate, useChecked, useLastValid, type Checked } from './draft.ts'
import { EditorHeader } from './editor-header.tsx'
import { FormContext, Segments } from './form.tsx'
import { MethodsPart, LinksPart, PayerPart, TextsPart } from './methods-part.tsx'
import type { Draft, Stored } from './model.ts'
import { Preview } from './preview.tsx'

export function TemplateEditor() {
  const slug = useParam('slug')
  const { id, may } = useMerchant()
  const stored = useStoredDraft(slug)
  const found = useTemplate(slug)
  // What a new template began with: only its draft is there.
  const original = useTemplate('default', 0)
  // Once it is open it stays open: publishing ends the draft a moment before the template is read.
  const [opened, setOpened] = useState('')
  const hasDraft =
    stored.now?.draft !== undefined || (may('templates:write') && deviceDrafts(id).includes(slug))
  if (codeOf(found.error) === 'not_found' && hasDraft && opened !== slug) setOpened(slug)
  const isNew = opened === slug
  const error = stored.error ?? (isNew ? original.error : (found.error ?? original.error))
  if (stored.now === undefined || original.data === undefined || (found.data === undefined && !isNew))
    return (
      <LoadingOrFault
        error={error}
        onRetry={() => void Promise.all([stored, found, original].map((each) => each.refetch()))}
      />
    )
  const given = { slug, published: found.data, original: original.data, now: stored.now }
  return <Editor key={`${id} ${slug}`} {...given} />
}

type EditorProps = {
  readonly slug: string
  readonly published: Stored | undefined
  readonly original: Stored
  readonly now: DraftNow<Draft>
}

function Editor({ slug, published, original, now }: EditorProps) {
  const words = useWords(templateWords)
  const { id, may } = useMerchant()
  const mayWrite = may('templates:write')
  const revision = published?.template.revision ?? 0
  const draft = useDraft({
    slug,
    published: published && { revision, document: published.document },
    original: original.document,
    now,
    mayWrite,
  })
  const checked = useChecked(id, draft.document)
  const shown = useLastValid(draft.document, checked)
  const [side, setSide] = useState<'edit' | 'preview'>('edit')
  useNewRevision(revision, now)
  return (
    <>
      <EditorHeader {...{ slug, published, original, now, draft, checked, mayWrite }} />
      <div className="flex flex-col gap-4">
        {!mayWrite && <Notice tone="calm">{words.readOnly}</Notice>}
        {mayWrite && (
          <>
            <Conflict {...{ draft, now, published: published?.document, original: original.document }} />
            <DeviceDraft {...{ slug, draft, isPublished: published !== undefined }} />
          </>
        )}
        <div className="md:hidden">
          <Segments
            legend={words.view}
            value={side}
            onChange={setSide}
            options={[
              { value: 'edit', label: words.edit },
              { value: 'preview', label: words.preview },
            ]}
          />
        </div>
        <div className="flex min-w-0 items-start gap-6">
          <div className={`min-w-0 flex-1 md:max-w-105 ${side === 'edit' ? '' : 'max-md:hidden'}`}>
            <fieldset disabled={!mayWrite} className="min-w-0">
              <FormContext value={{ ...draft, ...checked }}>
                <Parts checked={checked} />
              </FormContext>
            </fieldset>
          </div>
          <section
            aria-label={words.preview}
            className={`sticky top-14 flex h-[calc(100dvh-216px)] min-h-130 min-w-0 flex-1 flex-col max-md:static ${side === 'preview' ? '' : 'max-md:hidden'}`}
          >
            <Preview draft={shown} />
          </section>
        </div>
      </div>
    </>
  )
}

/** When another person publishes while this screen is open, the published revision is read again. */
function useNewRevision(present: number, now: DraftNow<Draft>) {
  const { id } = useMerchant()
  const client = useQueryClient()
  const revision = now.published?.revision ?? 0
  useEffect(() => {
    if (revision > present) void client.invalidateQueries({ queryKey: ['m', id, 'templates', 'one'] })
  }, [client, id, present, revision])
}

/** Which part of the editor has the field. */
const parts = {
  brand: /^\/(?:name|brand)/,
  methods: /^\/(?:methods|localFirst|currencies|expiry)/,
  payer: /^\/(?:fields|address)/,
  texts: /^\/(?:languages|timeZone|texts)/,
  links: /^\/(?:support|legal|urls|cancelButton|autoReturnSeconds)/,
} as const

function Parts({ checked }: { readonly checked: Checked }) {
  const words = useWords(templateWords)
  const contents: Readonly<Record<keyof typeof parts, ReactNode>> = {
    brand: <BrandPart />,
    methods: <MethodsPart />,
    payer: <PayerPart />,
    texts: <TextsPart />,
    links: <LinksPart />,
  }
  const names = Object.keys(parts) as (keyof typeof parts)[]
  return (
    <Tabs
      label={words.parts}
      tabs={names.map((value) => ({
        value,
        label: words[value],
        count: checked.faults.filter(({ pointer }) => parts[value].test(pointer)).length,
        content: contents[value],
      }))}
    />
  )
}
