// The configuration of the HAProxy in front of several cells, and its maps, as text. Only these decide where a call goes:
// - the code of the cell in the API key, in the address of a page, or in the id of a connection;
// - the host name, for callbacks with client certificates and for dashboards.
// Keywords are those of HAProxy 2.6, `docs.haproxy.org/2.6/configuration.html`.
import { createHash } from 'node:crypto'
import { must } from '#/kernel/check.ts'
import { problems, problemUrl, type ProblemCode } from '#/kernel/error.ts'
import type { Cell } from './cell.ts'

/** What the proxy serves, beside the cells. */
export type ProxySites = {
  /** The folder of the files, an absolute path. */
  readonly folder: string
  /** The address that it binds to. */
  readonly address: string
  /** Public base URLs. HAProxy listens on their ports; URLs with one port differ by their host names. */
  readonly urls: Readonly<Record<HttpRole, string>> & { readonly callbacks: string }
  /** File with the certificate and key (PEM) for URLs with https. */
  readonly certificate?: string
  /** Requests of one API key in one second, at all processes together. Absent: no limit. */
  readonly keyLimit?: number
  /** A header by which a proxy vouches for a client's certificate: removed from what callers send. */
  readonly vouchingHeader?: string
}

export type HttpRole = 'api' | 'checkout' | 'partner' | 'dashboard'

/** The files of one state of the directory. `id`: a digest of all of them, by which a running HAProxy says which it has. */
export type ProxyFiles = {
  readonly id: string
  readonly configuration: string
  /** By their names; they lie in the folder `maps-{id}`. */
  readonly maps: Readonly<Record<MapName, string>>
}

export type MapName = 'keys' | 'pages' | 'connections' | 'callbacks' | 'dashboards'

/** What a role's processes listen on, counted from the port of their API. */
const offsets = { api: 0, checkout: 1, partner: 2, callbacks: 3, dashboard: 4 } as const

/** The largest body of the role's routes, in bytes: evidence of a dispute, which the dashboard takes too, and a form of a page. */
export const bodyBytesMax = {
  api: 6_065_536,
  checkout: 16_384,
  partner: 16_384,
  dashboard: 6_065_536,
} as const

/** As Node's, which counts the request line too. */
const headerBytesMax = 16_384
/** HAProxy reads headers of this size, so that it can refuse those that are too large as the API does. Beyond it answers by itself. */
const headerBytesRead = 2 * headerBytesMax
/** What HAProxy keeps free in a buffer for headers that it adds. */
const rewriteBytes = 1_024

const roles = ['api', 'checkout', 'partner', 'dashboard'] as const satisfies readonly HttpRole[]

/** The files for these cells. `cells` has a default cell. Throws when a URL has https and there is no certificate. */
export function proxyFiles(cells: readonly Cell[], sites: ProxySites): ProxyFiles {
  const maps = mapsOf(cells)
  const id = createHash('sha256')
    .update(JSON.stringify([cells, sites, maps, textOf(cells, sites, '')]))
    .digest('hex')
    .slice(0, 16)
  return { id, maps, configuration: textOf(cells, sites, id) }
}

/** Prefixes of keys, pages and connections, and host names, each with the code of its cell. */
function mapsOf(cells: readonly Cell[]): ProxyFiles['maps'] {
  const map = (entriesOf: (cell: Cell) => readonly (string | undefined)[]) =>
    cells
      .flatMap((cell) =>
        entriesOf(cell).flatMap((entry) => (entry === undefined ? [] : [`${entry} ${cell.code}\n`])),
      )
      .join('')
  return {
    keys: map(({ code }) => [`vtm_live_${code}`, `vtm_test_${code}`]),
    pages: map(({ code }) => [`/c/${code}`, `/l/${code}`]),
    connections: map(({ code }) => [`${code}-`]),
    callbacks: map(({ callbackHost }) => [callbackHost]),
    dashboards: map(({ dashboardHost }) => [dashboardHost]),
  }
}

function textOf(cells: readonly Cell[], sites: ProxySites, id: string): string {
  const first = must(
    cells.find(({ isDefault }) => isDefault),
    'a directory with cells has a default one',
  ).code
  const place: Place = { sites, maps: `${sites.folder}/maps-${id}`, first }
  const ports = httpPorts(sites)
  const callbackPort = portOf(sites.urls.callbacks)
  const shared = ports.find(({ port }) => port === callbackPort)
  return [
    head(id),
    ...ports.map((each) => httpFrontend(place, each, each === shared)),
    callbackFrontend(place, callbackPort, shared),
    keyTable,
    ...cells.flatMap((cell) => [...roles.map((role) => httpBackend(cell, role)), callbackBackend(cell)]),
  ].join('\n')
}

