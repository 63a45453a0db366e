// Connections to providers, as the operator adds and changes them. Credentials that send money out are sealed to the worker's public key,
// so none of this needs the worker's own.
import { X509Certificate } from 'node:crypto'
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, type FieldFault, noSuch, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { isUuid, type ConnectionId, type MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { selectConnection, setActive, type ConnectionRow } from '#/merchants/connection-queries.ts'
import { addConnection, replaceConnection, type OpenConnection } from '#/merchants/connections.ts'
import { selectMerchant } from '#/merchants/queries.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { ConnectionParts, ConnectionType } from '#/rails/kit/connection-type.ts'
import type { FieldOptions } from '#/rails/kit/settings.ts'
import { requireOwnKeys, type Operator, type OwnKeys, type SealFor } from './deps.ts'
import { requireDirectory, type DirectoryUse } from './directory.ts'

/** The types of connection that an operator sets up: rails/connection-types.ts, which pulls in all rails, passed in. */
export type ConnectionTypes = {
  /** As they are written in commands and addresses. */
  readonly names: readonly string[]
  readonly named: (name: string) => ConnectionType | undefined
  readonly find: (connection: { readonly method: string }) => ConnectionType | undefined
  readonly nameOf: (method: string) => string
  /** The connection decrypted with this process's keys; undefined while it is not read yet, or cannot be decrypted. */
  readonly opened: (id: ConnectionId) => OpenConnection | undefined
  /** Where the provider calls us, and whether it is registered there by a call or only by hand. */
  readonly callbackOf: (
    id: ConnectionId,
  ) => Promise<{ readonly url: string; readonly isByHand: boolean } | undefined>
}

export type ConnectionDeps = OwnKeys &
  DirectoryUse & {
    readonly sql: Sql
    readonly cell: string
    readonly sealFor: SealFor
  }

export type ConnectionOwner = { readonly merchantId: MerchantId } | { readonly mode: Mode }

/** Adds a connection of one merchant, or one that all merchants of a mode share. Returns its id. */
export async function addConnectionAs(
  deps: ConnectionDeps,
  { by }: Operator,
  type: ConnectionType,
  request: ConnectionParts & { readonly owner: ConnectionOwner; readonly reason?: string },
): Promise<ConnectionId> {
  const { owner, reason, ...parts } = request
  const { method } = type
  const mode = 'mode' in owner ? owner.mode : await modeOf(deps, owner.merchantId)
  await requireReferences(deps.sql, type, parts, mode)
  requireOwnKeys(deps, mode)
  await requireDirectory(deps, mode)
  const keys = await deps.sealFor(deps.sql, mode)
  const merchant = 'merchantId' in owner ? { merchantId: owner.merchantId } : {}
  return deps.sql.begin(async (tx): Promise<ConnectionId> => {
    const connection = { ...parts, ...merchant, mode, method }
    const id = await addConnection({ sql: tx, cell: deps.cell, keys }, connection)
    const after = { mode, method, ...auditedParts(parts) }
    const entry = { ...by, action: 'connection.add', subject: `connection:${id}`, ...merchant, after }
    await writeAudit(tx, [{ ...entry, ...given({ reason }) }])
    return id
  })
}

/** Replaces settings and secrets of a connection, such as a renewed certificate. The provider stays. */
export async function replaceConnectionAs(
  deps: ConnectionDeps,
  { by }: Operator,
  { type, row }: { readonly type: ConnectionType; readonly row: ConnectionRow },
  { reason, ...parts }: ConnectionParts & { readonly reason?: string },
): Promise<void> {
  if (row.provider !== parts.provider)
    throw new AppError(
      'invalid_state',
      `The connection is at ${row.provider}, not at ${parts.provider}. Add another connection, and disable this one.`,
    )
  await requireReferences(deps.sql, type, parts, row.mode)
  requireOwnKeys(deps, row.mode)
  await requireDirectory(deps, row.mode)
  const keys = await deps.sealFor(deps.sql, row.mode)
  await deps.sql.begin(async (tx) => {
    await replaceConnection({ sql: tx, cell: deps.cell, keys }, row.id, parts)
    const [before, after] = [{ settings: row.settings }, auditedParts(parts)]
    const entry = { ...by, action: 'connection.replace', ...subjectOf(row), before, after }
    await writeAudit(tx, [{ ...entry, ...given({ reason }) }])
  })
}

/** Gives a connection new payments, or no more. */
export async function switchConnection(
  { sql }: Pick<ConnectionDeps, 'sql'>,
  { by }: Operator,
  row: ConnectionRow,
  { isActive, reason }: { readonly isActive: boolean; readonly reason?: string },
): Promise<void> {
  await sql.begin(async (tx) => {
    if (!(await setActive(tx, row.id, isActive)))
      throw new AppError(
        'invalid_state',
        'This connection was archived with its sandbox. Make a new sandbox.',
      )
    const action = isActive ? 'connection.enable' : 'connection.disable'
    const change = { before: { isActive: row.isActive }, after: { isActive } }
    const entry = { ...by, action, ...subjectOf(row), ...change }
    await writeAudit(tx, [{ ...entry, ...given({ reason }) }])
  })
}

/** A connection with its type. 404 when there is none, 409 for one that has no type, such as a chain's. */
export async function requireConnection(
  sql: Sql,
  types: Pick<ConnectionTypes, 'find'>,
  id: ConnectionId,
): Promise<{ readonly type: ConnectionType; readonly row: ConnectionRow }> {
  const row = await selectConnection(sql, id)
  if (row === undefined) throw noSuch('connection')
  const type = types.find(row)
  if (type === undefined)
    throw new AppError('invalid_state', `This connection is of ${row.method}: its settings are its own.`)
  return { type, row }
}

async function modeOf({ sql }: Pick<ConnectionDeps, 'sql'>, id: MerchantId): Promise<Mode> {
  const merchant = isUuid(id) ? await selectMerchant(sql, id) : undefined
  return existing(merchant, 'merchant').mode
}

/** Checks that the connections named by its settings exist, such as the one that receives money for the same account. */
async function requireReferences(
  sql: Sql,
  { settings: { properties } }: ConnectionType,
  { settings }: Pick<ConnectionParts, 'settings'>,
  mode: Mode,
): Promise<void> {
  const faults: FieldFault[] = []
  for (const [name, schema] of Object.entries(properties)) {
    const { connectionOf: method }: FieldOptions = schema
    const id = settings[name]
    if (method === undefined || typeof id !== 'string') continue
    const row = await selectConnection(sql, id as ConnectionId)
    if (row?.method === method && row.mode === mode) continue
    const message = `${id} is no ${mode} connection of ${method.toLowerCase().replaceAll('_', '-')}.`
    faults.push({ pointer: `/settings/${name}`, code: 'invalid', message })
  }
  const [first] = faults
  if (first !== undefined)
    throw new AppError('invalid_request', `${first.pointer}: ${first.message}`, { faults })
}

/** Never the secrets: only which of them exist. */
function auditedParts({ provider, settings, secrets, refundSecrets }: ConnectionParts) {
  const named = { secrets: Object.keys(secrets), refundSecrets: Object.keys(refundSecrets ?? {}) }
  return { provider, settings, ...named }
}

function subjectOf({ id, merchantId }: Pick<ConnectionRow, 'id' | 'merchantId'>) {
  return { subject: `connection:${id}`, ...(merchantId === null ? {} : { merchantId }) }
}

/** A certificate of a connection. `endsAt` is absent where it cannot be read here, as in PKCS #12. */
export type UsedCertificate = {
  readonly field: string
  readonly subject?: string
  readonly endsAt?: Date
}

/** The certificates among the settings and the secrets for receiving. Those for sending money only a worker can open. */
export function certificatesOf(
  connection: Pick<OpenConnection, 'settings' | 'secrets'>,
): readonly UsedCertificate[] {
  const { settings, secrets } = connection
  return Object.entries({ settings, secrets }).flatMap(([part, fields]) =>
    Object.entries(fields).flatMap(([name, value]): readonly UsedCertificate[] => {
      const field = `/${part}/${name}`
      if (typeof value !== 'string') return []
      if (name === 'pfx' && value !== '') return [{ field }]
      const pems = value.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
      return pems.map((pem) => readCertificate(field, pem))
    }),
  )
}

function readCertificate(field: string, pem: string): UsedCertificate {
  try {
    const { subject, validTo } = new X509Certificate(pem)
    return {
      field,
      subject: must(subject.split('\n').at(-1), 'a split text has a part'),
      endsAt: new Date(validTo),
    }
  } catch {
    return { field }
  }
}
