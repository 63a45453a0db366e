import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peopleWords } from './people-words.ts'
import { faultsIn } from './plant.ts'

const glossary = `# Glossary

## Words for people

| Thing | pt-BR | en | es | not pt-BR | not en | not es |
|---|---|---|---|---|---|---|
| status | status | status | estado | Estado, Estados | State | – |
| freeze | bloqueio | freeze | bloqueo | congel* | – | congel* |

## Words for payers

| Thing | pt-BR | en | es | not pt-BR | not en | not es |
|---|---|---|---|---|---|---|
| who sells | loja | store | tienda | – | shop | – |

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

test('a word in lower case is found at the beginning of a sentence too, and a star stands for any end', () => {
  for (const word of ['congelado', 'Congelar', 'congelamento'])
    assert.equal(faultsOf(`state: ['${word}', 'Frozen', 'Bloqueado'],`).length, 1, word)
  assert.deepEqual(faultsOf("state: ['descongelado', 'Frozen', 'Bloqueado'],"), [])
})

/** The faults in one file of a tree that has the glossary. */
function faultsInFile(path: string, text: string): readonly string[] {
  return faultsIn(peopleWords, { 'GLOSSARY.md': glossary, [path]: text })
}

test('what payers do not say is found on their pages alone, in lists and in blocks of one language', () => {
  const list = `import { dictionary } from '#/kernel/dictionary.ts'\nback: ['À loja', 'To the shop', 'A la tienda'],\n`
  assert.deepEqual(faultsInFile('src/checkout/labels.ts', list), [
    'src/checkout/labels.ts:2 says "shop" in en: say "store"',
  ])
  assert.deepEqual(faultsInFile('src/mail/words.ts', list), [])
  const blocks = [
    `const en = {\n  back: 'To the shop',\n}`,
    `const ptBr: Words = {\n  back: 'O Estado',\n}`,
    `const spanish: Words = {\n  back: \`Congelado\`,\n}`,
  ].join('\n')
  assert.deepEqual(faultsInFile('simulators/acquirer/page-words.ts', blocks), [
    'simulators/acquirer/page-words.ts:2 says "shop" in en: say "store"',
    'simulators/acquirer/page-words.ts:5 says "Estado" in pt-BR: say "status"',
    'simulators/acquirer/page-words.ts:8 says "Congelado" in es: say "bloqueo"',
  ])
})

test('it is found in the translations of the plug-in, English beside them, and in the guide in Portuguese', () => {
  const php = `<?php\nreturn [\n    'State' => 'Estado',\n];\n`
  assert.deepEqual(faultsInFile('integrations/woocommerce/languages/pt_BR.php', php), [
    'integrations/woocommerce/languages/pt_BR.php:3 says "State" in en: say "status"',
    'integrations/woocommerce/languages/pt_BR.php:3 says "Estado" in pt-BR: say "status"',
  ])
  const guide = 'Um guia.\n\nO valor congelado. `Estado`\n\n```sh\nEstado\n```\n'
  assert.deepEqual(faultsInFile('docs/guia.md', guide), [
    'docs/guia.md:3 says "congelado" in pt-BR: say "bloqueio"',
  ])
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
