// A new template: its name in links, and a draft that begins as another template is now. Nothing is published.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { useMerchant, useSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { useWords } from '../../words/reader.ts'
import { templateFieldWords } from '../../words/template-fields.ts'
import { templateWords } from '../../words/templates.ts'
import { createDraft } from './draft.ts'
import { isSlug } from './model.ts'

export function NewTemplate({
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
  const form = useNewTemplate(source, taken)
  const { name, slug } = form
  return (
    <Dialog
      open
      onClose={onClose}
      title={source === undefined ? words.add : words.duplicateTitle(source)}
      lead={words.createLead}
    >
      <form onSubmit={(event) => void form.submit(event)} className="flex flex-col gap-4" noValidate>
        <TextField
          label={fields.name}
          help={fields.nameHelp}
          value={name}
          maxLength={80}
          autoFocus
          autoComplete="off"
          onChange={(event) => form.setName(event.target.value)}
        />
        <TextField
          label={words.slug}
          help={words.slugHelp}
          value={slug}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-13!"
          onChange={(event) => form.setSlug(event.target.value)}
          fault={form.fault}
        />
        <FormFault error={form.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={form.isBusy}>
            {words.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function useNewTemplate(source: string | undefined, taken: readonly string[]) {
  const words = useWords(templateWords)
  const { id } = useMerchant()
  const navigate = useNavigate()
  const { user } = useSession()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [typed, setSlug] = useState<string>()
  const [wasTried, setTried] = useState(false)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const slug = typed ?? slugOf(name)
  const isTaken = taken.includes(slug)
  const fault = isTaken ? words.slugTaken : isSlug(slug) ? undefined : words.slugBad
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (name.trim() === '' || fault !== undefined) return
    setBusy(true)
    try {
      const [path, query] = source === undefined ? ['default', { revision: 0 }] : [source, {}]
      const from = await call('getTemplate', { merchant: id, id: path, query })
      await createDraft({ client, userId: user.id, merchantId: id }, slug, name.trim(), from)
      await navigate({ to: `/m/${id}/templates/${slug}` })
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return {
    name,
    setName,
    slug,
    setSlug,
    fault: wasTried || isTaken ? fault : undefined,
    error,
    isBusy,
    submit,
  }
}

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
