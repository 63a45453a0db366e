import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#/config.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { writeSandboxFile, type SandboxFile } from '#/sandbox/provision.ts'
import { findCommand } from './commands.ts'

const sandbox = {
  apiUrl: 'http://127.0.0.1:4100',
  apiKey: 'vtm_test_a1',
  merchantId: '019aa4c1-7f3e-7c52-9d0b-52a1c7e04b11',
  webhookSecret: 'whsec_it\'s $HOME `id` "x" \\',
}

test('a shell that evaluates the lines has the values, whatever is in them', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-env-'))
  try {
    await writeSandboxFile(dataDir, sandbox as SandboxFile)
    const run = async (...args: readonly string[]) => {
      let out = ''
      const terminal = createTerminal(
        { stdout: { write: (text) => (out += text) }, stderr: { write: () => true } },
        {},
      )
      const config = () => readConfig({ VINTEM_DATA_DIR: dataDir })
      assert.equal(await findCommand('env')(args, { terminal, config }), 0)
      return out
    }
    const values = [sandbox.apiUrl, sandbox.apiKey, sandbox.merchantId, sandbox.webhookSecret]
    const script = `${await run()}\nprintf '%s\\n' "$API" "$KEY" "$MERCHANT" "$WEBHOOK_SECRET"`
    assert.equal(execFileSync('sh', ['-c', script], { encoding: 'utf8' }), `${values.join('\n')}\n`)
    assert.deepEqual(Object.values(JSON.parse(await run('--json')) as object), values)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
