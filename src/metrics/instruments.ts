// What a process measures of itself. Label values are names that we chose, or come from a bounded list. They are never an id, a path or a
// text of a caller, so the number of series does not grow.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { EndedBatch } from '#/db/lane.ts'
import type { EndedRequest } from '#/edge/server.ts'
import { invariantFailures } from '#/kernel/check.ts'

/** Who measures, on every series. */
export type Whose = { readonly role: string; readonly cell: string }

/** What is read when it is asked for: functions of the parts of this process. */
export type Readings = {
  readonly laneDepth: () => number
  /** The database's clock less this machine's. */
  readonly clockSkewMs: () => number
}

export type Instruments = {
  readonly registry: Registry
  readonly request: (ended: EndedRequest) => void
  readonly batch: (lane: 'ledger' | 'creation') => (batch: EndedBatch) => void
  /** How long a transaction waited for its connection. */
  readonly poolWait: (ms: number) => void
  readonly providerCall: (method: string, call: { readonly ms: number; readonly fault?: string }) => void
  /** When the certificate of our own callback server ends. */
  readonly callbackCertificate: (endsAt: Date) => void
  /** Blocks between the node's newest and the last one taken into account. */
  readonly watcherLag: (chain: string, blocks: number) => void
  /** The outcomes of signing for one wallet or more: what the signer did, as its client learnt it. Called where a signer is used. */
  readonly signerRequests: () => (outcome: SignerOutcome) => void
  readonly readFrom: (readings: Readings) => void
}

/** `signed`, or the outcome of the client's error. The signer itself serves no metrics (decision 160). */
type SignerOutcome = (typeof signerOutcomes)[number]
const signerOutcomes = ['signed', 'refused', 'unavailable', 'unknown'] as const

const shortSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const longSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30]
const itemCounts = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000]

/** The methods that our routes have. Any other is one that we refuse. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])

/** Creates the instruments of one process. */
export function createInstruments(whose: Whose, known: { readonly methods: readonly string[] }): Instruments {
  const registry = new Registry()
  registry.setDefaultLabels(whose)
  // Event loop, heap, collections, handles: names beginning with nodejs_ and process_.
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const broken = new Counter({
    name: 'vintem_invariant_failures_total',
    help: 'Broken invariants of our own since the start: each is a fault of ours. Zero is normal.',
    registers: [],
    collect() {
      this.reset()
      this.inc(invariantFailures())
    },
  })
  registry.registerMetric(broken)
  return {
    registry,
    ...requestsOf(registers),
    ...lanesOf(registers),
    ...providersOf(registers, new Set(known.methods)),
    ...signerOf(registers),
    ...readingsOf(registry),
  }
}

function requestsOf(registers: Registry[]): Pick<Instruments, 'request'> {
  const count = new Counter({
    name: 'vintem_http_requests_total',
    help: 'Requests that ended, by server, route and class of status; 499: the caller had gone.',
    labelNames: ['server', 'method', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'vintem_http_request_seconds',
    help: 'How long requests took.',
    labelNames: ['server', 'route'],
    buckets: longSeconds,
    registers,
  })
  return {
    request({ server, route = 'none', method, status, ms }) {
      const by = { server, route }
      const of = status === 499 ? '499' : `${Math.floor(status / 100)}xx`
      count.inc({ ...by, method: methods.has(method) ? method : 'other', status: of })
      seconds.observe(by, ms / 1_000)
    },
  }
}

function lanesOf(registers: Registry[]): Pick<Instruments, 'batch' | 'poolWait'> {
  const labelNames = ['lane'] as const
  const common = { labelNames, registers }
  const items = new Histogram({
    name: 'vintem_lane_batch_items',
    help: 'Items in one commit.',
    buckets: itemCounts,
    ...common,
  })
  const wait = new Histogram({
    name: 'vintem_lane_wait_seconds',
    help: 'How long the first item of a commit had waited in the lane.',
    buckets: shortSeconds,
    ...common,
  })
  const commit = new Histogram({
    name: 'vintem_lane_commit_seconds',
    help: 'How long commits took.',
    buckets: shortSeconds,
    ...common,
  })
  const failed = new Counter({
    name: 'vintem_lane_failed_commits_total',
    help: 'Commits that failed as a whole.',
    ...common,
  })
  const poolWait = new Histogram({
    name: 'vintem_pool_wait_seconds',
    help: 'How long transactions waited for a connection of this process.',
    buckets: shortSeconds,
    registers,
  })
  for (const lane of ['ledger', 'creation']) failed.inc({ lane }, 0)
  return {
    batch: (lane) => (batch) => {
      items.observe({ lane }, batch.items)
      wait.observe({ lane }, batch.waitedMs / 1_000)
      commit.observe({ lane }, batch.commitMs / 1_000)
      if (!batch.isCommitted) failed.inc({ lane })
    },
    poolWait: (ms) => poolWait.observe(ms / 1_000),
  }
}

function providersOf(
  registers: Registry[],
  known: ReadonlySet<string>,
): Pick<Instruments, 'providerCall' | 'callbackCertificate' | 'watcherLag'> {
  const labelNames = ['method'] as const
  const seconds = new Histogram({
    name: 'vintem_provider_call_seconds',
    help: 'How long calls to providers took, by method of payment.',
    labelNames,
    buckets: longSeconds,
    registers,
  })
  const errors = new Counter({
    name: 'vintem_provider_errors_total',
    help: 'Calls to providers without a useful answer, by method of payment.',
    labelNames,
    registers,
  })
  const certificate = new Gauge({
    name: 'vintem_callback_certificate_end_seconds',
    help: 'When the certificate of the callback server ends, as a Unix time.',
    registers,
  })
  // Without a certificate it would report the year 1970.
  certificate.remove()
  const lag = new Gauge({
    name: 'vintem_watcher_lag_blocks',
    help: 'Blocks between the newest of the node and the last that was taken into account.',
    labelNames: ['chain'],
    registers,
  })
  return {
    providerCall(method, { ms, fault }) {
      const by = { method: known.has(method) ? method : 'other' }
      seconds.observe(by, ms / 1_000)
      errors.inc(by, fault === undefined ? 0 : 1)
    },
    callbackCertificate: (endsAt) => certificate.set(endsAt.getTime() / 1_000),
    watcherLag: (chain, blocks) => lag.set({ chain }, blocks),
  }
}

function signerOf(registers: Registry[]): Pick<Instruments, 'signerRequests'> {
  const count = new Counter({
    name: 'vintem_signer_requests_total',
    help: 'Transactions that the signer was asked to sign, by outcome: signed, refused, unavailable (not asked), unknown.',
    labelNames: ['outcome'],
    registers,
  })
  return {
    signerRequests() {
      for (const outcome of signerOutcomes) count.inc({ outcome }, 0)
      return (outcome) => count.inc({ outcome })
    },
  }
}

function readingsOf(registry: Registry): Pick<Instruments, 'readFrom'> {
  const gauge = (name: string, help: string, read: () => number) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read())
        },
      }),
    )
  return {
    readFrom({ laneDepth, clockSkewMs }) {
      gauge('vintem_lane_depth', 'Items that wait in the ledger lane of this process now.', laneDepth)
      const ahead = "The database's clock less this machine's, as last read."
      gauge('vintem_clock_skew_seconds', ahead, () => clockSkewMs() / 1_000)
    },
  }
}
