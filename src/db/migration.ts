// The migrations of this release as files, and the steps that a file is made of.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { invariant } from '#/kernel/check.ts'
import { splitStatements, type SqlStatement } from './sql-statements.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

export type Migration = { readonly name: string; readonly text: string; readonly hash: string }

/**
 * A part of a migration that is applied whole or not at all. In a transaction: all its statements in one. Outside: one
 * statement that can be done again after a crash.
 */
export type Step =
  | { readonly kind: 'TRANSACTION'; readonly statements: readonly SqlStatement[] }
  | { readonly kind: 'OUTSIDE'; readonly statement: SqlStatement; readonly index: IndexChange }

/** `create index concurrently` or `drop index concurrently`, and the name of the index. */
export type IndexChange = { readonly verb: 'create' | 'drop'; readonly name: string }

/** Lines of a migration that begin a step: one more transaction, or a statement that cannot be in one. */
const stepLine = '-- step'
const outsideLine = '-- step outside a transaction'

/** The migrations of this release, in order. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(names.map(async (name) => migrationOf(name, await readFile(folder + name, 'utf8'))))
}

/** What the application's role may do: run after the migrations, every time. */
export async function readPrivileges(): Promise<readonly SqlStatement[]> {
  return splitStatements(await readFile(`${folder}privileges.sql`, 'utf8'))
}

export function migrationOf(name: string, text: string): Migration {
  return { name, text, hash: createHash('sha256').update(text).digest('hex') }
}

/**
 * The steps of a migration: one for the whole file, and one more from each line that is `stepLine` or `outsideLine`. A step
 * outside a transaction that is not one change of one index breaks an invariant: nothing else can be resumed.
 */
export function stepsOf({ name, text }: Pick<Migration, 'name' | 'text'>): readonly Step[] {
  const parts: { kind: Step['kind']; statements: SqlStatement[] }[] = []
  for (const statement of splitStatements(text)) {
    const marks = statement.comments.filter((line) => line === stepLine || line === outsideLine)
    const mark = marks.at(-1)
    if (mark !== undefined || parts.length === 0) {
      parts.push({ kind: mark === outsideLine ? 'OUTSIDE' : 'TRANSACTION', statements: [] })
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

/** What a statement does to an index beside the traffic; undefined when it is no such statement. */
export function indexChangeOf(statement: string): IndexChange | undefined {
  const create = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)\s+on\s/i
  const drop = /^drop\s+index\s+concurrently\s+(?:if\s+exists\s+)?(\w+)$/i
  const created = create.exec(statement)?.[1]
  if (created !== undefined) return { verb: 'create', name: created.toLowerCase() }
  const dropped = drop.exec(statement)?.[1]
  return dropped === undefined ? undefined : { verb: 'drop', name: dropped.toLowerCase() }
}
