// The draft of evidence: the fields that its reason needs first, the files, and the review before it is submitted.
import { useState } from 'react'
import { useAct, type Act } from '../../api/act.ts'
import type { Dispute, DisputeEvidence } from '../../api/generated.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Field, inputClass } from '../../kit/field.tsx'
import { Notice } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { evidenceWords } from '../../words/evidence.ts'
import { useWords } from '../../words/reader.ts'
import { EvidenceContent } from './evidence-content.tsx'
import { longTexts, fieldsFor, type FileKind, type TextName } from './evidence-fields.ts'
import { EvidenceFiles } from './evidence-files.tsx'

type Edits = Readonly<Partial<Record<TextName, string>>>

export function EvidenceForm({
  dispute,
  evidence,
}: {
  readonly dispute: Dispute
  readonly evidence: DisputeEvidence
}) {
  const words = useWords(evidenceWords)
  const act = useAct()
  const { edits, setEdits, save } = useDraft(dispute.id, act)
  const [showsAll, setShowsAll] = useState(false)
  const [reviewed, setReviewed] = useState<DisputeEvidence>()
  const [isEmpty, setEmpty] = useState(false)
  const { names, kinds } = useFields(dispute, evidence, edits, showsAll)
  const review = async () => {
    const saved = Object.keys(edits).length === 0 ? evidence : await save()
    if (saved === undefined) return
    const has = Object.keys(saved.texts).length + saved.files.length > 0
    setEmpty(!has)
    if (has) setReviewed(saved)
  }
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void review()
      }}
    >
      {evidence.status === 'REFUSED' && <Notice tone="bad">{words.refused}</Notice>}
      <p className="text-13 text-ink-soft">{words.lead}</p>
      <div className="grid gap-5 md:grid-cols-2">
        {names.map((name) => (
          <TextInput
            key={name}
            name={name}
            value={edits[name] ?? evidence.texts[name] ?? ''}
            onChange={(text) => setEdits({ ...edits, [name]: text })}
          />
        ))}
      </div>
      <EvidenceFiles disputeId={dispute.id} kinds={kinds} files={evidence.files} act={act} />
      <Button variant="quiet" className="self-start" onClick={() => setShowsAll(!showsAll)}>
        {showsAll ? words.few : words.all}
      </Button>
      {isEmpty && (
        <p role="alert" className="text-13 text-bad">
          {words.nothing}
        </p>
      )}
      {reviewed === undefined && <FormFault error={act.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          busy={act.isBusy}
          disabled={Object.keys(edits).length === 0}
          onClick={() => void save().then((saved) => saved !== undefined && toast(words.saved))}
        >
          {words.save}
        </Button>
        <Button type="submit" variant="primary" busy={act.isBusy}>
          {words.review}
        </Button>
      </div>
      {reviewed !== undefined && (
        <ReviewDialog disputeId={dispute.id} evidence={reviewed} onClose={() => setReviewed(undefined)} />
      )}
    </form>
  )
}

/** What was typed, until it is saved. */
function useDraft(id: string, act: Act) {
  const [edits, setEdits] = useState<Edits>({})
  /** The evidence after what was typed is saved; undefined when it was refused. */
  const save = async () => {
    const texts = Object.fromEntries(
      Object.entries(edits).map(([name, text]) => [name, text.trim() === '' ? null : text]),
    )
    const saved = await act.ask('changeDisputeEvidence', { id, body: { texts } })
    if (saved !== undefined) setEdits({})
    return saved
  }
  return { edits, setEdits, save }
}

/** The fields that are shown: all, or those of the reason and those that have something. */
function useFields(dispute: Dispute, evidence: DisputeEvidence, edits: Edits, showsAll: boolean) {
  const words = useWords(evidenceWords)
  const first = fieldsFor(dispute.reason)
  const isShown = (name: string, among: readonly string[], isGiven: boolean) =>
    showsAll || isGiven || among.includes(name)
  const names = (Object.keys(words.texts) as TextName[]).filter((name) =>
    isShown(name, first.texts, evidence.texts[name] !== undefined || edits[name] !== undefined),
  )
  const kinds = (Object.keys(words.kinds) as FileKind[]).filter((kind) =>
    isShown(
      kind,
      first.files,
      evidence.files.some((file) => file.kind === kind),
    ),
  )
  return { names, kinds }
}

function TextInput({
  name,
  value,
  onChange,
}: {
  readonly name: TextName
  readonly value: string
  readonly onChange: (text: string) => void
}) {
  const words = useWords(evidenceWords)
  const isLong = longTexts.includes(name)
  const shared = {
    value,
    maxLength: isLong ? 20_000 : 5_000,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  return (
    <div className={isLong ? 'md:col-span-2' : ''}>
      <Field label={words.texts[name]}>
        {(attributes) =>
          isLong ? (
            <textarea {...attributes} {...shared} rows={4} className={`${inputClass} resize-y py-2`} />
          ) : (
            <input {...attributes} {...shared} autoComplete="off" className={inputClass} />
          )
        }
      </Field>
    </div>
  )
}

/** Everything that will be sent, and that it cannot be changed afterwards. */
function ReviewDialog({
  disputeId,
  evidence,
  onClose,
}: {
  readonly disputeId: string
  readonly evidence: DisputeEvidence
  readonly onClose: () => void
}) {
  const words = useWords(evidenceWords)
  const act = useAct()
  const submit = async () => {
    if (!(await act.send('submitDisputeEvidence', { id: disputeId, body: { version: evidence.version } })))
      return
    toast(words.submitted)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.reviewTitle} lead={words.reviewLead}>
      <EvidenceContent evidence={evidence} />
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="primary" busy={act.isBusy} onClick={() => void submit()}>
          {words.submit}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
