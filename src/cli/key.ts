// `key`: an operator issues API keys, lists them, and ends them.
import { scopes, cidrsMax } from '#/contract/keys.ts'
import type { Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given, withoutNulls } from '#/kernel/given.ts'
import { isUuid, type ApiKeyId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { parseInstant, type Clock } from '#/kernel/time.ts'
import { usualScopes, type Scope } from '#/merchants/api-key.ts'
import { selectKeys, type KeyRow } from '#/merchants/key-queries.ts'
import { cidrTexts } from '#/merchants/key-rights.ts'
import { issueApiKey, revokeApiKey, rotateApiKey, type IssuedKey } from '#/merchants/keys.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { readSandboxFile } from '#/sandbox/provision.ts'
import { audited, byOperator, textOf } from './audited.ts'
import { group, sayDone, showNext, UsageError, type Call, type Command } from './command.ts'
import { whoDecides } from './decision.ts'
import { merchantOf, requireOwnKeys, within } from './office.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'

const expires = {
  value: 'date',
  meaning: 'When it ends, such as 2027-12-31 or 2027-12-31T12:00Z; default: never',
}

const create: Command = {
  summary: 'Issues an API key and shows it, this once',
  positionals: ['merchant-id'],
  options: {
    name: { value: 'text', meaning: 'What it is for, so that you recognise it (default: api)' },
    scopes: {
      value: 'list',
      meaning: `What it may do, comma separated: ${scopes.join(', ')} (default: all but keys:write and subaccounts:act)`,
    },
    expires,
    cidrs: {
      value: 'list',
      meaning:
        'From where it may be used, comma separated: 203.0.113.0/24, 2001:db8::/32 (default: everywhere)',
    },
    person: {
      value: 'name',
      meaning:
        'Who holds it, such as an e-mail address: where two people are needed, the keys of one person count as one',
    },
  },
  async run(call) {
    const name = call.option('name') ?? 'api'
    if (name.trim() === '' || name.length > 100)
      throw new UsageError("A key's name has 1 to 100 characters.", 'Choose another.')
    const givenScopes = scopesOf(call.option('scopes'))
    const allowedCidrs = cidrsOf(call.option('cidrs'))
    const person = textOf(call, 'person', 100)
    await within(call, async (office) => {
      const expiresAt = expiryOf(call, office.clock)
      const merchant = await merchantOf(call, office)
      requireOwnKeys(call.deps.config(), merchant.mode)
      const request = {
        merchantId: merchant.id,
        name,
        ...given({ scopes: givenScopes, expiresAt, allowedCidrs, person }),
      }
      const issued = await audited(office.sql, async (tx, note) => {
        const made = await issueApiKey({ ...office, sql: tx }, { ...request, madeBy: whoDecides() })
        const { merchantId: _merchantId, ...given } = request
        const after = { ...given, scopes: givenScopes ?? usualScopes }
        note({ action: 'key.create', subject: `key:${made.id}`, merchantId: merchant.id, after })
        return made
      })
      await showIssued(call, issued, { mode: merchant.mode, scopes: givenScopes ?? usualScopes })
    })
  },
}

const list: Command = {
  summary: 'Lists all keys that a merchant ever had, oldest first',
  positionals: ['merchant-id'],
  async run(call) {
    const { terminal, json } = call
    await within(call, async (office) => {
      const { id } = await merchantOf(call, office)
      const rows = (await selectKeys(office.sql, id)).map((key): KeyRecord => ({
        id: key.id,
        name: key.name,
        lastFour: key.lastFour,
        state: stateOf(key),
        scopes: key.scopes,
        createdAt: key.createdAt,
        ...withoutNulls({
          expiresAt: key.expiresAt,
          revokedAt: key.revokedAt,
          allowedCidrs: key.allowedCidrs,
          person: key.person,
          lastUsedAt: key.lastUsedAt,
          madeByKey: key.madeByKey,
          madeBy: key.madeBy,
        }),
        lineage: key.lineage,
      }))
      const empty = `This merchant has no keys yet. ./vintem key create ${id} issues one.`
      printRows(terminal, rows, { columns, json, empty })
    })
  },
}

const revoke: Command = {
  summary: 'Ends a key; every process refuses it within a second',
  positionals: ['merchant-id', 'key-id'],
  async run(call) {
    const { terminal, json } = call
    await within(call, async (office) => {
      const merchant = await merchantOf(call, office)
      const id = keyIdOf(call)
      await audited(office.sql, async (tx, note) => {
        await revokeApiKey({ ...office, sql: tx }, { merchantId: merchant.id, id })
        note({ action: 'key.revoke', subject: `key:${id}`, merchantId: merchant.id })
      })
      if (json) printRecord(terminal, { id, state: 'revoked' }, { labels, json })
      else sayDone(terminal, `The key is revoked.`)
    })
  },
}

const rotate: Command = {
  summary: 'Issues a key in place of another, which still works for 24 hours',
  positionals: ['merchant-id', 'key-id'],
  options: { expires },
  async run(call) {
    await within(call, async (office) => {
      const expiresAt = expiryOf(call, office.clock)
      const merchant = await merchantOf(call, office)
      requireOwnKeys(call.deps.config(), merchant.mode)
      const request = {
        merchantId: merchant.id,
        id: keyIdOf(call),
        ...given({ expiresAt }),
        madeBy: whoDecides(),
      }
      const audit = async (tx: Tx, issued: ApiKeyId) => {
        const after = { issued, ...given({ expiresAt }) }
        const entry = { subject: `key:${request.id}`, merchantId: merchant.id, after }
        await writeAudit(tx, [byOperator({ ...entry, action: 'key.rotate' })])
      }
      const issued = await rotateApiKey(office, request, audit)
      const row = (await selectKeys(office.sql, merchant.id)).find(({ id }) => id === issued.id)
      await showIssued(call, issued, { mode: merchant.mode, scopes: row?.scopes ?? [] })
    })
  },
}

export const keyCommand = group('key', { create, list, revoke, rotate })

/** A first call for each scope that reads; a key without any of them has no call that changes nothing. */
const firstCalls: readonly (readonly [Scope, string])[] = [
  ['wallets:read', '/v1/wallets'],
  ['payments:read', '/v1/payments'],
  ['withdrawals:read', '/v1/withdrawals'],
  ['webhooks:read', '/v1/events'],
]

async function showIssued(
  { terminal, json, deps }: Call,
  issued: IssuedKey,
  allowed: { readonly mode: Mode; readonly scopes: readonly string[] },
): Promise<void> {
  printRecord(terminal, issued, { labels, json })
  if (json) return
  terminal.out(terminal.paint.soft('The key is not stored and cannot be shown again.'))
  const [, path] = firstCalls.find(([scope]) => allowed.scopes.includes(scope)) ?? []
  if (path === undefined) return
  const config = deps.config()
  // A sandbox's file has its address, which the settings of this terminal may not match.
  const sandbox = allowed.mode === 'SANDBOX' ? await readSandboxFile(config.dataDir) : undefined
  showNext(terminal, `curl -H 'apikey: ${issued.key}' ${sandbox?.apiUrl ?? config.VINTEM_API_URL}${path}`)
}

function scopesOf(text: string | undefined): readonly Scope[] | undefined {
  if (text === undefined) return undefined
  return text.split(',').map((each) => {
    const scope = scopes.find((name) => name === each.trim())
    if (scope === undefined)
      throw new UsageError(`There is no scope "${each.trim()}".`, `There are ${scopes.join(', ')}.`)
    return scope
  })
}

function cidrsOf(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  const given = text.split(',').map((each) => each.trim())
  if (given.length > cidrsMax)
    throw new UsageError(`--cidrs has more than ${cidrsMax} networks.`, 'Join some of them.')
  try {
    return cidrTexts(given)
  } catch (error) {
    const [fault] = error instanceof AppError ? error.faults : []
    if (fault === undefined) throw error
    throw new UsageError(
      `A network of --cidrs ${fault.message}.`,
      'Write them as 203.0.113.0/24,2001:db8::/32.',
    )
  }
}

function expiryOf({ option }: Call, clock: Clock): Date | undefined {
  const text = option('expires')
  if (text === undefined) return undefined
  const at = parseInstant(text)
  if (at === undefined)
    throw new UsageError(`--expires is "${text}".`, 'Write it as 2027-12-31 or 2027-12-31T12:00Z.')
  if (at <= clock.now()) throw new UsageError('--expires is over already.', 'Choose a later day.')
  return at
}

function keyIdOf({ given }: Call): ApiKeyId {
  const id = (given[1] ?? '').toLowerCase()
  if (!isUuid(id))
    throw new UsageError(`"${given[1] ?? ''}" is no key's id.`, 'See ./vintem key list <merchant-id>.')
  return id as ApiKeyId
}

type KeyState = 'in force' | 'expired' | 'revoked'

function stateOf({ revokedAt, isExpired }: KeyRow): KeyState {
  if (revokedAt !== null) return 'revoked'
  return isExpired ? 'expired' : 'in force'
}

type KeyRecord = {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly state: KeyState
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly expiresAt?: Date
  readonly revokedAt?: Date
  readonly allowedCidrs?: readonly string[]
  readonly person?: string
  readonly lastUsedAt?: Date
  readonly madeByKey?: string
  readonly madeBy?: string
  readonly lineage: string
}

const columns: readonly Column<KeyRecord>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Ends in', value: ({ lastFour }) => lastFour },
  { name: 'State', value: ({ state }) => state },
  { name: 'Until', value: ({ expiresAt, revokedAt }) => until(revokedAt ?? expiresAt) },
  {
    name: 'Last used',
    value: ({ lastUsedAt }) => (lastUsedAt === undefined ? 'never' : dateText(lastUsedAt)),
  },
  { name: 'Name', value: ({ name }) => name },
  { name: 'Scopes', value: (key) => scopesText(key.scopes) },
]

function until(at: Date | undefined): string {
  return at === undefined ? 'not limited' : dateText(at)
}

function scopesText(held: readonly Scope[]): string {
  if (held.length === scopes.length) return 'all'
  const isUsual = held.length === usualScopes.length && usualScopes.every((scope) => held.includes(scope))
  return isUsual ? 'all but keys:write' : held.join(' ')
}

const labels: Readonly<Record<string, string>> = { id: 'Id', key: 'Key', state: 'State' }
