// A command that finds no sandbox.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#/config.ts'
import { messageOf } from '#/kernel/error.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { commandNames, findCommand } from './commands.ts'
import { noSandbox } from './no-sandbox.ts'

/** One call for each command that works on a sandbox. */
const calls: Readonly<Record<string, readonly string[]>> = {
  coins: [],
  balances: [],
  rescue: ['list'],
  migrate: [],
  verify: [],
  merchant: ['list'],
  sandbox: ['list'],
  key: ['list', '019aa4c1-7f3e-7c52-9d0b-52a1c7e04b11'],
  user: ['list'],
  wallet: ['list', '019aa4c1-7f3e-7c52-9d0b-52a1c7e04b11'],
  connection: ['list'],
  suspense: ['list'],
  statement: ['list'],
  'payment-file': ['list'],
  template: ['list'],
  refund: ['list'],
  withdrawal: ['list'],
  freeze: ['list'],
  unfreeze: ['all', '--reason', 'x'],
  chain: ['list'],
  backup: ['list'],
  restored: ['show'],
  payer: ['erase', '019aa4c1-7f3e-7c52-9d0b-52a1c7e04b11', '--email', 'ana@example.com'],
  rekey: [],
  doctor: [],
  inbox: ['list'],
  demo: [],
  env: [],
  listen: ['--forward-to', 'http://127.0.0.1:9/hook'],
  mcp: [],
  trigger: ['pix-paid'],
  rehearse: ['--url', 'http://127.0.0.1:9/hook'],
}
/** Those that create one, need a database of the settings, or use none; and reset, which reports that there is none. */
const others = ['start', 'api', 'worker', 'watcher', 'signer', 'cell', 'config', 'help', 'reset']

async function run(name: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  let printed = ''
  const output = { write: (text: string) => (printed += text) }
  const terminal = createTerminal({ stdout: output, stderr: output }, { LANG: 'C' })
  const code = await findCommand(name)(args, { terminal, config: () => readConfig(env) }).catch(
    (error: unknown) => {
      printed += messageOf(error)
      return 1
    },
  )
  return { code, printed }
}

test('every command that works on a sandbox is tried here', () => {
  assert.deepEqual([...Object.keys(calls), ...others].sort(), [...commandNames].sort())
})

test('no command creates a sandbox: each says where it looked, and leaves nothing there', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vintem-none-'))
  const dataDir = path.join(folder, 'data')
  try {
    for (const [name, args] of Object.entries(calls)) {
      const { code, printed } = await run(name, args, { VINTEM_DATA_DIR: dataDir })
      assert.equal(code, 1, `${name}: ${printed}`)
      assert.ok(printed.includes(dataDir), `${name}: ${printed}`)
      assert.equal(existsSync(dataDir), false, name)
    }
    const { code, printed } = await run('reset', [], { VINTEM_DATA_DIR: dataDir })
    assert.deepEqual([code, printed], [0, `There is no sandbox in ${dataDir}, so nothing was forgotten.\n`])
    assert.equal(existsSync(dataDir), false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('with a database of the settings no command makes keys for itself', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vintem-none-'))
  const dataDir = path.join(folder, 'data')
  // No server listens there: the keys are required before any connection.
  const env = { VINTEM_DATA_DIR: dataDir, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  try {
    for (const [name, key] of [
      ['merchant', 'VINTEM_MASTER_KEY'],
      ['connection', 'VINTEM_MASTER_KEY'],
      ['verify', 'VINTEM_AUDIT_KEY'],
    ] as const) {
      const { code, printed } = await run(name, calls[name] ?? [], env)
      assert.equal(code, 1, name)
      assert.match(printed, new RegExp(`${key} is not set, and there is no sandbox in ${dataDir}`), name)
      assert.equal(existsSync(dataDir), false, name)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the message says whether the directory was named or is the default', () => {
  assert.match(noSandbox(readConfig({})).message, /the default, because VINTEM_DATA_DIR is not set/)
  assert.match(
    noSandbox(readConfig({ VINTEM_DATA_DIR: '/data' })).message,
    /^There is no sandbox in \/data, which/,
  )
})
