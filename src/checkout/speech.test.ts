import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textIn } from '#/kernel/dictionary.ts'
import { locales, type Locale } from '#/kernel/language.ts'
import type { Descriptor } from '#/rails/descriptor.ts'
import { descriptorOf, descriptors } from '#/rails/methods.ts'
import { checkoutMethods, panelWords } from './methods/all.ts'
import { speech } from './speech.ts'

function toPayers({ label, hint, page }: Descriptor, locale: Locale) {
  const message = typeof page?.message === 'function' ? page.message('<0>', '<1>') : page?.message
  return [label, hint, page?.headline, message].flatMap((texts) =>
    texts === undefined ? [] : [textIn(locale, texts)],
  )
}

/** Every text below `words` by its path; the places of a sentence are filled with their numbers. */
function textsOf(words: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof words === 'string') return [[path, words]]
  if (typeof words === 'function') {
    const sent = { received: '<received>', amount: '<amount>' }
    const say = words as (...values: readonly unknown[]) => string
    const said = say(...(takesSums(path) ? [sent, '<1>', '<2>'] : ['<0>', '<1>', '<2>']))
    return [[path, said]]
  }
  return Object.entries(words as object).flatMap(([name, each]) => textsOf(each, `${path}/${name}`))
}

/** Sentences with the amount that arrived and the amount of the payment. */
function takesSums(path: string): boolean {
  return /\/(?:inTime|late|topUp|withMoney|endedWithMoney|rest\/received)$|\/(?:over|under)paid\/message$/.test(
    path,
  )
}

for (const locale of locales) {
  test(`${locale}: every sentence is whole`, () => {
    const texts = [
      speech[locale],
      ...panelWords.map((words) => words[locale]),
      ...descriptors.map((each) => toPayers(each, locale)),
    ].flatMap((words) => textsOf(words))
    assert.ok(texts.length > 120, `${texts.length} texts`)
    for (const [path, text] of texts) {
      assert.doesNotMatch(text, /undefined|\[object|\s{2}|^\s|\s$/, path)
    }
  })

  test(`${locale}: placeholders have the same names as in the other languages`, () => {
    const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted()
    for (const [name, text] of Object.entries(speech[locale].labels))
      assert.deepEqual(
        placesOf(text),
        placesOf(speech.en.labels[name as keyof typeof speech.en.labels]),
        name,
      )
  })
}

test('texts use the words that payers know from their banks and shops', () => {
  const [pt, en, es] = [speech['pt-BR'], speech.en, speech.es]
  const { PIX, CRYPTO, CREDIT_CARD } = checkoutMethods
  assert.equal(
    PIX.words['pt-BR'].waiting.message(pt.sentences.until('23/11 às 02:56', false)),
    'Escaneie o QR Code com o app do seu banco ou copie o código. Válido até 23/11 às 02:56.',
  )
  assert.match(textIn('pt-BR', descriptorOf.PIX.hint), /aprovação na hora/)
  assert.equal(PIX.words['pt-BR'].labels.pixCode, 'Pix Copia e Cola')
  assert.match(CRYPTO.words['pt-BR'].labels.networkWarning, /Valores enviados por outra rede serão perdidos/)
  assert.match(pt.sentences.faults.taxId, /^CPF ou CNPJ inválido/)
  assert.match(CREDIT_CARD.words['pt-BR'].labels.cardSafe, /processadora do pagamento/)
  assert.deepEqual(
    [pt, es, en].map(({ sentences: { paid, underpaid, overpaid } }) => [
      paid.headline,
      underpaid.headline,
      overpaid.headline,
    ]),
    [
      ['Pagamento confirmado', 'Pagamento incompleto', 'Pago com valor a mais'],
      ['Pago confirmado', 'Pago incompleto', 'Pagó de más'],
      ['Payment confirmed', 'Payment incomplete', 'Overpaid'],
    ],
  )
  assert.match(es.sentences.paid.message('Loja'), /recibió su pago/)
  assert.equal(es.sentences.failed.headline, 'No se pudo completar el pago')
  assert.equal(es.sentences.pages.too_many.title, 'Demasiados intentos')
  assert.match(CRYPTO.words.es.labels.feesNote, /exchange/)
  assert.match(CRYPTO.words.en.labels.networkWarning, /Anything sent on another network is lost/)
  assert.equal(en.sentences.late.headline, 'Paid late')
  assert.match(en.sentences.faults.email, /^Enter a valid email/)
  assert.equal(en.sentences.until('Nov 23, 2:56 AM', false), 'by Nov 23, 2:56 AM')
})

test('no name of a label is used by two panels', () => {
  const names = panelWords.flatMap((words) => Object.keys(words.en.labels))
  assert.equal(new Set(names).size, names.length)
  assert.ok(names.length > 20, `${names.length} labels`)
})
