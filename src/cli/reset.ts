// `reset`: forgets the sandbox: its database, its keys and its merchant. A database of the settings is not touched.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#/config.ts'
import { forgetEmbeddedPostgres } from '#/db/embedded.ts'
import { silentLog } from '#/kernel/log.ts'
import { forgetSandboxChain } from '#/sandbox/chain-process.ts'
import type { Terminal } from '#/sandbox/terminal.ts'

/** What a start makes in the data directory, besides the database. Nothing else there is ours to remove. */
const ours = ['keys', 'signer', 'signer.log', 'simulators', 'sandbox.json', 'sandbox.json.new']

export async function reset({ dataDir }: Config, terminal: Terminal): Promise<number> {
  await forgetSandboxChain(dataDir)
  await forgetEmbeddedPostgres(dataDir, silentLog)
  for (const name of ours) await rm(path.join(dataDir, name), { recursive: true, force: true })
  terminal.out(`The sandbox in ${dataDir} is forgotten. npm start makes a new one.`)
  return 0
}
