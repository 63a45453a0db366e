import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generatePixPayload, getPixPayloadInfo } from '@brazilian-utils/brazilian-utils'
import { fc } from '../../../test/chance.ts'
import vectors from '../../../test/rails/pix/br-code-vectors.json' with { type: 'json' }
import { buildBrCode, crc16, isLocation, parseBrCode, type BrCode } from './br-code.ts'

const payloadOf = (name: string) =>
  vectors.valid.find((vector) => vector.name === name)?.payload ?? assert.fail(name)

function codeOf(text: string): BrCode {
  const parsed = parseBrCode(text)
  return parsed.ok ? parsed.code : assert.fail(parsed.fault)
}

/** A published or hand-made text with its correct checksum, for faults other than the checksum's. */
const sealed = (body: string) => `${body}6304${crc16(`${body}6304`)}`
const fulano = { name: 'Fulano de Tal', city: 'BRASILIA' }
const key = '123e4567-e12b-12d1-a456-426655440000'

test('the checksum is the one of its standard', () => {
  assert.equal(crc16('123456789'), '29B1')
})

describe('the published codes', () => {
  for (const { name, payload, kind } of vectors.valid) {
    test(`${name} is read`, () => {
      const expected = kind.startsWith('static') || kind === 'composite-static' ? 'STATIC' : 'DYNAMIC'
      const { kind: found } = codeOf(payload)
      assert.equal(found, kind === 'composite-rec' ? 'RECURRENCE' : expected)
    })
  }

  // Further properties: an arrangement that is not Pix, over-long or odd fields, an amount in a dynamic code.
  const irregular = new Set(['static-multi', 'static-lenient', 'dynamic-deviant'])
  for (const { name, payload } of vectors.valid.filter((vector) => !irregular.has(vector.kind))) {
    test(`${name} is written byte for byte`, () => {
      assert.equal(buildBrCode(codeOf(payload)), payload)
    })
  }

  for (const { why, payload } of vectors.invalid) {
    test(`refused: ${why}`, () => assert.equal(parseBrCode(payload).ok, false))
  }
})

const account = '26270014br.gov.bcb.pix0105a@b.c'
const payee = '5802BR5901A6001B62070503***'
const consent = (id: number) => `${id}270014br.gov.bcb.pix2505a.b/c`

describe('the content of codes', () => {
  test("the manual's static code, from its parts", () => {
    const code = { kind: 'STATIC', key, receiver: fulano } as const
    assert.equal(buildBrCode(code), payloadOf('bacen-manual-static'))
    assert.deepEqual(codeOf(payloadOf('bacen-manual-static')), code)
  })

  test("the manual's dynamic code, from its parts", () => {
    const url = 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441'
    const code = { kind: 'DYNAMIC', url, use: 'SINGLE_USE', receiver: fulano } as const
    assert.equal(buildBrCode(code), payloadOf('bacen-manual-dynamic'))
    assert.deepEqual(codeOf(payloadOf('bacen-manual-dynamic')), code)
  })

  test("the manual's composite code: an amount and a consent", () => {
    assert.deepEqual(codeOf(payloadOf('bacen-manual-static+rec')), {
      kind: 'STATIC',
      key,
      amount: 10050n,
      receiver: fulano,
      recurrenceUrl: 'pix.example.com/rec/2353c790eefb11eaadc10242ac120002',
    })
  })

  test('a Pix Saque names the institution that pays out the cash', () => {
    assert.deepEqual(codeOf(payloadOf('pix-utils-static-fss')), {
      kind: 'STATIC',
      key: '64004901d-bd85-4769-8e52-cb4c42c506dc'.slice(1),
      info: 'Jornada pagador 43107',
      withdrawalIspb: '99999008',
      amount: 57757n,
      txid: '99ed983ea570413d8d336301d',
      receiver: { name: 'Pix', city: 'BRASILIA' },
    })
  })

  test('amount and txid of a dynamic code mean nothing', () => {
    assert.deepEqual(codeOf(payloadOf('woovi-docs-dynamic-with-54-and-txid')), {
      kind: 'DYNAMIC',
      url: 'qr-h.woovi.digital/qr/v2/cob/9fb5f17d-d687-4337-88cd-2abd98f9d43b',
      use: 'SINGLE_USE',
      receiver: { name: 'Teste_Description', city: 'Sao_Paulo' },
    })
  })

  test('of several arrangements, the one of Pix counts, in any spelling', () => {
    assert.deepEqual(codeOf(payloadOf('bacen-brcode-manual-multi')), {
      kind: 'STATIC',
      key,
      amount: 12345n,
      txid: 'RP12345678-2019',
      receiver: { name: 'NOME DO RECEBEDOR', city: 'BRASILIA', postalCode: '70074900' },
    })
  })

  for (const [text, minor] of [
    ['10', 1_000n],
    ['10.', 1_000n],
    ['0.5', 50n],
    ['9999999999.99', 999_999_999_999n],
    ['0.00', undefined],
  ] as const) {
    test(`an amount written ${text} is ${minor}`, () => {
      const length = text.length.toString().padStart(2, '0')
      const body = `000201${account}52040000530398654${length}${text}${payee}`
      const code = codeOf(sealed(body))
      assert.equal(code.kind === 'STATIC' ? code.amount : assert.fail(), minor)
    })
  }
})

