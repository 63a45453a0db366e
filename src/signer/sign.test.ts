import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { sign } from './sign.ts'
import type { Transaction } from './transaction.ts'

// The example of EIP-155, with the private key that it publishes.
const secret = Buffer.alloc(32, 0x46)
const signer = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const example: Transaction = {
  key: signer,
  chainId: 1n,
  nonce: 9n,
  to: '0x3535353535353535353535353535353535353535',
  value: 10n ** 18n,
  data: '0x',
  gas: 21_000n,
  fees: { gasPrice: 20n * 10n ** 9n },
  reference: 'example',
}

test('a legacy transaction is signed as EIP-155 shows it, byte for byte', async () => {
  const { raw } = await sign(example, secret)
  assert.equal(
    raw,
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080' +
      '25a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276' +
      'a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
  )
})

test('an EIP-1559 transaction carries the request and its signer’s signature, and is the same every time', async () => {
  const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 50_000_000n }
  const tx: Transaction = {
    ...example,
    chainId: 31_337n,
    nonce: 2n ** 40n,
    value: 0n,
    data: '0xa9059cbb',
    fees,
  }
  const { raw, hash } = await sign(tx, secret)
  assert.equal(hash, keccak256(raw))
  assert.ok(raw.startsWith('0x02'))
  const { type, chainId, nonce, to, value, data, gas, maxFeePerGas, maxPriorityFeePerGas } =
    parseTransaction(raw)
  assert.deepEqual(
    { type, chainId, nonce, to, value: value ?? 0n, data, gas, maxFeePerGas, maxPriorityFeePerGas },
    {
      type: 'eip1559',
      chainId: 31_337,
      nonce: 2 ** 40,
      to: tx.to,
      value: 0n,
      data: tx.data,
      gas: tx.gas,
      ...fees,
    },
  )
  const recovered = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
  assert.equal(recovered.toLowerCase(), signer)
  assert.deepEqual(await sign(tx, secret), { raw, hash })
})
