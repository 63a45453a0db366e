import { must } from '#/kernel/check.ts'
import type { RailModule } from '#/rails/module.ts'
import { createCryptoRail } from './rail.ts'
import { createCryptoRefunder } from './refund.ts'

/** Payments in USDT to addresses of our own. There is no provider: an operator sets up a chain with `./vintem chain`. */
export const cryptoModule: RailModule = {
  methods: ['CRYPTO'],
  connections: [],
  open({ treasury, clock }) {
    const { chains, isAwaited, payouts } = must(treasury, 'payments on a chain come to a treasury')
    const rail = createCryptoRail(chains, createCryptoRefunder(payouts, clock), isAwaited)
    return { rails: [rail], payoutRails: [payouts], stop: async () => {} }
  },
}
