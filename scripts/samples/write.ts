// Writes the samples into the documents, below each comment `<!-- sample: name -->`: npm run samples.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samples } from './calls.ts'
import { languages, textOf } from './languages.ts'

/** The pages with samples. */
export const samplePages = ['docs/README.md', 'docs/samples.md'] as const

/** The text of a page with its samples as the table has them now. */
export function withSamples(text: string): string {
  const places = /^<!-- sample: (\w+) -->\n(?:```[^]*?^```\n\n?)+/gm
  return (
    text
      .replaceAll(places, (_, name: string) => {
        const sample = samples[name]
        if (sample === undefined) throw new Error(`there is no sample ${name}`)
        const blocks = languages.map(
          (language) => `\`\`\`${language}\n${textOf(sample, language)}\n\`\`\`\n\n`,
        )
        return `<!-- sample: ${name} -->\n${blocks.join('')}`
      })
      .trimEnd() + '\n'
  )
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..', '..')
  for (const page of samplePages) {
    const path = join(root, page)
    writeFileSync(path, withSamples(readFileSync(path, 'utf8')))
  }
}
