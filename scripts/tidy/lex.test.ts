import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lex, lineAt, stringAt } from './lex.ts'

/** The code view with runs of blanks made one. */
const codeOf = (text: string) => lex(text).code.replaceAll(/\s+/g, ' ').trim()

test('comments and the insides of literals are no code', () => {
  assert.equal(
    codeOf('const a = \'enum\' // enum\nconst b = /* enum */ "enum"'),
    'const a = \' \' const b = " "',
  )
  assert.equal(codeOf('const c = /enum\\/[/]enum/g'), 'const c = / g')
  assert.equal(codeOf("const d = 'it\\'s enum'"), "const d = ' '")
})

test('what a template substitutes is code, however deep', () => {
  assert.equal(codeOf('f`text ${a + { b: `in ${c} ner` }.b} enum`'), 'f` {a + { b: ` {c} ` }.b} `')
})

test('a division is no regular expression', () => {
  assert.equal(codeOf("const a = b / c / 'd'"), "const a = b / c / ' '")
  assert.equal(codeOf('const a = (b) / 2 // enum'), 'const a = (b) / 2')
  assert.equal(codeOf('return /enum/'), 'return /')
})

test('every view is as long as the text, whatever characters it holds', () => {
  const text = "const face = '🙂' // 🙂 ünïcode\nconst next = `🙂${face}`\n"
  const views = lex(text)
  assert.equal(views.code.length, text.length)
  assert.equal(views.comments.length, text.length)
  assert.equal(lineAt(text, text.indexOf('next')), 2)
  assert.equal(stringAt(text, text.indexOf("'")), '🙂')
})

test('comments are found, and only they', () => {
  assert.equal(
    lex("a('// no') // yes\n/* and\nthis */").comments.replaceAll(/\s+/g, ' ').trim(),
    '// yes /* and this */',
  )
})
