import type { EqualMutant } from './equal-mutant.ts'

export const issuance: readonly EqualMutant[] = []
