// The error of a failed statement of a migration: its file and line, and PostgreSQL's message.
import postgres from 'postgres'
import type { SqlStatement } from './sql-statements.ts'

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
