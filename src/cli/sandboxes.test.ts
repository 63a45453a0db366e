// What `sandbox` refuses before it opens anything.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#/config.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { sandboxCommand } from './sandboxes.ts'

async function run(dataDir: string, ...args: readonly string[]) {
  let printed = ''
  const output = { write: (text: string) => (printed += text) }
  const code = await sandboxCommand(args, createTerminal({ stdout: output, stderr: output }, {}), {
    config: () => readConfig({ VINTEM_DATA_DIR: dataDir }),
    open: () => assert.fail('the database was opened'),
  })
  return { code, printed }
}

test('a wrong name, a wrong id and a sandbox that does not run are refused, and nothing is written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-sandboxes-'))
  const dataDir = join(folder, 'data')
  try {
    const names = [[], [''], ['  '], ['x'.repeat(65)], ['two\nlines'], ['half \ud83d']]
    for (const name of names) {
      const { code, printed } = await run(dataDir, 'create', ...name.flatMap((each) => ['--name', each]))
      assert.deepEqual([code, /--name is missing, or has not 1 to 64/.test(printed)], [2, true], printed)
    }
    const away = await run(dataDir, 'create', '--name', 'Padaria')
    assert.equal(away.code, 2)
    assert.match(away.printed, /No sandbox is running in .*Run npm start/)
    for (const args of [['archive'], ['archive', 'Padaria']])
      assert.equal((await run(dataDir, ...args)).code, 2)
    assert.equal(existsSync(dataDir), false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
