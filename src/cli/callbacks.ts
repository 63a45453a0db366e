// Where providers call back: a separate server with client certificates. Its certificate comes from the operator, or in the
// sandbox from the provider that calls; without one, a proxy accepts callbacks.
import { readFile } from 'node:fs/promises'
import { openCallbackServer } from '#/app/callbacks.ts'
import type { Core } from '#/app/core.ts'
import { ConfigError, type Config } from '#/config.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Closer } from './run.ts'

type Certificate = { readonly certificate: string; readonly privateKey: string }

/** Opens the callback server if it has a certificate: the operator's, else the result of `otherwise`. */
export async function openCallbacks(
  core: Core,
  closer: Closer,
  otherwise: () => Promise<Certificate | undefined> = async () => undefined,
): Promise<void> {
  const certificate = (await certificateOf(core.config)) ?? (await otherwise())
  if (certificate === undefined) return
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
