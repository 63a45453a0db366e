// The draft of evidence: the fields that its reason needs first, the files, and the review before it is submitted.
import { useRef, useState } from 'react'
import { useAct, type Act } from '../../api/act.ts'
import type {
  Dispute,
  DisputeEvidence,
  DisputeEvidenceFile,
  DisputeEvidenceFileKind,
  DisputeEvidenceTexts,
} from '../../api/generated.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Field, inputClass } from '../../kit/field.tsx'
import { Notice } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { evidenceWords } from '../../words/evidence.ts'
import { useFormat, useWords } from '../../words/reader.ts'

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
        <Review id={dispute.id} evidence={reviewed} onClose={() => setReviewed(undefined)} />
      )}
    </form>
  )
}

/** Everything that will be sent, and that it cannot be changed afterwards. */
function Review({
  id,
  evidence,
  onClose,
}: {
  readonly id: string
  readonly evidence: DisputeEvidence
  readonly onClose: () => void
}) {
  const words = useWords(evidenceWords)
  return (
    <ActionDialog
      call="submitDisputeEvidence"
      id={id}
      body={() => ({ version: evidence.version })}
      title={words.reviewTitle}
      lead={words.reviewLead}
      act={words.submit}
      done={words.submitted}
      onClose={onClose}
    >
      <EvidenceContent evidence={evidence} />
    </ActionDialog>
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

// Which fields of evidence matter for which reason of a dispute (https://docs.stripe.com/disputes/categories). All others can be shown.

type TextName = keyof DisputeEvidenceTexts
type FileKind = DisputeEvidenceFileKind

/** Texts that need more than a line. */
const longTexts: readonly TextName[] = [
  'productDescription',
  'accessActivityLog',
  'cancellationPolicyDisclosure',
  'cancellationRebuttal',
  'refundPolicyDisclosure',
  'refundRefusalExplanation',
  'duplicateChargeExplanation',
  'statement',
]

type EvidenceFields = { readonly texts: readonly TextName[]; readonly files: readonly FileKind[] }

const shipping: EvidenceFields = {
  texts: ['shippingAddress', 'shippingCarrier', 'shippingDate', 'shippingTrackingNumber', 'serviceDate'],
  files: ['SHIPPING_DOCUMENTATION', 'SERVICE_DOCUMENTATION', 'CUSTOMER_COMMUNICATION'],
}
const refund: EvidenceFields = {
  texts: ['refundPolicyDisclosure', 'refundRefusalExplanation'],
  files: ['REFUND_POLICY', 'CUSTOMER_COMMUNICATION'],
}
const usage: EvidenceFields = {
  texts: ['customerPurchaseIp', 'billingAddress', 'accessActivityLog', ...shipping.texts],
  files: ['CUSTOMER_SIGNATURE', 'CUSTOMER_COMMUNICATION', 'SHIPPING_DOCUMENTATION'],
}

const byReason: Readonly<Record<string, EvidenceFields>> = {
  fraudulent: usage,
  unrecognized: usage,
  product_not_received: shipping,
  product_unacceptable: { texts: [...refund.texts, 'shippingTrackingNumber'], files: refund.files },
  credit_not_processed: refund,
  subscription_canceled: {
    texts: ['cancellationPolicyDisclosure', 'cancellationRebuttal', 'accessActivityLog'],
    files: ['CANCELLATION_POLICY', 'CUSTOMER_COMMUNICATION'],
  },
  duplicate: {
    texts: ['duplicateChargeId', 'duplicateChargeExplanation'],
    files: ['DUPLICATE_CHARGE_DOCUMENTATION'],
  },
}

/** The fields of evidence that are shown first for a dispute's reason. */
function fieldsFor(reason: string | undefined): EvidenceFields {
  const special = byReason[reason ?? ''] ?? { texts: [], files: [] }
  return {
    texts: ['productDescription', 'customerName', 'customerEmail', ...special.texts, 'statement'],
    files: ['RECEIPT', ...special.files, 'OTHER'],
  }
}

// The files of a draft of evidence: one of each kind, stored as soon as it is chosen.

/** The limit of all files together, so of each. */
const bytesMax = 4_500_000

type Props = {
  readonly disputeId: string
  readonly kinds: readonly FileKind[]
  readonly files: readonly DisputeEvidenceFile[]
  readonly act: Act
}

function EvidenceFiles({ disputeId: id, kinds, files, act }: Props) {
  const words = useWords(evidenceWords)
  const [tooLarge, setTooLarge] = useState<FileKind>()
  const choose = async (kind: FileKind, file: File) => {
    setTooLarge(file.size > bytesMax ? kind : undefined)
    if (file.size > bytesMax) return
    const content = await base64Of(file)
    await act.send('addDisputeEvidenceFile', { id, body: { kind, name: file.name.slice(0, 120), content } })
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="text-13 font-strong">{words.files}</legend>
      <p className="text-13 text-ink-soft">{words.filesLead}</p>
      <ul className="flex flex-col divide-y divide-line">
        {kinds.map((kind) => (
          <FileRow
            key={kind}
            label={words.kinds[kind]}
            file={files.find((file) => file.kind === kind)}
            isTooLarge={tooLarge === kind}
            isBusy={act.isBusy}
            onChoose={(file) => void choose(kind, file)}
            onRemove={() => void act.send('changeDisputeEvidence', { id, body: { removeFiles: [kind] } })}
          />
        ))}
      </ul>
    </fieldset>
  )
}

function FileRow({
  label,
  file,
  isTooLarge,
  isBusy,
  onChoose,
  onRemove,
}: {
  readonly label: string
  readonly file: DisputeEvidenceFile | undefined
  readonly isTooLarge: boolean
  readonly isBusy: boolean
  readonly onChoose: (file: File) => void
  readonly onRemove: () => void
}) {
  const words = useWords(evidenceWords)
  const format = useFormat()
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-13">
      <div className="min-w-0 flex-1 basis-48">
        <span className="block">{label}</span>
        {file !== undefined && (
          <span className="block break-words text-ink-soft">
            {file.name} · {format.bytes(file.size)}
          </span>
        )}
        {isTooLarge && (
          <span role="alert" className="block text-bad">
            {words.tooLarge}
          </span>
        )}
      </div>
      <input
        ref={chooser}
        type="file"
        accept="application/pdf,image/png,image/jpeg"
        aria-label={label}
        tabIndex={-1}
        className="aside"
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen !== undefined) onChoose(chosen)
        }}
      />
      <div className="flex gap-2">
        <Button
          busy={isBusy}
          aria-label={`${file === undefined ? words.choose : words.replace}: ${label}`}
          onClick={() => chooser.current?.click()}
        >
          {file === undefined ? words.choose : words.replace}
        </Button>
        {file !== undefined && (
          <Button variant="quiet" busy={isBusy} aria-label={`${words.remove}: ${label}`} onClick={onRemove}>
            {words.remove}
          </Button>
        )}
      </div>
    </li>
  )
}

