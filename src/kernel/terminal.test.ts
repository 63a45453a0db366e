import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTerminal, printable } from './terminal.ts'

const utf8 = { LANG: 'en_US.UTF-8', TERM: 'xterm-256color' }

function terminalOf(env: Record<string, string>, terminal: { depth: number; columns?: number } | undefined) {
  const written = { out: '', err: '' }
  const stdout = {
    write: (text: string) => (written.out += text),
    ...(terminal === undefined
      ? {}
      : { isTTY: true, columns: terminal.columns ?? 20, getColorDepth: () => terminal.depth }),
  }
  const stderr = { write: (text: string) => (written.err += text) }
  return { written, terminal: createTerminal({ stdout, stderr }, env) }
}

test('a pipe gets plain ASCII text: no colours, no symbols, no progress, no width', () => {
  const { terminal, written } = terminalOf(utf8, undefined)
  terminal.progress('half')
  terminal.out(`${terminal.paint.accent('copper')} ${terminal.symbols.done}`)
  assert.equal(written.out, 'copper +\n')
  assert.equal(terminal.width, undefined)
})

test('a terminal gets one accent, symbols, and progress that is erased before the next line', () => {
  const { terminal, written } = terminalOf(utf8, { depth: 8 })
  terminal.progress('half of it and more than a line can hold')
  terminal.out(`${terminal.paint.accent('copper')} ${terminal.symbols.done}`)
  terminal.err('broken')
  assert.equal(written.out, '\r\u001B[2Khalf of it and more\r\u001B[2K\u001B[38;5;173mcopper\u001B[0m ✓\n')
  assert.equal(written.err, 'broken\n')
  assert.equal(terminal.width, 20)
})

test('a terminal without a known width counts as one of 80 columns', () => {
  const { terminal, written } = terminalOf(utf8, { depth: 1, columns: 0 })
  terminal.progress('x'.repeat(100))
  assert.equal(written.out, `\r\u001B[2K${'x'.repeat(79)}`)
  assert.equal(terminal.width, 80)
})

test('a terminal of 16 colours gets one of them', () => {
  assert.equal(terminalOf(utf8, { depth: 4 }).terminal.paint.accent('x'), '\u001B[33mx\u001B[0m')
})

test('NO_COLOR is respected, and a locale that is not UTF-8 gets ASCII', () => {
  assert.equal(terminalOf({ ...utf8, NO_COLOR: '1' }, { depth: 8 }).terminal.paint.bad('x'), 'x')
  assert.equal(terminalOf({ ...utf8, LC_ALL: 'C' }, { depth: 8 }).terminal.symbols.done, '+')
  assert.equal(terminalOf({}, { depth: 8 }).terminal.symbols.arrow, '->')
})

test('text from outside cannot move the cursor, change colours or reverse its direction', () => {
  assert.equal(printable('a\u001B[31mred\u001B[0m\r\nb\u202Ec\u0007'), 'ared b c ')
})
