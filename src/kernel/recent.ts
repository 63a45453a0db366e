// What was used last, as much of it as memory is meant to hold.
import QuickLRU from 'quick-lru'

export type Recent<Key, Value> = Pick<
  QuickLRU<Key, Value>,
  'get' | 'peek' | 'has' | 'set' | 'delete' | 'clear' | 'values'
>

/**
 * A cache of at most `max` entries that drops those which were unused for longest: `get` and `set` are uses, `peek` and `has`
 * are not. Of the keys that were used last, deleted ones counted, at least half of `max` are there, because the library drops half
 * of what it holds at once: it holds up to 2 × `maxSize` − 1. Its ages go by the machine's clock, which can go back: who needs an
 * age compares one of `monotonicMs`.
 */
export function createRecent<Key, Value>(max: number): Recent<Key, Value> {
  return new QuickLRU({ maxSize: (max + 1) >> 1 })
}
