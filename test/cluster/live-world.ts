// An installation for live money without a provider: a node that says it is BSC, a signer, and api, worker and watcher as processes of
// their own. No process has a sandbox, unless it is asked for.
import assert from 'node:assert/strict'
import { baseUnitsPerCent } from '#/coins/units.ts'
import type { Address } from '#/evm/address.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { ensureContracts } from '#/evm/deploy.ts'
import { transferCall, transferGas } from '#/evm/erc20.ts'
import { richAccount, startAnvil } from '../anvil.ts'
import { eventually } from '../eventually.ts'
import { openPlace, root, type Running } from '../journeys/place.ts'
import { makeSignerHome, type RealSigner } from '../real-signer.ts'
import { openRolesSandbox } from './roles-sandbox.ts'

const bscUsd: Address = '0x55d398326f99059ff775485246999027b3197955'
/** No key of it is needed. */
export const treasury: Address = `0x${'7e'.repeat(20)}`
const startMs = 300_000

export type Role = 'api' | 'worker' | 'watcher'
export type LiveWorld = Awaited<ReturnType<typeof openLiveWorld>>

export async function openLiveWorld(
  {
    env: more = {},
    withSandbox = false,
    ...options
  }: {
    readonly folder: string
    readonly adminUrl: string
    /** Further settings of all processes. */
    readonly env?: Readonly<Record<string, string>>
    /** Whether a sandbox's merchant and providers are there too: the roles serve both. */
    readonly withSandbox?: boolean
    /** Through which the processes reach the database; it gets the direct URL. */
    readonly urlOf?: (url: string) => string
  },
  stack: AsyncDisposableStack,
) {
  const node = stack.use(await startAnvil({ chainId: 56, blockTimeSeconds: 1 }))
  const rpc = createRpc(node.url, { timeoutMs: 60_000 })
  stack.defer(() => rpc.close())
  const contracts = await layChain(rpc, node.url)
  const home = stack.use(makeSignerHome((keys) => policyOf(keys, contracts)))
  const signers: RealSigner[] = [await home.start()]
  stack.defer(async () => {
    for (const signer of signers) await signer.kill()
  })
  const env = {
    VINTEM_SANDBOX: 'off',
    VINTEM_LOG_LEVEL: 'info',
    VINTEM_DRAIN_SECONDS: '0',
    VINTEM_BSC_RPC_URL: node.url,
    VINTEM_BSC_TREASURY: treasury,
    VINTEM_BSC_CONFIRMATIONS: '1',
    VINTEM_BSC_HOT_WALLET: home.keys.hot,
    VINTEM_BSC_GAS_WALLET: home.keys.gas,
    VINTEM_SIGNER_DIR: home.folder,
    ...more,
  }
  const place = await openPlace({ ...options, env }, stack)
  const migrated = await place.run(root, 'migrate')
  assert.equal(migrated.code, 0, migrated.output)

  const sandbox = withSandbox ? await openRolesSandbox(place, stack) : undefined
  const launch = async (role: Role, at?: number): Promise<Running> => {
    const running = await place.launch(root, role, sandbox?.env ?? {}, at)
    await eventually(
      () => `${role} runs: ${running.output().slice(-2_000)}`,
      () => running.output().includes('"msg":"running"'),
      startMs,
    )
    return running
  }
  // The first worker publishes its public key.
  const running: Record<Role, Running> = {
    worker: await launch('worker'),
    watcher: await launch('watcher'),
    api: await launch('api', sandbox?.port),
  }
  await eventually('the API is ready', running.api.isReady, startMs)
  const send = createSender(rpc)
  for (const wallet of [home.keys.hot, home.keys.gas]) await send({ to: wallet, value: 10n ** 18n })
  await send({ to: bscUsd, data: mintCall(richAccount, 100_000_000n) })
  await send({ to: bscUsd, data: mintCall(home.keys.hot, 10_000_000n) })
  return {
    place,
    rpc,
    url: running.api.url,
    running,
    sandbox: sandbox?.file,
    /** SIGKILL, and another one in its place. */
    async replace(role: Role): Promise<void> {
      const { port } = running[role]
      running[role].signal('SIGKILL')
      await running[role].ended()
      running[role] = await launch(role, port)
    },
    signer: () => signers.at(-1) as RealSigner,
    async replaceSigner(): Promise<void> {
      await signers.at(-1)?.kill()
      signers.push(await home.start())
    },
    pay: (address: string, cents: number) =>
      send({
        to: bscUsd,
        data: transferCall(address.toLowerCase() as Address, { raw: BigInt(cents) * baseUnitsPerCent }),
      }),
    /** What an address holds of USDT, in cents. */
    async centsAt(address: string): Promise<bigint> {
      const data = `0x70a08231${word(address)}` as const
      return BigInt(await rpc.ethCall(bscUsd, data)) / baseUnitsPerCent
    },
    /** A key of a new live merchant. */
    async merchantKey(): Promise<string> {
      const made = await place.run(root, 'merchant', 'create', 'Loja', '--mode', 'live', '--json')
      const [id = assert.fail(made.output)] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(made.output) ?? []
      const key = await place.run(root, 'key', 'create', id, '--json')
      const [text = assert.fail(key.output)] = /vtm_live_\w+/.exec(key.output) ?? []
      return text
    },
  }
}

