// `cell`: the cells of an installation, and the HAProxy that leads each call to its cell. All of it lies in the directory of cells.
import {
  checkedBooks,
  checkedCode,
  checkedHost,
  checkedServers,
  type Cell,
  type CellPlaces,
} from '#/cells/cell.ts'
import { addCell, changeCell, listCells, type Directory } from '#/cells/directory.ts'
import { bringUp, keepProxy, type Taken } from '#/cells/proxy.ts'
import { countPlaced } from '#/cells/queries.ts'
import { ConfigError } from '#/config.ts'
import { given } from '#/kernel/given.ts'
import { createLog } from '#/kernel/log.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { directoryOf } from './cell-directory.ts'
import { move } from './cell-move.ts'
import { proxyDeps } from './cell-proxy.ts'
import { group, refusing, UsageError, type Call, type Command, type Option } from './command.ts'
import { whoDecides } from './decision.ts'
import { untilTerminated } from './run.ts'
import { printRows, type Column } from './table.ts'

const placeOptions: Readonly<Record<string, Option>> = {
  server: {
    value: 'host:port,…',
    meaning: 'Of the API of each process; pages and the rest are on the ports after it',
  },
  'callback-host': {
    value: 'name',
    meaning: 'Its own host name for callbacks with client certificates (PIX)',
  },
  'dashboard-host': { value: 'name', meaning: 'Its own host name for the dashboard' },
  books: { value: 'url', meaning: 'Where its books are, without a password: for people who read the list' },
}

const add: Command = {
  summary: 'Adds a cell, whose code is VINTEM_CELL of its processes; the first one answers unknown codes too',
  positionals: ['code'],
  options: placeOptions,
  async run(call) {
    const [text = ''] = call.given
    const { servers, ...places } = await refusing(placesOf(call))
    const code = await refusing(codeOf(text))
    if (servers === undefined)
      throw new UsageError('--server is missing.', 'Name the API of each process: --server 10.0.0.1:4000')
    await changing(call, (directory) => addCell(directory, whoDecides(), { code, servers, ...places }))
  },
}

const change: Command = {
  summary: 'Changes the servers or host names of a cell, or makes it the one that answers unknown codes',
  positionals: ['code'],
  options: { ...placeOptions, default: { meaning: 'It answers calls whose code no cell has' } },
  async run(call) {
    const [code = ''] = call.given
    const places = await refusing(placesOf(call))
    const isDefault = call.flag('default')
    if (Object.keys(places).length === 0 && !isDefault)
      throw new UsageError('There is nothing to change.', 'See ./vintem cell change --help.')
    await changing(call, (directory) =>
      changeCell(directory, whoDecides(), code, { ...places, ...(isDefault ? { isDefault } : {}) }),
    )
  },
}

const drain = becoming('DRAINING', 'Gives a cell no new merchants; those that it has are served as before')
const reopen = becoming('ACTIVE', 'Gives a cell new merchants again')

function becoming(state: Cell['state'], summary: string): Command {
  return {
    summary,
    positionals: ['code'],
    run: (call) =>
      changing(call, (directory) => changeCell(directory, whoDecides(), call.given[0] ?? '', { state })),
  }
}

const list: Command = {
  summary: 'Lists the cells, their servers, and how many merchants were given to each',
  run: (call) => within(call, (directory) => show(call, directory)),
}

const proxy: Command = {
  summary:
    "Keeps HAProxy's configuration in VINTEM_PROXY_DIR at the state of the directory, until it is stopped",
  options: { once: { meaning: 'Write it once, and end' } },
  async run(call) {
    const { terminal, deps } = call
    const config = deps.config()
    const here = proxyDeps(config, systemClock)
    if (here === undefined)
      throw new ConfigError(
        'VINTEM_PROXY_DIR is not set.',
        'Set it to the folder that HAProxy reads its configuration from.',
      )
    await within(call, async (directory) => {
      if (call.flag('once')) return report(terminal, await bringUp({ ...here, directory }))
      const { signal } = untilTerminated()
      const log = createLog(config.VINTEM_LOG_LEVEL, { role: 'proxy', cell: config.VINTEM_CELL })
      terminal.out(`HAProxy's configuration is kept in ${here.place.folder}.`)
      const onChange = (id: string, taken: Taken) => terminal.out(`${id} ${sentences[taken]}`)
      await keepProxy({ ...here, directory, log, onChange }, signal)
    })
  },
}

