// The button that makes a CSV file of a filtered list.
import { useRef, useState } from 'react'
import type { Csv, CsvReading } from '../api/csv.ts'
import { csvWords } from '../words/csv.ts'
import { useFormat, useWords } from '../words/reader.ts'
import { Button } from './button.tsx'
import { useFaultText } from './fault.tsx'
import { saveFile } from './save-file.ts'
import { toast } from './toast.tsx'

/** Makes the file of what is filtered, with the count of rows as it grows. `name`: the beginning of the file's name. */
export function CsvButton({
  name,
  read,
}: {
  readonly name: string
  readonly read: (reading: CsvReading) => Promise<Csv>
}) {
  const words = useWords(csvWords)
  const format = useFormat()
  const textOf = useFaultText()
  const [rows, setRows] = useState<number>()
  const stop = useRef<AbortController>(undefined)
  const make = async () => {
    const controller = new AbortController()
    stop.current = controller
    setRows(0)
    try {
      const csv = await read({ signal: controller.signal, onRows: setRows })
      saveFile(csv.text, `${name}-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv;charset=utf-8')
      toast(csv.isCut ? words.csvCut(format.count(csv.rows)) : words.csvDone(format.count(csv.rows)))
    } catch (error) {
      if (!controller.signal.aborted) toast(textOf(error), { isBad: true })
    }
    setRows(undefined)
  }
  if (rows === undefined)
    return (
      <Button icon="download" onClick={() => void make()}>
        {words.csv}
      </Button>
    )
  return (
    <span className="flex items-center gap-3">
      <span role="status" className="figures text-13 text-ink-soft">
        {words.csvRows(format.count(rows))}
      </span>
      <Button icon="close" onClick={() => stop.current?.abort()}>
        {words.csvStop}
      </Button>
    </span>
  )
}
