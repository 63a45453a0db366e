// The keys that no database holds: given by the operator, or made by a sandbox for itself.
import { ConfigError, type Config } from '#/config.ts'
import { keepKey } from '#/sandbox/secrets.ts'

export type Keys = {
  readonly masterKey: Buffer
  readonly auditKey: Buffer
  /** Opens what sends money out. Absent in every process that sends none. */
  readonly workerKey?: Buffer
}

/** The keys of the settings. A sandbox that has none keeps its own in the data directory. */
export async function masterKeys(config: Config): Promise<Keys> {
  const [masterKey, auditKey] = await Promise.all([
    keyOf(config, 'VINTEM_MASTER_KEY', 'master.key'),
    keyOf(config, 'VINTEM_AUDIT_KEY', 'audit.key'),
  ])
  return { masterKey, auditKey }
}

/** With them the key that only workers and the operator's commands have, for a process that does everything. */
export async function allKeys(config: Config): Promise<Required<Keys>> {
  return { ...(await masterKeys(config)), workerKey: await workerKeyOf(config) }
}

/** The same of the audit key alone: who verifies needs no other. */
export async function auditKeyOf(config: Config): Promise<Buffer> {
  return keyOf(config, 'VINTEM_AUDIT_KEY', 'audit.key')
}

/**
 * The keys of the settings and no others, for one process among several: keys that it made for itself would be strangers
 * to the rest. Throws ConfigError naming the one that is not set.
 */
export function sharedKeys(config: Config): Keys {
  return {
    masterKey: given(config, 'VINTEM_MASTER_KEY') ?? missing('VINTEM_MASTER_KEY'),
    auditKey: given(config, 'VINTEM_AUDIT_KEY') ?? missing('VINTEM_AUDIT_KEY'),
  }
}

/** What opens the means to send money out. A sandbox makes its own. */
export function workerKeyOf(config: Config): Promise<Buffer> {
  return keyOf(config, 'VINTEM_WORKER_KEY', 'worker.key')
}

/** The same for a worker among several processes, which makes no key. Throws ConfigError when it is not set. */
export function sharedWorkerKey(config: Config): Buffer {
  return given(config, 'VINTEM_WORKER_KEY') ?? missing('VINTEM_WORKER_KEY')
}

type KeyName = 'VINTEM_MASTER_KEY' | 'VINTEM_WORKER_KEY' | 'VINTEM_AUDIT_KEY'

async function keyOf(config: Config, name: KeyName, file: string): Promise<Buffer> {
  const own = given(config, name)
  if (own !== undefined) return own
  return config.VINTEM_SANDBOX === 'on' ? keepKey(config.dataDir, file) : missing(name)
}

function given(config: Config, name: KeyName): Buffer | undefined {
  return config[name] === '' ? undefined : Buffer.from(config[name], 'hex')
}

function missing(name: KeyName): never {
  const remedy = 'Set it, the same for every process, to 64 hexadecimal digits: openssl rand -hex 32'
  throw new ConfigError(`${name} is not set.`, remedy)
}
