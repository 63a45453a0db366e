import type { EqualMutant } from './equal-mutant.ts'

export const merchants: readonly EqualMutant[] = []
