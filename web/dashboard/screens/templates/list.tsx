// The checkout templates of a merchant, and their drafts.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAttempt } from '../../api/act.ts'
import { type Answer, call } from '../../api/call.ts'
import type { Template } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { useFaultText } from '../../kit/fault.tsx'
import { FormDialog, useDraft } from '../../kit/form.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Menu } from '../../kit/menu.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, recordsOf } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { templateFieldWords } from '../../words/template-fields.ts'
import { templateWords } from '../../words/templates.ts'
import { deviceDrafts } from './conflict.tsx'
import { createDraft } from './draft.ts'
import { isSlug } from './model.ts'

/** A template, or a draft of one that is not published. */
type Row = Template & {
  readonly draft?: Answer<'listTemplates'>['drafts'][number] | undefined
  /** This browser has a draft from the time when drafts were not on the server. */
  readonly isOnDevice: boolean
  readonly isPublished: boolean
}

export function TemplateList() {
  const words = useWords(templateWords)
  const { id, may } = useMerchant()
  const list = useRead('listTemplates')
  const [making, setMaking] = useState<{ readonly source?: string }>()
  const mayWrite = may('templates:write')
  const rows = rowsOf(list.data, mayWrite ? deviceDrafts(id) : [])
  return (
    <>
      <PageHeader
        title={words.title}
        lead={words.lead}
        actions={
          mayWrite && (
            <Button variant="primary" icon="plus" onClick={() => setMaking({})}>
              {words.add}
            </Button>
          )
        }
      />
      <RecordList
        records={{ ...recordsOf(list, rows), isFetching: list.isFetching }}
        words={words}
        icon="templates"
        columns={useColumns(mayWrite ? (source) => setMaking({ source }) : undefined)}
        rowId={({ slug }) => slug}
        href={({ slug }) => `/m/${id}/templates/${slug}`}
      />
      {making !== undefined && (
        <NewTemplate
          source={making.source}
          taken={(rows ?? []).map(({ slug }) => slug)}
          onClose={() => setMaking(undefined)}
        />
      )}
    </>
  )
}

function rowsOf(
  listed: Answer<'listTemplates'> | undefined,
  onDevice: readonly string[],
): readonly Row[] | undefined {
  if (listed === undefined) return undefined
  const drafts = new Map(listed.drafts.map((draft) => [draft.slug, draft]))
  const published = new Set(listed.data.map(({ slug }) => slug))
  const others = [...new Set([...drafts.keys(), ...onDevice])].filter((slug) => !published.has(slug))
  const of = (slug: string) => ({ draft: drafts.get(slug), isOnDevice: onDevice.includes(slug) })
  return [
    ...listed.data.map((row) => ({ ...row, ...of(row.slug), isPublished: true })),
    ...others.map((slug) => ({ slug, isActive: false, revision: 0, ...of(slug), isPublished: false })),
  ]
}

/** What its people call it, and its slug. */
function Name({ row: { name, slug } }: { readonly row: Row }) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      {name !== undefined && <span className="truncate font-strong">{name}</span>}
      <span className={`truncate font-mono ${name === undefined ? '' : 'text-ink-soft'}`}>{slug}</span>
    </span>
  )
}

function States({ row }: { readonly row: Row }) {
  const words = useWords(templateWords)
  const format = useFormat()
  return (
    <span className="flex flex-wrap items-center gap-1">
      {!row.isPublished ? (
        <Badge tone="calm">{words.unpublished}</Badge>
      ) : row.isActive ? (
        <Badge tone="good">{words.active}</Badge>
      ) : (
        <Badge tone="calm">{words.inactive}</Badge>
      )}
      {row.draft !== undefined && (
        <span title={words.savedBy(row.draft.author, format.short(row.draft.savedAt))}>
          <Badge tone="wait">{words.draft}</Badge>
        </span>
      )}
      {row.isOnDevice && <Badge tone="wait">{words.deviceDraft}</Badge>}
    </span>
  )
}

