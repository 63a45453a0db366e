// Addresses on an EVM chain that are known before deployment: deposit addresses, our factory and its forwarder.
// Pure: an address is a hash of constants and a payment's id, so it needs no key, no pool, no lock and no storage.
// contracts/ForwarderFactory.sol computes the same.
import type { Hex } from 'viem'
import { invariant } from '#/kernel/check.ts'
import { keccakHex, parseAddress, type EvmAddress } from '#/kernel/evm-address.ts'
import { isUuid } from '#/kernel/id.ts'
import { artifacts } from './artifacts.ts'

export { parseAddress, readAddress, readRecipient, toChecksum } from '#/kernel/evm-address.ts'

/** Twenty bytes as 0x and 40 digits, in lower case. What people write is read by kernel/evm-address.ts. */
export type Address = EvmAddress

/**
 * The deterministic deployer (github.com/Arachnid/deterministic-deployment-proxy): the same address on every chain. It
 * creates `calldata[32..]` with the salt `calldata[..32]`, so its deployments have the same address on every chain too.
 */
export const deterministicDeployer: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

const zeroSalt: Hex = `0x${'00'.repeat(32)}`

/** A factory on a chain, and the code behind its clones. */
export type Place = { readonly chainId: bigint; readonly factory: Address; readonly implementation: Address }

/**
 * The deposit addresses of one place as a function of the payment, equal to `depositAddress` of `depositSalt`. For the hot path:
 * the constants are prepared once, and a call hashes twice.
 */
export function createDepositAddresses({ chainId, factory, implementation }: Place): (id: string) => Address {
  const saltInput = saltPreimage(chainId)
  const addressInput = create2Preimage(factory, cloneCodeHash(implementation))
  return (id) => {
    writeUuid(saltInput, id)
    addressInput.write(keccakHex(saltInput), create2SaltAt, 'hex')
    return `0x${keccakHex(addressInput).slice(24)}`
  }
}

/** The address of the clone that `factory` deploys with `salt` (EIP-1014 of the EIP-1167 clone of `implementation`). */
export function depositAddress(at: { factory: Address; implementation: Address; salt: Hex }): Address {
  return create2Address(at.factory, at.salt, cloneCodeHash(at.implementation))
}

/**
 * The salt of a payment: `keccak256(abi.encode(bytes32("vintem.deposit.v1"), uint256 chainId, bytes16 paymentId))`.
 * - Three words of fixed length: no two inputs share an encoding, another use of the hash cannot collide, and Solidity computes
 *   it in one line.
 * - A hash, although 32 bytes could hold both numbers: a sweep publishes its salts, and must not reveal the id of a payment or its
 *   time of creation (UUIDv7).
 */
export function depositSalt(chainId: bigint, id: string): Hex {
  const input = saltPreimage(chainId)
  writeUuid(input, id)
  return keccak(input)
}

/** The factory for a treasury. It depends on the treasury and on our compiled bytes alone, not on who deploys it. */
export function factoryAddress(treasury: Address): Address {
  return create2Address(deterministicDeployer, zeroSalt, keccak(bytesOf(factoryCreation(treasury))))
}

/** The forwarder that the factory of this treasury creates for itself. */
export function implementationAddress(treasury: Address): Address {
  const creation = withArgument(artifacts.DepositForwarder.creationCode, treasury)
  return create2Address(factoryAddress(treasury), zeroSalt, keccak(bytesOf(creation)))
}

/** The sandbox's token for its owner. */
export function sandboxTokenAddress(owner: Address): Address {
  return create2Address(deterministicDeployer, zeroSalt, keccak(bytesOf(sandboxTokenCreation(owner))))
}

/** Creation code of the factory for a treasury, its argument included. */
export function factoryCreation(treasury: Address): Hex {
  return withArgument(artifacts.ForwarderFactory.creationCode, treasury)
}

/** Creation code of the sandbox's token, its owner included. */
export function sandboxTokenCreation(owner: Address): Hex {
  return withArgument(artifacts.SandboxToken.creationCode, owner)
}

/** The calldata with which the deterministic deployer deploys `creation` at the address that this file computes. */
export function deploymentData(creation: Hex): Hex {
  return `${zeroSalt}${creation.slice(2)}`
}

/** Hash of the creation code of the EIP-1167 clone of `implementation`. */
export function cloneCodeHash(implementation: Address): Hex {
  const code = `3d602d80600a3d3981f3363d3d373d3d3d363d73${digitsOf(implementation)}5af43d82803e903d91602b57fd5bf3`
  return keccak(Buffer.from(code, 'hex'))
}

/** The CREATE2 address of code of `deployer` (EIP-1014): the last 20 bytes of keccak256(0xff ‖ deployer ‖ salt ‖ code hash). */
export function create2Address(deployer: Address, salt: Hex, creationCodeHash: Hex): Address {
  const input = create2Preimage(deployer, creationCodeHash)
  invariant(salt.length === 66, 'a salt has 32 bytes')
  input.write(salt.slice(2), create2SaltAt, 'hex')
  return `0x${keccakHex(input).slice(24)}`
}

/** The bytes of a hex text. */
export function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}

/** Bytes as lower-case hex. */
export function hexOf(bytes: Buffer): Hex {
  return `0x${bytes.toString('hex')}`
}

/** Keccak-256 as in Ethereum (with the padding from before SHA-3). */
export function keccak(bytes: Uint8Array): Hex {
  return `0x${keccakHex(bytes)}`
}

const uuidAt = 64
const create2SaltAt = 21

function saltPreimage(chainId: bigint): Buffer {
  const input = Buffer.alloc(96)
  input.write('vintem.deposit.v1', 0, 'latin1')
  input.write(chainId.toString(16).padStart(64, '0'), 32, 'hex')
  return input
}

function writeUuid(input: Buffer, id: string): void {
  invariant(isUuid(id), 'a payment id is a UUID in lower case')
  const digits = id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24)
  input.write(digits, uuidAt, 'hex')
}

function create2Preimage(deployer: Address, creationCodeHash: Hex): Buffer {
  const input = Buffer.alloc(85)
  input[0] = 0xff
  input.write(digitsOf(deployer), 1, 'hex')
  input.write(creationCodeHash.slice(2), 53, 'hex')
  return input
}

/** The 40 digits in lower case. Throws for an invalid address, because a short write would leave zeros. */
function digitsOf(address: Address): string {
  const parsed = parseAddress(address)
  invariant(parsed !== undefined, 'an address has 20 bytes')
  return parsed.slice(2)
}

function withArgument(creationCode: Hex, address: Address): Hex {
  return `${creationCode}${digitsOf(address).padStart(64, '0')}`
}
