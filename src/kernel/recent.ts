// A cache of the most recently used entries.
import QuickLRU from 'quick-lru'

export type Recent<Key, Value> = Pick<
  QuickLRU<Key, Value>,
  'get' | 'peek' | 'has' | 'set' | 'delete' | 'clear' | 'values'
>

/**
 * A cache of at most `max` entries that drops the least recently used ones. `get` and `set` are uses; `peek` and `has` are not.
 * The library drops half of its entries at once and holds up to 2 × `maxSize` − 1, so at least the `max` / 2 most recently used
 * keys are present, deleted ones included. Its `maxAge` uses the machine's clock, which can go back: compare `monotonicMs`
 * instead.
 */
export function createRecent<Key, Value>(max: number): Recent<Key, Value> {
  return new QuickLRU({ maxSize: (max + 1) >> 1 })
}
