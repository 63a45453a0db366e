// Links in the documents point at something.
import { dirname, join } from 'node:path/posix'
import type { Report, Rule } from './rule.ts'
import type { SourceFile, Tree } from './tree.ts'

export const links: Rule = {
  name: 'links: every link and every path in a document leads somewhere',
  check: (tree): Report => {
    const pages = tree.texts.filter(({ path }) => path.endsWith('.md'))
    const checked = pages.map((page) => check(tree, page))
    return {
      checked: checked.reduce((sum, { checked }) => sum + checked, 0),
      what: `links in ${pages.length} documents`,
      findings: checked.flatMap(({ findings }) => findings),
    }
  },
}

function check(
  tree: Tree,
  page: SourceFile,
): { readonly checked: number; readonly findings: readonly string[] } {
  const prose = page.text.replaceAll(/^(```|~~~)[^]*?^\1/gm, '')
  const targets = [
    ...prose.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/gm),
  ]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
  const paths = [
    ...prose.matchAll(/`((?:src|test|scripts|simulators|contracts|migrations|decisions|docs)\/[\w./-]+)`/g),
  ].map((match) => match[1] ?? '')
  return {
    checked: targets.length + paths.length,
    findings: [
      ...targets.flatMap((target) => brokenLink(tree, page, target)),
      ...paths
        .filter((path) => !exists(tree, path))
        .map((path) => `${page.path} names ${path}, which does not exist`),
    ],
  }
}

function brokenLink(tree: Tree, page: SourceFile, target: string): readonly string[] {
  const [file = '', anchor] = target.split('#')
  const named = decodeURIComponent(file)
  const path =
    file === '' ? page.path : named.startsWith('/') ? named.slice(1) : join(dirname(page.path), named)
  if (!exists(tree, path)) return [`${page.path} links to ${target}: there is no ${path}`]
  const text = path.endsWith('.md') ? tree.read(path) : undefined
  if (anchor === undefined || text === undefined || anchorsOf(text).has(anchor)) return []
  return [`${page.path} links to ${target}: no heading of ${path} makes that anchor`]
}

function exists(tree: Tree, path: string): boolean {
  const folder = path.endsWith('/') ? path : `${path}/`
  return tree.paths.has(path) || [...tree.paths].some((each) => each.startsWith(folder))
}

/** Anchors as GitHub makes them of headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map((match) => match[1] ?? '')
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}
