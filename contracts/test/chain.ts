// What the contract tests share: a node with our contracts on it, and short words to act there.
import type { Abi, Hex } from 'viem'
import { encodeAbiParameters, encodeFunctionData } from 'viem/utils'
import {
  bytesOf,
  create2Address,
  deploymentData,
  depositAddress,
  depositSalt,
  deterministicDeployer,
  keccak,
  type Address,
} from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import { createRpc } from '#/evm/client.ts'
import { ensureContracts } from '#/evm/deploy.ts'
import type { TxReceipt } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { sleep } from '#/kernel/time.ts'
import { richAccount, startAnvil } from '../../test/anvil.ts'

/** An unlocked account that owns nothing of ours. */
export const stranger: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
export const treasury: Address = '0x00000000000000000000000000000000007a5e11'
export const native: Address = '0x0000000000000000000000000000000000000000'

/** EIP-7825. Given with every transaction, so that one that fails is mined and tells, and no estimate hides it. */
export const txGasMax = 2n ** 24n

export type Contract = { readonly address: Address; readonly abi: Abi }

export type TestChain = Awaited<ReturnType<typeof startTestChain>>

/** A node that enforces the gas limit of a transaction (EIP-7825), with factory and token for `treasury`. */
export async function startTestChain() {
  const node = await startAnvil({ flags: ['--enable-tx-gas-limit'] })
  const rpc = createRpc(node.url, { timeoutMs: 20_000 })
  const { factory, implementation, token } = await ensureContracts(rpc, { deployer: richAccount, treasury })

  const send = async (
    to: Address,
    data: Hex,
    more: { from?: Address; value?: bigint; gas?: bigint } = {},
  ): Promise<TxReceipt> => {
    const hash = await rpc.sendTransaction({ from: richAccount, to, data, gas: txGasMax, ...more })
    for (;;) {
      const receipt = await rpc.getTransactionReceipt(hash)
      if (receipt !== undefined) return receipt
      await sleep(5)
    }
  }
  return {
    rpc,
    send,
    factory: { address: factory, abi: artifacts.ForwarderFactory.abi },
    token: { address: token, abi: artifacts.SandboxToken.abi },
    implementation,
    newDeposit: () => {
      const salt = depositSalt(31337n, newId())
      return { salt, address: depositAddress({ factory, implementation, salt }) }
    },
    call: (contract: Contract, name: string, args: readonly unknown[], from?: Address) =>
      send(
        contract.address,
        encodeFunctionData({ abi: contract.abi, functionName: name, args }),
        from && { from },
      ),
    ask: (contract: Contract, name: string, args: readonly unknown[]) =>
      rpc.ethCall(contract.address, encodeFunctionData({ abi: contract.abi, functionName: name, args })),
    nativeOf: async (holder: Address) => BigInt(String(await rpc.call('eth_getBalance', [holder, 'latest']))),
    deploy: async (
      creationCode: Hex,
      types: readonly string[],
      values: readonly unknown[],
    ): Promise<Address> => {
      const given = encodeAbiParameters(
        types.map((type) => ({ type })),
        values,
      )
      const creation: Hex = `${creationCode}${given.slice(2)}`
      const sent = await send(deterministicDeployer, deploymentData(creation))
      if (!sent.succeeded) throw new Error('the deployment failed')
      return create2Address(deterministicDeployer, `0x${'00'.repeat(32)}`, keccak(bytesOf(creation)))
    },
    stop: async () => {
      rpc.close()
      await node.stop()
    },
  }
}

/** What `holder` has of a token. */
export async function balanceOf(chain: TestChain, token: Contract, holder: Address): Promise<bigint> {
  return BigInt(await chain.ask(token, 'balanceOf', [holder]))
}

/** Runs the factory's sweep as a stranger. */
export async function sweep(chain: TestChain, token: Address, salts: readonly Hex[]): Promise<TxReceipt> {
  const receipt = await chain.call(chain.factory, 'sweep', [token, salts], stranger)
  if (!receipt.succeeded) throw new Error('the batch failed as a whole')
  return receipt
}

/** The salts that a sweep reported as failed. */
export function failedSalts(chain: TestChain, receipt: TxReceipt): readonly Hex[] {
  const topic = keccak(Buffer.from('SweepFailed(address,bytes32)'))
  return receipt.logs
    .filter((log) => log.address === chain.factory.address && log.topics[0] === topic)
    .map((log) => must(log.topics[2], 'SweepFailed has the salt for its third topic'))
}
