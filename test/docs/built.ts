// Reads the code blocks of the built documentation site: decision 142.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { buildDocsIfStale } from '../../web/build-docs.ts'
import { root } from './page.ts'

export type BuiltBlock = {
  readonly line: number
  readonly language: string
  readonly text: string
  /** The comments above it, as they are written. */
  readonly notes: string
}

/** The blocks of a page of the site, such as `methods/pix.html`. The site is built if it is stale. */
export async function builtBlocks(name: string): Promise<readonly BuiltBlock[]> {
  await buildDocsIfStale(root)
  const html = gunzipSync(await readFile(join(root, 'web', 'dist-docs', 'site', `${name}.gz`))).toString()
  const blocks =
    /<div class="code" data-line="(\d+)" data-notes="([^"]*)" data-language="(\w*)">[^]*?<code>([^]*?)<\/code>/g
  return [...html.matchAll(blocks)].map(([, line, notes = '', language = '', code = '']) => ({
    line: Number(line),
    language,
    text: plain(code.replaceAll(/<[^>]+>/g, '')),
    notes: plain(notes),
  }))
}

function plain(text: string): string {
  return text
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
