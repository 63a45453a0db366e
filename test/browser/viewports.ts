// The colour schemes and widths in which a page is examined.
import { isSoak } from '../counts.ts'

const mixtures = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'light', width: 1280 },
] as const

/** A light phone and a dark desktop; in the soak every combination. */
export const viewports = isSoak ? mixtures : mixtures.slice(0, 2)
