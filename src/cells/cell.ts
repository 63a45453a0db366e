// A cell as the directory knows it, and how what an operator enters about a cell is parsed.
import { isIP } from 'node:net'
import { AppError } from '#/kernel/error.ts'

/** `DRAINING`: it serves the merchants that it has, and gets no new ones. */
export type CellState = 'ACTIVE' | 'DRAINING'

export type Cell = {
  /** Two lower-case letters or digits: `VINTEM_CELL` of its processes. */
  readonly code: string
  readonly state: CellState
  /** Whether it answers calls whose code no cell has. */
  readonly isDefault: boolean
  /** `host:port` of the API of each of its processes; pages, callbacks and dashboard are on the ports after it. */
  readonly servers: readonly string[]
  /** The host name to which its providers send callbacks with client certificates. */
  readonly callbackHost?: string
  /** The host name of its dashboard. */
  readonly dashboardHost?: string
  /** Where its books are, for people: a URL without a password. */
  readonly books?: string
}

/** What an operator enters about a cell. */
export type CellPlaces = Pick<Cell, 'servers' | 'callbackHost' | 'dashboardHost' | 'books'>

/** The last port of a process that faces the web: the dashboard's. */
const lastOffset = 4
const serversMax = 100

/** @throws AppError `invalid_request` unless it is the code of a cell. */
export function checkedCode(text: string): string {
  if (/^[a-z0-9]{2}$/.test(text)) return text
  throw new AppError('invalid_request', 'The code of a cell is two lower-case letters or digits.')
}

/** Reads `host:port,host:port`. @throws AppError `invalid_request` for any other form, and for a server that is named twice. */
export function checkedServers(text: string): readonly string[] {
  const servers = text.split(',').map((each) => each.trim())
  const wrong = servers.find((each) => !isServer(each))
  if (wrong !== undefined)
    throw new AppError(
      'invalid_request',
      `"${wrong}" is no server. Write host:port of the API of each process, separated by commas.`,
    )
  if (new Set(servers).size < servers.length || servers.length > serversMax)
    throw new AppError('invalid_request', `Name each server once, at most ${serversMax}.`)
  return servers
}

/** Reads `host:port` of a PostgreSQL. @throws AppError `invalid_request` for any other form. */
export function checkedDatabaseServer(text: string): string {
  if (isServer(text)) return text.toLowerCase()
  throw new AppError('invalid_request', `"${text}" is no server. Write host:port of the PostgreSQL.`)
}

/** Reads a host name. @throws AppError `invalid_request` for an address or any other text. */
export function checkedHost(text: string): string {
  const host = text.toLowerCase()
  if (isHostName(host) && isIP(host) === 0) return host
  throw new AppError('invalid_request', `"${text}" is no host name. Write it as pix-a1.example.com.`)
}

/** Reads where the books of a cell are. @throws AppError `invalid_request` unless it is the URL of a PostgreSQL without a password. */
export function checkedBooks(text: string): string {
  const url = /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url?.password === '') return url.href
  throw new AppError(
    'invalid_request',
    'Write where the books are as postgres://host:5432/database?search_path=schema, without a password.',
  )
}

function isServer(text: string): boolean {
  const [, host = '', port = ''] = /^(\[[\da-f:.]+\]|[^:[\]]+):(\d{1,5})$/i.exec(text) ?? []
  const isKnown = host.startsWith('[') ? isIP(host.slice(1, -1)) === 6 : isHostName(host.toLowerCase())
  return isKnown && Number(port) >= 1 && Number(port) + lastOffset <= 65_535
}

/** Letters, digits and hyphens between dots (RFC 1123 §2.1); an IPv4 address has this form too. */
function isHostName(text: string): boolean {
  const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
  return text.length <= 253 && text.split('.').every((each) => label.test(each))
}
