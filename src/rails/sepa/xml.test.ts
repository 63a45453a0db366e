// The XML of banks: encodings by their names and marks, references to characters, and what is no document.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUtf16 } from './encoding.ts'
import { UnreadableFile } from './unreadable.ts'
import { all, fileBytesMax, find, parseXml, textAt } from './xml.ts'

const rootOf = (text: string) => parseXml(Buffer.from(text)).root
const refused = (bytes: Buffer, reason: RegExp) =>
  assert.throws(
    () => parseXml(bytes),
    (error) => error instanceof UnreadableFile && reason.test(error.message),
  )

test('elements are lists by their names, and the first path with a text counts', () => {
  const root = rootOf('<a><b> one </b><b>two</b><c/><d><e>deep</e></d></a>')
  assert.deepEqual(
    all(root, 'b').map(({ text }) => text),
    ['one', 'two'],
  )
  assert.deepEqual(all(root, 'z'), [])
  assert.equal(find(root, 'd/e')?.text, 'deep')
  assert.equal(textAt(root, 'z', 'd/e'), 'deep')
  assert.equal(textAt(root, 'c', 'd/e'), 'deep')
  assert.equal(textAt(root, 'z', 'c'), undefined)
})

test('the five entities and references to characters that XML allows are read; any other name stays', () => {
  for (const [written, read] of [
    ['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
    ['&#65;&#x41;&#x4a;', 'AAJ'],
    ['&other;', '&other;'],
    ['&euro;', '&euro;'],
    // XML 1.0 §2.2: from the space to the surrogates, and behind them to the last plane.
    ['&#31;', ''],
    ['&#32;', ' '],
    ['&#xd7ff;', '\ud7ff'],
    ['&#xd800;', ''],
    ['&#xdfff;', ''],
    ['&#xe000;', '\ue000'],
    ['&#x10ffff;', '\u{10ffff}'],
    ['&#x110000;', ''],
  ] as const)
    assert.equal(rootOf(`<a n="-${written}-">-${written}-</a>`).text, `-${read}-`, written)
  assert.equal(rootOf('<a n="&#x41;"/>').attributes['n'], 'A')
})

test('a document has one root, and no more bytes than banks’ files have', () => {
  assert.equal(parseXml(Buffer.from('<!-- x --><a/>')).name, 'a')
  for (const text of ['<a/><b/>', '<!-- x -->', '   ']) refused(Buffer.from(text), /no XML/)
  refused(Buffer.from('<a>\u0001</a>'), /XML forbids/)
  refused(Buffer.alloc(fileBytesMax + 1, ' '), /is larger than 16777216 bytes/)
})

test('a text is read in the encoding that it names, or of which it has the mark', () => {
  const named = (encoding: string, bytes: readonly number[]) =>
    Buffer.concat([
      Buffer.from(`<?xml version="1.0" encoding='${encoding}'?><a>`),
      Buffer.from(bytes),
      Buffer.from('</a>'),
    ])
  const marked = (mark: readonly number[], text: Buffer) => Buffer.concat([Buffer.from(mark), text])
  const [little, big] = [Buffer.from('<a>ã€</a>', 'utf16le'), Buffer.from('<a>ã€</a>', 'utf16le').swap16()]
  for (const [bytes, text] of [
    [Buffer.from('<a>ã€</a>'), 'ã€'],
    [named('utf8', [0xc3, 0xa3]), 'ã'],
    [named('US-ASCII', [0x61]), 'a'],
    [named('ISO-8859-1', [0xe3, 0x80]), 'ã€'],
    [named('windows-1252', [0xe3, 0x80]), 'ã€'],
    [named('iso-8859-15', [0xe3, 0xa4]), 'ã€'],
    [marked([0xff, 0xfe], little), 'ã€'],
    [marked([0xfe, 0xff], big), 'ã€'],
    [marked([0xef, 0xbb, 0xbf], named('UTF-8', [0xc3, 0xa3])), 'ã'],
  ] as const)
    assert.equal(parseXml(bytes).root.text, text)
  refused(named('KOI8-R', [0x61]), /encoding is KOI8-R/)
  refused(named('utf-8', [0xe3, 0x80]), /not utf-8/)
  refused(marked([0xff, 0xfe], Buffer.of(0x3c)), /not UTF-16LE/)
})

test('UTF-16 is known by both bytes of its mark', () => {
  for (const [bytes, is] of [
    [[0xff, 0xfe], true],
    [[0xfe, 0xff], true],
    [[0xff, 0x00], false],
    [[0xfe, 0x00], false],
    [[0x00, 0xfe], false],
    [[0x00, 0xff], false],
    [[0xff, 0xff], false],
    [[], false],
  ] as const)
    assert.equal(isUtf16(Buffer.from(bytes)), is, bytes.join())
})
