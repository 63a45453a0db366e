import assert from 'node:assert/strict'
import { test } from 'node:test'
import { darkModules, textOfQr } from '../../test/qr-path.ts'
import { formatFor } from './format.ts'
import { qrCodeOf } from './qr-path.ts'

/** Intl separates by spaces of several kinds. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

const formats = {
  'pt-BR': formatFor('pt-BR', 'America/Sao_Paulo'),
  en: formatFor('en', 'America/Sao_Paulo'),
  es: formatFor('es', 'Europe/Madrid'),
}

test('money is shown as each language writes it, and copied in machine-readable form', () => {
  const pt = formats['pt-BR']
  assert.equal(plain(pt.money(123_450n, 'BRL').text), 'R$ 1.234,50')
  assert.equal(plain(pt.money(1_000n, 'USDT').text), '10,00 USDT')
  assert.equal(plain(pt.money(123_456_789n, 'USDT').text), '1.234.567,89 USDT')
  assert.equal(plain(formats.en.money(123_450n, 'EUR').text), '€1,234.50')
  assert.equal(plain(formats.en.money(1_000n, 'USDT').text), '10.00 USDT')
  assert.equal(plain(formats.es.money(1_234_550n, 'EUR').text), '12.345,50 €')
  assert.equal(plain(formats.es.money(1_000n, 'USDT').text), '10,00 USDT')
  assert.equal(pt.money(123_450n, 'BRL').value, '1234.50')
  assert.equal(plain(pt.money(-500n, 'BRL').text), '−R$ 5,00')
})

test('amounts that no float can hold are exact to the last digit', () => {
  const { text, value } = formats.en.units(123_456_789_012_345_678_123_456_789_012_345_678n, 18, 'USDT')
  assert.equal(value, '123456789012345678.123456789012345678')
  assert.equal(plain(text), '123,456,789,012,345,678.123456789012345678 USDT')
  assert.equal(plain(formats.en.units(10n ** 19n, 18, 'USDT').text), '10.00 USDT')
  assert.equal(plain(formats.en.money(9_007_199_254_740_993n, 'USDT').text), '90,071,992,547,409.93 USDT')
})

test('a time is in the template’s zone, with its day when that is another, and names a zone that is not the usual one', () => {
  const now = new Date('2026-11-21T15:00:00.000Z')
  const today = new Date('2026-11-21T18:40:00.000Z')
  const tomorrow = new Date('2026-11-22T18:40:00.000Z')
  assert.equal(formats['pt-BR'].instant(today, now).text, '15:40')
  assert.equal(plain(formats['pt-BR'].instant(tomorrow, now).text), '22/11 às 15:40')
  assert.equal(plain(formats.en.instant(today, now).text), '3:40 PM GMT-3')
  assert.equal(plain(formats.en.instant(tomorrow, now).text), 'Nov 22, 3:40 PM GMT-3')
  assert.equal(plain(formats.es.instant(today, now).text), '19:40 CET')
  assert.equal(plain(formats.es.instant(tomorrow, now).text), '22/11 a las 19:40 CET')
  const atOne = new Date('2026-11-22T00:40:00.000Z')
  assert.equal(plain(formats.es.instant(atOne, now).text), '22/11 a la 1:40 CET')
  assert.equal(formats['pt-BR'].moment(today).text, '21 de novembro de 2026 às 15:40:00 (GMT-3)')
  assert.equal(plain(formats.es.moment(today).text), '21 de noviembre de 2026 a las 19:40:00 (GMT+1)')
  assert.equal(plain(formats.en.moment(today).text), 'November 21, 2026, 3:40:00 PM (GMT-3)')
  assert.equal(formats.es.instant(today, now).at, '2026-11-21T18:40:00.000Z')
})

test('a QR code has its quiet zone, its three finders, and nothing beyond', () => {
  const { size, path, label } = qrCodeOf('https://vintem.example', 'a code')
  assert.equal(label, 'a code')
  const dark = darkModules(path)
  assert.equal(path.replaceAll(/M\d+ \d+h\d+v1h-\d+z/g, ''), '')
  for (const each of dark) {
    const [x = 0, y = 0] = each.split(' ').map(Number)
    assert.ok(x >= 4 && y >= 4 && x < size - 4 && y < size - 4, each)
  }
  // The upper left finder: a ring of 7, a light ring, a block of 3 (ISO/IEC 18004 §6.3.3).
  const finder = Array.from({ length: 7 }, (_row, y) =>
    Array.from({ length: 7 }, (_cell, x) => (dark.has(`${x + 4} ${y + 4}`) ? '#' : '.')).join(''),
  )
  assert.deepEqual(finder, ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######'])
  assert.equal(textOfQr({ size, path }), 'https://vintem.example')
})
