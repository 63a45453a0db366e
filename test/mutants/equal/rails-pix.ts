import type { EqualMutant } from './equal-mutant.ts'

export const railsPix: readonly EqualMutant[] = []
