// The migration files of this release, and the steps of a file.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { invariant } from '#/kernel/check.ts'
import { splitStatements, type SqlStatement } from './sql-statements.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

export type Migration = { readonly name: string; readonly text: string; readonly hash: string }

/**
 * A part of a migration that is applied completely or not at all.
 * - `TRANSACTION`: all its statements in one transaction.
 * - `OUTSIDE`: one statement that can be repeated after a crash.
 */
export type Step =
  | { readonly kind: 'TRANSACTION'; readonly statements: readonly SqlStatement[] }
  | { readonly kind: 'OUTSIDE'; readonly statement: SqlStatement; readonly index: IndexChange }

/** `create index concurrently` or `drop index concurrently`, and the name of the index. */
type IndexChange = { readonly verb: 'create' | 'drop'; readonly name: string }

/** Lines of a migration that start a step: a new transaction, or a statement outside of transactions. */
const stepLine = '-- step'
const outsideLine = '-- step outside a transaction'

/** The migrations of this release, in order. `from`: a folder with those of another database, its path ending in a slash. */
export async function readMigrations(from = folder): Promise<readonly Migration[]> {
  const names = (await readdir(from)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(names.map(async (name) => migrationOf(name, await readFile(from + name, 'utf8'))))
}

/** The privileges of the application's role, granted after every run of the migrations. */
export async function readPrivileges(): Promise<readonly SqlStatement[]> {
  return splitStatements(await readFile(`${folder}privileges.sql`, 'utf8'))
}

export function migrationOf(name: string, text: string): Migration {
  return { name, text, hash: createHash('sha256').update(text).digest('hex') }
}

/**
 * The steps of a migration: one for the whole file, and one more from each `stepLine` or `outsideLine`. Throws when a step
 * outside a transaction is not one change of one index: other statements could not be resumed.
 */
export function stepsOf({ name, text }: Pick<Migration, 'name' | 'text'>): readonly Step[] {
  const parts: { kind: Step['kind']; statements: SqlStatement[] }[] = []
  for (const statement of splitStatements(text)) {
    const starts = statement.comments.filter((line) => line === stepLine || line === outsideLine)
    const start = starts.at(-1)
    if (start !== undefined || parts.length === 0) {
      parts.push({ kind: start === outsideLine ? 'OUTSIDE' : 'TRANSACTION', statements: [] })
    }
    parts.at(-1)?.statements.push(statement)
  }
  return parts.map(({ kind, statements }) => {
    if (kind === 'TRANSACTION') return { kind, statements }
    const [statement, second] = statements
    const index = statement === undefined ? undefined : indexChangeOf(statement.text)
    const isWhole = statement !== undefined && second === undefined && index !== undefined
    invariant(isWhole, `${name}: a step outside a transaction creates or drops one index concurrently`)
    return { kind, statement, index }
  })
}

/** The concurrent change of an index by a statement; undefined for any other statement. */
export function indexChangeOf(statement: string): IndexChange | undefined {
  const create = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)\s+on\s/i
  const drop = /^drop\s+index\s+concurrently\s+(?:if\s+exists\s+)?(\w+)$/i
  const created = create.exec(statement)?.[1]
  if (created !== undefined) return { verb: 'create', name: created.toLowerCase() }
  const dropped = drop.exec(statement)?.[1]
  return dropped === undefined ? undefined : { verb: 'drop', name: dropped.toLowerCase() }
}

/** The same change of an index within a transaction: an index that is there, or that is gone, counts as changed, as it does beside the traffic. */
export function notBeside({ text, ...place }: SqlStatement): SqlStatement {
  const created = text.replace(
    /^(create\b.*?\bindex)\s+concurrently(?:\s+if\s+not\s+exists)?/is,
    '$1 if not exists',
  )
  return {
    ...place,
    text: created.replace(/^(drop\s+index)\s+concurrently(?:\s+if\s+exists)?/i, '$1 if exists'),
  }
}

// The error of a failed statement of a migration: its file and line, and PostgreSQL's message.

/** For `catch`: throws the same error with the file and the line before its message. */
export function failedAt(name: string, statement: SqlStatement): (error: unknown) => never {
  return (error) => {
    if (error instanceof postgres.PostgresError) {
      error.message = `${name}, statement on line ${statement.line}: ${error.message}`
    }
    throw error
  }
}

/** Whether a relation of this name exists already. Of two concurrent creations, one fails at the unique index of the catalog. */
export function isNameTaken(error: unknown): boolean {
  if (!(error instanceof postgres.PostgresError)) return false
  return error.code === '42P07' || (error.code === '23505' && error.schema_name === 'pg_catalog')
}
