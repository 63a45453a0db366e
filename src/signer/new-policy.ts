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
  const first = firstPolicy({ ...place, keys, perDay: dayUnits, maxFeePerGas })
  const chain = { ...chainOf({ ...place, maxFeePerGas }), maxGas: most.transfer }
  return {
    ...first,
    keys: [
      ...first.keys,
      {
        address: treasury,
        purpose: 'treasury',
        chains: [
          {
            ...chain,
            calls: [{ ...transferOf(place, dayUnits), to: [hot] }],
            native: { to: [hot, gas], maxPerDay: dayWei },
          },
        ],
      },
    ],
  }
}

/** The content of a policy file, as JSON: the hot key pays out up to `perDay`, and the gas key collects to the treasury. Nothing else. */
export function firstPolicy({ keys, perDay, ...place }: FirstPolicyFacts) {
  const { factory, implementation } = place
  const chain = chainOf(place)
  return {
    version: 1,
    keys: [
      {
        address: keys.hot,
        purpose: 'hot',
        chains: [
          {
            ...chain,
            maxGas: most.transfer,
            calls: [{ ...transferOf(place, perDay), notTo: [factory, implementation] }],
          },
        ],
      },
      {
        address: keys.gas,
        purpose: 'gas',
        chains: [{ ...chain, maxGas: most.sweep, calls: [{ call: 'sweep', contract: factory }] }],
      },
    ],
  }
}

function chainOf(of: Pick<FirstPolicyFacts, 'chainId' | 'maxFeePerGas'>) {
  return { chainId: String(of.chainId), maxFeePerGas: String(of.maxFeePerGas), fillGaps: true }
}

function transferOf({ token }: Place, perDay: bigint) {
  return { call: 'transfer', contract: token, maxPerDay: String(perDay) }
}
