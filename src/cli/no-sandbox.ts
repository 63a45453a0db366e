// What a command says that finds no sandbox: where it looked, so that nobody works on another one than meant.
import { ConfigError, type Config } from '#/config.ts'

/** No sandbox lies where the settings lead. A command makes none: only a start does. */
export function noSandbox({ dataDir, rows }: Pick<Config, 'dataDir' | 'rows'>): ConfigError {
  const isUsual = rows.find(({ name }) => name === 'VINTEM_DATA_DIR')?.isDefault ?? false
  const why = isUsual ? 'the usual place, because VINTEM_DATA_DIR is not set' : 'which VINTEM_DATA_DIR names'
  return new ConfigError(
    `There is no sandbox in ${dataDir}, ${why}.`,
    'Set VINTEM_DATA_DIR to the directory of the one that you mean, or make one there with npm start.',
  )
}
