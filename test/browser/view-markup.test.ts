// The HTML of the view, as text: these checks need no browser.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pageSteps, type PageState } from '#/checkout/page-state.ts'
import { speech } from '#/checkout/speech.ts'
import { makeForTests } from '../open-for-tests.ts'
import { scenes, stateOf } from './gallery-states.ts'
import { loadWeb } from './view-server.ts'

const web = makeForTests(() => loadWeb())

/** The texts of all elements of that name. */
function textsOf(html: string, tag: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>([^]*?)</${tag}>`, 'g'))].map((match) =>
    (match[1] ?? '').replaceAll(/<[^>]*>/g, '').trim(),
  )
}

test('there is a scene for every step', () => {
  assert.deepEqual(new Set(scenes.map(({ state }) => state.step)), new Set(pageSteps))
})

test('markup in texts from people stays text', () => {
  const evil = `<img src=x onerror="alert(1)">"'</p><script>alert(1)</script>`
  for (const { name, state } of scenes) {
    const html = web.render(poisoned(state, evil))
    assert.doesNotMatch(html, /<img|<script/, name)
    assert.match(html, /&lt;img src=x onerror=&quot;alert\(1\)/, name)
  }
})

/** A state with markup in each text that comes from a merchant, a payer or a provider. */
function poisoned(state: PageState, evil: string): PageState {
  return {
    ...state,
    merchant: { name: evil },
    description: evil,
    title: evil,
    note: evil,
    thanks: evil,
    headline: evil,
    message: evil,
    problem: evil,
    fields: state.fields.map((field) => ({ ...field, value: evil, label: evil, error: evil })),
    receipt: [{ label: evil, value: evil, copy: evil }],
    support: { label: evil, url: 'https://loja.example/' },
    ...(state.panel?.method === 'PIX' ? { panel: { ...state.panel, code: evil } } : {}),
  }
}

test('every step says what happened and what to do next, and offers that', () => {
  for (const { name, state } of scenes) {
    const html = web.render(state)
    assert.ok(textsOf(html, 'h2').includes(state.headline), name)
    assert.ok(textsOf(html, 'p').includes(state.message), name)
    assert.ok(html.includes(state.amount.text), name)
    const main = /<main[^]*<\/main>/.exec(html)?.[0] ?? ''
    const controls = [...textsOf(main, 'button'), ...textsOf(main, 'a')]
    assert.ok(controls.length > 0 || state.panel !== undefined, `${name} offers nothing`)
    if (state.isFinal) assert.ok(controls.includes(state.back?.label ?? ''), `${name} leads nowhere`)
  }
})

test('no button, link, label or heading is empty, and every picture has a name or is hidden from screen readers', () => {
  for (const { name, state } of scenes) {
    const html = web.render(state)
    for (const tag of ['button', 'a', 'label', 'h1', 'h2', 'h3', 'summary', 'legend', 'dt', 'dd'])
      for (const text of textsOf(html, tag)) assert.notEqual(text, '', `${name}: an empty ${tag}`)
    for (const [svg] of html.matchAll(/<svg[^>]*>/g))
      assert.match(svg, /aria-hidden="true"|aria-label="[^"]+"/, name)
    assert.doesNotMatch(html, /undefined|\[object|\{\w+\}|NaN/, name)
  }
})

test('the HTML has nothing that the policy forbids: no style, no handler, no script', () => {
  for (const { name, state } of scenes)
    assert.doesNotMatch(web.render(state), /\sstyle=|\son\w+=|<script|<style|javascript:/, name)
})

test('each text to copy is in the page as a whole, for payers who copy by hand', () => {
  const pix = stateOf('waiting-pix')
  assert.ok(pix.panel?.method === 'PIX')
  assert.ok(web.render(pix).includes(`>${pix.panel.code}</code>`))
  const crypto = stateOf('underpaid-crypto')
  assert.ok(crypto.panel?.method === 'CRYPTO')
  for (const text of [crypto.panel.address, crypto.panel.deposits[0]?.txHash ?? '', crypto.panel.amount.text])
    assert.ok(web.render(crypto).includes(`>${text}</span>`), text)
  const paid = stateOf('paid-crypto')
  for (const { copy } of paid.receipt)
    if (copy !== undefined) assert.ok(web.render(paid).includes(`>${copy}</span>`))
})

test('the shop’s contact is a link wherever a payment has gone wrong', () => {
  for (const { name, state } of scenes.filter(({ state }) =>
    ['overpaid', 'late', 'expired', 'failed', 'canceled'].includes(state.step),
  ))
    assert.match(web.render(state), new RegExp(`class="button secondary" href="${state.support?.url}"`), name)
})

test('every translated label is used', async () => {
  const folder = join(import.meta.dirname, '..', '..', 'web', 'checkout')
  const files = await readdir(folder, { recursive: true })
  const sources = await Promise.all(
    files.filter((file) => /\.tsx?$/.test(file)).map((file) => readFile(join(folder, file), 'utf8')),
  )
  const source = sources.join('\n')
  for (const label of Object.keys(speech.en.labels))
    assert.match(source, new RegExp(String.raw`\b${label}\b`), label)
})

test('what a payer agrees to by filling in a field is beside it, and said with it', () => {
  const state = stateOf('asked-phone')
  const note = 'By continuing, you accept this mandate'
  const fields = state.fields.map((field) => (field.name === 'phone' ? { ...field, note } : field))
  const html = web.render({ ...state, fields })
  assert.match(html, /<input[^>]*aria-describedby="field-phone-note"/)
  assert.match(html, new RegExp(`<p class="hint" id="field-phone-note">${note}</p>`))
})
