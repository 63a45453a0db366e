// The head of the editor: what state a template and its draft are in, and what can be done with them.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAttempt } from '../../api/act.ts'
import type { Template } from '../../api/generated.ts'
import { codeOf } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/copy.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { useFaultText, Fault } from '../../kit/fault.tsx'
import { SelectField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form.tsx'
import { Icon } from '../../kit/icons.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Menu } from '../../kit/menu.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { Changes } from './changes.tsx'
import type { DraftNow } from './draft-state.ts'
import { type DraftHere, useTemplate, type Checked } from './draft.ts'
import { useSwitch } from './list.tsx'
import { editable, type Draft, type Stored } from './model.ts'
import { PublishAndPay, TestPayment, useMayTest } from './test-payment.tsx'

type HeaderProps = {
  readonly slug: string
  readonly published: Stored | undefined
  readonly original: Stored
  readonly now: DraftNow<Draft>
  readonly draft: DraftHere
  readonly checked: Checked
  readonly mayWrite: boolean
}

/** The title, what state the draft is in, and what can be done with it. */
export function EditorHeader({ slug, published, original, now, draft, checked, mayWrite }: HeaderProps) {
  const words = useWords(templateWords)
  const { id } = useMerchant()
  const [open, setOpen] = useState<'history' | 'publish' | 'discard'>()
  const close = () => setOpen(undefined)
  const faults = checked.faults.length
  const revision = published?.template.revision ?? 0
  // What is published is the draft that the server has, compared with the revision that is published now.
  const isWhole = draft.save === 'saved' && draft.conflict === undefined && draft.base === revision
  const isReady = draft.isChanged && isWhole && faults === 0 && checked.isNow
  const discard = useDiscard(draft, published === undefined)
  const restore = (document: Draft) => {
    draft.replace(document)
    toast(words.restored)
    close()
  }
  return (
    <>
      <PageHeader
        title={draft.document.name === '' ? slug : draft.document.name}
        titleText={slug}
        back={{ to: `/m/${id}/templates`, label: words.title }}
        lead={<Facts {...{ slug, faults, template: published?.template, draft, now, mayWrite }} />}
        actions={
          <>
            {published !== undefined && (
              <TestPayment template={published.template} document={published.document} />
            )}
            <Actions template={published?.template} draft={draft} mayWrite={mayWrite} onOpen={setOpen} />
            {mayWrite && (
              <PublishActions
                {...{ slug, isReady, draft, isFirst: published === undefined }}
                onReview={() => setOpen('publish')}
              />
            )}
          </>
        }
      />
      {open === 'history' && (
        <History slug={slug} present={revision} onClose={close} onRestore={mayWrite ? restore : undefined} />
      )}
      {open === 'publish' && (
        <Publish before={editable((published ?? original).document)} draft={draft} onClose={close} />
      )}
      {open === 'discard' && (
        <Discard
          onDiscard={() => {
            close()
            void discard()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

function useDiscard({ keeper }: DraftHere, isNew: boolean): () => Promise<void> {
  const { id } = useMerchant()
  const navigate = useNavigate()
  const textOf = useFaultText()
  return async () => {
    try {
      await keeper.discard()
      if (isNew) void navigate({ to: `/m/${id}/templates` })
    } catch (error) {
      toast(textOf(error), { isBad: true })
    }
  }
}

/** The review, and for a first revision in the sandbox the short way. */
function PublishActions({
  slug,
  draft,
  isFirst,
  isReady,
  onReview,
}: {
  readonly slug: string
  readonly draft: DraftHere
  readonly isFirst: boolean
  readonly isReady: boolean
  readonly onReview: () => void
}) {
  const words = useWords(templateWords)
  const isShort = useMayTest() && isFirst
  return (
    <>
      <Button variant={isShort ? 'plain' : 'primary'} disabled={!isReady} onClick={onReview}>
        {words.review}
      </Button>
      {isShort && <PublishAndPay slug={slug} draft={draft} disabled={!isReady} />}
    </>
  )
}

function Facts({
  slug,
  template,
  draft,
  now,
  mayWrite,
  faults,
}: Pick<HeaderProps, 'slug' | 'draft' | 'now' | 'mayWrite'> & {
  readonly template: Template | undefined
  readonly faults: number
}) {
  const words = useWords(templateWords)
  const format = useFormat()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="inline-flex items-center gap-1.5">
        {words.slug}
        <Code value={slug} what={words.slug} keep={32} />
      </span>
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
      {draft.isChanged && <Saved {...{ draft, now, mayWrite }} />}
      <span role="status">{faults > 0 && <Badge tone="bad">{words.faults(faults)}</Badge>}</span>
    </div>
  )
}

/** Whether the draft is saved on the server, and who saved it, if that was another person. */
function Saved({ draft, now, mayWrite }: Pick<HeaderProps, 'draft' | 'now' | 'mayWrite'>) {
  const words = useWords(templateWords)
  const format = useFormat()
  const { user } = useSession()
  const { save, serverCopy, conflict } = draft
  const stored = now.draft
  if (conflict !== undefined) return <Badge tone="bad">{words.saves.refused}</Badge>
  if (save === 'saved' && stored?.version === serverCopy.version && stored?.authorId !== user.id)
    return (
      <Badge tone="wait">{words.savedBy(stored?.author ?? '', format.short(stored?.savedAt ?? ''))}</Badge>
    )
  const isBad = save === 'failed' || save === 'refused'
  return <Badge tone={isBad ? 'bad' : 'wait'}>{mayWrite ? words.saves[save] : words.draft}</Badge>
}

function Actions({
  template,
  draft,
  mayWrite,
  onOpen,
}: {
  readonly template: Template | undefined
  readonly draft: DraftHere
  readonly mayWrite: boolean
  readonly onOpen: (what: 'history' | 'discard') => void
}) {
  const words = useWords(templateWords)
  const toggle = useSwitch()
  const hasDraft = draft.isChanged || draft.serverCopy.version !== undefined
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
            disabled: !hasDraft || draft.conflict !== undefined,
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
  return (
    <Dialog open onClose={onClose} title={words.discardTitle} lead={words.discardLead}>
      <DialogActions onCancel={onClose}>
        <Button variant="danger" onClick={onDiscard}>
          {words.discard}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

// Publishes a draft after a review of what changes.

function Publish({
  before,
  draft,
  onClose,
}: {
  /** What is published now; for a new template, what it began with. */
  readonly before: Draft
  readonly draft: DraftHere
  readonly onClose: () => void
}) {
  const words = useWords(templateWords)
  const work = useAttempt()
  const publish = () =>
    work.attempt(async () => {
      try {
        await draft.keeper.publish()
        toast(words.published)
      } catch (error) {
        if (codeOf(error) !== 'invalid_state') throw error
        // The editor says who published or saved first, and lets the user choose.
        toast(words.notPublished, { isBad: true })
      }
      onClose()
    })
  return (
    <FormDialog
      title={words.reviewTitle}
      lead={words.reviewLead}
      act={words.publish}
      {...work}
      onSend={publish}
      onClose={onClose}
    >
      <Changes before={before} after={draft.document} />
    </FormDialog>
  )
}

// The revisions of a template, and what differs between any two of them.

function History({
  slug,
  present,
  onRestore,
  onClose,
}: {
  readonly slug: string
  readonly present: number
  /** Absent: the role does not change templates. */
  readonly onRestore?: ((document: Draft) => void) | undefined
  readonly onClose: () => void
}) {
  const words = useWords(templateWords)
  const format = useFormat()
  const list = useRead('listTemplateRevisions', { id: slug })
  const [after, setAfter] = useState(present)
  // The original is there only for the template that every merchant has.
  const first = slug === 'default' ? 0 : 1
  const [before, setBefore] = useState(Math.max(present - 1, first))
  const [old, next] = [useTemplate(slug, before), useTemplate(slug, after)]
  const options = [
    ...(list.data?.data ?? []).map(({ number, createdAt }) => ({
      value: String(number),
      label: `${words.revisionOf(format.count(number))} · ${format.short(createdAt)}`,
    })),
    ...(first === 0 ? [{ value: '0', label: words.original }] : []),
  ]
  return (
    <Dialog open onClose={onClose} title={words.history} place="end">
      {list.error !== null && <Fault error={list.error} onRetry={() => void list.refetch()} />}
      {present === 0 ? (
        <p className="text-13 text-ink-soft">{words.noRevisions}</p>
      ) : (
        <>
          <div className="grid gap-3 sm:grid-cols-2">
            <SelectField
              label={words.from}
              value={String(before)}
              options={options}
              onChange={(event) => setBefore(Number(event.target.value))}
            />
            <SelectField
              label={words.to}
              value={String(after)}
              options={options}
              onChange={(event) => setAfter(Number(event.target.value))}
            />
          </div>
          <LoadingLine isOn={old.isFetching || next.isFetching} />
          {old.data !== undefined && next.data !== undefined && (
            <Changes before={old.data.document} after={next.data.document} />
          )}
          {onRestore !== undefined && old.data !== undefined && before !== present && (
            <Button className="self-start" onClick={() => onRestore(old.data.document)}>
              {before === 0 ? words.restoreOriginal : words.restore(format.count(before))}
            </Button>
          )}
        </>
      )}
    </Dialog>
  )
}
