// Renders Markdown to the HTML of one page. Links between files lead to their pages, headings have the same anchors as on code hosts, and a
// code block keeps its line number and the notes above it, so that a test can read it from the built page (decision 142).
import { Marked, type Token, type Tokens } from 'marked'
import { resolveLink, type PageMap } from '../../src/reference/links.ts'
import { escapeHtml, highlight } from './highlight.ts'

export type Heading = { readonly depth: number; readonly text: string; readonly id: string }

/** The text below one heading, for the search. The text before the first heading of the second level has the id of the page's title. */
export type Part = {
  readonly heading: Heading
  /** The words in bold with which it begins, if it does. */
  readonly lead: string
  readonly text: string
}

export type RenderedPage = {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly parts: readonly Part[]
  /** The addresses on this server that the page links to, as far as they are not pictures. */
  readonly links: readonly string[]
}

/** What a fenced block needs besides its text. */
type Code = { readonly line: number; readonly notes: string; readonly html: string }

/** Renders the text of the file, which is named by its path from the root. */
export async function renderPage(file: string, text: string, pages: PageMap): Promise<RenderedPage> {
  const marked = new Marked()
  const tokens = marked.lexer(text)
  const headings = headingsOf(tokens)
  const codes = await readCodes(tokens, text)
  const tabs = tabsOf(tokens)
  const links: string[] = []
  let headingsShown = 0
  marked.use({
    renderer: {
      heading({ tokens: inside, depth }) {
        const { id = '' } = headings[headingsShown++] ?? {}
        const content = this.parser.parseInline(inside)
        const mark =
          depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this part">#</a>`
        return `<h${depth} id="${id}">${content}${mark}</h${depth}>\n`
      },
      code(token) {
        const code = codes.get(token)
        if (code === undefined) return false
        const { before = '', after = '' } = tabs.get(token) ?? {}
        return before + blockOf(token, code) + after
      },
      // A list to tick off on paper: a box that nobody can tick needs no control.
      checkbox: () => '<span class="box" aria-hidden="true">☐</span> ',
      // Comments are notes for those who write and for tests.
      html: ({ text: raw }) => (/^\s*(?:<!--[^]*?-->\s*)+$/.test(raw) ? '' : false),
      link({ href, tokens: inside }) {
        const words = this.parser.parseInline(inside)
        const target = resolveLink(pages, file, href)
        // The text of the link stays, as the path is in it or beside it.
        if (target === undefined) return words
        if (target.startsWith('/') || target.startsWith('#')) links.push(target)
        return `<a href="${escapeHtml(target)}">${words}</a>`
      },
      image({ href, text: alt }) {
        const target = resolveLink(pages, file, href)
        if (target === undefined) throw new Error(`${file}: the picture ${href} is not served`)
        return `<img src="${escapeHtml(target)}" alt="${escapeHtml(alt)}" loading="lazy">`
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[]) =>
          `<tr>${cells.map((cell) => this.tablecell(cell.text.trim() === '' ? { ...cell, header: false } : cell)).join('')}</tr>\n`
        // Markdown demands a head of every table. What has no words there names no column, so a screen reader would announce nothing.
        const hasHead = token.header.some((cell) => cell.text.trim() !== '')
        const head = hasHead ? `<thead>${row(token.header)}</thead>\n` : ''
        return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${token.rows.map(row).join('')}</tbody></table></div>\n`
      },
    },
  })
  const html = marked.parser(tokens)
  const title = headings[0]?.text
  if (title === undefined) throw new Error(`${file} has no heading`)
  return { title, html, headings, parts: partsOf(tokens, headings), links }
}

/** What stands around the blocks of a sample (scripts/samples): a choice of the language, of which the style shows the block. */
function tabsOf(
  tokens: readonly Token[],
): ReadonlyMap<Tokens.Code, { readonly before: string; readonly after: string }> {
  const around = new Map<Tokens.Code, { readonly before: string; readonly after: string }>()
  let groups = 0
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'html' || !token.raw.startsWith('<!-- sample:')) continue
    const rest = tokens.slice(at + 1).filter(({ type }) => type !== 'space')
    const end = rest.findIndex(({ type }) => type !== 'code')
    const blocks = (end === -1 ? rest : rest.slice(0, end)) as readonly Tokens.Code[]
    groups += 1
    for (const [index, block] of blocks.entries())
      around.set(block, {
        before: index === 0 ? `<div class="languages">\n${choiceOf(blocks, groups)}` : '',
        after: index === blocks.length - 1 ? '</div>\n' : '',
      })
  }
  return around
}

const languageNames: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
}

function choiceOf(blocks: readonly Tokens.Code[], group: number): string {
  const choices = blocks.map(({ lang }, index) => {
    const language = languageOf(lang)
    const checked = index === 0 ? ' checked' : ''
    return `<label><input type="radio" name="language-${group}" value="${language}"${checked}>${languageNames[language] ?? language}</label>`
  })
  return `<fieldset><legend>Language</legend>${choices.join('')}</fieldset>\n`
}

function blockOf({ lang, text }: Tokens.Code, { line, notes, html }: Code): string {
  const language = languageOf(lang)
  // Focusable, because a long line scrolls and a keyboard must reach it.
  return `<div class="code" data-line="${line}" data-notes="${escapeHtml(notes)}" data-language="${language}"><pre tabindex="0" role="group" aria-label="${text.includes('\n') ? 'Code' : 'One line of code'}"><code>${html}</code></pre></div>\n`
}

function languageOf(info: string | undefined): string {
  return /^\w*/.exec(info ?? '')?.[0] ?? ''
}

function headingsOf(tokens: readonly Token[]): readonly Heading[] {
  const used = new Map<string, number>()
  return tokens.filter(isHeading).map((token) => {
    const text = plainOf(token)
    const slug = anchorOf(text)
    const times = used.get(slug) ?? 0
    used.set(slug, times + 1)
    return { depth: token.depth, text, id: times === 0 ? slug : `${slug}-${times}` }
  })
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

/** The anchor of a heading as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

/** Each fenced block with its line and the comments right above it. */
async function readCodes(tokens: readonly Token[], text: string): Promise<ReadonlyMap<Tokens.Code, Code>> {
  const lines = text.split('\n')
  const codes = new Map<Tokens.Code, Code>()
  let at = 0
  for (const { code, notes } of fencesOf(tokens)) {
    while (at < lines.length && !/^\s*(?:```|~~~)/.test(lines[at] ?? '')) at += 1
    codes.set(code, { line: at + 1, notes, html: await highlight(code.text, languageOf(code.lang)) })
    // Beyond the closing fence.
    at += code.raw.trimEnd().split('\n').length
  }
  return codes
}