type Place = { readonly sites: ProxySites; readonly maps: string; readonly first: string }
type HttpPort = { readonly port: number; readonly isSecure: boolean; readonly roles: readonly HttpRole[] }

/** Which roles each port has. A port speaks https when one of its URLs does. */
function httpPorts({ urls, certificate }: ProxySites): readonly HttpPort[] {
  const ports = [...new Set(roles.map((role) => portOf(urls[role])))]
  return ports.map((port) => {
    const here = roles.filter((role) => portOf(urls[role]) === port)
    const isSecure = here.some((role) => urls[role].startsWith('https:'))
    must(!isSecure || certificate, 'https needs a certificate')
    return { port, isSecure, roles: here }
  })
}

function portOf(url: string): number {
  const { protocol, port } = new URL(url)
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** Timeouts: an event stream may be silent for an hour; a long poll answers within 30 seconds, a call of a provider within as many. */
function head(id: string): string {
  return `# Written by ./vintem cell proxy from the directory of cells. A change by hand is lost with the next one.
global
  description vintem-${id}
  hard-stop-after 70m
  tune.bufsize ${headerBytesRead + rewriteBytes}
  tune.maxrewrite ${rewriteBytes}
defaults
  timeout connect 2s
  timeout client 1h
  timeout server 75s
  timeout http-request 30s
  timeout http-keep-alive 60s
  timeout queue 30s
  timeout check 5s
  # Only a connection that was never made is tried again, at another server: after the first byte nobody knows what was done.
  retries 2
  retry-on conn-failure
  option redispatch 1
  default-server inter 1s fall 2 rise 1 init-addr last,libc,none
  # The id of a request in the answers that HAProxy makes itself.
  unique-id-format %[uuid]
`
}

/** A frontend for one port: its role, its cell, which headers of the caller are trusted, and the limits. */
function httpFrontend(place: Place, { port, isSecure, roles: here }: HttpPort, isBehindSni: boolean): string {
  const { sites, maps, first } = place
  const tls = isSecure ? ` ssl crt ${sites.certificate} alpn h2,http/1.1` : ''
  const address = isBehindSni
    ? `unix@${innerSocket(place, port)} accept-proxy`
    : `${bindAddress(sites)}:${port}`
  const host = 'req.hdr(host),host_only,lower'
  const dashboards = `${host},map_str(${maps}/dashboards.map)`
  const [usual, ...others] = here
  const conditionOf = (role: HttpRole) =>
    role === 'dashboard'
      ? `{ ${dashboards} -m found }`
      : `{ ${host} -m str ${new URL(sites.urls[role]).hostname} }`
  return `frontend http_${port}
  mode http
  bind ${address}${tls}
  # What a caller says of itself is not believed.
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto ${isSecure ? 'https' : 'http'}
  http-request del-header ^(forwarded|x-forwarded-(host|port|prefix|server|ssl)|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$ -m reg
${sites.vouchingHeader === undefined ? '' : `  http-request del-header ${sites.vouchingHeader}\n`}${ownErrors(here)}  http-request return status 431 ${problem('headers_too_large', `At most ${headerBytesMax} bytes.`)} if { req.hdrs,length gt ${headerBytesMax} }
  http-request set-var(txn.role) str(${usual})
${others.map((role) => `  http-request set-var(txn.role) str(${role}) if ${conditionOf(role)}\n`).join('')}${here.map((role) => cellRule(role, maps, dashboards)).join('')}${here.map((role) => limits(role, sites)).join('')}  use_backend %[var(txn.role)]_%[var(txn.cell)] if { var(txn.cell) -m found }
${here.map((role) => `  use_backend ${role}_${first} if { var(txn.role) -m str ${role} }\n`).join('')}`
}

/** Where the code of the cell is in a request to this role. */
function cellRule(role: HttpRole, maps: string, dashboards: string): string {
  const isRole = `{ var(txn.role) -m str ${role} }`
  if (role === 'dashboard') return `  http-request set-var(txn.cell) ${dashboards} if ${isRole}\n`
  if (role !== 'api') return `  http-request set-var(txn.cell) path,map_beg(${maps}/pages.map) if ${isRole}\n`
  return `  http-request set-var(txn.key) req.fhdr(apikey) if ${isRole}
  http-request set-var(txn.key) http_auth_bearer if ${isRole} !{ req.fhdr(apikey) -m found }
  http-request set-var(txn.cell) var(txn.key),map_beg(${maps}/keys.map) if ${isRole}
  http-request set-var(txn.cell) path,field(4,/),map_beg(${maps}/connections.map) if ${isRole} { path_beg /callbacks/ }
`
}

/**
 * The limits that a cell would enforce too; here they apply before its processes have work. The table holds hashes of keys, so
 * a stolen table shows no key.
 */
function limits(role: HttpRole, { keyLimit }: ProxySites): string {
  const isRole = `{ var(txn.role) -m str ${role} }`
  const size = bodyBytesMax[role]
  const tooLarge = `  http-request return status 413 ${problem('payload_too_large', `At most ${size} bytes.`)} if ${isRole} { req.hdr_val(content-length) gt ${size} }\n`
  if (role !== 'api' || keyLimit === undefined) return tooLarge
  return `${tooLarge}  http-request track-sc0 var(txn.key),sha2(256) table api_keys if ${isRole} { var(txn.key) -m reg ^vtm_(live|test)_[a-z0-9]{2}[0-9A-Za-z]{36}$ }
  http-request return status 429 ${problem('rate_limited', 'This key makes too many requests.')} hdr Retry-After 1 if { sc_http_req_rate(0) gt ${keyLimit} }
`
}

/**
 * What HAProxy answers when a request to an API fails in it. In 2.6 this holds only once the headers were read: the parser before it has
 * texts of its own (decision 159).
 */
function ownErrors(here: readonly HttpRole[]): string {
  if (!here.includes('api')) return ''
  return (
    errorLine('invalid_request', 'The request could not be read.') +
    errorLine('request_timeout', 'Send the same call again.') +
    errorLine('internal', 'Send the same call again.')
  )
}

function errorLine(code: ProblemCode, detail: string, status: number = problems[code].status): string {
  return `  http-error status ${status} ${problem(code, detail, status)}\n`
}

/** An answer as the API writes it. The id is that of this request at the proxy. */
function problem(code: ProblemCode, detail: string, status: number = problems[code].status): string {
  const { title } = problems[code]
  const body = { type: problemUrl(code), title, status, code, detail, requestId: '%[unique-id]' }
  const again = status === 503 ? ' hdr Retry-After 1' : ''
  return `content-type application/problem+json lf-string '${JSON.stringify(body)}' hdr X-Request-Id %[unique-id]${again}`
}

const keyTable = `backend api_keys
  stick-table type binary len 32 size 200k expire 10s store http_req_rate(1s)
`

/** Callbacks whose providers show a certificate pass unchanged: the cell itself makes the TLS handshake. */
function callbackFrontend(place: Place, port: number, shared: HttpPort | undefined): string {
  const cell = `req.ssl_sni,lower,map_str(${place.maps}/callbacks.map)`
  const rest = shared === undefined ? `callbacks_${place.first}` : `inner_${port}`
  const inner =
    shared === undefined
      ? ''
      : `backend inner_${port}
  mode tcp
  server inner unix@${innerSocket(place, port)} send-proxy-v2 no-check
`
  return `frontend callbacks_${port}
  mode tcp
  bind ${bindAddress(place.sites)}:${port}
  tcp-request inspect-delay 5s
  tcp-request content accept if { req.ssl_hello_type 1 }
  use_backend callbacks_%[${cell}] if { ${cell} -m found }
  default_backend ${rest}
${inner}`
}

function innerSocket({ sites }: Place, port: number): string {
  return `${sites.folder}/inner-${port}.sock`
}

function bindAddress({ address }: ProxySites): string {
  return address.includes(':') ? `[${address}]` : address
}

/** The processes of a cell in one role. Only the API of a process is checked; its other servers follow. */
function httpBackend({ code, servers }: Cell, role: HttpRole): string {
  const unavailable =
    role === 'api'
      ? [502, 503, 504]
          .map((status) => errorLine('unavailable', 'Send the same call again.', status))
          .join('')
      : ''
  const check = role === 'api' ? '  option httpchk GET /health/ready\n  http-check expect status 200\n' : ''
  return `backend ${role}_${code}
  mode http
  balance roundrobin
  http-request set-timeout server 1h if { req.hdr(accept) -m sub text/event-stream }
${check}${unavailable}${serverLines(code, servers, role)}`
}

/**
 * While no process is ready, callbacks go to a process that is not ready: it registers its address at a provider before it is
 * ready.
 */
function callbackBackend({ code, servers }: Cell): string {
  return `backend callbacks_${code}
  mode tcp
  timeout server 60s
  option allbackups
${serverLines(code, servers, 'callbacks')}${serverLines(code, servers, 'callbacks', true)}`
}

/** `isLast`: servers that are used, without a check, when all others are down. */
function serverLines(
  code: string,
  servers: readonly string[],
  role: keyof typeof offsets,
  isLast = false,
): string {
  return servers
    .map((server, index) => {
      const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(server) ?? []
      const name = `${isLast ? 'last' : 's'}${index + 1}`
      const check = isLast ? ' backup' : role === 'api' ? ' check' : ` track api_${code}/s${index + 1}`
      return `  server ${name} ${host}:${Number(port) + offsets[role]}${check}\n`
    })
    .join('')
}
