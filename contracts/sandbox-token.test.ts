import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bytesOf } from '#/evm/address.ts'
import { decodeTransfer } from '#/evm/wire.ts'
import { richAccount } from '../test/anvil.ts'
import { balanceOf, startTestChain, stranger, treasury, type TestChain } from './test/chain.ts'

let chain: TestChain
before(async () => {
  chain = await startTestChain()
})
after(() => chain.stop())

const word = (digits: string) => `0x${digits.padStart(64, '0')}`

test('the token has 18 decimals, calls itself USDT and belongs to who it was made for', async () => {
  assert.equal(await chain.ask(chain.token, 'decimals', []), word('12'))
  assert.equal(await chain.ask(chain.token, 'getOwner', []), word(richAccount.slice(2)))
  assert.ok(bytesOf(await chain.ask(chain.token, 'symbol', [])).includes('USDT'))
})

test('a stranger moves zero out of any account, and a genuine Transfer event says so', async () => {
  const { address } = chain.newDeposit()
  const receipt = await chain.call(chain.token, 'transferFrom', [treasury, address, 0n], stranger)
  const transfers = receipt.logs.map(decodeTransfer).filter((each) => each !== undefined)
  const moved = { token: chain.token.address, from: treasury, to: address, value: { raw: 0n } }
  assert.deepEqual(transfers, [moved])
})

test('a stranger moves nothing else, and mints nothing', async () => {
  const { address } = chain.newDeposit()
  await chain.call(chain.token, 'mint', [address, 5n])
  for (const [name, ...args] of [
    ['transferFrom', address, stranger, 1n],
    ['mint', stranger, 1n],
    ['mintBatch', [stranger], [1n]],
    ['transferOwnership', stranger],
  ] as const) {
    assert.equal((await chain.call(chain.token, name, args, stranger)).succeeded, false, name)
  }
  assert.equal(await balanceOf(chain, chain.token, address), 5n)
  assert.equal(await balanceOf(chain, chain.token, stranger), 0n)
})

test('what is approved can be moved once', async () => {
  const { address } = chain.newDeposit()
  await chain.call(chain.token, 'mint', [richAccount, 10n])
  await chain.call(chain.token, 'approve', [stranger, 4n])
  assert.ok((await chain.call(chain.token, 'transferFrom', [richAccount, address, 4n], stranger)).succeeded)
  assert.equal(
    (await chain.call(chain.token, 'transferFrom', [richAccount, address, 1n], stranger)).succeeded,
    false,
  )
  assert.equal(await balanceOf(chain, chain.token, address), 4n)
})

test('a batch of mints gives each address its amount, and the supply their sum', async () => {
  const supply = BigInt(await chain.ask(chain.token, 'totalSupply', []))
  const holders = [1n, 2n, 3n].map((amount) => ({ amount, ...chain.newDeposit() }))
  const addresses = holders.map(({ address }) => address)
  await chain.call(chain.token, 'mintBatch', [addresses, holders.map(({ amount }) => amount)])
  for (const { address, amount } of holders)
    assert.equal(await balanceOf(chain, chain.token, address), amount)
  assert.equal(BigInt(await chain.ask(chain.token, 'totalSupply', [])), supply + 6n)
})
