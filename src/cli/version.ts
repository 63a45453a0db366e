// The version of this release.
import { readFileSync } from 'node:fs'

const file = new URL('../../package.json', import.meta.url)

const { version: release } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }

export const version = release
