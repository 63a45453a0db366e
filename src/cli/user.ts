// `user`: the people who sign in to the dashboard. The first users are made by this command, all others by invitations in the dashboard.
// Only this command makes a user an operator.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { given, withoutNulls } from '#/kernel/given.ts'
import { isUuid, type MerchantId, type UserId } from '#/kernel/id.ts'
import { printable } from '#/kernel/terminal.ts'
import type { HeldKey } from '#/merchants/key-queries.ts'
import { disableUser, keysOfMember, keysOfUser, removeMember } from '#/merchants/member-keys.ts'
import { selectMerchant } from '#/merchants/queries.ts'
import { linkAccount } from '#/operator/accounts.ts'
import { createInvitation, createReset, type MadeLink } from '#/people/links.ts'
import { isRole, roles } from '#/people/roles.ts'
import { removeFactors } from '#/people/second-factor.ts'
import { createUser, findUserByEmail, getUser, listUsers, setDisabled, setOperator } from '#/people/users.ts'
import { operator, textOf } from './audited.ts'
import { group, refusing, UsageError, type Call, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { whoDecides } from './decision.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'

type Row = NonNullable<Awaited<ReturnType<typeof getUser>>>

const by = () => ({ actor: operator() })

const create: Command = {
  summary: 'Creates a user without a password, and prints the link by which they choose one',
  positionals: ['email'],
  options: {
    name: { value: 'text', meaning: 'The name of the person; required' },
    language: {
      value: 'pt-BR|en|es',
      meaning:
        'The language of the dashboard for them; otherwise that of the browser in which they first sign in',
    },
    operator: { meaning: 'They may use the operator’s console' },
  },
  async run(call) {
    const [email = ''] = call.given
    const name = textOf(call, 'name', 200)
    if (name === undefined) throw new UsageError('--name is missing.', 'The dashboard shows it to others.')
    const language = call.option('language')
    await withDatabase(call.deps.config(), async (sql) => {
      const user = await createUser({ sql }, by(), {
        email,
        name,
        isOperator: call.flag('operator'),
        ...given({ language }),
      })
      printLink(call, await createReset({ sql }, by(), user.id), 'chooses a password')
    })
  },
}

const invite: Command = {
  summary: 'Invites a person to a merchant, and prints the link by which they accept',
  positionals: ['email'],
  options: {
    merchant: { value: 'merchant-id', meaning: 'Whose member they become; required' },
    role: { value: roles.join('|'), meaning: 'What they may do; required' },
  },
  async run(call) {
    const [email = ''] = call.given
    const role = call.option('role')?.toUpperCase() ?? ''
    if (!isRole(role)) throw new UsageError('--role is missing or unknown.', `There are ${roles.join(', ')}.`)
    await withDatabase(call.deps.config(), async (sql) => {
      const merchantId = await merchantOf(call, sql)
      printLink(call, await createInvitation({ sql }, by(), { merchantId, email, role }), 'accepts')
    })
  },
}

/** What is asked about the keys of a person who leaves. */
const keyOptions = {
  'keys-to': {
    value: 'email',
    meaning: 'The member who holds their API keys from now on; otherwise the keys are revoked',
  },
  show: { meaning: 'Only lists their API keys, with their last use' },
}

function showKeys({ terminal, json }: Call, keys: readonly HeldKey[]): 'printed' {
  printRows(terminal, keys, { columns: keyColumns, json, empty: 'They hold no API keys.' })
  return 'printed'
}

async function heirOf(call: Call, sql: Sql) {
  const email = call.option('keys-to')
  if (email === undefined) return undefined
  const heir = await findUserByEmail({ sql }, email)
  if (heir === undefined) throw new UsageError(`There is no user ${email}.`, 'See ./vintem user list.')
  return heir
}

function sayKeys(
  { json, terminal }: Call,
  keys: readonly HeldKey[],
  heir: { readonly email: string } | undefined,
): void {
  const end = heir === undefined ? 'revoked' : `handed to ${heir.email}`
  if (!json) for (const { name, lastFour } of keys) terminal.out(`The key ${name} (…${lastFour}) was ${end}.`)
}

const remove: Command = {
  summary:
    'Removes a person from the members of a merchant; they stay a user. Their API keys are revoked, or handed on',
  positionals: ['email'],
  options: {
    merchant: { value: 'merchant-id', meaning: 'Whose member they are no more; required' },
    ...keyOptions,
  },
  run: (call) =>
    withUser(call, async (sql, user) => {
      const membership = { merchantId: await merchantOf(call, sql), userId: user.id }
      const keys = await keysOfMember(sql, membership)
      if (call.flag('show')) return showKeys(call, keys)
      const heir = await heirOf(call, sql)
      await refusing(removeMember({ sql }, by(), { ...membership, ...(heir && { keysTo: heir.id }) }))
      sayKeys(call, keys, heir)
      return undefined
    }),
}

const list: Command = {
  summary: 'Lists the users, a thousand at a time',
  options: { after: { value: 'user-id', meaning: 'Those after this one' } },
  async run(call) {
    const after = call.option('after')?.toLowerCase()
    if (after !== undefined && !isUuid(after))
      throw new UsageError('--after is no id of a user.', 'See ./vintem user list.')
    await withDatabase(call.deps.config(), async (sql) => {
      const page = { limit: 1_000, ...(after === undefined ? {} : { after: after as UserId }) }
      const rows = await listUsers({ sql }, page)
      printRows(call.terminal, rows, {
        columns,
        json: call.json,
        empty: 'There are no users yet: ./vintem user create',
      })
    })
  },
}

const reset: Command = {
  summary: 'Prints a link by which a user chooses a new password; hand it to the person whom you know',
  positionals: ['email'],
  run: (call) =>
    withUser(call, async (sql, { id }) =>
      printLink(call, await createReset({ sql }, by(), id), 'chooses a password'),
    ),
}

const factors: Command = {
  summary:
    'Removes all second factors of a user who lost them, and ends their sessions; make sure that you know the person',
  positionals: ['email'],
  run: (call) => withUser(call, (sql, { id }) => removeFactors({ sql }, by(), id)),
}

const account: Command = {
  summary:
    'Says which user an account at the command line is: a member of a merchant decides nothing about it alone',
  positionals: ['email', 'account'],
  run: (call) =>
    withUser(call, async (sql, { id: userId }) => {
      const [, name = ''] = call.given
      if (!/^[^\s@]+@[^\s@]+$/.test(name))
        throw new UsageError(
          `"${name}" is no account.`,
          'It is the system’s user and the machine, as ana@host.',
        )
      await linkAccount(sql, { by: by(), name: whoDecides() }, { account: name, userId })
    }),
}

const promote = changing('Lets a user use the operator’s console', (sql, { id }) =>
  setOperator({ sql }, by(), id, true),
)
const demote = changing('Lets a user no longer use the operator’s console', (sql, { id }) =>
  setOperator({ sql }, by(), id, false),
)
const disable: Command = {
  summary: 'Lets a user sign in no more, and ends their sessions. Their API keys are revoked, or handed on',
  positionals: ['email'],
  options: keyOptions,
  run: (call) =>
    withUser(call, async (sql, { id: userId }) => {
      const keys = await keysOfUser(sql, userId)
      if (call.flag('show')) return showKeys(call, keys)
      const heir = await heirOf(call, sql)
      await refusing(disableUser({ sql }, by(), { userId, ...(heir && { keysTo: heir.id }) }))
      sayKeys(call, keys, heir)
      return undefined
    }),
}
const enable = changing('Lets a user sign in again', (sql, { id }) => setDisabled({ sql }, by(), id, false))

const keyColumns: readonly Column<HeldKey>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Name', value: ({ name }) => printable(name) },
  { name: 'Ends with', value: ({ lastFour }) => lastFour },
  { name: 'Merchant', value: ({ merchantId }) => merchantId },
  { name: 'Last use', value: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : dateText(lastUsedAt)) },
]

