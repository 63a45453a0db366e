// In which light and on what width a page is looked at.
import { isSoak } from '../counts.ts'

const mixtures = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'light', width: 1280 },
] as const

/** A light phone and a dark desk; in the soak every mixture. */
export const looks = isSoak ? mixtures : mixtures.slice(0, 2)
