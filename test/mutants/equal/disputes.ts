import type { EqualMutant } from './equal-mutant.ts'

export const disputes: readonly EqualMutant[] = []
