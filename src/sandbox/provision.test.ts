import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSandboxFile, writeSandboxFile, type SandboxFile } from './provision.ts'

test('a sandbox with keys of the operator’s own creates its missing folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vintem-provision-'))
  try {
    const dataDir = join(folder, 'data')
    const contents = { apiUrl: 'http://127.0.0.1:4000' } as SandboxFile
    await writeSandboxFile(dataDir, contents)
    assert.deepEqual(await readSandboxFile(dataDir), contents)
  } finally {
    await rm(folder, { recursive: true })
  }
})