test('an account has any of the ids from 26 to 51, and a consent any from 80 to 99', () => {
  const real = '520400005303986'
  for (const id of [26, 51])
    assert.equal(codeOf(sealed(`000201${id}${account.slice(2)}${real}${payee}`)).kind, 'STATIC')
  for (const id of [80, 99])
    assert.equal(codeOf(sealed(`000201${real}${payee}${consent(id)}`)).recurrenceUrl, 'a.b/c')
  for (const id of [25, 52, 79])
    assert.equal(parseBrCode(sealed(`000201${id}${account.slice(2)}5303986${payee}`)).ok, false)
})

test('a code without a txid has none', () => {
  const body = `000201${account}5204000053039865802BR5901A6001B`
  assert.deepEqual(codeOf(sealed(body)), { kind: 'STATIC', key: 'a@b.c', receiver: { name: 'A', city: 'B' } })
})

test('a code has at most 512 characters', () => {
  const body = `000201${account}520400005303986${payee}`
  const filled = (length: number) => {
    let text = body
    for (let id = 65; length - 8 - text.length > 0; id++) {
      const size = Math.min(99, length - 8 - text.length - 4)
      text += `${id}${String(size).padStart(2, '0')}${'x'.repeat(size)}`
    }
    return sealed(text)
  }
  assert.deepEqual(
    [512, 513].map((length) => [filled(length).length, parseBrCode(filled(length)).ok]),
    [
      [512, true],
      [513, false],
    ],
  )
})

describe('refused although the checksum is right', () => {
  const kind = '52040000'
  const real = `${kind}5303986`
  for (const [why, body, fault] of [
    ['another currency', `000201${account}${kind}5303840${payee}`, /currency/],
    ['another country', `000201${account}${real}5802PT5901A6001B`, /country/],
    ['no city', `000201${account}${real}5802BR5901A`, /receiver/],
    ['another object before the version', `010201000201${account}${real}${payee}`, /version/],
    ['two consents', `000201${consent(80)}${consent(99)}${real}${payee}`, /two accounts/],
    ['no receiver', `000201${account}${real}5802BR6001B`, /receiver/],
    ['neither key nor URL', `00020126180014br.gov.bcb.pix${real}${payee}`, /neither/],
    ['no account for Pix', `00020126100006br.xyz${real}${payee}`, /neither/],
    ['two accounts for Pix', `000201${account}27${account.slice(2)}${real}${payee}`, /two accounts/],
    ['an id twice', `000201${account}${account}${real}${payee}`, /each once/],
    ['a length that goes over the end', `000201${account}${real}${payee}8099ab`, /whole objects/],
    ['an amount with three decimals', `000201${account}${real}54051.005${payee}`, /amount/],
    ['a negative amount', `000201${account}${real}5405-1.00${payee}`, /amount/],
    ['another version', `000202${account}${real}${payee}`, /version/],
    ['the version not first', `${account}000201${real}${payee}`, /version/],
  ] as const) {
    test(why, () => {
      const parsed = parseBrCode(sealed(body))
      assert.match(parsed.ok ? 'accepted' : parsed.fault, fault)
    })
  }

  test('reading any text ends in a verdict', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600 }), (text) => {
        parseBrCode(text)
        parseBrCode(sealed(text))
      }),
      { numRuns: 300 },
    )
  })

  test('any single character changed breaks a code', () => {
    const payload = payloadOf('bacen-manual-dynamic')
    fc.assert(
      fc.property(fc.nat({ max: payload.length - 1 }), fc.constantFrom('0', '7', 'x', 'Q'), (at, other) => {
        const changed = payload.slice(0, at) + other + payload.slice(at + 1)
        assert.equal(parseBrCode(changed).ok, changed === payload)
      }),
    )
  })
})

