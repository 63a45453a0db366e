// A provider of the sandbox: its simulator as a child of this process, and the shared connection that points at it.
import path from 'node:path'
import type { Sql, Tx } from '#/db/client.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import { addConnection, replaceConnection, type SealingKeys } from '#/merchants/connections.ts'
import type { ConnectionBook, ProviderConnection } from '#/rails/connection.ts'
import type { Rails } from '#/rails/rail.ts'
import { controlOf, type ControlCall } from '../control-call.ts'
import { firstShop, type SandboxFile } from '../provision.ts'
import { startSimulator, type SimulatorPlace } from '../simulator.ts'

export type SandboxProvider = {
  /** Its name for people: "bank". */
  readonly name: string
  /** Its name in sandbox.json. */
  readonly key: keyof SandboxFile['simulators']
  /** Its first port, counted from the API's. */
  readonly portOffset: number
  readonly welcome: ProviderWelcome
  /** Throws a StartError. */
  readonly start: (place: SimulatorPlace) => Promise<RunningProvider>
  /**
   * Points the owner's connections at the provider, creates them if they are missing, and registers the callback URL. Returns the
   * connection that collects money.
   */
  readonly connect: (running: RunningProvider, deps: ConnectDeps) => Promise<ConnectionId>
  /** The certificate of our callback server at `host` (an address or a name), for a provider that calls with client certificates. */
  readonly serverCertificate?: (running: RunningProvider, host: string) => Promise<ServerCertificate>
}

/** The provider in the welcome: the link to its page, and a first payment by it. */
export type ProviderWelcome = {
  readonly link: { readonly words: string; readonly about: string }
  readonly payment: {
    readonly title: string
    /** Its end is followed by the link to the provider's page, with these words. */
    readonly about: string
    readonly pageWords: string
    /** Lines of the JSON that creates it. */
    readonly terms: readonly string[]
  }
}

export type RunningProvider = {
  /** The URL of its API. */
  readonly apiUrl: string
  /** The URL of its remote control, which is a page for people too. */
  readonly controlUrl: string
  /** One call of its remote control. 503 while it is away. */
  readonly control: ControlCall
  stop(): Promise<void>
}

/** Both in PEM. */
export type ServerCertificate = { readonly certificate: string; readonly privateKey: string }

/** A sandbox with accounts of its own. */
export type Owner = { readonly merchantId: MerchantId; readonly name: string }

export type ConnectDeps = {
  /** Absent: the accounts that the merchants without own ones share. */
  readonly owner?: Owner
  /** How long the process that accepts callbacks may take to learn of a new connection. Absent: it is this one. */
  readonly patienceMs?: number
  readonly sql: Sql
  readonly cell: string
  readonly keys: SealingKeys
  readonly connections: ConnectionBook & { readonly refresh: () => Promise<void> }
  readonly rails: Rails
  /** The URL of our API, which receives signed callbacks. */
  readonly apiUrl: string
  /** The URL that receives callbacks with client certificates. */
  readonly callbackUrl: string
  readonly log: Log
}

/** Starts the simulator in this folder below simulators/. Default: its API and its remote control have one address. */
export async function startProvider(
  { dataDir, port, log, signal }: SimulatorPlace,
  {
    name,
    program,
    apiUrl = `http://127.0.0.1:${port}`,
    controlPort = port,
    args = [],
  }: {
    readonly name: string
    readonly program: string
    readonly apiUrl?: string
    readonly controlPort?: number
    readonly args?: readonly string[]
  },
): Promise<RunningProvider> {
  const folder = path.join(dataDir, 'simulators', program)
  const { stop } = await startSimulator({
    name: program,
    args: ['--port', String(port), '--data-dir', folder, ...args],
    folder,
    ports: [...new Set([port, controlPort])],
    log,
    signal,
  })
  const controlUrl = `http://127.0.0.1:${controlPort}`
  return { apiUrl, controlUrl, control: controlOf(name, controlUrl), stop }
}

