import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatePixPayload, getPixPayloadInfo } from '@brazilian-utils/brazilian-utils'
import { crcOf, dynamicCode, readCode } from './br-code.ts'

/** BACEN, Manual de Padrões para Iniciação do Pix, §2.6.3 and §2.7.2. */
const manualStatic =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D'
const manualDynamic =
  '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4'

test('the checksum is CRC-16/CCITT-FALSE', () => {
  // The check value of the catalogue of CRC algorithms (CRC-16/IBM-3740).
  assert.equal(crcOf('123456789'), '29B1')
})

test('the dynamic code of the manual is written to the byte', () => {
  const location = 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441'
  assert.equal(dynamicCode(location, { name: 'Fulano de Tal', city: 'BRASILIA' }), manualDynamic)
})

test('another library writes the same, and reads what is written', () => {
  const locations = [
    'bank.example.com/qr/9d36b84fc70b478fb95c12729b90ca25',
    'pix.localhost/qr/0123456789abcdef',
  ]
  for (const url of locations) {
    const receiver = { name: 'Loja Simulada', city: 'SAO PAULO' }
    const code = dynamicCode(url, receiver)
    assert.equal(code, generatePixPayload({ url, merchantName: receiver.name, merchantCity: receiver.city }))
    const odd = ['Padaria São João & Irmãos, Comércio de Pães', 'A', '  Ção  ', '日本']
    for (const name of odd) {
      const read = getPixPayloadInfo(dynamicCode(url, { name, city: 'São José dos Campos do Jordão' }))
      assert.equal(read?.url, url, name)
    }
  }
})

test('static and dynamic codes are parsed', () => {
  assert.deepEqual(readCode(manualDynamic), { location: 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441' })
  assert.deepEqual(readCode(manualStatic), { pixKey: '123e4567-e12b-12d1-a456-426655440000' })
  // thalesog/pix-utils, tests/emvCodes.ts (MIT): with an amount.
  const withAmount =
    '00020126510014br.gov.bcb.pix0115thalesog@me.com0210Pedido 123520400005303986540510.005802BR5914THALES OGLIARI6015SAO MIGUEL DO O62070503***63040DC6'
  assert.deepEqual(readCode(withAmount), { pixKey: 'thalesog@me.com', amount: '10.00' })
})

test('an invalid code is refused', () => {
  const wrong = {
    'one nibble of the checksum changed': `${manualStatic.slice(0, -1)}E`,
    // bacen/pix-api issue 189, and two tutorials that print a wrong checksum.
    'a length that is wrong':
      '0020101021226990014br.gov.bcb.pix2577qrcode.pix.bancobmg.com.br/qrs1/01mWFiCMHqRMdrkzWFWazsiurgfoqpsJFbuXx3IcpRqfj52040000530398654040.015802BR5917JEFFERSON F SOUZA6009SAO PAULO62290525QRS1-F5CMMUTDLOVWF8UBT7Q4630413DF',
    'the checksum of pixcore’s page':
      '00020126360014BR.GOV.BCB.PIX0114+5561999999999520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***6304E3A2',
    'a key and a location':
      '00020101021226500014br.gov.bcb.pix0107a@b.com2517pix.example.com/x5204000053039865802BR5901A6001B62070503***63049A4B',
    'a location with a scheme':
      '00020101021226470014br.gov.bcb.pix2525https://pix.example.com/x5204000053039865802BR5901A6001B62070503***6304F843',
    nothing: '',
  }
  for (const [why, text] of Object.entries(wrong)) assert.equal(readCode(text), undefined, why)
})
