// Starts a rehearsal of a server.
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { RehearsalSummary } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useList } from '../../api/queries.ts'
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
  readonly last: RehearsalSummary | undefined
  readonly onClose: () => void
}) {
  const words = useWords(sandboxWords)
  const act = useAct()
  const navigate = useNavigate()
  const pathOf = useDevelopersPath()
  const endpoints = useList('listWebhookEndpoints', { query: { limit: 100 } }).rows
  const [typed, setUrl] = useState(last?.url)
  const [stateUrl, setStateUrl] = useState(last?.stateUrl ?? '')
  const [seed, setSeed] = useState('')
  const url = typed ?? endpoints?.[0]?.url ?? ''
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const done = await act.ask('createRehearsal', {
      body: {
        url: url.trim(),
        ...(stateUrl.trim() === '' ? {} : { stateUrl: stateUrl.trim() }),
        ...(seed.trim() === '' ? {} : { seed: Number(seed) }),
      },
    })
    if (done === undefined) return
    onClose()
    void navigate({ to: pathOf(`rehearsals/${done.id}`) })
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
          fault={faultOf(act.error, 'url')}
        />
        <TextField
          {...address}
          label={words.stateUrl}
          help={words.stateUrlHelp}
          value={stateUrl}
          onChange={(event) => setStateUrl(event.target.value)}
          fault={faultOf(act.error, 'stateUrl')}
        />
        <TextField
          label={words.seed}
          help={words.seedHelp}
          inputMode="numeric"
          pattern="\d{1,10}"
          value={seed}
          onChange={(event) => setSeed(event.target.value)}
          fault={faultOf(act.error, 'seed')}
        />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" icon="play" busy={act.isBusy}>
            {words.startDo}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
