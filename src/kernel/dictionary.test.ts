import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, dictionary, fill, textIn, wordsOf, type Texts } from './dictionary.ts'

const common = dictionary({ name: ['Nome', 'Name', 'Nombre'], close: ['Fechar', 'Close', 'Cerrar'] })
const words = dictionary(
  {
    close: ['Sair', 'Leave', 'Salir'],
    copyOf: (what: string) => [`Copiar ${what}`, `Copy ${what}`, `Copiar ${what}`],
    kinds: { DAY: ['Dia', 'Day', 'Día'] },
    times: (count: number) =>
      counted(
        count,
        [`${count} vez`, `${count} time`, `${count} vez`],
        [`${count} vezes`, `${count} times`, `${count} veces`],
      ),
  },
  common,
)

test('each language has its own texts, with values in them, and the common ones', () => {
  assert.deepEqual(Object.keys(words), ['pt-BR', 'en', 'es'])
  const { name, close, copyOf, kinds } = words.es
  assert.deepEqual([name, close, copyOf('X'), kinds.DAY], ['Nombre', 'Salir', 'Copiar X', 'Día'])
  assert.equal(words['pt-BR'].kinds.DAY, 'Dia')
  assert.equal(words.en.copyOf('X'), 'Copy X')
  assert.equal(common.es.close, 'Cerrar')
  assert.equal(textIn('es', ['a', 'b', 'c']), 'c')
})

test('a tag of a language that we have leads to its words, any other to the English ones', () => {
  assert.equal(wordsOf(common, 'pt-BR').name, 'Nome')
  assert.equal(wordsOf(common, 'es-419').name, 'Nombre')
  assert.equal(wordsOf(common, 'fr').name, 'Name')
  assert.equal(wordsOf(common, '').name, 'Name')
})

test('one of a thing is singular, none or many are plural', () => {
  const said = ([0, 1, 2, 1_000_000] as const).map((count) => [
    words['pt-BR'].times(count),
    words.en.times(count),
    words.es.times(count),
  ])
  assert.deepEqual(said, [
    ['0 vezes', '0 times', '0 veces'],
    ['1 vez', '1 time', '1 vez'],
    ['2 vezes', '2 times', '2 veces'],
    ['1000000 vezes', '1000000 times', '1000000 veces'],
  ])
})

test('names in braces become their values, and nothing where there is no value', () => {
  assert.equal(fill('{done} of {needed}{rest}', { done: 1, needed: '{done}' }), '1 of {done}')
})

/** Whether a text that lacks a language would have the type of one. */
type IsText = readonly ['Nome', 'Name'] extends Texts ? true : false

test('a text that lacks a language does not compile', () => {
  // With another type of texts this line would be the one that does not compile.
  const isText: IsText = false
  assert.equal(isText, false)
})