describe('never written', () => {
  const good = { kind: 'STATIC', key, receiver: fulano } as const
  const place = { kind: 'DYNAMIC', url: 'pix.example.com/x', receiver: fulano } as const
  for (const [why, code] of [
    ['a name over 25 characters', { ...good, receiver: { ...fulano, name: 'A'.repeat(26) } }],
    ['a city over 15 characters', { ...good, receiver: { ...fulano, city: 'Presidente Prudente' } }],
    ['a name that has no plain form', { ...good, receiver: { ...fulano, name: '商店' } }],
    ['no name', { ...good, receiver: { ...fulano, name: '' } }],
    ['a postal code over 8 characters', { ...good, receiver: { ...fulano, postalCode: '70074-900' } }],
    ['a txid with other characters', { ...good, txid: 'a b-c' }],
    ['a static txid over 25 characters', { ...good, txid: 'a'.repeat(26) }],
    ['nothing as an amount', { ...good, amount: 0n }],
    ['less than nothing', { ...good, amount: -1n }],
    ['an amount over 13 characters', { ...good, amount: 1_000_000_000_000n }],
    ['a key over 77 characters', { ...good, key: 'a'.repeat(78) }],
    ['a key and an information that do not fit together', { ...good, info: 'i'.repeat(60) }],
    ['a static code for one use', { ...good, use: 'SINGLE_USE' }],
    ['a URL with a scheme', { ...place, url: 'https://pix.example.com/x' }],
    ['a URL without a path', { ...place, url: 'pix.example.com' }],
    ['a URL over 77 characters', { ...place, url: `pix.example.com/${'x'.repeat(62)}` }],
    ['a consent at a PSP of nearly the same name', { ...place, recurrenceUrl: 'qix.example.com/rec/x' }],
    ['a city of 16 characters', { ...good, receiver: { ...fulano, city: 'B'.repeat(16) } }],
    ['a consent at another PSP', { ...place, recurrenceUrl: 'other.example.com/rec/x' }],
  ] as const) {
    test(why, () => assert.throws(() => buildBrCode(code), { name: 'InvariantError' }))
  }

  test('accents are removed before the length is checked', () => {
    const text = buildBrCode({ ...good, receiver: { name: 'Açúcar e Café da Praça SA', city: 'São Paulo' } })
    assert.match(text, /5925Acucar e Cafe da Praca SA6009Sao Paulo/)
  })
})

describe('compared with another implementation', () => {
  const word = fc.stringMatching(/^[A-Za-z]{1,5}( [A-Za-z]{1,4}){0,2}$/)
  const receiver = fc.record({ name: word, city: word }, { noNullPrototype: true })
  const txid = fc.stringMatching(/^[a-zA-Z0-9]{1,25}$/)
  // Up to the amounts that the other implementation's floats represent exactly.
  const amount = fc.bigInt({ min: 1n, max: 99_999_999_99n })
  const url = fc.stringMatching(/^[a-z]{3,10}\.example\.com\/[a-z0-9]{1,40}$/)

  test('a static code is the same to the byte, and read the same', () => {
    fc.assert(
      fc.property(fc.uuid(), receiver, fc.option(txid), fc.option(amount), (pixKey, to, id, minor) => {
        const parts = { ...(id === null ? {} : { txid: id }), ...(minor === null ? {} : { amount: minor }) }
        const ours = buildBrCode({ kind: 'STATIC', key: pixKey, receiver: to, ...parts })
        const theirs = generatePixPayload({
          key: pixKey,
          merchantName: to.name,
          merchantCity: to.city,
          ...(id === null ? {} : { txid: id }),
          ...(minor === null ? {} : { amount: Number(minor) / 100 }),
        })
        assert.equal(ours, theirs)
        const read = getPixPayloadInfo(ours)
        assert.equal(read?.key, pixKey)
        assert.equal(read?.amount, minor === null ? undefined : Number(minor) / 100)
        assert.deepEqual(codeOf(ours), { kind: 'STATIC', key: pixKey, receiver: to, ...parts })
      }),
    )
  })

  test('a dynamic code is the same to the byte, and read the same', () => {
    fc.assert(
      fc.property(url, receiver, (place, to) => {
        const code = { kind: 'DYNAMIC', url: place, use: 'SINGLE_USE', receiver: to } as const
        const ours = buildBrCode(code)
        assert.equal(ours, generatePixPayload({ url: place, merchantName: to.name, merchantCity: to.city }))
        assert.equal(getPixPayloadInfo(ours)?.url, place)
        assert.deepEqual(codeOf(ours), code)
      }),
    )
  })
})

test('a location is a host and a path', () => {
  const locations = [
    'pix.example.com/qr/1',
    'localhost:8443/qr/1',
    'https://pix.example.com/qr',
    'pix',
    '/x',
    'a b.com/x',
    '',
    'pix.example.com/x://y',
    `pix.example.com/${'x'.repeat(61)}`,
    `pix.example.com/${'x'.repeat(62)}`,
  ]
  const verdicts = [true, true, false, false, false, false, false, false, true, false]
  assert.deepEqual(locations.map(isLocation), verdicts)
})
