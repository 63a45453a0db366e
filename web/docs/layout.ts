// The frame around every page: the search, the menu, the list of the page's headings, and the pages before and after it.
import { addressOf, base, dashboard, type PageMap } from '../../src/reference/links.ts'
import type { Section } from '../../src/reference/sections.ts'
import { escapeHtml } from './highlight.ts'
import type { Heading, RenderedPage } from './render.ts'

/** The files that every page names, as addresses. */
export type Assets = {
  readonly style: string
  /** Runs before the first paint: it sets the theme. */
  readonly theme: string
  readonly client: string
  readonly searchIndex: string
  /** The product's mark, as SVG. */
  readonly mark: string
}

export type Frame = {
  readonly pages: PageMap
  /** The groups of the menu. */
  readonly sections: readonly Section[]
  readonly assets: Assets
}

/** Pages whose text is not English. */
const otherLanguages: Readonly<Record<string, string>> = { 'guia.html': 'pt-BR' }

/** The HTML of one page. `page`: its file, such as `methods/pix.html`. */
export function layOut(page: string, { title, html, headings }: RenderedPage, frame: Frame): string {
  const { assets } = frame
  const language = otherLanguages[page]
  const name = page === 'index.html' ? 'Vintem documents' : `${title} · Vintem`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(assets.mark)}">
<script src="${assets.theme}"></script>
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.client}"></script>
</head>
<body${page === 'index.html' ? ' class="front"' : ''}>
<a class="skip" href="#content">Skip to the text</a>
<header>
<button class="menu-button" popovertarget="menu">Menu</button>
<a class="home" href="${base}">${assets.mark.replace('<svg ', '<svg aria-hidden="true" ')}Vintem</a>
<search hidden data-index="${assets.searchIndex}">
<input type="search" id="search" placeholder="Search" aria-label="Search the documents" autocomplete="off" spellcheck="false" aria-keyshortcuts="/">
<div id="found" hidden><p role="status"></p><ul></ul></div>
</search>
<a class="to-dashboard" href="${dashboard}">Dashboard</a>
<button class="theme" hidden></button>
</header>
<nav id="menu" popover aria-label="Documents">
<ul><li><a href="${dashboard}">Open the dashboard</a></li></ul>
${menuOf(page, frame)}
</nav>
<div class="page">
<main id="content"${language === undefined ? '' : ` lang="${language}"`}>
${html}${neighboursOf(page, frame)}
</main>
${outlineOf(headings)}
</div>
</body>
</html>
`
}

type Entry = { readonly text: string; readonly page: string }

function entriesOf({ entries }: Section, pages: PageMap): readonly Entry[] {
  return entries.flatMap(({ text, file }) => {
    const page = pages.get(file)
    return page === undefined ? [] : [{ text, page }]
  })
}

function menuOf(current: string, { sections, pages }: Frame): string {
  return sections
    .map((section) => {
      const items = entriesOf(section, pages).map(
        ({ text, page }) =>
          `<li><a href="${addressOf(page)}"${page === current ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`,
      )
      return `<p>${escapeHtml(section.title)}</p>\n<ul>${items.join('')}</ul>`
    })
    .join('\n')
}

function outlineOf(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ depth, text, id }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="outline" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`
}

/** Links to the pages before and after it in the menu. */
function neighboursOf(current: string, { sections, pages }: Frame): string {
  const all = sections.flatMap((section) => entriesOf(section, pages))
  const at = all.findIndex(({ page }) => page === current)
  if (at === -1) return ''
  const link = (entry: Entry | undefined, rel: string, word: string) =>
    entry === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${addressOf(entry.page)}"><small>${word}</small> ${escapeHtml(entry.text)}</a>`
  return `<nav class="neighbours" aria-label="Neighbouring pages">${link(all[at - 1], 'prev', 'Before')}${link(all[at + 1], 'next', 'Next')}</nav>`
}
