// The methods of the sandbox. A new one is a payer and its provider in files beside this one, and its line here.
import type { Method } from '#/rails/words.ts'
import type { MethodPayer } from '../pay.ts'
import { acquirer } from './acquirer.ts'
import { bank } from './bank.ts'
import type { PayerDeps, SandboxMethod } from './method.ts'
import { partnerWallet } from './partner-wallet.ts'
import { createCardPayer } from './pay-card.ts'
import { createCryptoPayer } from './pay-crypto.ts'
import { createPartnerPayer } from './pay-partner.ts'
import { createPixPayer } from './pay-pix.ts'
import type { RunningProvider, SandboxProvider } from './provider.ts'

const sandboxMethods: Readonly<Record<Method, SandboxMethod>> = {
  CRYPTO: { createPayer: createCryptoPayer },
  PIX: { provider: bank, createPayer: createPixPayer },
  CREDIT_CARD: { provider: acquirer, createPayer: createCardPayer },
  PARTNER_PAY: { provider: partnerWallet, createPayer: createPartnerPayer },
}

/** The sandbox's providers, in the order in which they are shown. */
export const sandboxProviders: readonly SandboxProvider[] = Object.values(sandboxMethods).flatMap(
  ({ provider }) => (provider === undefined ? [] : [provider]),
)

export type RunningProviders = ReadonlyMap<SandboxProvider, RunningProvider>

/** One payer for each method whose provider runs. */
export function createPayers(deps: PayerDeps, running: RunningProviders): ReadonlyMap<Method, MethodPayer> {
  const payers = new Map<Method, MethodPayer>()
  for (const [method, each] of Object.entries(sandboxMethods) as [Method, SandboxMethod][]) {
    const provider = each.provider === undefined ? undefined : running.get(each.provider)
    if (each.provider === undefined) payers.set(method, each.createPayer(deps))
    else if (provider !== undefined) payers.set(method, each.createPayer({ ...deps, provider }))
  }
  return payers
}
