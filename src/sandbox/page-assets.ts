// The page's own files: styles, scripts and icon. Their folder contains a hash of their content, so a browser may cache them for ever and
// never shows an old one. The shared ones are of web/live/, where the simulators' pages have them too.
import { readFileSync } from 'node:fs'
import { sha256 } from '#/kernel/secret.ts'

export type Asset = { readonly path: string; readonly type: string; readonly body: Buffer }

const files = {
  liveStyle: ['../../web/live/live.css', 'text/css; charset=utf-8'],
  style: ['page.css', 'text/css; charset=utf-8'],
  /** The script imports it by its name beside it. */
  liveScript: ['../../web/live/live.js', 'text/javascript; charset=utf-8'],
  script: ['page.js', 'text/javascript; charset=utf-8'],
  icon: ['page.svg', 'image/svg+xml'],
} as const

export type PageAssets = Readonly<Record<keyof typeof files, Asset>>

/** Reads the files. */
export function readPageAssets(): PageAssets {
  const read = Object.entries(files).map(([name, [place, type]]) => {
    const body = readFileSync(new URL(place, import.meta.url))
    return { name, type, body, file: place.split('/').at(-1) ?? '' }
  })
  const hash = sha256(Buffer.concat(read.map(({ body }) => body)))
    .toString('hex')
    .slice(0, 12)
  return Object.fromEntries(
    read.map(({ name, type, body, file }) => [name, { path: `/sandbox/assets/${hash}/${file}`, type, body }]),
  ) as PageAssets
}