export const userCommand = group('user', {
  create,
  invite,
  remove,
  list,
  reset,
  factors,
  account,
  promote,
  demote,
  disable,
  enable,
})

function changing(summary: string, change: (sql: Sql, user: Row) => Promise<unknown>): Command {
  return { summary, positionals: ['email'], options: {}, run: (call) => withUser(call, change) }
}

/** Does it with the user of the email, and shows the user as they are then. */
async function withUser(call: Call, work: (sql: Sql, user: Row) => Promise<unknown>): Promise<void> {
  const [email = ''] = call.given
  await withDatabase(call.deps.config(), async (sql) => {
    const user = await findUserByEmail({ sql }, email)
    if (user === undefined) throw new UsageError(`There is no user ${email}.`, 'See ./vintem user list.')
    const result = await work(sql, user)
    // A link was printed already.
    if (result === 'printed') return
    const now = await getUser({ sql }, user.id)
    printRecord(call.terminal, withoutNulls(must(now, 'a user stays')), { labels, json: call.json })
  })
}

/** In the fragment: no server and no log of a proxy ever sees it. */
function printLink(
  { terminal, deps, json }: Call,
  { token, email, endsAt }: MadeLink,
  does: string,
): 'printed' {
  const url = `${deps.config().VINTEM_DASHBOARD_URL}/open#${token}`
  if (json) terminal.out(JSON.stringify({ email, url, endsAt }))
  else {
    terminal.out(`By this link ${email} ${does}, once, until ${dateText(endsAt)}. It is shown this once:`)
    terminal.out(url)
  }
  return 'printed'
}

async function merchantOf({ option }: Call, sql: Sql): Promise<MerchantId> {
  const text = option('merchant')?.toLowerCase() ?? ''
  const merchant = isUuid(text) ? await selectMerchant(sql, text as MerchantId) : undefined
  if (merchant === undefined)
    throw new UsageError('--merchant is missing or unknown.', 'See ./vintem merchant list.')
  return merchant.id
}

const columns: readonly Column<Row>[] = [
  { name: 'email', value: ({ email }) => email },
  { name: 'name', value: ({ name }) => name },
  { name: 'operator', value: ({ isOperator }) => (isOperator ? 'yes' : '') },
  { name: 'disabled', value: ({ disabledAt }) => (disabledAt === null ? '' : dateText(disabledAt)) },
  { name: 'created', value: ({ createdAt }) => dateText(createdAt) },
  { name: 'id', value: ({ id }) => id },
]

const labels = {
  id: 'id',
  email: 'email',
  name: 'name',
  language: 'language',
  timeZone: 'time zone',
  isOperator: 'operator',
  createdAt: 'created',
  disabledAt: 'disabled since',
}
