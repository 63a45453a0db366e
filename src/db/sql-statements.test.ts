import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/chance.ts'
import { splitStatements } from './sql-statements.ts'

const texts = (sql: string) => splitStatements(sql).map(({ text }) => text)

test('a semicolon ends a statement, and the last one needs none', () => {
  assert.deepEqual(texts('select 1; select 2;;\n select 3'), ['select 1', 'select 2', 'select 3'])
  assert.deepEqual(texts(''), [])
  assert.deepEqual(texts(' ; -- nothing\n /* nothing; */ ;'), [])
})

test('a semicolon in a string, a name, a comment or a dollar quote ends nothing', () => {
  for (const inner of [
    `'a;b'`,
    `'it''s; so'`,
    `E'\\'; it'`,
    `e'\\\\'`,
    `'\\'`,
    `"a;b"`,
    `"a"";b"`,
    `$$a;b$$`,
    `$x$ $$;$$ ; $y$; $x$`,
    `$1`,
    `a$b$c`,
    `/* ; /* ; */ ; */ 1`,
    `1 -- ; '\n`,
    `(1; 2)`,
  ]) {
    assert.deepEqual(texts(`select ${inner}; select 2`), [`select ${inner}`.trimEnd(), 'select 2'], inner)
  }
})

test('the body of a function stays whole, between dollars and between begin and end', () => {
  const dollars = `create function f() returns trigger language plpgsql as $body$\nbegin\n  raise 'x;';\nend $body$`
  const atomic = `create function g() returns integer begin atomic; select case when true then 1 end; select 2; end`
  assert.deepEqual(texts(`${dollars};\n${atomic};\nselect 1`), [dollars, atomic, 'select 1'])
  assert.deepEqual(texts('begin; select 1; end'), ['begin', 'select 1', 'end'])
})

test('comments before a statement are returned with it, and its line', () => {
  const [first, second] = splitStatements(
    '-- one\n-- two\nselect 1;\n\n  -- three\n/* four\n five */ select 2',
  )
  assert.deepEqual(first, { text: 'select 1', comments: ['-- one', '-- two'], line: 3 })
  assert.deepEqual(second, { text: 'select 2', comments: ['-- three', '/* four', 'five */'], line: 7 })
})

test('a string, name or comment that does not end is refused', () => {
  for (const text of [`select 'a`, `select "a`, `select $x$ $y$`, `select 1 /* /* */`]) {
    assert.throws(() => splitStatements(`select 1;\n${text}`), /line 2 does not end/, text)
  }
})

test('statements that are joined with semicolons are split again', () => {
  const part = fc.constantFrom(
    'select 1',
    `';'`,
    '"x;"',
    '$$;$$',
    '$a$;$b$;$a$',
    '(;)',
    `E'\\';'`,
    '/*;*/',
    'x',
    ',',
  )
  const statement = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => `a ${parts.join(' ')} z`)
  fc.assert(
    fc.property(fc.array(statement), (statements) => {
      assert.deepEqual(texts(statements.join(';\n')), statements)
    }),
  )
})
