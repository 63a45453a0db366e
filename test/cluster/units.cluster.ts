// The systemd unit that we hand out: systemd reads it without a complaint, and it leaves little to whoever takes the process over.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const unit = join(import.meta.dirname, '..', '..', 'ops', 'systemd', 'vintem@.service')
const scratch = mkdtempSync(join(tmpdir(), 'vintem-units-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

function analyze(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

test('systemd accepts the unit for each role, and rates its exposure as low', () => {
  // Nothing is installed in /opt here: systemd looks for the program and the page.
  const here = readFileSync(unit, 'utf8')
    .replaceAll(/^ExecStart=\S+/gm, 'ExecStart=/bin/true')
    .replaceAll(/^(?:Documentation|WorkingDirectory)=.*$/gm, '')
  for (const role of ['api', 'worker', 'watcher']) {
    const path = join(scratch, `vintem@${role}.service`)
    writeFileSync(path, here)
    const verified = analyze('verify', '--man=no', path)
    assert.deepEqual(verified, { status: 0, said: '' })
    const rated = analyze('security', '--offline=yes', '--threshold=20', path)
    assert.equal(rated.status, 0, rated.said)
  }
})
