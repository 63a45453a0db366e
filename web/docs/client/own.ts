// Fills the samples in with what is this installation's own: the address from which the page came and, in a sandbox, the key that the server
// gives to its own machine. The key is in no page and in no cache: it is asked for when the page is open, and stands in the page alone.

const usualAddress = /http:\/\/127\.0\.0\.1:4000(?!\d)/g

/** What stands for the key in each language, and what it becomes. */
const keys: Readonly<Record<string, readonly [pattern: RegExp, filled: (key: string) => string]>> = {
  sh: [/\$KEY\b/g, (key) => key],
  ts: [/process\.env\.KEY \?\? ''/g, (key) => `'${key}'`],
  python: [/os\.environ\["KEY"\]/g, (key) => `"${key}"`],
  php: [/getenv\('KEY'\)/g, (key) => `'${key}'`],
}

/** Fills in every block of code of the page. */
export async function fillInSamples(): Promise<void> {
  const blocks = [...document.querySelectorAll<HTMLElement>('.code')].map((block) => ({
    code: block.querySelector('code') ?? block,
    language: block.dataset['language'] ?? '',
  }))
  const sets = (name: string) =>
    blocks.some(({ code }) => new RegExp(`(?:^|\\s)${name}=`, 'm').test(code.textContent ?? ''))
  // A page that sets a variable by itself means its own.
  const ownsAddress = sets('API')
  for (const { code, language } of blocks) {
    replaceIn(code, usualAddress, location.origin)
    if (language === 'sh' && !ownsAddress) replaceIn(code, /\$API\b/g, location.origin)
  }
  const withKey = blocks.filter(({ code, language }) => includes(code, keys[language]?.[0]))
  if (withKey.length === 0 || sets('KEY')) return
  const key = await sandboxKey()
  if (key === undefined) return
  for (const { code, language } of withKey) {
    const [pattern, filled] = keys[language] ?? []
    if (pattern !== undefined && filled !== undefined) replaceIn(code, pattern, filled(key))
  }
  const note = document.createElement('p')
  note.className = 'own-key'
  note.textContent = 'The samples on this page have the address and the key of your sandbox.'
  document.querySelector('main h1')?.after(note)
}

/** A pattern with the flag g keeps its place between calls of `test`, so it is not used. */
function includes(code: HTMLElement, pattern: RegExp | undefined): boolean {
  return pattern !== undefined && (code.textContent ?? '').search(pattern) !== -1
}

/** The key of a sandbox, for its own machine. No key of real money is ever shown, whatever the server says. */
async function sandboxKey(): Promise<string | undefined> {
  try {
    const answer = await fetch('/reference/settings.json', { cache: 'no-store' })
    const { apiKey } = (await answer.json()) as { readonly apiKey?: unknown }
    return typeof apiKey === 'string' && /^vtm_test_\w+$/.test(apiKey) ? apiKey : undefined
  } catch {
    return undefined
  }
}

/** Replaces text that may go through several colours. From the end, so that the places before it stay. */
function replaceIn(code: HTMLElement, pattern: RegExp, text: string): void {
  const found = [...(code.textContent ?? '').matchAll(pattern)].toReversed()
  for (const { 0: old, index } of found) {
    const range = document.createRange()
    const [start, startAt] = placeOf(code, index)
    const [end, endAt] = placeOf(code, index + old.length, true)
    range.setStart(start, startAt)
    range.setEnd(end, endAt)
    range.deleteContents()
    range.insertNode(document.createTextNode(text))
  }
}

/** The text node with the letter at this index; `isEnd`: with the letter before it. */
function placeOf(code: HTMLElement, index: number, isEnd = false): readonly [Node, number] {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  let before = 0
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { length } = node.textContent ?? ''
    if (isEnd ? index <= before + length : index < before + length) return [node, index - before]
    before += length
  }
  return [code, code.childNodes.length]
}
