// What became of each file of an import.
import { Details } from '../../kit/details.tsx'
import { Icon } from '../../kit/icons.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { useFormat, useWords } from '../../words/reader.ts'

type Imported = {
  readonly file: string
  readonly state: 'IMPORTED' | 'KNOWN' | 'REFUSED'
  readonly reason?: string
  readonly movements?: number
  readonly paid?: number
  readonly proposed?: number
  readonly seen?: number
}

export type ImportResult = {
  readonly ok: boolean
  readonly files: readonly Imported[]
}

export function ImportedFiles({ result }: { readonly result: ImportResult }) {
  const words = useWords(operatorFileWords)
  const format = useFormat()
  const textOf = ({ state, movements = 0, paid = 0, proposed = 0 }: Imported) =>
    state === 'REFUSED'
      ? words.refused
      : state === 'KNOWN'
        ? words.alreadyImported
        : words.imported(format.count(movements), format.count(paid), format.count(proposed))
  return (
    <div className="flex flex-col gap-3 text-13">
      <ul className="flex flex-col gap-2">
        {result.files.map((each, place) => (
          <li key={`${place} ${each.file}`} className="flex items-start gap-2">
            <Icon
              name={each.state === 'REFUSED' ? 'cross' : 'check'}
              className={`mt-0.5 ${each.state === 'REFUSED' ? 'text-bad' : 'text-good'}`}
            />
            <span className="min-w-0 break-words">
              <span className="font-strong">{each.file}</span>: {textOf(each)}
              {each.seen !== undefined && <Details>{words.seen(format.count(each.seen))}</Details>}
              <Details>{each.reason}</Details>
            </span>
          </li>
        ))}
      </ul>
      {!result.ok && <p>{words.refusedLead}</p>}
    </div>
  )
}
