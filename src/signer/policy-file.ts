// The policy as the operator writes it: a JSON file, read strictly. Everything that it does not allow is refused.
import { purposes, type Purpose } from './keys.ts'
import { readPrivateFile } from './private-files.ts'
import {
  address,
  bytes32,
  choice,
  decimal,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  readJson,
  recipient,
  safeMax,
  ShapeError,
  type Address,
} from './shape.ts'
import { SignerStartError } from './start-error.ts'

export type Policy = { readonly keys: readonly KeyPolicy[] }

export type KeyPolicy = {
  readonly address: Address
  /** As in the keystore: it decides which rules are valid. */
  readonly purpose: Purpose
  readonly chains: readonly ChainPolicy[]
}

/** What one key may do on one chain. Amounts are base units of the token, or wei. */
export type ChainPolicy = ReturnType<typeof readChain>

export type CallRule = ReturnType<typeof readCallRule>

/** The transfer of one token. */
export type TransferRule = ReturnType<typeof readTransferRule>

/** Reads the policy of a file. Throws SignerStartError that names the place of the first fault. */
export function readPolicyFile(path: string): Policy {
  return readPolicy(readPrivateFile(path).toString(), path)
}

/** Reads a policy from its text; error messages call it `name`. Throws SignerStartError. */
export function readPolicy(text: string, name: string): Policy {
  try {
    const policy = readJson(text, readFile, name)
    policy.keys.forEach((key, index) => checkKey(key, `${name}.keys[${index}]`))
    checkUnique(
      policy.keys.map((key) => key.address),
      `${name}.keys`,
    )
    return policy
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new SignerStartError(`${error.message}.`, 'See docs/signer.md for what a policy holds.')
  }
}

const readTransferRule = object({
  call: choice('transfer'),
  contract: address,
  maxPerDay: decimal(),
  maxPerTransfer: optional(decimal()),
  to: optional(list(recipient)),
  notTo: optional(list(address)),
})
const readCallRule = oneOf('call', {
  transfer: readTransferRule,
  sweep: object({ call: choice('sweep'), contract: address, tokens: optional(list(address)) }),
  exact: object({ call: choice('exact'), contract: address, dataHash: bytes32 }),
})
const readChain = object({
  chainId: decimal(safeMax),
  maxGas: decimal(safeMax),
  maxFeePerGas: decimal(),
  maxFeesPerDay: optional(decimal()),
  calls: list(readCallRule, 100),
  native: optional(
    object({ to: list(recipient), maxPerDay: decimal(), maxPerTransfer: optional(decimal()) }),
  ),
  fillGaps: optional(flag),
  cancelNonces: optional(list(decimal(safeMax))),
})
const readFile = object({
  version: integer(1, 1),
  keys: list(
    object({ address: recipient, purpose: choice(...purposes), chains: list(readChain, 100) }),
    1_000,
  ),
})

/**
 * The calls that a key of each purpose may be allowed. A hot key can pay any recipient, so it may do nothing else. An exact call
 * can be repeated any number of times, so only the key that has no coins but gas may make one.
 */
const allowedCalls: Readonly<Record<Purpose, readonly CallRule['call'][]>> = {
  hot: ['transfer'],
  treasury: ['transfer'],
  gas: ['sweep', 'exact'],
}

function checkKey({ purpose, chains }: KeyPolicy, at: string): void {
  checkUnique(
    chains.map(({ chainId }) => String(chainId)),
    `${at}.chains`,
  )
  chains.forEach((chain, index) => checkChain(purpose, chain, `${at}.chains[${index}]`))
}

function checkChain(purpose: Purpose, { calls, native, chainId }: ChainPolicy, at: string): void {
  if (chainId === 0n) throw new ShapeError(`${at}.chainId is 0`)
  if (native !== undefined && purpose === 'hot')
    throw new ShapeError(`${at}.native: a hot key sends no native coin`)
  checkUnique(calls.map(nameOfRule), `${at}.calls`)
  calls.forEach((rule, index) => {
    if (!allowedCalls[purpose].includes(rule.call))
      throw new ShapeError(`${at}.calls[${index}]: a ${purpose} key makes no ${rule.call}`)
    if (rule.call === 'transfer' && purpose === 'treasury' && rule.to === undefined)
      throw new ShapeError(`${at}.calls[${index}].to is missing: a treasury sends only to known addresses`)
  })
}

function nameOfRule(rule: CallRule): string {
  return rule.call === 'exact'
    ? `${rule.call}/${rule.contract}/${rule.dataHash}`
    : `${rule.call}/${rule.contract}`
}

function checkUnique(names: readonly string[], at: string): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new ShapeError(`${at} has ${twice} twice`)
}
