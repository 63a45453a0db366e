// How files are named and what folders hold.
import type { Report, Rule } from './rule.ts'
import { codeFiles } from './tree.ts'

const vague = /^(?:index|services?|utils?|helpers?|managers?|common|misc|shared|lib)$/
const lineMax = 400
const railParts = ['module.ts', 'rail.ts', 'README.md']
/** Folders that rails share; they are no rails. */
const railsKit = 'src/rails/kit'
const registry = 'src/rails/registry.ts'
const sections = ['Context', 'Decision', 'Consequences']

export const names: Rule = {
  name: 'names: every file and folder says what it holds, in kebab-case',
  check: (tree): Report => {
    const paths = codeFiles(tree).map(({ path }) => path)
    const parts = new Set(paths.flatMap((path) => path.split('/').map((part) => `${part}\n${path}`)))
    return {
      checked: paths.length,
      what: 'files',
      findings: [...parts].flatMap((each) => {
        const [part = '', path = ''] = each.split('\n')
        const stem = part.replace(/(?:\.[a-z]+)*\.ts$/, '')
        if (vague.test(stem)) return [`${path}: "${stem}" says nothing; name what it does`]
        return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(stem) ? [] : [`${path}: "${stem}" is not kebab-case`]
      }),
    }
  },
}

/** What is to be read before anything else stays short. */
const overviewMax = 200

export const lengths: Rule = {
  name: `lengths: a file has at most ${lineMax} lines, ARCHITECTURE.md ${overviewMax}`,
  check: (tree): Report => {
    // What a generator wrote is read in its source; the checks `sdk` and `openapi` compare it.
    const files = tree.texts.filter(
      ({ path }) =>
        path === 'ARCHITECTURE.md' || (/\.(?:ts|sql|sol|py)$/.test(path) && !/\/generated[/.]/.test(path)),
    )
    return {
      checked: files.length,
      what: 'files',
      findings: files.flatMap(({ path, text }) => {
        const lines = text.replace(/\n$/, '').split('\n').length
        const most = path === 'ARCHITECTURE.md' ? overviewMax : lineMax
        return lines > most ? [`${path} has ${lines} lines: split it by what it does`] : []
      }),
    }
  },
}

export const railFolders: Rule = {
  name: `rails: every rail has ${railParts.join(', ')}, and its line in the registry`,
  check: (tree): Report => {
    const found = [...tree.paths].flatMap((path) => /^src\/rails\/[^/]+(?=\/)/.exec(path)?.[0] ?? [])
    const folders = [...new Set(found)].filter((folder) => folder !== railsKit)
    const listed = tree.texts.find(({ path }) => path === registry)?.text ?? ''
    return {
      checked: folders.length,
      what: 'rails',
      findings: folders.flatMap((folder) => [
        ...railParts
          .filter((part) => !tree.paths.has(`${folder}/${part}`))
          .map((part) => `${folder} has no ${part}`),
        ...(listed.includes(`'./${folder.split('/').at(-1)}/module.ts'`)
          ? []
          : [`${folder} has no line in ${registry}`]),
      ]),
    }
  },
}

/** Who changes a file finds its tests without a search: they stand beside it and begin with its name. */
export const testNames: Rule = {
  name: 'tests: each test in src/ stands beside its file and is called after it: `post.test.ts`, `post-currency.test.ts`',
  check: (tree): Report => {
    const paths = codeFiles(tree).flatMap(({ path }) => (path.startsWith('src/') ? [path] : []))
    const [tests, files] = [true, false].map((is) =>
      paths.filter((path) => /\.test\.tsx?$/.test(path) === is),
    ) as [string[], string[]]
    const stems = new Set(files.map((path) => path.replace(/\.\w+$/, '')))
    return {
      checked: tests.length,
      what: 'tests',
      findings: tests
        .filter((path) => !beginnings(path.replace(/\.test\.tsx?$/, '')).some((each) => stems.has(each)))
        .map((path) => `${path} is called after no file of its folder`),
    }
  },
}

/** `a/b-c-d` → `a/b-c-d`, `a/b-c`, `a/b`. */
function beginnings(path: string): readonly string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const words = path.slice(folder.length).split('-')
  return words.map((_, index) => folder + words.slice(0, words.length - index).join('-'))
}

/** With more files than this, a room of src/ has a README with its reading order. */
const filesMax = 10

export const roomReadmes: Rule = {
  name: `rooms: a room of more than ${filesMax} files has a README, and every file that a README of src/ names exists`,
  check: (tree): Report => {
    const files = codeFiles(tree).filter(({ path }) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    const rooms = Map.groupBy(files, ({ path }) => /^src\/[^/]+(?=\/)/.exec(path)?.[0])
    const pages = tree.texts.filter(({ path }) => /^src\/(?:.*\/)?README\.md$/.test(path))
    return {
      checked: pages.length,
      what: 'READMEs',
      findings: [
        ...[...rooms]
          .filter(([room, { length }]) => room !== undefined && length > filesMax)
          .filter(([room]) => !tree.paths.has(`${room}/README.md`))
          .map(([room, { length }]) => `${room} has ${length} files and no README.md`),
        ...pages.flatMap(({ path, text }) =>
          [...text.matchAll(/[a-z][\w.-]*\.ts\b/g)]
            .map(([name]) => `/${name}`)
            .filter((name) => ![...tree.paths].some((each) => each.endsWith(name)))
            .map((name) => `${path} names ${name.slice(1)}, which does not exist`),
        ),
      ],
    }
  },
}

export const decisions: Rule = {
  name: `decisions: numbered without gaps, each with ${sections.join(', ')}`,
  check: (tree): Report => {
    const pages = tree.texts.filter(({ path }) => /^decisions\/(?!README\.md$).*\.md$/.test(path))
    return {
      checked: pages.length,
      what: 'decisions',
      findings: [
        ...numbering(pages.map(({ path }) => path.slice('decisions/'.length))),
        ...pages.flatMap(({ path, text }) =>
          sections
            .filter((section) => !new RegExp(`^#{2,3} ${section}\\b`, 'm').test(text))
            .map((section) => `${path} has no heading "${section}"`),
        ),
      ],
    }
  },
}

/** What is wrong with names that must be 0001-a, 0002-b, … */
export function numbering(files: readonly string[]): readonly string[] {
  return [...files].sort().flatMap((file, index) => {
    const expected = String(index + 1).padStart(4, '0')
    return /^\d{4}[-_][a-z0-9]+(?:[-_][a-z0-9]+)*\.\w+$/.test(file) && file.startsWith(expected)
      ? []
      : [`${file}: ${expected} was expected here (four digits, no gap, none twice)`]
  })
}

/** A path of the machine on which a file was written is wrong on any other. */
export const machinePaths: Rule = {
  name: 'names: no file mentions a path of the machine it was written on',
  check: (tree): Report => {
    const home = ['/root/', '/work/', '/Users/', ...(tree.root === '/' ? [] : [tree.root])]
    const files = tree.texts.filter(({ path }) => !/^(?:scripts\/tidy\/|package-lock\.json$)/.test(path))
    return {
      checked: files.length,
      what: 'files',
      findings: files.flatMap(({ path, text }) => {
        const inCode = /\.(?:ts|sh|json)$/.test(path) ? ['/tmp/'] : []
        return [...home, ...inCode]
          .filter((each) => text.includes(each))
          .map((each) => `${path} mentions ${each}`)
      }),
    }
  },
}
