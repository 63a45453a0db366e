// Numbers that follow from a seed alone: the same seed makes the same script.

export type Random = {
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  pick<Value>(values: readonly [Value, ...Value[]]): Value
  shuffle<Value>(values: readonly Value[]): readonly Value[]
}

/** `name` makes each case independent of the others: alone it is played as in the whole script. */
export function createRandom(seed: number, name: string): Random {
  let state = hashOf(`${seed}/${name}`)
  /** Mulberry32: 32 bits of state are plenty for a script. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    whole,
    pick: ([first, ...others]) => others[whole(0, others.length) - 1] ?? first,
    shuffle(values) {
      const shuffled = [...values]
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = whole(0, last)
        shuffled.push(...shuffled.splice(other, 1))
      }
      return shuffled
    },
  }
}

/** FNV-1a of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
