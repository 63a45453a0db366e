// The revisions of a template, and what differs between any two of them.
import { useState } from 'react'
import { useRead } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Fault } from '../../kit/fault.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { SelectField } from '../../kit/select.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { Changes } from './changes.tsx'
import { useTemplate } from './draft.ts'
import type { Draft } from './model.ts'

export function History({
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
