// A chain that is only settings: addresses are computed for it, and no node is queried.
import type { Chain } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import { factoryAddress, implementationAddress, type Address } from '#/evm/address.ts'
import type { ConnectionId } from '#/kernel/id.ts'

const treasury: Address = '0x00000000000000000000000000000000000000aa'

export const benchChain: Chain = {
  key: 'bench',
  mode: 'SANDBOX',
  connection: 'a1-00000000-0000-7000-8000-000000000001' as ConnectionId,
  chainId: 31_337n,
  network: 'BSC',
  tokens: [usdtAt('0x00000000000000000000000000000000000000bb')],
  treasury,
  factory: factoryAddress(treasury),
  implementation: implementationAddress(treasury),
  confirmationsMin: 1,
}
