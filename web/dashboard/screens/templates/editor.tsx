// The editor of a checkout template: the form beside the live preview of the payer's page.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useParam } from '../../api/address.ts'
import { codeOf } from '../../api/problem.ts'
import { useOne } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { Fault } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Loading } from '../../kit/loading.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Notice, PageHeader } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { toast } from '../../kit/toast.tsx'
import { kitWords } from '../../words/kit.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { BrandPart } from './brand-part.tsx'
import { useChecked, useLastValid, type Checked } from './checked.ts'
import { LinksPart, PayerPart, TextsPart } from './content-parts.tsx'
import { readDraft, useDraft, type DraftState } from './draft.ts'
import { FormContext, Segments } from './form.tsx'
import { History } from './history.tsx'
import { useSwitch } from './list.tsx'
import { MethodsPart } from './methods-part.tsx'
import { editable, type Draft, type TemplateRow, type TemplateWithDocument } from './model.ts'
import { Preview } from './preview.tsx'
import { Publish } from './publish.tsx'
import { PublishAndPay, TestPayment, useMayTest } from './test-payment.tsx'

export function TemplateEditor() {
  const slug = useParam('slug')
  const { id } = useMerchant()
  const found = useOne<TemplateWithDocument>('templates', slug, `templates/${slug}`)
  // What a new template began with: its draft is on this device alone.
  const original = useOne<TemplateWithDocument>('templates', 'default', 'templates/default', { revision: 0 })
  const isNew = codeOf(found.error) === 'not_found' && readDraft(id, slug) !== undefined
  if (found.data === undefined && !isNew)
    return found.error === null ? (
      <Loading />
    ) : (
      <Fault error={found.error} onRetry={() => void found.refetch()} />
    )
  if (original.data === undefined) return <Loading />
  return <Editor key={`${id} ${slug}`} slug={slug} published={found.data} original={original.data} />
}

type EditorProps = {
  readonly slug: string
  readonly published: TemplateWithDocument | undefined
  readonly original: TemplateWithDocument
}

