// Starts a rehearsal of a server.
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { Endpoint, Rehearsal } from '../../api/developer-records.ts'
import { useMerchantMutation } from '../../api/merchant-mutation.ts'
import { faultOf } from '../../api/problem.ts'
import { usePages } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { useWords } from '../../words/reader.ts'
import { sandboxWords } from '../../words/sandbox-tools.ts'
import { useDevelopersPath } from './frame.tsx'

const address = { type: 'url', maxLength: 2048, spellCheck: false, autoComplete: 'off' } as const

/** The last rehearsal's addresses are offered again; the first time, that of the first endpoint. */
export function RehearsalForm({
  last,
  onClose,
}: {
  readonly last: Rehearsal | undefined
  readonly onClose: () => void
}) {
  const words = useWords(sandboxWords)
  const mutation = useMerchantMutation()
  const navigate = useNavigate()
  const pathOf = useDevelopersPath()
  const endpoints = usePages<Endpoint>('endpoints', 'webhook-endpoints', { limit: 100 }).rows
  const [typed, setUrl] = useState(last?.url)
  const [stateUrl, setStateUrl] = useState(last?.stateUrl ?? '')
  const [seed, setSeed] = useState('')
  const url = typed ?? endpoints?.[0]?.url ?? ''
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const done = await mutation.ask<Rehearsal>('sandbox/rehearsals', {
      url: url.trim(),
      ...(stateUrl.trim() === '' ? {} : { stateUrl: stateUrl.trim() }),
      ...(seed.trim() === '' ? {} : { seed: Number(seed) }),
    })
    if (done === undefined) return
    onClose()
    void navigate({ to: pathOf(`rehearsals/${done.answer.id}`) })
  }
  return (
    <Dialog open onClose={onClose} title={words.start} lead={words.rehearsalsLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <TextField
          {...address}
          label={words.url}
          help={words.urlHelp}
          required
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          fault={faultOf(mutation.error, 'url')}
        />
        <TextField
          {...address}
          label={words.stateUrl}
          help={words.stateUrlHelp}
          value={stateUrl}
          onChange={(event) => setStateUrl(event.target.value)}
          fault={faultOf(mutation.error, 'stateUrl')}
        />
        <TextField
          label={words.seed}
          help={words.seedHelp}
          inputMode="numeric"
          pattern="\d{1,10}"
          value={seed}
          onChange={(event) => setSeed(event.target.value)}
          fault={faultOf(mutation.error, 'seed')}
        />
        <FormFault error={mutation.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" icon="play" busy={mutation.isBusy}>
            {words.startDo}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
