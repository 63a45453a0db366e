// What the bench measured on this machine: it writes its figure into the data folder, and the console puts today's load beside it.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

export type BenchFigure = {
  readonly at: Date
  /** Payments that were created per second, by POST /v1/payments. */
  readonly paymentsPerSecond: number
}

const nameOf = (folder: string) => path.join(folder, 'bench.json')

/** The figure of this machine. Undefined where there is none that can be read: then nobody knows what it carries. */
export async function readBenchFigure(folder: string): Promise<BenchFigure | undefined> {
  try {
    const read = JSON.parse(await readFile(nameOf(folder), 'utf8')) as {
      readonly at?: unknown
      readonly paymentsPerSecond?: unknown
    }
    const at = new Date(String(read.at))
    const paymentsPerSecond = Number(read.paymentsPerSecond)
    return Number.isNaN(at.getTime()) || !(paymentsPerSecond > 0) ? undefined : { at, paymentsPerSecond }
  } catch {
    return undefined
  }
}

/** Replaces the figure: a reader sees the old one or the new one. */
export async function writeBenchFigure(
  folder: string,
  { at, paymentsPerSecond }: BenchFigure,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const part = `${nameOf(folder)}.${process.pid}`
  await writeFile(part, `${JSON.stringify({ at: at.toISOString(), paymentsPerSecond })}\n`)
  await rename(part, nameOf(folder))
}
