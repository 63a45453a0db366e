// The error of a command that finds no sandbox: it says where it looked, so that no operator works on the wrong one.
import { ConfigError, type Config } from '#/config.ts'

/** There is no sandbox in the data directory. A command creates none: only a start does. */
export function noSandbox({ dataDir, rows }: Pick<Config, 'dataDir' | 'rows'>): ConfigError {
  const isUsual = rows.find(({ name }) => name === 'VINTEM_DATA_DIR')?.isDefault ?? false
  const why = isUsual ? 'the default, because VINTEM_DATA_DIR is not set' : 'which VINTEM_DATA_DIR names'
  return new ConfigError(
    `There is no sandbox in ${dataDir}, ${why}.`,
    'Set VINTEM_DATA_DIR to the directory of the one that you mean, or make one there with npm start.',
  )
}
