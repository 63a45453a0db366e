// The figure of the bench: what was written is read, and what cannot be read is no figure.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readBenchFigure, writeBenchFigure } from './bench-figure.ts'

test('the figure of the last run is read; without one, or with a broken file, there is none', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vintem-bench-'))
  try {
    assert.equal(await readBenchFigure(folder), undefined)
    await writeBenchFigure(folder, { at: new Date(1), paymentsPerSecond: 10 })
    await writeBenchFigure(folder, { at: new Date(2), paymentsPerSecond: 2_345 })
    assert.deepEqual(await readBenchFigure(folder), { at: new Date(2), paymentsPerSecond: 2_345 })
    const noFigures = [
      '',
      'null',
      '{}',
      '{"at":"x","paymentsPerSecond":1}',
      '{"at":"2026-01-01","paymentsPerSecond":0}',
    ]
    for (const text of noFigures) {
      await writeFile(path.join(folder, 'bench.json'), text)
      assert.equal(await readBenchFigure(folder), undefined, text)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