/** The bytes of a file in base64. */
function base64Of(file: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => {
    const address = typeof reader.result === 'string' ? reader.result : ''
    resolve(address.slice(address.indexOf(',') + 1))
  })
  reader.addEventListener('error', () => reject(reader.error ?? new Error('the file cannot be read')))
  reader.readAsDataURL(file)
  return promise
}

// The texts and files of evidence, as they are read.

/** All texts and files. */
export function EvidenceContent({ evidence }: { readonly evidence: DisputeEvidence }) {
  const words = useWords(evidenceWords)
  const format = useFormat()
  return (
    <dl className="flex min-w-0 flex-col gap-3 text-13">
      {(Object.keys(words.texts) as (keyof DisputeEvidenceTexts)[]).map((name) => {
        const text = evidence.texts[name]
        if (text === undefined) return null
        return (
          <div key={name}>
            <dt className="text-ink-soft">{words.texts[name]}</dt>
            <dd className="break-words whitespace-pre-wrap">{text}</dd>
          </div>
        )
      })}
      {evidence.files.map(({ kind, name, size, sha256 }) => (
        <div key={kind}>
          <dt className="text-ink-soft">{words.kinds[kind]}</dt>
          <dd className="min-w-0">
            <span className="break-words">{name}</span>{' '}
            <span className="text-ink-soft">· {format.bytes(size)}</span>
            <span className="block truncate font-mono text-ink-soft" title={words.print}>
              {sha256}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
