import type { EqualMutant } from './equal-mutant.ts'

export const payments: readonly EqualMutant[] = []
