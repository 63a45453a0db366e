// What a template may contain, and that nothing in it can become style, script or a link to a foreign host.
import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Mode } from '#/kernel/mode.ts'
import { everyField, evilTexts, pixel, placed, strictPlaces } from '../../test/template-fuzz.ts'
import { checkTemplate } from './check.ts'
import { defaultDocument } from './template.ts'

const full = everyField

function faultsOf(sent: unknown, mode: Mode = 'LIVE'): readonly string[] {
  const checked = checkTemplate(sent, mode)
  return checked.ok ? [] : checked.faults.map(({ pointer }) => pointer)
}

const messageOf = (sent: unknown) => {
  const checked = checkTemplate(sent, 'LIVE')
  return checked.ok ? '' : (checked.faults[0]?.message ?? '')
}

test('a template with every field is kept as written, its colour as numbers and its logo as bytes', () => {
  const checked = checkTemplate(full, 'LIVE')
  assert.ok(checked.ok)
  const { document, logo } = checked
  // CSS Color 4 defines `red` as this.
  assert.equal(document.brand.colors.accent, '#ff0000')
  assert.equal(document.cancelButton, true)
  assert.equal(logo?.type, 'image/png')
  assert.equal(logo?.bytes.toString('base64'), pixel.split(',')[1])
  assert.deepEqual(
    document.methods.map(({ method, highlight }) => [method, highlight]),
    [
      ['CRYPTO', true],
      ['PIX', false],
    ],
  )
  assert.deepEqual(document.fields, { name: 'hidden', email: 'required', phone: 'hidden', taxId: 'optional' })
  assert.ok(!('logo' in document.brand))
})

test('a name alone is a valid template: everything else is as in the default', () => {
  const checked = checkTemplate({ name: 'Plain' }, 'LIVE')
  assert.ok(checked.ok)
  const { name: _, fields, ...rest } = checked.document
  const { name: __, fields: ___, ...kept } = defaultDocument
  assert.deepEqual(rest, kept)
  assert.deepEqual(Object.values(fields), ['hidden', 'hidden', 'hidden', 'hidden'])
})