function useColumns(onDuplicate: ((slug: string) => void) | undefined): readonly Column<Row>[] {
  const words = useWords(templateWords)
  const format = useFormat()
  const columns: readonly Column<Row>[] = [
    { header: words.called, grow: true, cell: (row) => <Name row={row} /> },
    { header: words.state, cell: (row) => <States row={row} /> },
    {
      header: words.revision,
      align: 'end',
      from: 'sm',
      cell: ({ revision, isPublished }) => (
        <span className="figures">
          {!isPublished ? '' : revision === 0 ? words.original : format.count(revision)}
        </span>
      ),
    },
    { header: words.changed, time: 'changedAt', none: words.never },
  ]
  if (onDuplicate === undefined) return columns
  const actions: Column<Row> = {
    header: words.actions,
    align: 'end',
    // On a phone the whole row is one link.
    phone: 'none',
    cell: (row) => <RowMenu row={row} onDuplicate={() => onDuplicate(row.slug)} />,
  }
  return [...columns, actions]
}

function RowMenu({ row, onDuplicate }: { readonly row: Row; readonly onDuplicate: () => void }) {
  const words = useWords(templateWords)
  const { id } = useMerchant()
  const navigate = useNavigate()
  const toggle = useSwitch()
  const { slug, isActive, isPublished } = row
  return (
    <span className="relative z-1">
      <Menu
        label={words.more(slug)}
        trigger={<Icon name="more" />}
        triggerClass="inline-grid size-8 place-items-center rounded-control text-ink-soft hover:bg-hover hover:text-ink phone:size-11"
        entries={[
          { label: words.edit, onSelect: () => void navigate({ to: `/m/${id}/templates/${slug}` }) },
          { label: words.duplicate, icon: 'copy', disabled: !isPublished, onSelect: onDuplicate },
          'line',
          {
            label: isActive ? words.deactivate : words.activate,
            disabled: !isPublished,
            danger: isActive,
            onSelect: () => void toggle(row),
          },
        ]}
      />
    </span>
  )
}

/** Lets new payments name the template, or no longer. */
export function useSwitch(): (template: Pick<Template, 'slug' | 'isActive'>) => Promise<void> {
  const words = useWords(templateWords)
  const textOf = useFaultText()
  const { id } = useMerchant()
  const client = useQueryClient()
  return async ({ slug, isActive }) => {
    try {
      await call('switchTemplate', { merchant: id, id: slug, body: { isActive: !isActive } })
      toast(isActive ? words.switchedOff(slug) : words.switchedOn(slug))
    } catch (error) {
      toast(textOf(error), { isBad: true })
    }
    await client.invalidateQueries({ queryKey: ['m', id, 'templates'] })
  }
}

// A new template: its slug, and a draft that begins as another template is now. Nothing is published.

function NewTemplate({
  source,
  taken,
  onClose,
}: {
  /** The template that it begins as. Undefined: the original of every merchant. */
  readonly source?: string | undefined
  readonly taken: readonly string[]
  readonly onClose: () => void
}) {
  const words = useWords(templateWords)
  const fields = useWords(templateFieldWords)
  const { id } = useMerchant()
  const navigate = useNavigate()
  const { user } = useSession()
  const client = useQueryClient()
  const work = useAttempt()
  const draft = useDraft({ name: '', slug: unwritten })
  const name = draft.values.name.trim()
  const slug = draft.values.slug === unwritten ? slugOf(draft.values.name) : draft.values.slug
  const make = async () => {
    if (name === '') return
    await work.attempt(async () => {
      const [path, query] = source === undefined ? ['default', { revision: 0 }] : [source, {}]
      const from = await call('getTemplate', { merchant: id, id: path, query })
      await createDraft({ client, userId: user.id, merchantId: id }, slug, name, from)
      await navigate({ to: `/m/${id}/templates/${slug}` })
    })
  }
  return (
    <FormDialog
      title={source === undefined ? words.add : words.duplicateTitle(source)}
      lead={words.createLead}
      act={words.create}
      draft={{ ...draft, values: { name: draft.values.name, slug } }}
      fields={[
        {
          name: 'name',
          label: fields.name,
          help: fields.nameHelp,
          maxLength: 80,
          autoFocus: true,
          autoComplete: 'off',
        },
        {
          name: 'slug',
          label: words.slug,
          help: words.slugHelp,
          maxLength: 64,
          autoComplete: 'off',
          spellCheck: false,
          className: 'font-mono text-13!',
          fault: taken.includes(slug) ? words.slugTaken : undefined,
          wrong: !isSlug(slug) && words.slugBad,
        },
      ]}
      {...work}
      onSend={make}
      onClose={onClose}
    />
  )
}

/** No slug has a space: until it is written, it is made of the name. */
const unwritten = ' '

/** The name as a link has it. */
function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 64)
}
