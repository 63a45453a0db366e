import type { EqualMutant } from './equal-mutant.ts'

export const treasury: readonly EqualMutant[] = []
