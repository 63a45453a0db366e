// The samples of the documents in Python and PHP: their calls on a sandbox, and their checks of signatures.
import { mkdir } from 'node:fs/promises'
import { runSamples, tryVerification } from '../docs/samples.ts'
import { openNewcomer } from '../docs/shell.ts'
import { findMissing } from './clients/tool.ts'

const languages = [
  { name: 'Python', language: 'python', programs: [['python3', '--version']] },
  { name: 'PHP', language: 'php', programs: [['php', '--version']] },
] as const

/** The faults of each language. */
export async function trySamples(folder: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  await using newcomer = await openNewcomer()
  const faults: string[] = []
  for (const { name, language, programs } of languages) {
    try {
      const missing = await findMissing({ programs })
      if (missing !== undefined) throw new Error(missing)
      tryVerification(folder, language)
      await runSamples(newcomer, language)
      console.log(`✔ the samples in ${name}`)
    } catch (error) {
      faults.push(`the samples in ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return faults
}
