// What the jobs do: each calls the function that the command of the same name calls, with what this worker has.
import { unexplainedText, verify, verifyRecord } from '#/audit/verify.ts'
import type { Chain } from '#/coins/chain.ts'
import type { Sql, SqlOptions } from '#/db/client.ts'
import { parseAddress } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import type { Clock } from '#/kernel/time.ts'
import type { By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { ConnectionBook, ProviderConnection } from '#/rails/connection.ts'
import type { Probe, ProbeDeps } from '#/rails/kit/probe.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import { balanceRecord, compareBalances, isDifference } from '#/settlement/balances.ts'
import { knownChains, type KnownChain } from '#/treasury/compare.ts'
import { nativeCoin, rescueHere, rescueRecord } from '#/treasury/rescue.ts'
import { sweepDue, waitingSweeps } from '#/treasury/sweep.ts'
import { jobKinds, type JobArguments, type JobKind } from './kinds.ts'
import { readUpload } from './uploads.ts'
import { JobFailure, type JobContext, type JobOutcome, type RunnableKind } from './worker.ts'

/** A chain that this worker has proven. `hasWallets`: it also pays for collections there. */
export type JobChain = { readonly chain: Chain; readonly rpc: Rpc; readonly hasWallets: boolean }

/** What registering a callback address can give: see rails/connection-types.ts. */
type Registered =
  | { readonly kind: 'registered' | 'by_hand'; readonly url: string }
  | { readonly kind: 'refused'; readonly url: string; readonly why: string }
  | { readonly kind: 'receives_nothing' }

/** What became of a file of a bank: see rails/sepa/import.ts. */
type ImportedFile = {
  readonly state: 'IMPORTED' | 'KNOWN' | 'REFUSED'
} & Readonly<Record<string, unknown>>

export type JobDeps = {
  readonly sql: Sql
  readonly openSql: (options: SqlOptions) => Sql
  readonly clock: Clock
  readonly log: Log
  readonly cell: string
  readonly auditKey: KeyRing
  readonly rails: Rails
  readonly payoutRails: PayoutRails
  readonly connections: ConnectionBook & { readonly refresh: () => Promise<void> }
  /** Absent: this kind of connection cannot be probed, as a chain's. */
  readonly probeOf: (
    connection: ProviderConnection,
  ) => ((deps: ProbeDeps, connection: ProviderConnection) => Promise<readonly Probe[]>) | undefined
  readonly register: (deps: ProbeDeps, connection: ProviderConnection) => Promise<Registered>
  /** The chains that are connected now. */
  readonly chains: () => readonly JobChain[]
  /** Base units from which an address is worth its gas. */
  readonly sweepUnitsMin: bigint
  readonly onQueued: () => void
  /** Imports a file of a bank as this person. */
  readonly importFile: (
    who: { readonly by: By; readonly name: string },
    file: { readonly bytes: Buffer; readonly name: string; readonly connection?: ConnectionId },
  ) => Promise<ImportedFile>
}

/** All kinds of kinds.ts, as this worker runs them. */
export function createKinds(deps: JobDeps): ReadonlyMap<string, RunnableKind> {
  const runs = {
    'connection.test': testConnection,
    'connection.register': registerConnection,
    verify: verifyBooks,
    sweep: sweepChain,
    rescue: rescueCoins,
    balances: showBalances,
    'statement.import': importStatements,
  } as const satisfies Readonly<Record<JobKind, (deps: JobDeps, context: JobContext) => Promise<JobOutcome>>>
  return new Map(
    (Object.keys(runs) as JobKind[]).map((kind) => [
      kind,
      { ...jobKinds[kind], run: (context) => runs[kind](deps, context) },
    ]),
  )
}

/** The arguments were checked when the job was requested. */
function argumentsOf<Kind extends JobKind>(_kind: Kind, { job }: JobContext): JobArguments<Kind> {
  return job.arguments as JobArguments<Kind>
}

async function openConnection({ connections }: JobDeps, id: string): Promise<ProviderConnection> {
  await connections.refresh()
  const found = connections.find(id as ConnectionId)
  if (found === undefined)
    throw new JobFailure(
      `There is no connection ${id}, or it was sealed under other keys than this worker's VINTEM_MASTER_KEY and VINTEM_WORKER_KEY.`,
      { key: 'connection_unknown', values: { connection: id } },
    )
  return found
}

async function testConnection(deps: JobDeps, context: JobContext): Promise<JobOutcome> {
  const connection = await openConnection(deps, argumentsOf('connection.test', context).connectionId)
  const probe = deps.probeOf(connection)
  if (probe === undefined)
    throw new JobFailure(`A connection of ${connection.method} has no provider to ask.`, {
      key: 'nothing_to_test',
    })
  context.progress({ key: 'job.connection.test', values: { connection: connection.id } })
  const probes = await probe({ clock: deps.clock, log: deps.log }, connection)
  return { result: { connectionId: connection.id, ok: probes.every(({ ok }) => ok), probes } }
}

async function registerConnection(deps: JobDeps, context: JobContext): Promise<JobOutcome> {
  const connection = await openConnection(deps, argumentsOf('connection.register', context).connectionId)
  if (deps.probeOf(connection) === undefined)
    throw new JobFailure(`A connection of ${connection.method} has no provider that calls us.`, {
      key: 'nothing_to_register',
    })
  context.progress({ key: 'job.connection.register', values: { connection: connection.id } })
  const found = await deps.register({ clock: deps.clock, log: deps.log }, connection)
  switch (found.kind) {
    case 'receives_nothing':
      throw new JobFailure('It receives no money: callbacks go to the connection that receives money.', {
        key: 'receives_nothing',
      })
    case 'refused':
      throw new JobFailure(`The provider refuses ${found.url}: ${found.why}.`, {
        key: 'address_refused',
        values: { url: found.url, why: found.why.slice(0, 1_000) },
      })
    case 'by_hand':
      return { result: { connectionId: connection.id, callbackUrl: found.url, isRegistered: false } }
    case 'registered': {
      const { id, merchantId } = connection
      return {
        result: { connectionId: id, callbackUrl: found.url, isRegistered: true },
        entries: [
          {
            actor: context.job.requestedBy,
            action: 'connection.register',
            subject: `connection:${id}`,
            ...given({ merchantId }),
            after: { callbackUrl: found.url },
          },
        ],
      }
    }
  }
}

/** Faults in the result of a job; the command names all of them. */
const faultsShown = 200

async function verifyBooks(
  { openSql, cell, auditKey }: JobDeps,
  { signal, progress }: JobContext,
): Promise<JobOutcome> {
  // A pool of its own: reading everything must not take the worker's connections.
  const sql = openSql({ max: 4, applicationName: 'vintem-verify' })
  try {
    const report = await verify(sql, {
      cell,
      auditKey,
      signal,
      onProgress: ({ inspection, what, count }, place) =>
        progress({ key: 'job.verify', values: { inspection, what, count }, ...place }),
    })
    const unexplained = `unexplained: ${unexplainedText(report.unexplained)}`
    return { result: { summary: unexplained, ...verifyRecord(report, faultsShown) } }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** The chain of the arguments, or the only one. */
function chainOf({ chains }: JobDeps, chainKey: string | undefined): JobChain {
  const connected = chains()
  const [first] = connected
  const found =
    chainKey === undefined && connected.length === 1
      ? first
      : connected.find(({ chain }) => chain.key === chainKey)
  if (found !== undefined) return found
  const names = connected.map(({ chain }) => chain.key).join(', ') || 'none'
  const values = { chains: names }
  if (chainKey === undefined)
    throw new JobFailure(`Which chain? This worker is connected to: ${names}.`, {
      key: 'which_chain',
      values,
    })
  throw new JobFailure(`This worker is not connected to the chain ${chainKey}, but to: ${names}.`, {
    key: 'chain_not_connected',
    values: { ...values, chain: chainKey },
  })
}

/** Each round queues one transaction; workers send them. */
const roundsMax = 100

async function sweepChain(deps: JobDeps, context: JobContext): Promise<JobOutcome> {
  const { chain, hasWallets } = chainOf(deps, argumentsOf('sweep', context).chain)
  if (!hasWallets)
    throw new JobFailure(
      `This worker has no wallet that pays for collecting on ${chain.key}: set the hot wallet and the gas wallet of that chain.`,
      { key: 'no_gas_wallet', values: { chain: chain.key } },
    )
  const { sql, clock, log, onQueued, sweepUnitsMin: unitsMin } = deps
  let addresses = 0
  for (let round = 0; round < roundsMax; round += 1) {
    context.step()
    const handled = await sweepDue({ sql, chain, clock, log, unitsMin, onQueued })
    if (handled === 0) break
    addresses += handled
    context.progress({ key: 'job.sweep', values: { chain: chain.key, addresses } })
  }
  const waiting = await waitingSweeps(sql, chain.key)
  return { result: { chain: chain.key, addresses, waiting: waiting.slice(0, waitingShown) } }
}

const waitingShown = 200

async function rescueCoins(deps: JobDeps, context: JobContext): Promise<JobOutcome> {
  const { chain: chainKey, address: place, token: what } = argumentsOf('rescue', context)
  const { chain, rpc } = chainOf(deps, chainKey)
  const home = await homeOf(deps, chain)
  const address = parseAddress(place)
  const token = what === 'native' ? nativeCoin : parseAddress(what)
  if (address === undefined || token === undefined)
    throw new JobFailure('This is no address.', { key: 'no_address' })
  const { requestedBy } = context.job
  const rescue = await rescueHere({
    sql: deps.sql,
    clock: deps.clock,
    rpc,
    home,
    address,
    token,
    by: requestedBy.id,
    also: (tx, { id, chainId, units }) =>
      writeAudit(tx, [
        {
          actor: requestedBy,
          action: 'rescue.make',
          subject: `rescue:${id}`,
          after: { chainId: chainId.toString(), address, token, units: units.toString() },
        },
      ]),
  })
  deps.onQueued()
  return { result: rescueRecord(rescue) }
}

async function homeOf({ sql }: JobDeps, { key }: Chain): Promise<KnownChain> {
  const home = (await knownChains(sql)).find((each) => each.key === key)
  if (home === undefined)
    throw new JobFailure(`No watcher has followed the chain ${key} yet.`, {
      key: 'chain_not_followed',
      values: { chain: key },
    })
  return home
}

const balancesShown = 500

async function showBalances(deps: JobDeps): Promise<JobOutcome> {
  const rows = await compareBalances(deps)
  const [differing, others] = [rows.filter(isDifference), rows.filter((row) => !isDifference(row))]
  return {
    result: {
      differences: differing.length,
      count: rows.length,
      // Rows that need a person come first: a long list is cut off at its end.
      rows: [...differing, ...others].slice(0, balancesShown).map(balanceRecord),
    },
  }
}

/** All of them: a refused file holds up no other. */
async function importStatements(deps: JobDeps, context: JobContext): Promise<JobOutcome> {
  const { uploads, connectionId } = argumentsOf('statement.import', context)
  const { requestedBy } = context.job
  const files: Readonly<Record<string, unknown>>[] = []
  await deps.connections.refresh()
  for (const id of uploads) {
    context.step()
    const upload = await readUpload(deps.sql, id)
    if (upload === undefined)
      throw new JobFailure('A file is not there any more: hand the files in again.', { key: 'files_gone' })
    const { name, bytes, handedInBy } = upload
    context.progress({
      key: 'job.statement.import',
      values: { file: name },
      done: files.length,
      total: uploads.length,
    })
    const connection = connectionId === undefined ? {} : { connection: connectionId as ConnectionId }
    const imported = await deps.importFile(
      { by: { actor: requestedBy }, name: handedInBy },
      { bytes, name, ...connection },
    )
    files.push({ file: name, ...imported })
  }
  const isWhole = files.every(({ state }) => state !== 'REFUSED')
  return { result: { ok: isWhole, files } }
}
