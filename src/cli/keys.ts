// The keys that no database holds: set by the operator, or made by a sandbox for itself.
import { ConfigError, type Config } from '#/config.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { keepKey, keptKey } from '#/sandbox/secrets.ts'
import { noSandbox } from './no-sandbox.ts'

export type Keys = {
  readonly masterKey: KeyRing
  readonly auditKey: KeyRing
  /** Decrypts the credentials that send money out. Absent in every process that sends none. */
  readonly workerKey?: KeyRing
}

/** The keys of the settings, for a start: a sandbox without them makes its own and keeps them in the data directory. */
export async function startKeys(config: Config): Promise<Required<Keys>> {
  const made = (name: KeyName) =>
    keyGiven(config, name) ??
    (config.VINTEM_SANDBOX === 'on'
      ? keepKey(config.dataDir, files[name]).then((kept) => withPrevious(config, name, kept))
      : missing(name))
  const [masterKey, auditKey, workerKey] = await Promise.all([
    made('VINTEM_MASTER_KEY'),
    made('VINTEM_AUDIT_KEY'),
    made('VINTEM_WORKER_KEY'),
  ])
  return { masterKey, auditKey, workerKey }
}

/**
 * The same keys for a command: those of the settings, or those of the sandbox. Makes none, because a new key would not fit the existing
 * data. Throws ConfigError that names the first missing key.
 */
export async function masterKeys(config: Config): Promise<Keys> {
  return {
    masterKey: await keyOf(config, 'VINTEM_MASTER_KEY'),
    auditKey: await keyOf(config, 'VINTEM_AUDIT_KEY'),
  }
}

/** Also the key that only workers and the operator's commands have, for a command that does a worker's work. */
export async function allKeys(config: Config): Promise<Required<Keys>> {
  return { ...(await masterKeys(config)), workerKey: await workerKeyOf(config) }
}

/** Only the audit key: verification needs no other. */
export function auditKeyOf(config: Config): Promise<KeyRing> {
  return keyOf(config, 'VINTEM_AUDIT_KEY')
}

/**
 * Only the keys of the settings, for one process among several: keys that the process made for itself would not match those of the others.
 * Throws ConfigError that names the missing key.
 */
export function sharedKeys(config: Config): Keys {
  return {
    masterKey: keyGiven(config, 'VINTEM_MASTER_KEY') ?? missing('VINTEM_MASTER_KEY'),
    auditKey: keyGiven(config, 'VINTEM_AUDIT_KEY') ?? missing('VINTEM_AUDIT_KEY'),
  }
}

/** The key that decrypts credentials for sending money, for a command. */
export function workerKeyOf(config: Config): Promise<KeyRing> {
  return keyOf(config, 'VINTEM_WORKER_KEY')
}

/** The same for a worker among several processes, which makes no key. Throws ConfigError when it is not set. */
export function sharedWorkerKey(config: Config): KeyRing {
  return keyGiven(config, 'VINTEM_WORKER_KEY') ?? missing('VINTEM_WORKER_KEY')
}

type KeyName = 'VINTEM_MASTER_KEY' | 'VINTEM_WORKER_KEY' | 'VINTEM_AUDIT_KEY'

/** The files in which a sandbox keeps its own keys. */
const files: Readonly<Record<KeyName, string>> = {
  VINTEM_MASTER_KEY: 'master.key',
  VINTEM_WORKER_KEY: 'worker.key',
  VINTEM_AUDIT_KEY: 'audit.key',
}

async function keyOf(config: Config, name: KeyName): Promise<KeyRing> {
  const fromSettings = keyGiven(config, name)
  if (fromSettings !== undefined) return fromSettings
  if (config.VINTEM_SANDBOX !== 'on') return missing(name)
  const kept = await keptKey(config.dataDir, files[name])
  if (kept !== undefined) return withPrevious(config, name, kept)
  if (config.DATABASE_URL === '') throw noSandbox(config)
  throw new ConfigError(
    `${name} is not set, and there is no sandbox in ${config.dataDir} that has one.`,
    'Set it to the key that the other processes have, or VINTEM_DATA_DIR to the directory of the sandbox.',
  )
}

/** The keys of the settings; undefined where there is none. */
export function keyGiven(config: Config, name: KeyName): KeyRing | undefined {
  return config[name] === '' ? undefined : withPrevious(config, name, Buffer.from(config[name], 'hex'))
}

function withPrevious(config: Config, name: KeyName, key: Buffer): KeyRing {
  const previous = config[`${name}_PREVIOUS`].map((each) => Buffer.from(each, 'hex'))
  return previous.length === 0 ? key : [key, ...previous]
}

function missing(name: KeyName): never {
  const remedy = 'Set it, the same for every process, to 64 hexadecimal digits: openssl rand -hex 32'
  throw new ConfigError(`${name} is not set.`, remedy)
}
