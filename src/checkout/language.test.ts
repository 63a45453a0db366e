import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLocale, localeOf, setLanguageCookie } from './language.ts'

const all = { default: 'en', enabled: ['pt-BR', 'en', 'es'] } as const

test('the link decides over the cookie, the cookie over the browser, and the browser over the template', () => {
  const wish = { query: 'es', cookieHeader: 'a=b; vintem_lang=en', acceptLanguage: 'pt-BR' }
  assert.equal(chooseLocale(wish, all), 'es')
  assert.equal(chooseLocale({ ...wish, query: undefined }, all), 'en')
  assert.equal(chooseLocale({ acceptLanguage: 'fr;q=1, pt;q=0.9, es;q=0.95' }, all), 'es')
  assert.equal(chooseLocale({ acceptLanguage: 'fr' }, { ...all, default: 'pt-BR' }), 'pt-BR')
  assert.equal(chooseLocale({}, all), 'en')
})

test('a language that we do not speak, or the template does not offer, is passed over', () => {
  const wish = { query: 'fr', cookieHeader: 'vintem_lang=klingon', acceptLanguage: 'de, es;q=0' }
  assert.equal(chooseLocale(wish, all), 'en')
  assert.equal(chooseLocale({ query: 'es' }, { default: 'pt-BR', enabled: ['pt-BR'] }), 'pt-BR')
})

test('Portuguese of any place is ours of Brazil', () => {
  assert.equal(localeOf('pt'), 'pt-BR')
  assert.equal(localeOf('pt-PT'), 'pt-BR')
  assert.equal(localeOf('PT_br'), 'pt-BR')
  assert.equal(localeOf('es-419'), 'es')
  assert.equal(localeOf('en-GB'), 'en')
  assert.equal(localeOf(''), undefined)
})

test('the cookie is not for scripts, and stays on https where the page is', () => {
  assert.equal(
    setLanguageCookie('pt-BR', true),
    'vintem_lang=pt-BR; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure',
  )
  assert.ok(!setLanguageCookie('en', false).includes('Secure'))
})
