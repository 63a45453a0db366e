// Where providers call back: a server of its own with client certificates. In the sandbox its certificate comes from the
// bank that calls; otherwise from the operator, or a proxy takes callbacks.
import { readFile } from 'node:fs/promises'
import { connectionKeys, openCallbackServer, type Core } from '#/app.ts'
import { ConfigError, type Config } from '#/config.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import { connectBank, type Bank } from '#/sandbox/bank.ts'
import type { Keys } from './keys.ts'
import type { Closer } from './run.ts'

type Certificate = { readonly certificate: string; readonly privateKey: string }

/** Opens the callback server if there is a certificate for it. */
export async function openCallbacks(core: Core, closer: Closer): Promise<void> {
  const certificate = await certificateOf(core.config)
  if (certificate !== undefined) await listen(core, closer, certificate)
}

/** The same for a sandbox, and tells the bank where it is. */
export async function openSandboxCallbacks(
  core: Core,
  closer: Closer,
  bank: Bank,
  { masterKey, workerKey }: Required<Keys>,
): Promise<void> {
  await listen(core, closer, (await certificateOf(core.config)) ?? (await bank.serverCertificate()))
  const { sql, connections, config, log } = core
  await connectBank(bank, {
    sql,
    cell: config.VINTEM_CELL,
    keys: connectionKeys(masterKey, workerKey),
    connections,
    rail: must(core.rails.get('PIX'), 'there is a rail for PIX'),
    callbackUrl: config.VINTEM_CALLBACK_URL,
    log,
  })
}

async function listen(core: Core, closer: Closer, certificate: Certificate): Promise<void> {
  const server = await openCallbackServer(core, certificate)
  closer.add('callbacks', () => server.close())
}

async function certificateOf(config: Config): Promise<Certificate | undefined> {
  const { VINTEM_CALLBACK_CERT, VINTEM_CALLBACK_KEY } = config
  if (VINTEM_CALLBACK_CERT === '' && VINTEM_CALLBACK_KEY === '') return undefined
  const [certificate, privateKey] = await Promise.all([
    read('VINTEM_CALLBACK_CERT', VINTEM_CALLBACK_CERT),
    read('VINTEM_CALLBACK_KEY', VINTEM_CALLBACK_KEY),
  ])
  return { certificate, privateKey }
}

async function read(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`${name} cannot be read: ${messageOf(error)}.`, 'Set it to a file in PEM.')
  }
}
