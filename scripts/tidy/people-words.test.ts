import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peopleWords } from './people-words.ts'
import { faultsIn } from './plant.ts'

const glossary = `# Glossary

## Words for people

| Thing | pt-BR | en | es | not pt-BR | not en | not es |
|---|---|---|---|---|---|---|
| status | status | status | estado | Estado, Estados | State | – |

## Next
`

function faultsOf(entries: string): readonly string[] {
  return faultsIn(peopleWords, {
    'GLOSSARY.md': glossary,
    'src/mail/words.ts': `import { dictionary } from './dictionary.ts'\n${entries}\n`,
  })
}

test('a word that the glossary replaces is found, in its own language alone', () => {
  assert.deepEqual(faultsOf("state: ['Estado', 'Status', 'Estado'],"), [
    'src/mail/words.ts:2 says "Estado" in pt-BR: say "status"',
  ])
  assert.deepEqual(faultsOf("state: ['Status', 'State', 'Estado'],"), [
    'src/mail/words.ts:2 says "State" in en: say "status"',
  ])
  assert.deepEqual(faultsOf("state: ['Status', 'Status', 'Estado'],"), [])
})

test('it is found within sentences and templates, and not within longer words or values', () => {
  assert.equal(faultsOf('say: (x) => [`Os Estados de ${x}.`, `Of ${x}.`, `De ${x}.`],').length, 1)
  assert.deepEqual(faultsOf('say: (Estado) => [`${Estado}`, `${Estado}`, `${Estado}`],'), [])
  assert.deepEqual(faultsOf("say: ['Estadosunidos', 'States', 'Estados'],"), [])
})

test('a number with a plural is found outside of counted, and so is a plural in brackets', () => {
  const rows = '[`${count} linhas`, `${count} rows`, `${count} filas`]'
  assert.deepEqual(faultsOf(`rows: (count) => ${rows},`), [
    'src/mail/words.ts:2 has a number with a plural: use counted()',
  ])
  assert.deepEqual(faultsOf(`rows: (count) => counted(count, ${rows}, ${rows}),`), [])
  assert.equal(
    faultsOf(`rows: (count) => counted(count, ${rows}, ${rows}),\nmore: (count) => ${rows},`).length,
    1,
  )
  assert.deepEqual(faultsOf("rows: ['Linha(s)', 'Row(s)', 'Fila(s)'],"), [
    'src/mail/words.ts:2 has a plural in brackets: use counted()',
  ])
})
