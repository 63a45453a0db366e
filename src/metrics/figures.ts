// Figures that are read from the database for /metrics, by one reader with connections of its own. A scrape waits for at most `patienceMs`,
// then gets the figures that are there; many scrapes cause one reading. Each figure is read alone, with a deadline of its own.
import { Gauge, type Registry } from 'prom-client'
import type { Sql, Tx } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'

export type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number }

/** One reading, and the series that it gives. */
export type Figure = {
  readonly name: string
  /** Each series, and what it means. */
  readonly series: Readonly<Record<string, { readonly help: string; readonly labels?: readonly string[] }>>
  readonly read: (tx: Tx) => Promise<Readonly<Record<string, readonly Sample[]>>>
  /** For how long a reading is not repeated. Default: 10 s. */
  readonly everyMs?: number
}

export type FiguresOptions = {
  /** With few connections. A reading has the limits of every transaction: five seconds for a statement. */
  readonly sql: Sql
  readonly log: Log
  readonly registry: Registry
  readonly figures: readonly Figure[]
  /** How long a scrape waits for readings. */
  readonly patienceMs?: number
  /** A figure that was not read for so long is shown no more. */
  readonly keptMs?: number
}

export type Figures = {
  /** Reads what is due, and resolves when all are read, or after the patience. Never rejects. */
  refresh(): Promise<void>
}

const usualEveryMs = 10 * secondMs
const usualPatienceMs = 2 * secondMs
const usualKeptMs = 2 * 60 * secondMs

/** Registers the series of the figures. */
export function createFigures(options: FiguresOptions): Figures {
  const { registry, log, figures, patienceMs = usualPatienceMs, keptMs = usualKeptMs } = options
  const age = new Gauge({
    name: 'vintem_figure_age_seconds',
    help: 'How long ago each figure was read from the database. It grows while the figure cannot be read.',
    labelNames: ['figure'],
    registers: [registry],
  })
  const readers = figures.map((figure) => createReader(options.sql, log, registry, figure))
  const createdMs = monotonicMs()
  return {
    async refresh() {
      const enough = new AbortController()
      const reading = Promise.all(readers.map((reader) => reader.refresh())).finally(() => enough.abort())
      await Promise.race([reading, sleep(patienceMs, enough.signal)])
      for (const reader of readers) {
        const ageMs = monotonicMs() - (reader.readMs() ?? createdMs)
        age.set({ figure: reader.name }, ageMs / secondMs)
        if (ageMs > Math.max(keptMs, 3 * reader.everyMs)) reader.forget()
      }
    },
  }
}

function createReader(sql: Sql, log: Log, registry: Registry, figure: Figure) {
  const { name, series, everyMs = usualEveryMs } = figure
  /** The labels that this figure has set: other figures may set the same series with other labels. */
  let mine: (() => void)[] = []
  const gauges = Object.entries(series).map(([each, { help, labels = [] }]) => {
    const known = registry.getSingleMetric(each)
    const gauge =
      known instanceof Gauge
        ? known
        : new Gauge({ name: each, help, labelNames: labels, registers: [registry] })
    // Without labels it begins with zero, a figure that nobody has read.
    if (labels.length === 0) gauge.remove()
    return { each, gauge }
  })
  const forget = () => {
    for (const remove of mine) remove()
    mine = []
  }
  let readMs: number | undefined
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    try {
      const samples = await sql.begin('read only', (tx) => figure.read(tx))
      forget()
      for (const { each, gauge } of gauges)
        for (const { labels = {}, value } of samples[each] ?? []) {
          gauge.set(labels, value)
          mine.push(() => gauge.remove(labels))
        }
      readMs = monotonicMs()
    } catch (error) {
      log.warn({ figure: name, error: messageOf(error) }, 'a figure for /metrics was not read')
    } finally {
      reading = undefined
    }
  }

  return {
    name,
    everyMs,
    forget,
    readMs: () => readMs,
    refresh: (): Promise<void> => {
      if (readMs !== undefined && monotonicMs() - readMs < everyMs) return Promise.resolve()
      reading ??= read()
      return reading
    },
  }
}
