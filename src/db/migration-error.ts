// What a failed statement of a migration says: where it stands, and what PostgreSQL said of it.
import postgres from 'postgres'
import type { SqlStatement } from './sql-statements.ts'

/** For `catch`: throws the same error, its message beginning with the file and the line. */
export function failedAt(name: string, statement: SqlStatement): (error: unknown) => never {
  return (error) => {
    if (error instanceof postgres.PostgresError) {
      error.message = `${name}, statement on line ${statement.line}: ${error.message}`
    }
    throw error
  }
}

/** Whether there is already a relation of this name: of two who make it at once, one is told by the catalog's own index. */
export function isNameTaken(error: unknown): boolean {
  if (!(error instanceof postgres.PostgresError)) return false
  return error.code === '42P07' || (error.code === '23505' && error.schema_name === 'pg_catalog')
}
