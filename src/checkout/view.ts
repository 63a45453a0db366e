// The built view from web/: it renders a state as HTML, and has the files for the browser.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { sha256 } from '#/kernel/secret.ts'
import { packFile, type Packed } from './compression.ts'
import type { PageState } from './page-state.ts'

export type Asset = {
  readonly type: string
  readonly body: Buffer
  /** The same, compressed in advance. */
  readonly packed?: Packed
}

export type CheckoutView = {
  /** The content of `<div id="page">`. */
  render(state: PageState): string
  /** Names of files below /assets/. */
  readonly script: string
  readonly style: string
  /** By name. Names carry a hash of the content, so that browsers may cache the files for ever. */
  readonly files: ReadonlyMap<string, Asset>
}

/** Reads the files in the folder `dist`. Throws when they are missing: `./vintem dev scripts/web.ts` builds them. */
export function loadCheckoutView(dist: string): CheckoutView {
  const load = createRequire(import.meta.url)
  const bundle = load(join(dist, 'server', 'checkout.js')) as {
    readonly renderCheckout: CheckoutView['render']
  }
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as {
    readonly script: string
    readonly style: string
  }
  const client = join(dist, 'client')
  const read = (name: string) => readFileSync(join(client, name))
  const files = readdirSync(client)
    .filter((name) => !/\.(?:br|gz)$/.test(name))
    .map((name) => {
      const packed = { br: read(`${name}.br`), gzip: read(`${name}.gz`) }
      return [name, { type: typeOf(name), body: read(name), packed }] as const
    })
  return {
    render: bundle.renderCheckout,
    script: manifest.script,
    style: manifest.style,
    files: new Map(files),
  }
}

export type NamedAsset = Asset & { readonly name: string }

/** The files of the page that holds the provider's frame: they are not built. */
export function frameAssets(): { readonly script: NamedAsset; readonly style: NamedAsset } {
  return { script: readOwnAsset('frame.js'), style: readOwnAsset('frame.css') }
}

/** A file of our own, under a name with its hash. */
function readOwnAsset(fileName: string): NamedAsset {
  const body = readFileSync(new URL(`./assets/${fileName}`, import.meta.url))
  const extension = extname(fileName)
  const hash = sha256(body).toString('hex').slice(0, 12)
  const name = `${fileName.slice(0, -extension.length)}.${hash}${extension}`
  return { name, type: typeOf(fileName), body, packed: packFile(body) }
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
}

function typeOf(name: string): string {
  return types[extname(name)] ?? 'application/octet-stream'
}
