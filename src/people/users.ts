// Users: the people who sign in to the dashboard. An email is one user, whatever merchants they work for.
import type { Sql, Tx } from '#/db/client.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { locales, localeOf } from '#/kernel/language.ts'
import type { By } from './audit-entry.ts'
import { writeAudit } from './audit-log.ts'
import { revokeLinksOf } from './link-queries.ts'
import { requireGoodPassword, hashPassword, type PasswordCost } from './password.ts'
import { unknown } from './refusal.ts'
import { revokeSessions } from './session-queries.ts'
import * as queries from './user-queries.ts'
import type { UserRow } from './user-queries.ts'
import type { BrowserReader, Chosen, PeopleDeps, User, UserId } from './user.ts'

export type NewUser = {
  readonly email: string
  readonly name: string
  readonly language?: string
  readonly timeZone?: string
  readonly isOperator?: boolean
  /** Absent: the user signs in by link or passkey, and may set one. */
  readonly password?: string
}

/** Creates a user, for a command or `npm start`; others are created by their invitation. 409 when the email is taken. */
export async function createUser(
  { sql, passwordCost }: Pick<PeopleDeps, 'sql' | 'passwordCost'>,
  by: By,
  request: NewUser,
): Promise<User> {
  const user = newUserOf(request)
  const hash = await hashOf(request, user, passwordCost)
  return sql.begin(async (tx): Promise<User> => {
    if (!(await insertUser(tx, by, user, hash)))
      throw new AppError('invalid_state', 'A user has this email already.')
    const { disabledAt: _, ...made } = requireUser(await queries.selectUser(tx, user.id))
    return made
  })
}

/** A user before the first insert. Throws 400 for what is not well formed. */
export function newUserOf(request: Omit<NewUser, 'password'>): Omit<User, 'createdAt'> & Chosen {
  const { language = 'en', timeZone = 'UTC', isOperator = false } = request
  const chosen = {
    languageChosen: request.language !== undefined,
    timeZoneChosen: request.timeZone !== undefined,
  }
  const email = emailOf(request.email)
  const profile = profileOf({ name: request.name, language, timeZone })
  return { id: newId<'user'>(), email, ...profile, isOperator, ...chosen }
}

/** Writes a user, their password, and the audit row. False when the email is taken. */
export async function insertUser(
  tx: Tx,
  by: By,
  user: Omit<User, 'createdAt'> & Chosen,
  hash: string | undefined,
): Promise<boolean> {
  if (!(await queries.insertUser(tx, user))) return false
  if (hash !== undefined) await queries.writePassword(tx, user.id, hash)
  const { id, languageChosen: _, timeZoneChosen: _zone, ...after } = user
  await writeAudit(tx, [{ ...by, action: 'user.create', subject: `user:${id}`, after }])
  return true
}

async function hashOf(
  { password }: NewUser,
  { email, name }: Pick<User, 'email' | 'name'>,
  cost: PasswordCost | undefined,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  requireGoodPassword(password, [email, name])
  return hashPassword(password, cost)
}

/** The user; undefined when there is none. */
export function getUser({ sql }: Pick<PeopleDeps, 'sql'>, id: UserId): Promise<UserRow | undefined> {
  return queries.selectUser(sql, id)
}

/** The user of an email, in any letters. */
export function findUserByEmail(
  { sql }: Pick<PeopleDeps, 'sql'>,
  email: string,
): Promise<UserRow | undefined> {
  return queries.selectUserByEmail(sql, normalEmail(email))
}

/** All users, or the operators among them, for the operator. `after`: the id of the last one of the page before. */
export function listUsers(
  { sql }: Pick<PeopleDeps, 'sql'>,
  page: { readonly after?: UserId; readonly limit: number; readonly isOperator?: true },
): Promise<readonly UserRow[]> {
  const after = page.after ?? '00000000-0000-0000-0000-000000000000'
  return queries.selectUsers(sql, { ...page, after })
}

/** Whether an operator can sign in to the dashboard: whether any user is one. */
export function hasOperator({ sql }: { readonly sql: Sql }): Promise<boolean> {
  return queries.hasOperator(sql)
}

export type ProfileChange = {
  readonly name?: string
  readonly language?: string
  readonly timeZone?: string
}

/** Changes a user's own profile. */
export function changeProfile(
  { sql }: Pick<PeopleDeps, 'sql'>,
  by: By,
  id: UserId,
  change: ProfileChange,
): Promise<User> {
  return changeUser(sql, by, id, 'user.change', (user) => ({
    ...user,
    ...profileOf({ name: user.name, language: user.language, timeZone: user.timeZone, ...change }),
  }))
}

/**
 * At a sign-in: the user's language and time zone become the browser's, each once, while nobody has chosen it. Afterwards only the person
 * changes it.
 */
