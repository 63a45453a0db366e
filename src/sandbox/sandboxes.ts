// Sandboxes in addition to the first one of an installation. Each is a merchant of mode SANDBOX with an API key and with accounts
// of its own at the simulated providers. An archived sandbox accepts nothing new; its books stay.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { archiveConnections } from '#/merchants/connection-queries.ts'
import { revokeKeys } from '#/merchants/key-queries.ts'
import { issueApiKey, type KeyDeps } from '#/merchants/keys.ts'
import {
  createMerchant,
  webhookSecretsOf,
  type MerchantDeps,
  type OpenWallets,
} from '#/merchants/merchant.ts'
import type { Owner } from './methods/provider.ts'
import * as queries from './sandbox-queries.ts'

/** `MAKING`: its creation was cut off. The same creation again continues it. */
export type SandboxState = 'MAKING' | 'READY' | 'ARCHIVED'

export type OneSandbox = Pick<queries.SandboxRow, 'id' | 'name' | 'createdAt'> & {
  readonly state: SandboxState
  readonly archivedAt?: Date
}

/** The one place where the key is shown. */
export type NewSandbox = OneSandbox & { readonly apiKey: string; readonly webhookSecret: Buffer }

export type SandboxNote = {
  readonly action: 'sandbox.create' | 'sandbox.archive'
  readonly id: MerchantId
  readonly name: string
}
/** Records who did it, in the transaction of the change. */
export type Note = (tx: Tx, note: SandboxNote) => Promise<void>

export type CreateSandboxDeps = MerchantDeps &
  KeyDeps & {
    readonly openWallets: OpenWallets
    readonly note: Note
    /** The operating-system user and machine of the command. */
    readonly madeBy: string
    /** Opens the accounts of this owner at each provider, or finds them, and registers the callback URLs. */
    readonly connect: (owner: Owner) => Promise<void>
  }

/**
 * Makes a sandbox. The key is made last, so nobody can use a sandbox whose making was cut off; the same call again completes it.
 * Rejects with 409 when a sandbox in use has the name.
 */
export async function createSandbox(deps: CreateSandboxDeps, name: string): Promise<NewSandbox> {
  const row = (await queries.selectNamed(deps.sql, name)) ?? (await begin(deps, name))
  if (row.readyAt !== null) throw nameInUse(name)
  await deps.connect({ merchantId: row.id, name })
  const [secret] = await webhookSecretsOf(deps, row.id)
  const webhookSecret = must(secret, 'a merchant has a secret')
  // Last, because the key cannot be shown again.
  const made = await complete(deps, row.id)
  if (made === undefined) throw nameInUse(name)
  return { ...made, webhookSecret }
}

/** The merchant with its wallets, and the record of the sandbox, together. */
async function begin(deps: CreateSandboxDeps, name: string): Promise<queries.SandboxRow> {
  const openWallets: OpenWallets = async (tx, id, at) => {
    await deps.openWallets(tx, id, at)
    if (!(await queries.insertSandbox(tx, { id, name }))) throw nameInUse(name)
    await deps.note(tx, { action: 'sandbox.create', id, name })
  }
  await createMerchant({ ...deps, openWallets }, { mode: 'SANDBOX', name })
  return must(await queries.selectNamed(deps.sql, name), 'it was inserted')
}

/** Undefined when another call completed or archived it meanwhile. */
async function complete(
  deps: CreateSandboxDeps,
  id: MerchantId,
): Promise<Omit<NewSandbox, 'webhookSecret'> | undefined> {
  return deps.sql.begin(async (tx) => {
    const row = must(await queries.lockSandbox(tx, id), 'it was begun')
    if (row.archivedAt !== null) await end(deps, tx, id)
    if (row.readyAt !== null || row.archivedAt !== null) return undefined
    const { key } = await issueApiKey(
      { ...deps, sql: tx },
      { merchantId: id, name: 'sandbox', madeBy: deps.madeBy },
    )
    await queries.writeReady(tx, id)
    return { ...shown({ ...row, readyAt: deps.clock.now() }), apiKey: key }
  })
}

function nameInUse(name: string): AppError {
  return new AppError('invalid_state', `There is a sandbox named ${name} already: choose another name.`)
}

/** All sandboxes, oldest first, without the one that a start makes for itself. */
export async function listSandboxes(sql: Sql): Promise<readonly OneSandbox[]> {
  return (await queries.selectSandboxes(sql)).map(shown)
}

/** The owners of accounts that a start has to connect. */
export async function ownersInUse(sql: Sql): Promise<readonly Owner[]> {
  return (await queries.selectReady(sql)).map(({ id, name }) => ({ merchantId: id, name }))
}

export type ArchiveSandboxDeps = {
  readonly sql: Sql
  readonly clock: MerchantDeps['clock']
  readonly note: Note
  /** Ends what would request money by itself, in the same transaction. */
  readonly endSchedules: (tx: Tx, id: MerchantId) => Promise<void>
}

/**
 * Archives a sandbox: its keys are revoked, and its connections accept nothing new.
 * - Its connections are reconciled for as long as an open payment can be paid.
 * - Callbacks are accepted, and refunds and withdrawals under way are finished, without a time limit.
 * Archiving twice changes nothing. 404 for anything else.
 */
export async function archiveSandbox(deps: ArchiveSandboxDeps, id: MerchantId): Promise<OneSandbox> {
  return deps.sql.begin(async (tx) => {
    const row = await queries.lockSandbox(tx, id)
    if (row === undefined) throw new AppError('not_found', 'There is no such sandbox.')
    await end(deps, tx, id)
    if (row.archivedAt !== null) return shown(row)
    await deps.endSchedules(tx, id)
    await deps.note(tx, { action: 'sandbox.archive', id, name: row.name })
    return shown(must(await queries.writeArchived(tx, id), 'it is locked'))
  })
}

/** Ends keys and connections, also those that were written while it was being archived. */
async function end({ clock }: Pick<MerchantDeps, 'clock'>, tx: Tx, id: MerchantId): Promise<void> {
  await revokeKeys(tx, id, clock.now())
  await archiveConnections(tx, id, await queries.selectLastExpiry(tx, id))
}

function shown({ id, name, createdAt, readyAt, archivedAt }: queries.SandboxRow): OneSandbox {
  const state = archivedAt !== null ? 'ARCHIVED' : readyAt === null ? 'MAKING' : 'READY'
  return { id, name, state, createdAt, ...(archivedAt === null ? {} : { archivedAt }) }
}
