// The files of a draft of evidence: one of each kind, stored as soon as it is chosen.
import { useRef, useState } from 'react'
import { type Act } from '../../api/act.ts'
import type { DisputeEvidenceFile } from '../../api/generated.ts'
import { Button } from '../../kit/button.tsx'
import { evidenceWords } from '../../words/evidence.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import type { FileKind } from './evidence-fields.ts'

/** The limit of all files together, so of each. */
const bytesMax = 4_500_000

type Props = {
  readonly disputeId: string
  readonly kinds: readonly FileKind[]
  readonly files: readonly DisputeEvidenceFile[]
  readonly act: Act
}

export function EvidenceFiles({ disputeId: id, kinds, files, act }: Props) {
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
