// The operator's commands, run in this process: freeze, unfreeze, suspend, resume.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { freezeCommand, unfreezeCommand } from '#/cli/freeze.ts'
import { merchantCommand } from '#/cli/merchant.ts'
import { readConfig } from '#/config.ts'
import { silentLog, type Log } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'

export type Ran = { readonly code: number; readonly out: string; readonly err: string }

/** Dependencies of commands that need this database and no keys. */
export function operatorOf(databaseUrl: string, log: Log = silentLog, cell = 'a1') {
  const config = () => readConfig({ DATABASE_URL: databaseUrl, VINTEM_DATA_DIR: tmpdir(), VINTEM_CELL: cell })
  const deps = { config, open: () => assert.fail('no key is needed') }
  const groups = { freeze: freezeCommand, unfreeze: unfreezeCommand, merchant: merchantCommand }

  async function run(group: keyof typeof groups, ...args: readonly string[]): Promise<Ran> {
    const printed = { out: '', err: '' }
    const terminal = createTerminal(
      {
        stdout: { write: (text) => (printed.out += text) },
        stderr: { write: (text) => (printed.err += text) },
      },
      {},
    )
    const code = await groups[group](args, terminal, deps, log)
    return { code, ...printed }
  }

  /** A command that must succeed. */
  async function done(group: keyof typeof groups, ...args: readonly string[]): Promise<string> {
    const { code, out, err } = await run(group, ...args)
    assert.equal(code, 0, err)
    return out
  }

  return {
    run,
    freeze: (...what: readonly string[]) => done('freeze', ...what, '--reason', 'stolen key'),
    unfreeze: (...what: readonly string[]) => done('unfreeze', ...what, '--reason', 'new keys'),
    suspend: (id: string) => done('merchant', 'suspend', id, '--reason', 'fraud'),
    resume: (id: string) => done('merchant', 'resume', id, '--reason', 'cleared'),
  }
}
