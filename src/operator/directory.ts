// What only the directory of cells can check: that an account at a provider is not also another cell's. Processes that face the web do not
// have its URL (decision 157), so workers store that there is one, and those processes refuse what commands then do.
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { Mode } from '#/kernel/mode.ts'
import { deleteInDirectory, insertInDirectory, selectIsInDirectory } from './directory-queries.ts'

/** Whether the caller has asked the directory, or will in the same command. The console never can. */
export type DirectoryUse = { readonly usesDirectory: boolean }

/** Stores, at the start of a worker, whether this cell is one of a directory. */
export async function storeIsInDirectory(sql: Sql, isInDirectory: boolean): Promise<void> {
  await (isInDirectory ? insertInDirectory(sql) : deleteInDirectory(sql))
}

/** Throws AppError `directory_needed` for something live that the directory has to know, while the caller cannot ask it. */
export async function requireDirectory(
  { sql, usesDirectory }: DirectoryUse & { readonly sql: Sql },
  mode: Mode,
): Promise<void> {
  if (mode === 'SANDBOX' || usesDirectory || !(await selectIsInDirectory(sql))) return
  throw new AppError(
    'directory_needed',
    'This cell is one of several: another one may have the same account. Use ./vintem merchant create, connection add or connection replace, with VINTEM_DIRECTORY_URL.',
  )
}
