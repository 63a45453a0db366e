import type { EqualMutant } from './equal-mutant.ts'

export const operator: readonly EqualMutant[] = []
