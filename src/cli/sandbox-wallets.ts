// The sandbox's wallets: their signer as a child, and native coin for their gas from the node's own accounts.
import type { Core } from '#/app/core.ts'
import { environment } from '#/config.ts'
import type { Rpc } from '#/evm/client.ts'
import { makeFinal, mineNow } from '#/evm/mine.ts'
import type { ReadyChain } from '#/sandbox/chain.ts'
import { startSandboxSigner } from '#/sandbox/signer.ts'
import { balanceAt } from '#/treasury/gas.ts'
import { sandboxGas } from '#/treasury/hot-wallet-sandbox.ts'
import { ensureTreasury, type ChainWallets } from '#/treasury/wallets.ts'
import type { Closer } from './run.ts'

/** Starts the signer, and makes sure that its wallets are recorded and can pay for gas. */
export async function openSandboxWallets(
  { sql, config, log }: Core,
  { chain, accounts }: ReadyChain,
  rpc: Rpc,
  closer: Closer,
): Promise<ChainWallets> {
  const signer = await startSandboxSigner({
    dataDir: config.dataDir,
    folder: config.signer.folder,
    chain,
    compileCache: environment['NODE_COMPILE_CACHE'],
    log,
  })
  closer.add('signer', signer.stop)
  const { hot, gas } = signer.keys
  const wallets = { hot, gas, holdsTreasury: signer.keys.treasury === chain.treasury }
  await ensureTreasury(sql, chain, wallets)
  let isFilled = false
  for (const to of [hot, gas, ...(wallets.holdsTreasury ? [chain.treasury] : [])]) {
    if ((await balanceAt(rpc, to, 'latest')) >= sandboxGas.enoughWei) continue
    await mineNow(rpc, await rpc.sendTransaction({ from: accounts.deployer, to, value: sandboxGas.fillWei }))
    isFilled = true
  }
  // Before any of them sends: what is queued would otherwise find no gas.
  if (isFilled) await makeFinal(rpc)
  return wallets
}
