// The page's own files: style, script and icon. Their names contain a hash of the content, so a browser may cache them for ever and
// never shows an old one.
import { readFileSync } from 'node:fs'
import { sha256 } from '#/kernel/secret.ts'

export type Asset = { readonly path: string; readonly type: string; readonly body: Buffer }

export type PageAssets = { readonly style: Asset; readonly script: Asset; readonly icon: Asset }

/** Reads the three files beside this one. */
export function readPageAssets(): PageAssets {
  return {
    style: read('page.css', 'text/css; charset=utf-8'),
    script: read('page.js', 'text/javascript; charset=utf-8'),
    icon: read('page.svg', 'image/svg+xml'),
  }
}

function read(name: string, type: string): Asset {
  const body = readFileSync(new URL(name, import.meta.url))
  const [stem = '', extension = ''] = name.split('.')
  const hash = sha256(body).toString('hex').slice(0, 12)
  return { path: `/sandbox/assets/${stem}.${hash}.${extension}`, type, body }
}