/** BSC-USD at its address, with the sandbox token's code and the rich account as its owner, and our contracts. */
export async function layChain(rpc: Rpc, url: string, of: Address = treasury) {
  const contracts = await ensureContracts(rpc, { deployer: richAccount, treasury: of })
  await ask(url, 'anvil_setCode', [bscUsd, await rpc.getCode(contracts.token)])
  await ask(url, 'anvil_setStorageAt', [bscUsd, `0x${word('0x3')}`, `0x${word(richAccount)}`])
  return contracts
}

/** Sends USDT of the rich account, which layChain lets have any: this mints them first. */
export async function payUsdt(rpc: Rpc, address: string, cents: number): Promise<void> {
  const send = createSender(rpc)
  const amount = BigInt(cents) * baseUnitsPerCent
  await send({ to: bscUsd, data: mintCall(richAccount, BigInt(cents)) })
  await send({ to: bscUsd, data: transferCall(address.toLowerCase() as Address, { raw: amount }) })
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const text = await answer.text()
  assert.ok(!text.includes('"error"'), text)
}

function word(hex: string): string {
  return hex.slice(2).toLowerCase().padStart(64, '0')
}

function mintCall(to: string, cents: bigint): `0x${string}` {
  return `0x40c10f19${word(to)}${word(`0x${(cents * baseUnitsPerCent).toString(16)}`)}`
}

type Sent = { readonly to: Address; readonly data?: `0x${string}`; readonly value?: bigint }

/** One transaction after the other: two calls at once could get the same nonce from the node. */
function createSender(rpc: Rpc): (tx: Sent) => Promise<void> {
  let queue: Promise<unknown> = Promise.resolve()
  return async (tx) => {
    const hash = queue.then(() => rpc.sendTransaction({ from: richAccount, gas: transferGas, ...tx }))
    queue = hash.catch(() => {})
    const mined = await hash
    await eventually('it is mined', () => rpc.getTransactionReceipt(mined))
  }
}

function policyOf(
  keys: ReturnType<typeof makeSignerHome>['keys'],
  { factory, implementation }: { readonly factory: Address; readonly implementation: Address },
) {
  const chain = { chainId: '56', maxFeePerGas: '20000000000' }
  const transfer = {
    call: 'transfer',
    contract: bscUsd,
    maxPerDay: '50000000000000000000000',
    notTo: [factory, implementation],
  }
  return {
    version: 1,
    keys: [
      {
        address: keys.hot,
        purpose: 'hot',
        chains: [{ ...chain, maxGas: '120000', fillGaps: true, calls: [transfer] }],
      },
      {
        address: keys.gas,
        purpose: 'gas',
        chains: [{ ...chain, maxGas: '16777216', calls: [{ call: 'sweep', contract: factory }] }],
      },
    ],
  }
}
