// The policy of a sandbox's signer, as data. It allows what the sandbox does by itself, only on the sandbox's chain.
import type { Address } from './shape.ts'

export type SandboxPolicyFacts = {
  readonly chainId: bigint
  readonly token: Address
  readonly factory: Address
  readonly implementation: Address
  /** Keys of the signer. The treasury is where the factory's forwarders send to. */
  readonly keys: { readonly hot: Address; readonly treasury: Address; readonly gas: Address }
}

/** A thousand million USDT: the initial supply. */
const dayUnits = String(10n ** 27n)
const dayWei = String(10n ** 21n)
const maxFeePerGas = String(5n * 10n ** 9n)

/** The content of the policy file, as JSON: see docs/signer.md. */
export function sandboxPolicy({ chainId, token, factory, implementation, keys }: SandboxPolicyFacts) {
  const { hot, treasury, gas } = keys
  const chain = { chainId: String(chainId), maxFeePerGas, fillGaps: true }
  const transfer = { call: 'transfer', contract: token, maxPerDay: dayUnits }
  return {
    version: 1,
    keys: [
      {
        address: hot,
        purpose: 'hot',
        chains: [{ ...chain, maxGas: '200000', calls: [{ ...transfer, notTo: [factory, implementation] }] }],
      },
      {
        address: treasury,
        purpose: 'treasury',
        chains: [
          {
            ...chain,
            maxGas: '200000',
            calls: [{ ...transfer, to: [hot] }],
            native: { to: [hot, gas], maxPerDay: dayWei },
          },
        ],
      },
      {
        address: gas,
        purpose: 'gas',
        // The most that one transaction may use (EIP-7825).
        chains: [{ ...chain, maxGas: '16777216', calls: [{ call: 'sweep', contract: factory }] }],
      },
    ],
  }
}
