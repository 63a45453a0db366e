// A migration that has landed is never edited: a database that has run it would differ from one that has not.
// migrations/hashes.json holds the SHA-256 of each; the migrations in the last commit have landed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { numbering } from './layout.ts'
import type { Report, Rule } from './rule.ts'
import type { Tree } from './tree.ts'

export type Hashes = Readonly<Record<string, string>>

export const hashesPath = 'migrations/hashes.json'
const remedy = './vintem dev scripts/tidy/record-migrations.ts'

export const migrations: Rule = {
  name: 'migrations: numbered without gaps, and unchanged since their hash was recorded',
  check: (tree): Report => {
    const present = hashesOf(tree)
    const recorded = parseHashes(tree.read(hashesPath))
    return {
      checked: Object.keys(present).length,
      what: 'migrations',
      findings: [
        ...numbering(Object.keys(present).filter((name) => !name.includes('/'))),
        ...numbering(
          Object.keys(present).flatMap((name) => (name.includes('/') ? [name.split('/')[1] ?? ''] : [])),
        ),
        ...differences(recorded, present),
        ...Object.keys(present)
          .filter((name) => recorded[name] === undefined)
          .map((name) => `${name} is not recorded: run ${remedy} before it lands`),
        ...differences(landedHashes(tree.root), recorded).map(
          (fault) => `${fault} (${hashesPath} against the last commit)`,
        ),
      ],
    }
  },
}

/** The folders of migrations, each with what precedes their names in the record: of the books, and of the directory of cells. */
const folders = [
  [/^migrations\/(\d{4}[^/]*\.sql)$/, ''],
  [/^src\/cells\/migrations\/(\d{4}[^/]*\.sql)$/, 'directory/'],
] as const

/** The hash of each numbered migration in the tree. */
export function hashesOf(tree: Tree): Hashes {
  return Object.fromEntries(
    folders.flatMap(([place, before]) =>
      tree.texts.flatMap(({ path, text }) => {
        const name = place.exec(path)?.[1]
        if (name === undefined) return []
        return [[before + name, createHash('sha256').update(text).digest('hex')] as const]
      }),
    ),
  )
}

/** The hashes in the last commit; nothing where there is no repository or no record yet. */
export function landedHashes(root: string): Hashes {
  const shown = spawnSync('git', ['show', `HEAD:./${hashesPath}`], { cwd: root, encoding: 'utf8' })
  return parseHashes(shown.status === 0 ? shown.stdout : undefined)
}

/** The migrations that changed or went missing between two records. */
export function differences(before: Hashes, now: Hashes): readonly string[] {
  return Object.entries(before).flatMap(([name, hash]) => {
    const today = now[name]
    if (today === hash) return []
    return [
      today === undefined ? `${name} is gone` : `${name} was changed: restore it and add a new migration`,
    ]
  })
}

function parseHashes(json: string | undefined): Hashes {
  if (json === undefined) return {}
  const parsed: unknown = JSON.parse(json)
  if (typeof parsed !== 'object' || parsed === null) return {}
  return Object.fromEntries(Object.entries(parsed).map(([name, hash]) => [name, String(hash)]))
}