function* fencesOf(
  tokens: readonly Token[],
): Generator<{ readonly code: Tokens.Code; readonly notes: string }> {
  let notes = ''
  for (const token of tokens) {
    if (token.type === 'code') {
      const code = token as Tokens.Code
      if (code.codeBlockStyle !== 'indented') yield { code, notes: notes.trim() }
    } else yield* fencesOf(childrenOf(token))
    if (token.type === 'html') notes += token.raw
    else notes = ''
  }
}

function childrenOf(token: Token): readonly Token[] {
  if (token.type === 'list') return (token as Tokens.List).items
  return 'tokens' in token && token.tokens !== undefined ? token.tokens : []
}

function partsOf(tokens: readonly Token[], headings: readonly Heading[]): readonly Part[] {
  const parts: { readonly heading: Heading; lead: string; text: string }[] = []
  let shown = 0
  for (const token of tokens) {
    if (isHeading(token)) {
      const heading = headings[shown++]
      if (heading !== undefined) parts.push({ heading, lead: '', text: '' })
      continue
    }
    const last = parts.at(-1)
    if (last === undefined) continue
    if (last.text.trim() === '') last.lead = leadOf(token)
    last.text += ` ${plainOf(token)}`
  }
  return parts.map((part) => ({ ...part, text: part.text.replaceAll(/\s+/g, ' ').trim() }))
}

function leadOf(token: Token): string {
  const [first] = token.type === 'paragraph' ? childrenOf(token) : []
  return first?.type === 'strong' ? plainOf(first) : ''
}

/** The words of a token without their marks. */
function plainOf(token: Token): string {
  if (token.type === 'html' || token.type === 'space') return ''
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows]
      .flat()
      .map((cell) => cell.tokens.map(plainOf).join(''))
      .join(' ')
  }
  const inside = childrenOf(token)
  if (inside.length > 0) return inside.map(plainOf).join(token.type === 'list' ? ' ' : '')
  return unescapeHtml('text' in token ? String(token.text) : '')
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