test('the template in the documentation is valid', async () => {
  const page = await readFile(new URL('../../docs/checkout.md', import.meta.url), 'utf8')
  const [, example = ''] = /```json\n([^`]+)```/.exec(page) ?? []
  const { brand, ...rest } = JSON.parse(example) as { brand: { logoFile: string } }
  const { logoFile: _, ...shown } = brand
  assert.deepEqual(faultsOf({ ...rest, brand: shown }), [])
})

test('every fault has its place', () => {
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{ name: undefined }, ['/name']],
    [{ name: '' }, ['/name']],
    [{ colour: 'red' }, ['/colour']],
    [{ brand: { theme: 'neon' } }, ['/brand/theme']],
    [{ brand: { font: 'x; } body { display: none' } }, ['/brand/font']],
    [{ brand: { radius: 25 } }, ['/brand/radius']],
    [{ brand: { radius: '8px' } }, ['/brand/radius']],
    [{ brand: { css: 'a' } }, ['/brand/css']],
    [{ brand: { colors: { accent: 'red' } } }, ['/brand/colors/accent']],
    [{ languages: { enabled: ['fr'] } }, ['/languages/enabled/0']],
    [{ languages: { default: 'es', enabled: ['en'] } }, ['/languages/default']],
    [{ timeZone: 'Mars/Olympus' }, ['/timeZone']],
    [{ fields: { name: 'maybe' } }, ['/fields/name']],
    [{ address: 'home' }, ['/address']],
    [{ methods: [] }, ['/methods']],
    [{ methods: [{ method: 'PIX', enabled: false }] }, ['/methods']],
    [{ methods: [{ method: 'CASH' }] }, ['/methods/0/method']],
    [{ methods: [{ method: 'PIX' }, { method: 'PIX' }] }, ['/methods/1/method']],
    [{ methods: [{ method: 'PIX', limits: { BRL: { min: 2, max: 1 } } }] }, ['/methods/0/limits/BRL']],
    [{ methods: [{ method: 'PIX', limits: { GBP: {} } }] }, ['/methods/0/limits/GBP']],
    [{ methods: [{ method: 'PIX', limits: { EUR: {} } }], currencies: ['BRL'] }, ['/methods/0/limits/EUR']],
    [{ methods: [{ method: 'PIX', limits: { BRL: {}, EUR: {} } }] }, ['/methods/0/limits/EUR']],
    [
      { methods: [{ method: 'CREDIT_CARD' }, { method: 'PIX' }], currencies: ['EUR', 'USD'] },
      ['/methods/1/method'],
    ],
    [
      {
        methods: [
          { method: 'PIX', highlight: true },
          { method: 'CREDIT_CARD', highlight: true },
        ],
      },
      ['/methods/1/highlight'],
    ],
    [{ currencies: [] }, ['/currencies']],
    [{ currencies: ['BNB'] }, ['/currencies/0']],
    [{ texts: { en: { title: 'x'.repeat(501) } } }, ['/texts/en/title']],
    [{ texts: { en: { title: 'a\u202eb' } } }, ['/texts/en/title']],
    [{ texts: { fr: {} } }, ['/texts/fr']],
    [{ support: { email: 'no' } }, ['/support/email']],
    [{ support: { url: 'javascript:alert(1)' } }, ['/support/url']],
    [{ legal: { termsUrl: 'data:text/html,x' } }, ['/legal/termsUrl']],
    [{ legal: { privacyUrl: '//evil.example' } }, ['/legal/privacyUrl']],
    [{ urls: { success: 'http://shop.example' } }, ['/urls/success']],
    [{ urls: { success: 'https://ana:secret@shop.example' } }, ['/urls/success']],
    [{ urls: { cancel: 'https://evil.example', allowedHosts: ['shop.example'] } }, ['/urls/cancel']],
    [
      { urls: { cancel: 'https://shop.example.evil.example', allowedHosts: ['*.shop.example'] } },
      ['/urls/cancel'],
    ],
    [{ urls: { allowedHosts: ['https://shop.example'] } }, ['/urls/allowedHosts/0']],
    [{ urls: { allowedHosts: ['*'] } }, ['/urls/allowedHosts/0']],
    [{ autoReturnSeconds: -1 }, ['/autoReturnSeconds']],
    [{ cancelButton: 'yes' }, ['/cancelButton']],
    [{ expiry: { PIX: 59 } }, ['/expiry/PIX']],
    [{ expiry: { MB_WAY: 241, PARTNER_PAY: 3_601 } }, ['/expiry/MB_WAY', '/expiry/PARTNER_PAY']],
    [{ name: 'a\0b' }, ['/name']],
    [{ radius: 1, theme: 'x' }, ['/radius', '/theme']],
  ]
  for (const [more, pointers] of cases)
    assert.deepEqual(faultsOf({ name: 'x', ...more }).toSorted(), pointers, JSON.stringify(more))
  for (const sent of [null, [], 'x', 5]) assert.deepEqual(faultsOf(sent), [''])
})

test('a method that is switched off may lack a currency, and its highlight does not count', () => {
  const methods = [
    { method: 'PIX', enabled: false, highlight: true },
    { method: 'MB_WAY', highlight: true },
  ]
  assert.deepEqual(faultsOf({ name: 'x', methods, currencies: ['EUR'] }), [])
})

test('a template that lists no methods has those that its currencies take, and its own document is accepted again', () => {
  const checked = checkTemplate({ name: 'x', currencies: ['USDT'] }, 'LIVE')
  assert.ok(checked.ok)
  const { document } = checked
  assert.deepEqual(
    document.methods.map(({ method }) => method),
    ['CRYPTO', 'PARTNER_PAY'],
  )
  assert.equal(document.localFirst, true)
  assert.deepEqual(checkTemplate(document, 'LIVE'), checked)
})

test('faults say what to write instead', () => {
  assert.equal(messageOf({ name: 'x', brand: { theme: 'neon' } }), 'This is one of light, dark, auto.')
  assert.equal(messageOf({ name: 'x', colour: 1 }), 'There is no such field.')
  assert.equal(messageOf({}), 'This is missing.')
  assert.equal(
    messageOf({ name: 'x', methods: [{ method: 'CRYPTO' }], currencies: ['BRL'] }),
    'CRYPTO takes USDT, USD, and the template has none of these.',
  )
  assert.match(
    messageOf({ name: 'x', brand: { theme: 'light', colors: { accent: '#ffee88' } } }),
    /^Its contrast on the light page is 1\.\d\d:1, and 3:1 is needed to see a button\. Choose a darker one, such as #[0-9a-f]{6}\.$/,
  )
})

test('the colour that a refusal proposes is accepted', () => {
  for (const [theme, accent] of [
    ['light', '#ffee88'],
    ['dark', '#201030'],
  ]) {
    const message = messageOf({ name: 'x', brand: { theme, colors: { accent } } })
    const [better] = /#[0-9a-f]{6}/.exec(message) ?? []
    assert.ok(better !== undefined, message)
    assert.deepEqual(faultsOf({ name: 'x', brand: { theme, colors: { accent: better } } }), [])
  }
})

test('a sandbox may link to this machine without TLS, and a live merchant may not', () => {
  for (const url of ['http://127.0.0.1:8080/x', 'http://localhost', 'http://[::1]:3000']) {
    assert.deepEqual(faultsOf({ name: 'x', urls: { success: url } }, 'SANDBOX'), [], url)
    assert.deepEqual(faultsOf({ name: 'x', urls: { success: url } }), ['/urls/success'], url)
  }
  for (const url of ['http://127.0.0.1.evil.example', 'http://localhost.evil.example', 'http://10.0.0.1'])
    assert.deepEqual(faultsOf({ name: 'x', urls: { success: url } }, 'SANDBOX'), ['/urls/success'], url)
})

test('a logo is an image by its bytes, small in file size and in pixels, and never SVG', () => {
  const logo = (url: string) => faultsOf({ name: 'x', brand: { logo: url } })
  const png = Buffer.from(pixel.split(',')[1] ?? '', 'base64')
  const of = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`
  assert.deepEqual(logo(pixel), [])
  const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080010001001011100ffd9', 'hex')
  assert.deepEqual(logo(of('jpeg', jpeg)), [])
  const webp = Buffer.alloc(30)
  webp.write('RIFF', 0)
  webp.write('WEBPVP8X', 8)
  assert.deepEqual(logo(of('webp', webp)), [])
  const huge = Buffer.from(png)
  huge.writeUInt32BE(30_000, 16)
  for (const url of [
    'https://shop.example/logo.png',
    `data:image/svg+xml;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`,
    of('png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    of('jpeg', png),
    of('png', png.subarray(0, 16)),
    of('png', huge),
    of('png', Buffer.concat([png, randomBytes(65_536)])),
    `${pixel}"><script>`,
    `data:image/png,${png.toString('latin1')}`,
  ])
    assert.deepEqual(logo(url), ['/brand/logo'], url.slice(0, 60))
})

test('in what is kept of any template, only texts may hold markup or style', () => {
  for (const place of strictPlaces)
    for (const value of evilTexts)
      assert.notDeepEqual(faultsOf(placed(full, place, value)), [], `${place.join('/')} ${value}`)
  // Random changes of valid colours: only a colour in numbers is ever accepted.
  for (let n = 0; n < 2_000; n += 1) {
    const base = n % 2 === 0 ? '#b55a2b' : 'oklch(0.58 0.13 45)'
    const cut = randomInt(base.length + 1)
    const accent = base.slice(0, cut) + randomBytes(2).toString('latin1') + base.slice(cut + (n % 3))
    const checked = checkTemplate({ name: 'x', brand: { colors: { accent } } }, 'LIVE')
    if (checked.ok) assert.match(checked.document.brand.colors.accent, /^#[0-9a-f]{6}$/)
  }
})
