// The texts and files of evidence, as they are read.
import type { DisputeEvidence, DisputeEvidenceTexts } from '../../api/generated.ts'
import { evidenceWords } from '../../words/evidence.ts'
import { useFormat, useWords } from '../../words/reader.ts'

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
