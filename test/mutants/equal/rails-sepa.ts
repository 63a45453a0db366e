import type { EqualMutant } from './equal-mutant.ts'

export const railsSepa: readonly EqualMutant[] = []
