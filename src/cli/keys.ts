// The two keys that no database holds: given by the operator, or made by a sandbox for itself.
import { ConfigError, type Config } from '#/config.ts'
import { keepKey } from '#/sandbox/secrets.ts'

export type Keys = { readonly masterKey: Buffer; readonly auditKey: Buffer }

/** The keys of the settings. A sandbox that has none keeps its own in the data directory. */
export async function masterKeys(config: Config): Promise<Keys> {
  const [masterKey, auditKey] = await Promise.all([
    keyOf(config, 'VINTEM_MASTER_KEY', 'master.key'),
    keyOf(config, 'VINTEM_AUDIT_KEY', 'audit.key'),
  ])
  return { masterKey, auditKey }
}

async function keyOf(
  config: Config,
  name: 'VINTEM_MASTER_KEY' | 'VINTEM_AUDIT_KEY',
  file: string,
): Promise<Buffer> {
  const given = config[name]
  if (given !== '') return Buffer.from(given, 'hex')
  if (config.VINTEM_SANDBOX === 'on') return keepKey(config.dataDir, file)
  throw new ConfigError(`${name} is not set.`, 'Set it to 64 hexadecimal digits: openssl rand -hex 32')
}