export async function adoptReader(tx: Tx, by: By, id: UserId, browser: BrowserReader): Promise<void> {
  const known = knownReader(browser)
  if (Object.keys(known).length === 0) return
  const user = await queries.lockUnchosen(tx, id)
  if (user === undefined) return
  const changed = {
    ...user,
    ...(user.languageChosen ? {} : given({ language: known.language })),
    ...(user.timeZoneChosen ? {} : given({ timeZone: known.timeZone })),
    languageChosen: user.languageChosen || known.language !== undefined,
    timeZoneChosen: user.timeZoneChosen || known.timeZone !== undefined,
  }
  await queries.writeChosen(tx, changed)
  const [before, after] = differences(user, changed)
  if (Object.keys(after).length > 0)
    await writeAudit(tx, [{ ...by, action: 'user.change', subject: `user:${id}`, before, after }])
}

/** What we have of a browser's language and time zone, in our names. The rest is absent: no sign-in fails for it. */
export function knownReader({ language, timeZone }: BrowserReader): BrowserReader {
  return given({ language: localeOf(language ?? ''), timeZone: zoneOf(timeZone) })
}

/** Browsers also use older names of zones: Asia/Kolkata and Asia/Calcutta are one zone. */
function zoneOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return isZone(timeZone) ? timeZone : undefined
  } catch {
    return undefined
  }
}

function isZone(name: string): boolean {
  return name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name)
}

/** Makes a user an operator, or no longer one. For commands: nobody in the dashboard makes operators. */
export function setOperator(
  { sql }: Pick<PeopleDeps, 'sql'>,
  by: By,
  id: UserId,
  isOperator: boolean,
): Promise<User> {
  return changeUser(sql, by, id, 'user.set-operator', (user) => ({ ...user, isOperator }))
}

function changeUser(
  sql: Sql,
  by: By,
  id: UserId,
  action: string,
  change: (user: User) => User,
): Promise<User> {
  return sql.begin(async (tx): Promise<User> => {
    const { disabledAt: _, ...user } = requireUser(await queries.lockUser(tx, id))
    const changed = change(user)
    const [before, after] = differences(user, changed)
    if (Object.keys(after).length === 0) return user
    await queries.writeUser(tx, changed)
    await writeAudit(tx, [{ ...by, action, subject: `user:${id}`, before, after }])
    return changed
  })
}

/**
 * Lets a user sign in no more, and ends their sessions and links; or lets them again. `also`: what else is done in the transaction that disables
 * them. Doors call merchants/member-keys.ts, which decides about their keys.
 */
export async function setDisabled(
  { sql }: Pick<PeopleDeps, 'sql'>,
  by: By,
  id: UserId,
  isDisabled: boolean,
  also: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  await sql.begin(async (tx) => {
    const user = requireUser(await queries.lockUser(tx, id))
    if ((user.disabledAt !== null) === isDisabled) return
    await queries.writeDisabled(tx, id, isDisabled)
    if (isDisabled) {
      await revokeSessions(tx, id)
      await revokeLinksOf(tx, id)
      await also(tx)
    }
    const action = isDisabled ? 'user.disable' : 'user.enable'
    await writeAudit(tx, [{ ...by, action, subject: `user:${id}` }])
  })
}

/** The user. 404 when there is none. */
export function requireUser(user: UserRow | undefined): UserRow {
  if (user === undefined) throw unknown('user')
  return user
}

/** An email as it is stored: in small letters, without surrounding space. Empty when it cannot be one. */
export function normalEmail(text: string): string {
  const email = text.trim().toLowerCase()
  return emailForm.test(email) ? email : ''
}

/** As HTML's input of type email has it. */
const emailForm = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,187}[a-z0-9])?$/

/** The stored form of an email. Throws 400 when it cannot be one. */
export function emailOf(text: string): string {
  const email = normalEmail(text)
  if (email !== '') return email
  throw faulty([
    { pointer: '/email', code: 'malformed', message: 'must be an email address in plain letters' },
  ])
}

type Profile = Pick<User, 'name' | 'language' | 'timeZone'>

function profileOf({ name, language, timeZone }: Profile): Profile {
  const trimmed = name.trim()
  const isName =
    trimmed !== '' && Array.from(trimmed).length <= 200 && trimmed.isWellFormed() && !trimmed.includes('\0')
  const isLanguage = (locales as readonly string[]).includes(language)
  const faults: readonly FieldFault[] = [
    ...(isName ? [] : [{ pointer: '/name', code: 'malformed', message: 'must have 1 to 200 characters' }]),
    ...(isLanguage
      ? []
      : [{ pointer: '/language', code: 'unknown', message: `must be one of ${locales.join(', ')}` }]),
    ...(isZone(timeZone)
      ? []
      : [
          {
            pointer: '/timeZone',
            code: 'unknown',
            message: 'must be a time zone, such as America/Sao_Paulo',
          },
        ]),
  ]
  if (faults.length > 0) throw faulty(faults)
  return { name: trimmed, language, timeZone }
}

function faulty(faults: readonly FieldFault[]): AppError {
  return new AppError('invalid_request', 'The request is not well formed.', { faults })
}

/** The fields that differ, before and after. */
function differences(user: User, changed: User): readonly [Record<string, unknown>, Record<string, unknown>] {
  const fields = (['name', 'language', 'timeZone', 'isOperator'] as const).filter(
    (field) => user[field] !== changed[field],
  )
  const pick = (from: User) => Object.fromEntries(fields.map((field) => [field, from[field]]))
  return [pick(user), pick(changed)]
}
