import type { EqualMutant } from './equal-mutant.ts'

export const restored: readonly EqualMutant[] = []
