// The code against published ones: EPC069-12 and the examples that quote it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generate, correction, mode } from 'lean-qr'
import { decodeQR } from 'qr/decode.js'
import { epcText } from './epc.ts'

const published = {
  beneficiary: 'Wikimedia Foerdergesellschaft',
  iban: 'DE33100205000001194700',
  bic: 'BFSWDE33BER',
  amountMinor: 12_345n,
  reference: 'RF18539007547034',
}

test('a code has the lines of the published example; ours names no purpose', () => {
  const example =
    'BCD\n002\n1\nSCT\nBFSWDE33BER\nWikimedia Foerdergesellschaft\nDE33100205000001194700\nEUR123.45\nCHAR\nRF18539007547034'
  assert.equal(epcText(published), example.replace('CHAR', ''))
})

test('without a bic its line is empty, and nothing follows the last line', () => {
  const { bic: _, ...account } = published
  const lines = epcText({ ...account, amountMinor: 1n }).split('\n')
  assert.deepEqual([lines[4], lines[7], lines.length], ['', 'EUR0.01', 10])
})

test('the largest code is of version 13 or smaller, and can be read', () => {
  const text = epcText({
    ...published,
    beneficiary: 'ÄÖÜ€'.repeat(17).slice(0, 70),
    iban: `MT84MALT011000012345MTLCAST001S`,
    amountMinor: 99_999_999_999n,
    reference: `RF18${'5'.repeat(21)}`,
  })
  const code = generate(mode.bytes(Buffer.from(text)), {
    minCorrectionLevel: correction.M,
    maxCorrectionLevel: correction.M,
  })
  // ISO/IEC 18004: a code of version v has 17 + 4v modules a side.
  assert.ok((code.size - 17) / 4 <= 13)
  const side = code.size + 8
  const data = new Uint8Array(side * side * 16 * 4).fill(255)
  for (let y = 0; y < code.size * 4; y++)
    for (let x = 0; x < code.size * 4; x++)
      if (code.get(x >> 2, y >> 2))
        data.fill(0, ((y + 16) * side * 4 + x + 16) * 4, ((y + 16) * side * 4 + x + 16) * 4 + 3)
  assert.equal(decodeQR({ width: side * 4, height: side * 4, data }), text)
})

test('an amount that no code can hold is refused', () => {
  for (const amountMinor of [0n, 100_000_000_000n])
    assert.throws(() => epcText({ ...published, amountMinor }))
})
