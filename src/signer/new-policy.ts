// Policies that are made, not written: that of a sandbox's signer, and the one with which the signer of an installation begins.
import type { Address } from './shape.ts'

/** Where the coins are, and what the forwarders are made of. */
type Place = {
  readonly chainId: bigint
  readonly token: Address
  readonly factory: Address
  readonly implementation: Address
}

export type SandboxPolicyFacts = Place & {
  /** Keys of the signer. The treasury is where the factory's forwarders send to. */
  readonly keys: { readonly hot: Address; readonly treasury: Address; readonly gas: Address }
}

export type FirstPolicyFacts = Place & {
  readonly keys: { readonly hot: Address; readonly gas: Address }
  /** Base units of the token that payouts may be in 24 hours. */
  readonly perDay: bigint
  /** In wei, for each transaction. */
  readonly maxFeePerGas: bigint
}

/** A thousand million USDT: the initial supply. */
const dayUnits = 10n ** 27n
const dayWei = String(10n ** 21n)
const maxFeePerGas = 5n * 10n ** 9n
/** A transfer of the token takes about 60,000, and the most that one transaction may use is in EIP-7825. */
const most = { transfer: '200000', sweep: '16777216' }

/** The content of a sandbox's policy file, as JSON: see docs/signer.md. It allows what the sandbox does by itself, only on the sandbox's chain. */
export function sandboxPolicy({ keys, ...place }: SandboxPolicyFacts) {
  const { hot, treasury, gas } = keys
  const facts = { ...place, perDay: dayUnits, maxFeePerGas }
  const call = { ...transferOf(facts), to: [hot] }
  const native = { to: [hot, gas], maxPerDay: dayWei }
  const chain = { ...chainOf(facts), maxGas: most.transfer, calls: [call], native }
  const refilling = { address: treasury, purpose: 'treasury', chains: [chain] }
  return { version: 1, keys: [payingOut(hot, facts), refilling, collecting(gas, facts)] }
}

/** The content of a policy file, as JSON: the hot key pays out up to `perDay`, and the gas key collects to the treasury. Nothing else. */
export function firstPolicy({ keys, ...facts }: FirstPolicyFacts) {
  return { version: 1, keys: [payingOut(keys.hot, facts), collecting(keys.gas, facts)] }
}

type Facts = Omit<FirstPolicyFacts, 'keys'>

function payingOut(address: Address, facts: Facts) {
  const call = { ...transferOf(facts), notTo: [facts.factory, facts.implementation] }
  const chain = { ...chainOf(facts), maxGas: most.transfer, calls: [call] }
  return { address, purpose: 'hot', chains: [chain] }
}

function collecting(address: Address, facts: Facts) {
  const call = { call: 'sweep', contract: facts.factory }
  return { address, purpose: 'gas', chains: [{ ...chainOf(facts), maxGas: most.sweep, calls: [call] }] }
}

function chainOf({ chainId, maxFeePerGas: most }: Facts) {
  return { chainId: String(chainId), maxFeePerGas: String(most), fillGaps: true }
}

function transferOf({ token, perDay }: Facts) {
  return { call: 'transfer', contract: token, maxPerDay: String(perDay) }
}
