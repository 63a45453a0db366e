import type { EqualMutant } from './equal-mutant.ts'

export const railsCrypto: readonly EqualMutant[] = []
