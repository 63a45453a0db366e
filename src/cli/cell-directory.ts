// The directory of cells that the settings name.
import { openDirectory, type Directory } from '#/cells/directory.ts'
import { ConfigError, type Config } from '#/config.ts'

/** Opens the directory that the settings name. Throws ConfigError when they name none. */
export function directoryOf(config: Config): Promise<Directory> {
  if (config.VINTEM_DIRECTORY_URL === '')
    throw new ConfigError(
      'VINTEM_DIRECTORY_URL is not set.',
      'Set it to a PostgreSQL of its own, as the owner: an installation with one cell needs no directory.',
    )
  return openDirectory(config.VINTEM_DIRECTORY_URL)
}