function Editor({ slug, published, original }: EditorProps) {
  const words = useWords(templateWords)
  const format = useFormat()
  const { id, may } = useMerchant()
  const given =
    published === undefined
      ? undefined
      : { revision: published.template.revision, document: published.document }
  const draft = useDraft(id, slug, given) ?? emptyDraft(original)
  const checked = useChecked(id, draft.document)
  const shown = useLastValid(draft.document, checked)
  const [side, setSide] = useState<'edit' | 'preview'>('edit')
  const mayWrite = may('templates:write')
  const revision = published?.template.revision ?? 0
  const isBehind = draft.isChanged && published !== undefined && draft.base !== revision
  return (
    <>
      <Header {...{ slug, published, original, draft, checked, mayWrite }} />
      <div className="flex flex-col gap-4">
        {!mayWrite && <Notice tone="calm">{words.readOnly}</Notice>}
        {isBehind && <Notice>{words.newer(format.count(revision))}</Notice>}
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

/** Only while a draft that was just thrown away leads back to the list. */
function emptyDraft({ document }: TemplateWithDocument): DraftState {
  const nothing = () => undefined
  return {
    document: editable(document),
    isChanged: false,
    generation: 0,
    base: 0,
    change: nothing,
    replace: nothing,
    discard: nothing,
  }
}

/** Which part of the editor has the field. */
const parts = {
  brand: /^\/(?:name|brand)/,
  methods: /^\/(?:methods|currencies|expiry)/,
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

type HeaderProps = EditorProps & {
  readonly draft: DraftState
  readonly checked: Checked
  readonly mayWrite: boolean
}

function Header({ slug, published, original, draft, checked, mayWrite }: HeaderProps) {
  const words = useWords(templateWords)
  const { id } = useMerchant()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [open, setOpen] = useState<'history' | 'publish' | 'discard'>()
  const close = () => setOpen(undefined)
  const faults = checked.faults.length
  const isReady = (draft.isChanged || published === undefined) && faults === 0 && checked.isNow
  const discard = () => {
    close()
    draft.discard()
    if (published === undefined) void navigate({ to: `/m/${id}/templates` })
  }
  const restore = (document: Draft) => {
    draft.replace(document)
    toast(words.restored)
    close()
  }
  // What is published may be written differently: the draft ends when it is there.
  const settle = async () => {
    close()
    await client.refetchQueries({ queryKey: ['m', id, 'templates'] })
    draft.discard()
  }
  return (
    <>
      <PageHeader
        title={draft.document.name === '' ? slug : draft.document.name}
        titleText={slug}
        back={{ to: `/m/${id}/templates`, label: words.title }}
        lead={<Facts {...{ slug, faults, template: published?.template, isChanged: draft.isChanged }} />}
        actions={
          <>
            {published !== undefined && (
              <TestPayment template={published.template} document={published.document} />
            )}
            <Deeds template={published?.template} draft={draft} mayWrite={mayWrite} onOpen={setOpen} />
            {mayWrite && (
              <PublishDeeds
                {...{ slug, isReady, draft: draft.document, isFirst: published === undefined }}
                onReview={() => setOpen('publish')}
                onPublished={() => void settle()}
              />
            )}
          </>
        }
      />
      {open === 'history' && (
        <History
          slug={slug}
          present={published?.template.revision ?? 0}
          onClose={close}
          onRestore={mayWrite ? restore : undefined}
        />
      )}
      {open === 'publish' && (
        <Publish
          slug={slug}
          before={editable((published ?? original).document)}
          draft={draft.document}
          onClose={close}
          onDone={() => void settle()}
        />
      )}
      {open === 'discard' && <Discard onDiscard={discard} onClose={close} />}
    </>
  )
}

/** The review, and for a first revision in the sandbox the short way. */
function PublishDeeds({
  slug,
  draft,
  isFirst,
  isReady,
  onReview,
  onPublished,
}: {
  readonly slug: string
  readonly draft: Draft
  readonly isFirst: boolean
  readonly isReady: boolean
  readonly onReview: () => void
  readonly onPublished: () => void
}) {
  const words = useWords(templateWords)
  const isShort = useMayTest() && isFirst
  return (
    <>
      <Button look={isShort ? 'plain' : 'primary'} disabled={!isReady} onClick={onReview}>
        {words.review}
      </Button>
      {isShort && <PublishAndPay slug={slug} draft={draft} disabled={!isReady} onPublished={onPublished} />}
    </>
  )
}

function Facts({
  slug,
  template,
  isChanged,
  faults,
}: {
  readonly slug: string
  readonly template: TemplateRow | undefined
  readonly isChanged: boolean
  readonly faults: number
}) {
  const words = useWords(templateWords)
  const format = useFormat()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="font-mono">{slug}</span>
      {template === undefined ? (
        <Badge tone="calm">{words.unpublished}</Badge>
      ) : (
        <>
          <Badge tone={template.isActive ? 'good' : 'calm'}>
            {template.isActive ? words.active : words.inactive}
          </Badge>
          <span>
            {template.revision === 0 ? words.original : words.revisionOf(format.count(template.revision))}
          </span>
        </>
      )}
      {isChanged && <Badge tone="wait">{words.kept}</Badge>}
      <span role="status">{faults > 0 && <Badge tone="bad">{words.faults(faults)}</Badge>}</span>
    </div>
  )
}

function Deeds({
  template,
  draft,
  mayWrite,
  onOpen,
}: {
  readonly template: TemplateRow | undefined
  readonly draft: DraftState
  readonly mayWrite: boolean
  readonly onOpen: (what: 'history' | 'discard') => void
}) {
  const words = useWords(templateWords)
  const toggle = useSwitch()
  if (!mayWrite) return <Button onClick={() => onOpen('history')}>{words.history}</Button>
  return (
    <>
      <Button icon="clock" onClick={() => onOpen('history')}>
        {words.history}
      </Button>
      <Menu
        label={words.more(template?.slug ?? '')}
        trigger={<Icon name="more" />}
        triggerClass="inline-grid size-9 place-items-center rounded-control border border-line bg-card text-ink-soft hover:bg-hover hover:text-ink phone:size-11"
        entries={[
          {
            label: words.discard,
            disabled: !draft.isChanged,
            danger: true,
            onSelect: () => onOpen('discard'),
          },
          ...(template === undefined
            ? []
            : ([
                'line',
                {
                  label: template.isActive ? words.deactivate : words.activate,
                  onSelect: () => void toggle(template),
                },
              ] as const)),
        ]}
      />
    </>
  )
}

function Discard({ onDiscard, onClose }: { readonly onDiscard: () => void; readonly onClose: () => void }) {
  const words = useWords(templateWords)
  const kit = useWords(kitWords)
  return (
    <Dialog open onClose={onClose} title={words.discardTitle} lead={words.discardLead}>
      <DialogActions>
        <Button onClick={onClose}>{kit.cancel}</Button>
        <Button look="danger" onClick={onDiscard}>
          {words.discard}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
