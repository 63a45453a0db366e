import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { encodeAbiParameters, getContractAddress, keccak256, stringToHex } from 'viem/utils'
import { newId, type PaymentId } from '#/kernel/id.ts'
import {
  bytesOf,
  create2Address,
  createDepositAddresses,
  depositAddress,
  depositSalt,
  factoryAddress,
  implementationAddress,
  keccak,
  parseAddress,
  toChecksum,
} from './address.ts'
import { artifacts } from './artifacts.ts'

const zeroWord: Hex = `0x${'00'.repeat(32)}`
const factory: Hex = '0x00000000000000000000000000000000000000fa'
const implementation: Hex = '0xbebebebebebebebebebebebebebebebebebebebe'

test('CREATE2 addresses equal the examples in EIP-1014', () => {
  const deadbeefLast: Hex = '0x00000000000000000000000000000000deadbeef'
  const cafebabe: Hex = `0x${'cafebabe'.padStart(64, '0')}`
  const examples: readonly (readonly [Hex, Hex, Hex, string])[] = [
    [`0x${'00'.repeat(20)}`, zeroWord, '0x00', '0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38'],
    [`0xdeadbeef${'00'.repeat(16)}`, zeroWord, '0x00', '0xB928f69Bb1D91Cd65274e3c79d8986362984fDA3'],
    [
      `0xdeadbeef${'00'.repeat(16)}`,
      `0x${'00'.repeat(12)}feed${'00'.repeat(18)}`,
      '0x00',
      '0xD04116cDd17beBE565EB2422F2497E06cC1C9833',
    ],
    [`0x${'00'.repeat(20)}`, zeroWord, '0xdeadbeef', '0x70f2b2914A2a4b783FaEFb75f459A580616Fcb5e'],
    [deadbeefLast, cafebabe, '0xdeadbeef', '0x60f3f640a8508fC6a86d45DF051962668E1e8AC7'],
    [deadbeefLast, cafebabe, `0x${'deadbeef'.repeat(11)}`, '0x1d8bfDC5D46DC4f61D6b6115972536eBE6A8854C'],
    [`0x${'00'.repeat(20)}`, zeroWord, '0x', '0xE33C0C7F7df4809055C3ebA6c09CFe4BaF1BD9e0'],
  ]
  for (const [deployer, salt, creation, address] of examples) {
    assert.equal(toChecksum(create2Address(deployer, salt, keccak(bytesOf(creation)))), address)
  }
})

test('the capitals of an address equal the examples in EIP-55', () => {
  for (const address of [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ] as const) {
    assert.equal(toChecksum(`0x${address.slice(2).toLowerCase()}`), address)
    assert.equal(toChecksum(address), address)
  }
})

test('keccak is the one of Ethereum, not SHA-3', () => {
  assert.equal(keccak(Buffer.alloc(0)), '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
  for (const length of [1, 85, 135, 136, 137, 1000]) {
    const bytes = Buffer.alloc(length, length)
    assert.equal(keccak(bytes), keccak256(bytes))
  }
})

test('the salt equals Solidity’s hash of a label, the chain and the payment, one word each', () => {
  const paymentId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1' as PaymentId
  const words = encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'uint256' }, { type: 'bytes16' }],
    [stringToHex('vintem.deposit.v1', { size: 32 }), 56n, '0x019a0b1c2d3e7f408a5b6c7d8e9fa0b1'],
  )
  assert.equal(depositSalt(56n, paymentId), keccak256(words))
})

test('a deposit address is the CREATE2 address of the minimal clone, computed in one step or in two', () => {
  const addressOf = createDepositAddresses({ chainId: 31337n, factory, implementation })
  const bytecode: Hex = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`
  for (let i = 0; i < 20; i++) {
    const paymentId = newId<'payment'>()
    const salt = depositSalt(31337n, paymentId)
    const expected = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode })
    assert.equal(toChecksum(addressOf(paymentId)), expected)
    assert.equal(toChecksum(depositAddress({ factory, implementation, salt })), expected)
  }
})

test('another chain, payment, factory or forwarder gives another address, and equal inputs give the same address', () => {
  const first = newId<'payment'>()
  const places = [
    { chainId: 56n, factory, implementation },
    { chainId: 57n, factory, implementation },
    { chainId: 56n, factory: implementation, implementation },
    { chainId: 56n, factory, implementation: factory },
  ]
  const addresses = places.map((place) => createDepositAddresses(place)(first))
  const other = createDepositAddresses({ chainId: 56n, factory, implementation })
  assert.equal(new Set([...addresses, other(newId<'payment'>())]).size, 5)
  assert.equal(other(first), addresses[0])
})

test('capitals in the addresses of a place have no effect', () => {
  const paymentId = newId<'payment'>()
  const lower = createDepositAddresses({ chainId: 56n, factory, implementation })
  const mixed = createDepositAddresses({ chainId: 56n, factory, implementation: toChecksum(implementation) })
  assert.equal(mixed(paymentId), lower(paymentId))
})

test('a treasury has one factory and one forwarder, at addresses that its own constructor arguments pin', () => {
  const treasury: Hex = '0x00000000000000000000000000000000007a5e11'
  const argument = encodeAbiParameters([{ type: 'address' }], [treasury]).slice(2)
  const at = getContractAddress({
    opcode: 'CREATE2',
    from: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
    salt: zeroWord,
    bytecode: `${artifacts.ForwarderFactory.creationCode}${argument}`,
  })
  const forwarder = getContractAddress({
    opcode: 'CREATE2',
    from: at,
    salt: zeroWord,
    bytecode: `${artifacts.DepositForwarder.creationCode}${argument}`,
  })
  assert.equal(toChecksum(factoryAddress(treasury)), at)
  assert.equal(toChecksum(implementationAddress(treasury)), forwarder)
})

test('an invalid address, id or salt is refused, never padded', () => {
  assert.equal(parseAddress('0x12'), undefined)
  assert.equal(parseAddress(`0x${'g'.repeat(40)}`), undefined)
  assert.throws(() => depositSalt(56n, 'not-a-uuid'))
  assert.throws(() => create2Address('0x12', zeroWord, zeroWord))
  assert.throws(() => create2Address(factory, '0x12', zeroWord))
})
