// The sections of docs/README.md, which are the menu of the documentation site and the sections of llms.txt.

export type Entry = {
  readonly text: string
  /** From the root, such as `docs/rails/pix.md`. */
  readonly file: string
  /** What follows the link, such as `: every error code`. */
  readonly about: string
}

export type Section = { readonly title: string; readonly entries: readonly Entry[] }

/** The headings of the second level, each with the links that begin the items of its lists; those without such links are left out. */
export function readSections(readme: string): readonly Section[] {
  const sections: { readonly title: string; readonly entries: Entry[] }[] = []
  for (const line of readme.split('\n')) {
    const [, title] = /^## (.+)$/.exec(line) ?? []
    if (title !== undefined) sections.push({ title, entries: [] })
    const [, text, target = '', about = ''] = /^- \[([^\]]+)\]\(([^)#]+\.md)\)(.*)$/.exec(line) ?? []
    if (text !== undefined) sections.at(-1)?.entries.push({ text, file: fileOf(target), about })
  }
  return sections.filter(({ entries }) => entries.length > 0)
}

/** A link of docs/README.md, from the root. */
function fileOf(target: string): string {
  return target.startsWith('../') ? target.slice('../'.length) : `docs/${target}`
}