/** The name of an account at a provider, which the payer reads as the receiver: that of the shop. */
export function accountName({ owner }: Pick<ConnectDeps, 'owner'>): string {
  return owner?.name ?? firstShop
}

/** An account at a provider. */
export type Customer = {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, unknown>>
  readonly refundSecrets: Readonly<Record<string, unknown>>
}

export type Account = {
  /** The provider's name for people. */
  readonly name: string
  readonly method: string
  /** The connection's provider: the protocol that it speaks. */
  readonly provider: string
  /** Settings with the provider's present URLs. */
  readonly urls: Readonly<Record<string, unknown>>
  /** Which of the owner's connections of the method it is. Absent: the only one. */
  readonly isIt?: (connection: ProviderConnection) => boolean
  /** Opens an account. `earlier`: the settings of the one that the provider has lost. */
  readonly enrol: (earlier: Readonly<Record<string, unknown>> | undefined) => Promise<Customer>
  /** Writes what belongs to a new account, in the transaction that writes its connection. */
  readonly also?: (tx: Tx, id: ConnectionId) => Promise<unknown>
  /** Registers the callback URL of this connection at the provider. */
  readonly register: (id: ConnectionId, customer: Customer) => Promise<unknown>
  /** Whether `register` failed because the provider does not know us. */
  readonly isForgotten: (error: unknown) => boolean
}

/**
 * Points the owner's connection of a method at its provider, creates it if it is missing, and registers the callback URL. If the
 * provider's data was removed, the same connection gets a new account there.
 */
export async function connectAccount(deps: ConnectDeps, account: Account): Promise<ConnectionId> {
  const { connections, log, sql } = deps
  const { name, method, provider, urls, enrol, also, isForgotten } = account
  const existing = findConnection(deps, method, account.isIt)
  if (existing?.refundSecrets !== undefined) {
    const { id, secrets, refundSecrets } = existing
    const customer = { settings: { ...existing.settings, ...urls }, secrets, refundSecrets }
    await replaceConnection(deps, id, customer)
    await connections.refresh()
    try {
      await register(deps, account, id, customer)
      return id
    } catch (error) {
      if (!isForgotten(error)) throw error
      log.info({ connection: id, error: messageOf(error) }, `the sandbox ${name} does not know us any more`)
    }
  }
  const customer = await enrol(existing?.settings)
  const owner = deps.owner === undefined ? {} : { merchantId: deps.owner.merchantId }
  const id = await sql.begin(async (tx) => {
    const within = { ...deps, sql: tx }
    if (existing !== undefined) await replaceConnection(within, existing.id, customer)
    const connection = { mode: 'SANDBOX', method, provider, ...owner, ...customer } as const
    const kept = existing?.id ?? (await addConnection(within, connection))
    await also?.(tx, kept)
    return kept
  })
  await connections.refresh()
  await register(deps, account, id, customer)
  return id
}

const retryMs = secondMs / 4

/** Tries again until the process that accepts callbacks knows the connection. */
async function register(
  { patienceMs = 0 }: ConnectDeps,
  account: Account,
  id: ConnectionId,
  customer: Customer,
): Promise<void> {
  const giveUpAt = monotonicMs() + patienceMs
  for (;;) {
    try {
      await account.register(id, customer)
      return
    } catch (error) {
      if (monotonicMs() >= giveUpAt) throw error
      await sleep(retryMs)
    }
  }
}

/** The owner's connection of a method; without an owner the one that the sandbox's merchants share. */
export function findConnection(
  { connections, owner }: Pick<ConnectDeps, 'connections' | 'owner'>,
  method: string,
  isIt: (connection: ProviderConnection) => boolean = () => true,
): ProviderConnection | undefined {
  return connections
    .all(method)
    .find((each) => each.mode === 'SANDBOX' && each.merchantId === owner?.merchantId && isIt(each))
}

/** Whether remote control answered that it does not have this customer. */
export function isRefused(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid_state'
}
