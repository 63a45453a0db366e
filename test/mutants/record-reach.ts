// Records which functions of `src` each test file runs, as V8 counts them. Loaded into the processes of `npm test` when the mutants need
// it: see reach.ts.
import { writeFileSync } from 'node:fs'
import { Session, type Profiler } from 'node:inspector'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The functions that a test file ran, by source file from the root: their offsets in the text. */
export type Ran = Readonly<Record<string, readonly (readonly [start: number, end: number])[]>>

const source = new URL('../../src/', import.meta.url).href
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Writes what ran since the last call to `folder`, as that of the test file. */
export function recordReach(testFile: string, spanMs: number, folder: string): void {
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error !== null) throw error
    const record = JSON.stringify({ testFile, spanMs, ran: ranIn(taken.result) })
    writeFileSync(join(folder, `${testFile.replaceAll('/', '-')}.json`), record)
  })
}

function ranIn(scripts: readonly Profiler.ScriptCoverage[]): Ran {
  return Object.fromEntries(
    scripts
      .filter(({ url }) => url.startsWith(source))
      .map(
        ({ url, functions }) =>
          [`src/${fileURLToPath(url).slice(fileURLToPath(source).length)}`, offsetsOf(functions)] as const,
      )
      .filter(([, offsets]) => offsets.length > 0),
  )
}

function offsetsOf(functions: readonly Profiler.FunctionCoverage[]): readonly (readonly [number, number])[] {
  return functions.flatMap(({ ranges: [whole] }) =>
    whole === undefined || whole.count === 0 ? [] : [[whole.startOffset, whole.endOffset] as const],
  )
}
