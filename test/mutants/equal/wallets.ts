import type { EqualMutant } from './equal-mutant.ts'

export const wallets: readonly EqualMutant[] = []
