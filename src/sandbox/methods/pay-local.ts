// The payers of the acquirer's local methods: confirm at the bank, in the app, or pay a voucher.
import type { LocalMethod } from '#/rails/acquirer/methods/method.ts'
import type { Method } from '#/rails/method.ts'
import type { MethodPayer } from '../pay.ts'
import { acquirer } from './acquirer.ts'
import type { PayerDeps, SandboxMethod } from './method.ts'
import { createPagePayer } from './pay-page.ts'
import type { RunningProvider } from './provider.ts'

type Deps = Pick<PayerDeps, 'find' | 'openPage'> & { readonly provider: Pick<RunningProvider, 'control'> }

/** Refuses as `createPagePayer` describes. */
function createLocalPayer(
  { method, sandbox }: LocalMethod<Method>,
  { provider, ...deps }: Deps,
): MethodPayer {
  return createPagePayer<string>(deps, {
    method,
    scenarios: sandbox.scenarios,
    artifact: 'intentId',
    by: `a payer by ${method}`,
    act: (intent, act) => provider.control('POST', '/_sim/pay', { intent, act }),
  })
}

/** The payer of a method, at the acquirer that cards have too. */
export function localPayer(local: LocalMethod<Method>): SandboxMethod {
  return { provider: acquirer, createPayer: (deps) => createLocalPayer(local, deps) }
}
