// The table of figures, as Markdown.
import { cpus, loadavg, totalmem } from 'node:os'
import { connect } from '#/db/client.ts'
import { ratioOf, typical, type Sample } from './stats.ts'

export type Row = {
  readonly what: string
  readonly samples: readonly Sample[]
  /** The samples it is compared to, and the aim. */
  readonly aims?: readonly Aim[]
}

export type Aim =
  | {
      readonly than: string
      readonly samples: readonly Sample[]
      readonly atLeast?: number
      readonly as: 'times' | 'percent'
    }
  | { readonly perSecondAtLeast: number }

/** Date, machine and versions: figures mean nothing without them. */
export async function header(url: string): Promise<string> {
  const sql = connect(url, { max: 1 })
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
  await sql.end()
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const [processor] = cpus()
  const [minute = 0] = loadavg()
  return [
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `${cpus().length} × ${processor?.model.trim() ?? 'unknown processor'}, ${gibibytes} GiB, ${process.platform}`,
    `Node ${process.versions.node}, PostgreSQL ${row?.version} (fsync on)`,
    `load before the start: ${minute.toFixed(1)}`,
  ].join(' · ')
}

export function table(title: string, rows: readonly Row[]): string {
  const lines = rows.map(({ what, samples, aims = [] }) => {
    const { perSecond, p50, p99 } = typical(samples)
    const [compared, aimed] = [
      aims.map((aim) => standing(aim, samples)),
      aims.map((aim) => verdict(aim, samples)),
    ]
    const cells = [
      what,
      count(perSecond),
      span(p50),
      span(p99),
      compared.join('; '),
      aimed.filter(Boolean).join('; '),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    `| ${title} | per second | p50 ms | p99 ms | compared | aim |`,
    '|---|--:|--:|--:|---|---|',
    ...lines,
  ].join('\n')
}

function standing(aim: Aim, samples: readonly Sample[]): string {
  if ('perSecondAtLeast' in aim) return ''
  return `${shown(ratioOf(samples, aim.samples), aim.as)} ${aim.than}`
}

function verdict(aim: Aim, samples: readonly Sample[]): string {
  if ('perSecondAtLeast' in aim) {
    const { perSecond } = typical(samples)
    return aimAndShare(`≥ ${count(aim.perSecondAtLeast)}/s`, perSecond / aim.perSecondAtLeast)
  }
  if (aim.atLeast === undefined) return ''
  return aimAndShare(`≥ ${shown(aim.atLeast, aim.as)}`, ratioOf(samples, aim.samples) / aim.atLeast)
}

function aimAndShare(aim: string, share: number): string {
  return share >= 1 ? `${aim}: met` : `${aim}: missed by ${Math.round((1 - share) * 100)} %`
}

function shown(ratio: number, as: 'times' | 'percent'): string {
  if (as === 'percent') return `${Math.round(ratio * 100)} %`
  return ratio < 10 ? `${ratio.toFixed(1)} ×` : `${Math.round(ratio)} ×`
}

function count(perSecond: number): string {
  return Math.round(perSecond).toLocaleString('en-US')
}

function span(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : String(Math.round(ms))
}
