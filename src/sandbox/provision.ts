// What a sandbox needs once: a merchant, its key, and sandbox.json, which holds the addresses for other programs.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { MerchantId } from '#/kernel/id.ts'
import type { Authenticator } from '#/merchants/authenticator.ts'
import { issueApiKey, type KeyDeps } from '#/merchants/keys.ts'
import {
  createMerchant,
  webhookSecretsOf,
  type MerchantDeps,
  type OpenWallets,
} from '#/merchants/merchant.ts'

/** The name of the merchant that the first start makes. */
export const firstShop = 'Sandbox'

/** The contents of sandbox.json. URLs have no trailing slash. */
export type SandboxFile = {
  readonly apiUrl: string
  readonly checkoutBaseUrl: string
  readonly partnerCheckoutBaseUrl: string
  readonly dashboard: {
    readonly url: string
    /** Signs in as owner and operator: once, within an hour of the start, from this machine. */
    readonly signInUrl: string
  }
  readonly apiKey: string
  readonly webhookSecret: string
  readonly merchantId: string
  readonly chain: {
    readonly rpcUrl: string
    readonly chainId: number
    readonly usdt: string
    readonly treasury: string
    /** An account that the node signs for, with plenty of USDT and BNB. */
    readonly faucet: string
  }
  readonly simulators: {
    /** The bank: its API Pix, and its remote control, which is a page for people too. */
    readonly pixBank: { readonly apiUrl: string; readonly controlUrl: string }
    /** The card provider, and the wallet app: API, pages and remote control at one address each. */
    readonly acquirer: { readonly apiUrl: string; readonly controlUrl: string }
    readonly partnerWallet: { readonly apiUrl: string; readonly controlUrl: string }
    /** The bank of euro accounts: its remote control, which is a page for people too. */
    readonly sepaBank: { readonly apiUrl: string; readonly controlUrl: string }
  }
}

export type SandboxMerchant = Pick<SandboxFile, 'apiKey' | 'webhookSecret' | 'merchantId'>

export type ProvisionDeps = MerchantDeps &
  KeyDeps & {
    readonly dataDir: string
    readonly openWallets: OpenWallets
    readonly authenticate: Authenticator['authenticate']
  }

/** The sandbox's merchant with a key that works: those of the last start if they still work, new ones otherwise. */
export async function provisionMerchant(deps: ProvisionDeps): Promise<SandboxMerchant> {
  const file = path.join(deps.dataDir, 'keys', 'sandbox-merchant.json')
  const earlier = await readMerchant(file)
  const identity = earlier && (await deps.authenticate(earlier.apiKey))
  if (earlier !== undefined && identity?.merchant.id === earlier.merchantId) {
    return withSecret(deps, identity.merchant.id, earlier.apiKey)
  }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: firstShop })
  const { key } = await issueApiKey(deps, { merchantId: merchant.id, name: 'sandbox' })
  await writeWhole(file, { merchantId: merchant.id, apiKey: key })
  return withSecret(deps, merchant.id, key)
}

async function readMerchant(file: string): Promise<Pick<SandboxFile, 'merchantId' | 'apiKey'> | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as SandboxMerchant)
}

async function withSecret(
  deps: ProvisionDeps,
  merchantId: MerchantId,
  apiKey: string,
): Promise<SandboxMerchant> {
  const [secret] = await webhookSecretsOf(deps, merchantId)
  return { merchantId, apiKey, webhookSecret: `whsec_${secret?.toString('base64') ?? ''}` }
}

/** Writes sandbox.json, which means that the sandbox is ready. */
export async function writeSandboxFile(dataDir: string, contents: SandboxFile): Promise<void> {
  await writeWhole(path.join(dataDir, 'sandbox.json'), contents)
}

/** Removes sandbox.json while the sandbox is not ready. The caller holds the lock of this directory: see start-lock.ts. */
export async function removeSandboxFile(dataDir: string): Promise<void> {
  await rm(path.join(dataDir, 'sandbox.json'), { force: true })
}

/** The contents of sandbox.json; undefined when there is none: the sandbox is not running. */
export async function readSandboxFile(dataDir: string): Promise<SandboxFile | undefined> {
  const text = await readFile(path.join(dataDir, 'sandbox.json'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as SandboxFile)
}

/** Written whole or not at all: a process that waits for the file never reads half of it. */
async function writeWhole(file: string, contents: unknown): Promise<void> {
  // When the operator supplies the keys, no earlier step has created the folder.
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, `${JSON.stringify(contents, undefined, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
