import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localeOf } from '#/kernel/language.ts'
import { chooseLocale, setLanguageCookie } from './language.ts'

const all = { default: 'en', enabled: ['pt-BR', 'en', 'es'] } as const

test('the link decides over the cookie, the cookie over the browser, and the browser over the template', () => {
  const preference = { query: 'es', cookieHeader: 'a=b; vintem_lang=en', acceptLanguage: 'pt-BR' }
  assert.equal(chooseLocale(preference, all), 'es')
  assert.equal(chooseLocale({ ...preference, query: undefined }, all), 'en')
  assert.equal(chooseLocale({ acceptLanguage: 'fr;q=1, pt;q=0.9, es;q=0.95' }, all), 'es')
  assert.equal(chooseLocale({ acceptLanguage: 'fr' }, { ...all, default: 'pt-BR' }), 'pt-BR')
  assert.equal(chooseLocale({}, all), 'en')
})

test('a language that we do not have, or the template does not offer, is skipped', () => {
  const preference = { query: 'fr', cookieHeader: 'vintem_lang=klingon', acceptLanguage: 'de, es;q=0' }
  assert.equal(chooseLocale(preference, all), 'en')
  assert.equal(chooseLocale({ query: 'es' }, { default: 'pt-BR', enabled: ['pt-BR'] }), 'pt-BR')
})

test('Portuguese of any country is served as ours of Brazil', () => {
  assert.equal(localeOf('pt'), 'pt-BR')
  assert.equal(localeOf('pt-PT'), 'pt-BR')
  assert.equal(localeOf('PT_br'), 'pt-BR')
  assert.equal(localeOf('es-419'), 'es')
  assert.equal(localeOf('en-GB'), 'en')
  assert.equal(localeOf(''), undefined)
})

test('scripts cannot read the cookie, and where the page is on https it is sent over https only', () => {
  assert.equal(
    setLanguageCookie('pt-BR', true),
    'vintem_lang=pt-BR; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure',
  )
  assert.ok(!setLanguageCookie('en', false).includes('Secure'))
})
