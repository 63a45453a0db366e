// Every setting: its name, its allowed values, its default, and its meaning. Read once, from the environment, at the start.
import path from 'node:path'
import { isBindable, isNetwork, isOrigin, urlHere } from '#/kernel/network.ts'

/** A setting as `./vintem config` shows it. */
export type SettingRow = {
  readonly name: string
  readonly value: string
  readonly isDefault: boolean
  readonly meaning: string
}

/** A setting that cannot be used: one line that says what is wrong and what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process, for variables that are no settings of ours: the terminal's. */
export const environment: Environment = process.env

type Setting<Value> = {
  readonly meaning: string
  /** As text; a function when it depends on other settings. */
  readonly fallback: string | ((env: Environment) => string)
  readonly secret?: true
  /** The value, or undefined when the text is invalid. */
  readonly parse: (text: string) => Value | undefined
  /** The form of a value, for the error. */
  readonly shape: string
  /** What the value means for people, where the text alone does not say it. */
  readonly show?: (text: string) => string
}

const text = (meaning: string, fallback: Setting<string>['fallback'], secret?: true): Setting<string> => ({
  meaning,
  fallback,
  parse: (value) => value,
  shape: 'text',
  ...(secret ? { secret } : {}),
})

const integer = (
  meaning: string,
  fallback: Setting<number>['fallback'],
  min: number,
  max: number,
): Setting<number> => ({
  meaning,
  fallback,
  parse: (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
  shape: `a whole number from ${min} to ${max}`,
})

const url = (meaning: string, fallback: Setting<string>['fallback']): Setting<string> => ({
  meaning,
  fallback,
  parse: (value) => (value === '' || isOrigin(value) ? value.replace(/\/+$/, '') : undefined),
  shape: 'a URL such as https://pay.example.com, without a path, a query or a user',
})

const nodeUrl = (meaning: string, fallback: Setting<string>['fallback']): Setting<string> => ({
  meaning,
  fallback,
  parse: (value) => (value === '' || URL.canParse(value) ? value.replace(/\/+$/, '') : undefined),
  shape: 'a URL such as https://node.example.com',
})

const networks = (meaning: string): Setting<readonly string[]> => ({
  meaning,
  fallback: '',
  parse(value) {
    const given = value.split(',').map((each) => each.trim())
    const named = given.filter((each) => each !== '')
    return named.every(isNetwork) ? named : undefined
  },
  shape: 'addresses or networks (CIDR), comma separated, such as 10.1.0.7,fd00::/8',
})

/** Where package.json is: a start from another directory uses the same data. */
const projectRoot = path.resolve(import.meta.dirname, '..')

const folder = (meaning: string, fallback: Setting<string>['fallback']): Setting<string> => ({
  ...text(meaning, fallback),
  show: (value) => path.resolve(projectRoot, value),
})

const choice = <Value extends string>(
  meaning: string,
  fallback: Value,
  values: readonly Value[],
): Setting<Value> => ({
  meaning,
  fallback,
  parse: (value) => values.find((each) => each === value),
  shape: values.join(' or '),
})

const key = (meaning: string): Setting<string> => ({
  meaning,
  fallback: '',
  secret: true,
  parse: (value) => (value === '' || /^[0-9a-f]{64}$/i.test(value) ? value : undefined),
  shape: '64 hexadecimal digits (openssl rand -hex 32)',
})

const keys = (meaning: string): Setting<readonly string[]> => ({
  meaning,
  fallback: '',
  secret: true,
  parse(value) {
    const given = value.split(',').map((each) => each.trim())
    const named = given.filter((each) => each !== '')
    return named.every((each) => /^[0-9a-f]{64}$/i.test(each)) ? named : undefined
  },
  shape: 'keys of 64 hexadecimal digits, comma separated',
})

const host = (meaning: string): Setting<string> => ({
  meaning,
  fallback: '127.0.0.1',
  parse: (value) => (isBindable(value) ? value : undefined),
  shape: 'an address such as 127.0.0.1, ::1 or 0.0.0.0, or a host name',
})

const localUrl = (offset: number, scheme?: string, name?: string) => (env: Environment) =>
  urlHere(env['VINTEM_HOST'] ?? '127.0.0.1', Number(env['PORT'] ?? 4000) + offset, scheme, name)

const settings = {
  PORT: integer(
    'Port of the API; the next two are the checkout hosts, +3 callbacks, +4 the dashboard, +10 simulators, +20 PostgreSQL, +21 the sandbox chain',
    '4000',
    1,
    65_400,
  ),
  VINTEM_HOST: host('Address that every server binds to'),
  VINTEM_DATA_DIR: folder(
    'Where the embedded database, keys, sandbox.json and the kept end of the books lie; a relative path starts where package.json is',
    '.vintem',
  ),
  DATABASE_URL: text('PostgreSQL as the application; empty: the embedded one', '', true),
  DATABASE_OWNER_URL: text('PostgreSQL as the owner of the tables, only for migrate', '', true),
  VINTEM_CELL: {
    ...text('Code of this cell, two characters: part of keys and connection ids', 'a1'),
    parse: (value: string) => (/^[a-z0-9]{2}$/.test(value) ? value : undefined),
    shape: 'two lower-case letters or digits',
  } satisfies Setting<string>,
  VINTEM_DIRECTORY_URL: text(
    'PostgreSQL of the directory of cells, as its owner; empty: there is one cell, and no directory',
    '',
    true,
  ),
  VINTEM_MOVE_URL: text(
    'PostgreSQL that a cell leaves, as a superuser, in a database that is not the cell’s; only for cell move',
    '',
    true,
  ),
  VINTEM_PROXY_DIR: {
    ...text(
      'Folder in which cell commands keep the configuration of the HAProxy in front of the cells; empty: none runs on this machine',
      '',
    ),
    parse: (value: string) =>
      value === '' || /^\/[\w./@+-]*$/.test(value) ? value.replace(/\/+$/, '') : undefined,
    shape: 'an absolute path without spaces, such as /var/lib/vintem-proxy',
  } satisfies Setting<string>,
  VINTEM_PROXY_SOCKET: text(
    "Socket of that HAProxy's master process, which it gets with -S; empty: master.sock in the folder",
    '',
  ),
  VINTEM_PROXY_CERT: text(
    'File with the certificate and the key (PEM) that HAProxy shows for URLs with https',
    '',
  ),
  VINTEM_MASTER_KEY: key('Encrypts stored secrets; the sandbox makes its own, live merchants require it'),
  VINTEM_WORKER_KEY: key(
    'Encrypts credentials that send money out, such as for refunds; only for workers and commands, never for the API',
  ),
  VINTEM_AUDIT_KEY: key('Keys the hash chain over the books; the sandbox makes its own'),
  VINTEM_MASTER_KEY_PREVIOUS: keys('While the master key is changed: the other key, which only opens'),
  VINTEM_WORKER_KEY_PREVIOUS: keys('The same for the worker key; only where VINTEM_WORKER_KEY is'),
  VINTEM_AUDIT_KEY_PREVIOUS: keys('Earlier audit keys: those of the batches that verify is to check'),
  VINTEM_SANDBOX: choice('Whether start makes a sandbox: merchant, chain and inbox', 'on', ['on', 'off']),
  VINTEM_REFERENCE: choice(
    'Whether the API serves its reference at /reference, and its documents; empty: only with a sandbox',
    '',
    ['', 'on', 'off'],
  ),
  VINTEM_API_URL: url('Public base URL of the API', localUrl(0)),
  VINTEM_API_KEY: text(
    'API key with which listen calls VINTEM_API_URL; empty: it calls the sandbox',
    '',
    true,
  ),
  VINTEM_CHECKOUT_URL: url('Public base URL of the hosted checkout', localUrl(1)),
  VINTEM_PARTNER_CHECKOUT_URL: url('Public base URL of the partner checkout', localUrl(2)),
  VINTEM_CALLBACK_URL: url('Public base URL for callbacks of providers', localUrl(3, 'https')),
  VINTEM_DASHBOARD_URL: url(
    'Public base URL of the dashboard; passkeys belong to its host name',
    localUrl(4, 'http', 'localhost'),
  ),
  VINTEM_SMTP_URL: {
    ...text(
      'Mail server for invitations and new passwords: smtp://user:password@host:587; empty: no mail is sent',
      '',
      true,
    ),
    parse: (value: string) => (value === '' || /^smtps?:\/\/[^\s/]+/.test(value) ? value : undefined),
    shape: 'smtp://user:password@host:587 or smtps://user:password@host',
  } satisfies Setting<string>,
  VINTEM_MAIL_FROM: text(
    'Sender of mail, such as Shop <no-reply@example.com>',
    'Vintem <no-reply@localhost>',
  ),
  VINTEM_CALLBACK_CERT: text(
    'File with the certificate (PEM) of the callback server on port +3; empty: a proxy accepts callbacks',
    '',
  ),
  VINTEM_CALLBACK_KEY: text('File with the private key (PEM) of the callback server', ''),
  VINTEM_CALLBACK_PROXY_HEADER: {
    ...text(
      'Header that a trusted proxy adds after it has checked the certificate of a provider: `name: value`',
      '',
    ),
    parse: (value: string) => (value === '' || /^[\w-]+: ?\S.*$/.test(value) ? value : undefined),
    shape: 'a header such as X-SSL-Client-Verify: SUCCESS',
  } satisfies Setting<string>,
  VINTEM_RECONCILE_SECONDS: integer(
    'Seconds between two reconciliation passes over each provider',
    (env) => (env['VINTEM_SANDBOX'] === 'off' ? '60' : '10'),
    1,
    3_600,
  ),
  VINTEM_STATEMENT_FOLDER: text(
    "Folder in which a program of yours puts a bank's files (camt.053, camt.054), read by workers; empty: none",
    '',
  ),
  VINTEM_ISSUANCE_LOG: text(
    'Folder in which each process writes down what it hands out to payers, before it does; not on the disk of the database; empty: none',
    '',
  ),
  VINTEM_DRAIN_SECONDS: {
    meaning:
      'Seconds that a process which was asked to end still serves, while it says that it is not ready; empty: 20, for start with a sandbox 0',
    fallback: '',
    parse: (value: string) =>
      value === '' ? '' : /^\d{1,3}$/.test(value) && Number(value) <= 600 ? Number(value) : undefined,
    shape: 'a whole number from 0 to 600',
  } satisfies Setting<number | ''>,
  VINTEM_TRUSTED_PROXIES: networks(
    'Proxies (addresses or CIDR, comma separated) whose X-Forwarded-For is trusted; empty: none',
  ),
  VINTEM_LOG_LEVEL: choice('Lowest level that is logged', 'warn', [
    'debug',
    'info',
    'warn',
    'error',
    'silent',
  ]),
  VINTEM_METRICS_PORT: integer(
    'Port on which this process serves /metrics for a Prometheus; 0: none',
    '0',
    0,
    65_535,
  ),
  VINTEM_METRICS_HOST: host(
    'Address that /metrics binds to: it has no sign-in, so one that only the operator reaches',
  ),
  VINTEM_DB_POOL: integer(
    'Connections to the database of one process, without those of the lanes',
    '10',
    2,
    200,
  ),
  VINTEM_DATABASE_PATIENCE: integer('How many times longer the database waits for us than usual', '1', 1, 60),
  VINTEM_RATE_LIMIT: integer(
    'Requests a second that one API key may make; 0: no limit',
    '1000',
    0,
    1_000_000,
  ),
  VINTEM_RATE_BURST: integer('Requests that one API key may make at once', '2000', 1, 1_000_000),
  VINTEM_REQUEST_LOG: integer(
    'How many of the newest calls of each merchant GET /v1/requests lists; 0: no call is kept',
    '10000',
    0,
    10_000,
  ),
  VINTEM_BATCH_MAX: integer('Items in one commit of a lane', '500', 1, 5_000),
  VINTEM_WEBHOOK_ALLOW: text(
    'Networks (CIDR, comma separated) that webhooks may reach although they are not public',
    '',
  ),
  VINTEM_BSC_RPC_URL: nodeUrl('JSON-RPC of a BSC node; empty: CRYPTO is not offered to live merchants', ''),
  VINTEM_BSC_TREASURY: text('Address on BSC that deposits are swept to', ''),
  VINTEM_BSC_CONFIRMATIONS: integer(
    'Blocks on top of a BSC deposit, besides being finalized, before it is money',
    '12',
    1,
    1_000,
  ),
  VINTEM_BSC_HOT_WALLET: text(
    'Address on BSC that USDT is paid out from, a hot key of the signer; empty: no USDT is paid out',
    '',
  ),
  VINTEM_BSC_GAS_WALLET: text(
    'Address on BSC that pays for collecting deposits, a gas key of the signer; empty: nothing is collected',
    '',
  ),
  VINTEM_SWEEP_MIN: integer(
    'Cents of USDT from which a deposit address is collected to the treasury',
    (env) => (env['VINTEM_SANDBOX'] === 'off' ? '500' : '0'),
    0,
    999_999_999,
  ),
  VINTEM_HOT_LOW: integer('Cents of USDT: with less, the hot wallet is refilled', '50000', 0, 999_999_999),
  VINTEM_HOT_HIGH: integer('Cents of USDT that the hot wallet is refilled to', '200000', 0, 999_999_999),
  VINTEM_SUSPENSE_ALONE_MAX: integer(
    'Minor units up to which one person of the operator decides about money in suspense, or about the end of a withdrawal or refund; above it, two do',
    '100000',
    0,
    999_999_999,
  ),
  VINTEM_SIGNER_DIR: folder(
    "The signer's own folder: keys, policy and journal",
    (env) => `${env['VINTEM_DATA_DIR'] ?? '.vintem'}/signer`,
  ),
  VINTEM_SIGNER_SOCKET: text("The signer's socket; empty: signer.sock in its folder", ''),
  VINTEM_SIGNER_TOKEN: text(
    'File with the token that the signer shares with its clients; empty: token in its folder',
    '',
  ),
} as const

type Settings = typeof settings
export type SettingName = keyof Settings
type Values = { readonly [Name in SettingName]: Settings[Name] extends Setting<infer Value> ? Value : never }

export type Config = Values & {
  /** The data directory as an absolute path. */
  readonly dataDir: string
  /** Where the signer's things lie, as absolute paths. */
  readonly signer: { readonly folder: string; readonly socket: string; readonly token: string }
  readonly rows: readonly SettingRow[]
}

/** Reads the settings from `env` (the process's own by default). Throws ConfigError naming the first that is wrong. */
export function readConfig(env: Environment = environment): Config {
  const unknown = Object.keys(env).find((name) => name.startsWith('VINTEM_') && !knownNames.has(name))
  if (unknown !== undefined) {
    throw new ConfigError(`${unknown} is not a setting.`, 'See ./vintem config for all of them.')
  }
  const rows: SettingRow[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const fallback = typeof setting.fallback === 'function' ? setting.fallback(env) : setting.fallback
    const given = env[name]
    const value = setting.parse(given ?? fallback)
    if (value === undefined) {
      throw new ConfigError(`${name} is ${JSON.stringify(given)}.`, `Set it to ${setting.shape}.`)
    }
    values[name] = value
    const text = given ?? fallback
    const shown = setting.secret && given ? '(set)' : (setting.show?.(text) ?? text)
    rows.push({ name, value: shown, isDefault: given === undefined, meaning: setting.meaning })
  }
  const parsed = values as Values
  return {
    ...parsed,
    dataDir: path.resolve(projectRoot, parsed.VINTEM_DATA_DIR),
    signer: signerOf(parsed),
    rows,
  }
}

function signerOf(parsed: Values): Config['signer'] {
  const folder = path.resolve(projectRoot, parsed.VINTEM_SIGNER_DIR)
  const { VINTEM_SIGNER_SOCKET: socket, VINTEM_SIGNER_TOKEN: token } = parsed
  return {
    folder,
    socket: path.resolve(folder, socket || 'signer.sock'),
    token: path.resolve(folder, token || 'token'),
  }
}

/** Variables of our own tools, which are no settings of an operator. */
const knownNames = new Set([
  ...Object.keys(settings),
  ...'VINTEM_REACH VINTEM_SEED VINTEM_SOAK VINTEM_TEST_DATABASE VINTEM_TEST_RUN'.split(' '),
])
