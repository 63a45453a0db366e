// The flags of Node with which a release starts its processes: those of its script `vintem`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `release`: the folder. An earlier one may have no flags. */
export function startFlags(release: string): readonly string[] {
  const script = readFileSync(join(release, 'vintem'), 'utf8')
  const flags = /^exec "\$node" (.*)"\$root\/src\/main\.ts"/m.exec(script)?.[1] ?? ''
  return flags.split(' ').filter((flag) => flag !== '')
}