export const cellCommand = group('cell', { add, list, change, drain, reopen, move, proxy })

async function within({ deps }: Call, work: (directory: Directory) => Promise<void>): Promise<void> {
  const directory = await directoryOf(deps.config())
  try {
    await work(directory)
  } finally {
    await directory.close()
  }
}

/** Makes a change, brings it to the HAProxy of this machine if one is set, and shows the cells. */
function changing(call: Call, work: (directory: Directory) => Promise<void>): Promise<void> {
  return within(call, async (directory) => {
    // Before the change: settings that are wrong leave everything as it is.
    const here = proxyDeps(call.deps.config(), systemClock)
    await refusing(work(directory))
    const taken = here === undefined ? undefined : await bringUp({ ...here, directory })
    await show(call, directory)
    if (taken !== undefined && !call.json) report(call.terminal, taken)
  })
}

const sentences: Readonly<Record<Taken, string>> = {
  TAKEN: 'HAProxy has it.',
  ABSENT: 'No HAProxy runs here: it will read it at its start.',
  REFUSED: 'HAProxy refused it, and serves on as before.',
}

function report(terminal: Terminal, taken: Taken | undefined): void {
  if (taken === undefined) return terminal.out('There are no cells yet, so nothing was written.')
  if (taken === 'REFUSED')
    throw new ConfigError(
      sentences.REFUSED,
      'Its own log says why. The directory keeps the change: correct what is wrong, and run ./vintem cell proxy --once.',
    )
  terminal.out(sentences[taken])
}

async function show({ terminal, json }: Call, directory: Directory): Promise<void> {
  const [cells, counts] = await Promise.all([listCells(directory), countPlaced(directory.sql)])
  const rows = cells.map((cell) => {
    const { merchants = 0, pending = 0 } = counts.find((each) => each.cell === cell.code) ?? {}
    return { ...cell, merchants, pending }
  })
  const empty = 'There are no cells yet. ./vintem cell add a1 --server 10.0.0.1:4000 adds one.'
  printRows(terminal, rows, { columns, json, empty })
}

type Row = Cell & { readonly merchants: number; readonly pending: number }

const columns: readonly Column<Row>[] = [
  { name: 'Cell', value: ({ code, isDefault }) => (isDefault ? `${code} (default)` : code) },
  { name: 'State', value: ({ state }) => state },
  { name: 'Merchants', value: ({ merchants }) => String(merchants), align: 'right' },
  { name: 'Being made', value: ({ pending }) => String(pending), align: 'right' },
  { name: 'Callbacks', value: ({ callbackHost }) => callbackHost ?? '' },
  { name: 'Dashboard', value: ({ dashboardHost }) => dashboardHost ?? '' },
  { name: 'Books', value: ({ books }) => books ?? '' },
  { name: 'Servers', value: ({ servers }) => servers.join(', ') },
]

async function codeOf(text: string): Promise<string> {
  return checkedCode(text)
}

/** What the options say of the places of a cell; only what is given. */
async function placesOf({ option }: Call): Promise<Partial<CellPlaces>> {
  const read = <Value>(name: string, check: (text: string) => Value) => {
    const text = option(name)
    return text === undefined ? undefined : check(text)
  }
  return given({
    servers: read('server', checkedServers),
    callbackHost: read('callback-host', checkedHost),
    dashboardHost: read('dashboard-host', checkedHost),
    books: read('books', checkedBooks),
  })
}
