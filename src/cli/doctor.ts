// `doctor`: the going-live checklist, checked: settings, keys, the database, and each connection to a provider.
import type { Config } from '#/config.ts'
import { messageOf } from '#/kernel/error.ts'
import { toJson } from '#/kernel/json.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { printable } from '#/kernel/terminal.ts'
import { single, UsageError, type Call, type Command, FoundFault } from './command.ts'
import { openCommandDatabase } from './database.ts'
import { connectionFindings } from './doctor-connections.ts'
import { databaseFindings } from './doctor-database.ts'
import { failed, type Finding } from './doctor-finding.ts'
import { settingsFindings } from './doctor-settings.ts'

/** Two of api, a worker, a watcher. */
const usualProcesses = 4
const usualWorkers = 1

const check: Command = {
  summary:
    'Checks what live money needs: settings, keys, the database, and each LIVE connection to a provider',
  options: {
    processes: {
      value: 'count',
      meaning: `Of api, worker and watcher together, in one cell (${usualProcesses})`,
    },
    workers: { value: 'count', meaning: `Those of them that are workers (${usualWorkers})` },
    cells: { value: 'count', meaning: 'Cells that share this PostgreSQL (1)' },
    ask: { meaning: 'Also ask each provider, with its credentials; changes nothing there' },
  },
  async run(call) {
    const { terminal, deps, json, flag } = call
    const config = deps.config()
    const extent = {
      processes: countOf(call, 'processes', usualProcesses),
      workers: countOf(call, 'workers', usualWorkers),
      cells: countOf(call, 'cells', 1),
      pool: config.VINTEM_DB_POOL,
    }
    const findings = [...settingsFindings(config), ...(await outsideFindings(config, extent, flag('ask')))]
    if (json) terminal.out(toJson(findings))
    else for (const finding of findings) show(terminal, finding)
    const bad = findings.filter(({ status }) => status === 'failed').length
    if (bad > 0)
      throw new FoundFault(
        bad === 1 ? '1 check failed.' : `${bad} checks failed.`,
        'Correct what failed before live money depends on it: docs/going-live.md',
      )
    if (!json) terminal.out('Nothing failed. docs/going-live.md lists what no program can check.')
  },
}

/** `doctor`: the exit code is 1 when a line failed; warnings alone make it 0. */
export const doctorCommand = single('doctor', check)

async function outsideFindings(
  config: Config,
  extent: Parameters<typeof databaseFindings>[1],
  asks: boolean,
): Promise<readonly Finding[]> {
  const database = await openCommandDatabase(config).catch((error: unknown) => messageOf(error))
  if (typeof database === 'string') return [failed('database', database, 'Set DATABASE_URL.')]
  try {
    const about = await databaseFindings(database.appUrl, extent, config)
    // Without its tables there are no connections to read.
    const hasTables = about.some(({ id, status }) => id === 'database.migrations' && status === 'ok')
    return hasTables ? [...about, ...(await connectionFindings(config, database.appUrl, asks))] : about
  } finally {
    await database.close()
  }
}

function countOf({ option }: Call, name: string, usual: number): number {
  const text = option(name)
  if (text === undefined) return usual
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} is ${text}.`, 'Give a whole number from 1 to 9999.')
}

function show({ out, paint, symbols }: Terminal, { id, status, what, remedy }: Finding): void {
  const mark = {
    ok: paint.good(symbols.done),
    warning: paint.accent('!'),
    failed: paint.bad(symbols.fail),
  }[status]
  out(`${mark} ${paint.soft(id)}  ${printable(what)}`)
  if (remedy !== undefined) out(`    ${printable(remedy)}`)
}
