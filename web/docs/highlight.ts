// Colours code: each token gets a class, so the pages need no style attribute.
import { tokenize, type ShjLanguage } from '@speed-highlight/core'
import bash from '@speed-highlight/core/languages/bash.js'
import type { ShjGrammar, ShjRule } from '@speed-highlight/core/tokenize'

/** The library's grammar, except that `$(…)` is not coloured as a variable: many of our commands stand inside `$(…)`. */
const shell: ShjGrammar = bash.map(withoutCommands)

function withoutCommands(rule: ShjRule): ShjRule {
  if (rule.expand !== undefined) return rule
  rule.match.lastIndex = 0
  if (rule.type === 'var' && rule.match.exec('$(x)') !== null)
    return { type: 'var', match: /\$\w+|\$\{[^}]*\}/g }
  return Array.isArray(rule.sub) ? { ...rule, sub: rule.sub.map(withoutCommands) } : rule
}

/** By the word behind the fence. A language that is not here stays plain. */
const languages: Readonly<Record<string, ShjLanguage | ShjGrammar>> = {
  sh: shell,
  bash: shell,
  json: 'json',
  js: 'js',
  ts: 'ts',
  python: 'py',
  // There is no grammar for PHP; its words and texts look like those of JavaScript.
  php: 'js',
  go: 'go',
  java: 'java',
  http: 'http',
  html: 'html',
  sql: 'sql',
  yaml: 'yaml',
  toml: 'toml',
  ini: 'ini',
}

/** The code as HTML, letter by letter the same text. */
export async function highlight(code: string, language: string): Promise<string> {
  const grammar = languages[language]
  if (grammar === undefined) return escapeHtml(code)
  let html = ''
  await tokenize(code, grammar, (text, kind) => {
    html += kind === undefined ? escapeHtml(text) : `<span class="t-${kind}">${escapeHtml(text)}</span>`
  })
  return html
}

/** For text and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
