// `reset`: removes the sandbox: its database, its keys and its merchant. A database of the settings is not touched.
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#/config.ts'
import { forgetEmbeddedPostgres } from '#/db/embedded.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { forgetSandboxChain } from '#/sandbox/chain-process.ts'
import { sandboxChainId } from '#/sandbox/chain.ts'
import { holdSandbox } from './start-lock.ts'

/** What a start creates in the data directory, besides the database. Other files there are never removed. */
const ours = ['keys', 'heads', 'signer.log', 'simulators', 'sandbox.json', 'sandbox.json.new']

export async function reset({ dataDir, signer }: Config, terminal: Terminal): Promise<number> {
  // A start that began a moment ago holds only this lock.
  if (!existsSync(dataDir)) {
    terminal.out(`There is no sandbox in ${dataDir}, so nothing was forgotten.`)
    return 0
  }
  const release = holdSandbox(dataDir)
  try {
    await forget(dataDir)
  } finally {
    release()
  }
  await forgetSandboxSigner(signer.folder, terminal)
  terminal.out(`The sandbox in ${dataDir} is forgotten. npm start makes a new one.`)
  return 0
}

async function forget(dataDir: string): Promise<void> {
  await forgetSandboxChain(dataDir)
  await forgetEmbeddedPostgres(dataDir, silentLog)
  for (const name of ours) await rm(path.join(dataDir, name), { recursive: true, force: true })
}

/** The keys of a sandbox are worthless; any others are never removed by a command. */
async function forgetSandboxSigner(folder: string, terminal: Terminal): Promise<void> {
  const policy = await readFile(path.join(folder, 'policy.json'), 'utf8').catch(() => undefined)
  if (policy === undefined) return
  const chainIds = [...policy.matchAll(/"chainId":\s*"(\d+)"/g)].map(([, id]) => id)
  if (chainIds.length > 0 && chainIds.every((id) => id === String(sandboxChainId)))
    return rm(folder, { recursive: true, force: true })
  terminal.out(`The signer in ${folder} is not only the sandbox's, and is left alone.`)
}
