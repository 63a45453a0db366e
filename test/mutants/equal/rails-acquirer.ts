import type { EqualMutant } from './equal-mutant.ts'

export const railsAcquirer: readonly EqualMutant[] = []
