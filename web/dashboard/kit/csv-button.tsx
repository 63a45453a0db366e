// The button that makes a CSV file, for the spreadsheet that its dialog names.
import { useRef, useState } from 'react'
import type { CsvStyle, Spreadsheet } from '#/kernel/csv.ts'
import type { Csv, CsvReading } from '../api/csv.ts'
import { csvWords } from '../words/csv.ts'
import { useFormat, useReader, useWords } from '../words/reader.ts'
import { Button } from './button.tsx'
import { DialogButton } from './dialog.tsx'
import { useFaultText } from './fault.tsx'
import { FormDialog, useDraft } from './form.tsx'
import { saveAddress, saveFile } from './save-file.ts'
import { toast } from './toast.tsx'

type Source =
  /** Made in the browser, page by page, under this beginning of a name. */
  | { readonly name: string; readonly read: (reading: CsvReading) => Promise<Csv> }
  /** Made by the server. */
  | { readonly addressOf: (style: CsvStyle) => string }

/** `isQuiet`: as a small button beside others. */
export function CsvButton({ isQuiet = false, ...source }: Source & { readonly isQuiet?: boolean }) {
  const words = useWords(csvWords)
  const format = useFormat()
  const { rows, stop, make } = useMaking(source)
  if (rows === undefined)
    return (
      <DialogButton
        icon="download"
        variant={isQuiet ? 'quiet' : 'plain'}
        aria-label={words.csv}
        title={words.csv}
        dialog={(onClose) => (
          <CsvDialog
            onClose={onClose}
            onStyle={async (style) => {
              onClose()
              await make(style)
            }}
          />
        )}
      >
        {isQuiet ? 'CSV' : words.csv}
      </DialogButton>
    )
  return (
    <span className="flex items-center gap-3">
      <span role="status" className="figures text-13 text-ink-soft">
        {words.csvRows(format.count(rows))}
      </span>
      <Button icon="close" onClick={stop}>
        {words.csvStop}
      </Button>
    </span>
  )
}

/** Makes the file of what is filtered, with the count of rows as it grows. */
function useMaking(source: Source) {
  const words = useWords(csvWords)
  const format = useFormat()
  const textOf = useFaultText()
  const [rows, setRows] = useState<number>()
  const running = useRef<AbortController>(undefined)
  const make = async (style: CsvStyle) => {
    if ('addressOf' in source) {
      saveAddress(source.addressOf(style))
      return
    }
    const controller = new AbortController()
    running.current = controller
    setRows(0)
    try {
      const csv = await source.read({ signal: controller.signal, onRows: setRows, style })
      const name = `${source.name}-${new Date().toISOString().slice(0, 10)}.csv`
      saveFile(csv.text, name, 'text/csv;charset=utf-8')
      toast(csv.isCut ? words.csvCut(format.count(csv.rows)) : words.csvDone(format.count(csv.rows)))
    } catch (error) {
      if (!controller.signal.aborted) toast(textOf(error), { isBad: true })
    }
    setRows(undefined)
  }
  return { rows, make, stop: () => running.current?.abort() }
}

type Choice = Spreadsheet | 'plain'

const choices = ['semicolon', 'comma', 'plain'] as const satisfies readonly Choice[]

function CsvDialog({
  onClose,
  onStyle,
}: {
  readonly onClose: () => void
  readonly onStyle: (style: CsvStyle) => Promise<void>
}) {
  const words = useWords(csvWords)
  const { locale, timeZone } = useReader()
  // Where decimals have a comma, the comma separates no cells.
  const draft = useDraft<{ format: Choice }>({ format: locale === 'en' ? 'comma' : 'semicolon' })
  const { format } = draft.values
  return (
    <FormDialog
      title={words.csv}
      lead={words.csvLead}
      draft={draft}
      fields={[
        {
          name: 'format',
          label: words.csvFormat,
          cards: choices.map((value) => ({
            value,
            label: words.csvFormats[value],
            help: words.csvFormatHelp[value],
          })),
        },
      ]}
      act={words.csv}
      icon="download"
      error={undefined}
      isBusy={false}
      onSend={() => onStyle({ timeZone, spreadsheet: format === 'plain' ? undefined : format })}
      onClose={onClose}
    />
  )
}
