import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dictionaries } from './dictionaries.ts'
import { faultsIn } from './plant.ts'

/** The faults in files of these entries. */
function faultsOf(entries: Readonly<Record<string, string>>): readonly string[] {
  const files = Object.entries(entries).map(([path, text]) => [
    path,
    `import { dictionary } from './dictionary.ts'\n${text}\n`,
  ])
  return faultsIn(dictionaries, Object.fromEntries(files) as Readonly<Record<string, string>>)
}

const common = { 'src/kernel/common-words.ts': "currency: ['Moeda', 'Currency', 'Moneda']," }
const card = "card: ['Cartão', 'Card', 'Tarjeta'],"

test('a text that is a common word is found elsewhere, whatever its name', () => {
  const keys = "money: [\n  'Moeda',\n  'Currency',\n  'Moneda',\n],"
  assert.deepEqual(faultsOf({ ...common, 'web/dashboard/words/keys.ts': keys }), [
    "web/dashboard/words/keys.ts:2 'Currency' is commonWords.currency",
  ])
  assert.deepEqual(
    faultsOf({ ...common, 'src/mail/words.ts': "money: ['Moeda', 'Currency', 'Divisa']," }),
    [],
  )
})

test('a text is found when it stands for the third time', () => {
  const twice = { 'web/dashboard/words/keys.ts': card, 'src/mail/words.ts': card }
  assert.deepEqual(faultsOf(twice), [])
  assert.equal(faultsOf({ ...twice, 'src/checkout/labels.ts': card }).length, 3)
  const ofMethods = {
    'src/checkout/methods/card-words.ts': card,
    'web/dashboard/words/states.ts': card.replace('card', 'CREDIT_CARD'),
  }
  const names = {
    'src/checkout/labels.ts': ['a', 'b', 'c'].map((key) => `${key}: ['Pix', 'Pix', 'Pix'],`).join('\n'),
  }
  assert.deepEqual(faultsOf({ ...twice, ...ofMethods, ...names }), [])
})

test('a name in braces that one language lacks or spells differently is found', () => {
  const found = (es: string) =>
    faultsOf({ 'src/mail/words.ts': `due: ['até {time}', 'by {time}', '${es}'],` })
  assert.equal(found('hasta {time}').length, 0)
  assert.equal(found('hasta {tiempo}').length, 1)
  assert.equal(found('hasta').length, 1)
})

test('an array of three that is in no dictionary is none of its texts', () => {
  const sets = { 'src/people/roles.ts': ['a', 'b', 'c'].map((key) => `${key}: ['X', 'Y', 'Z'],`).join('\n') }
  assert.equal(faultsOf(sets).length, 3)
  assert.deepEqual(
    faultsIn(dictionaries, {
      ...sets,
      'src/mail/words.ts': "import { dictionary } from '#/kernel/dictionary.ts'\na: ['b', 'c', 'd'],\n",
    }),
    [],
  )
})
