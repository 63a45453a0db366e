// How long payments took, as counts in fixed buckets. Each bucket ends at 2^(1/4) times its beginning, so the middle of a bucket is at most
// 9.1 % from every time in it. What is stored are the numbers of buckets, so their limits never change.

/** Times below this are not distinguished from one another. */
const firstMs = 1_000

/** Up to 97 days. */
const octaves = 23
const perOctave = 4

/**
 * The beginnings of the buckets from number 1 on, in milliseconds. Bucket 0 has what took less than the first of them; the last one has no
 * end.
 */
export const bucketLimits: readonly bigint[] = Array.from({ length: octaves * perOctave + 1 }, (_, nth) =>
  BigInt(Math.round(firstMs * 2 ** (nth / perOctave))),
)

/**
 * The largest error of a time that is read from a bucket, as a part of the time: half the width of a bucket, as a ratio. Below one second
 * it is at most half a second. Times above 97 days read as 106 days.
 */
export const readingError = 2 ** (1 / (2 * perOctave)) - 1

/** One more than the limits. */
export const bucketCount = bucketLimits.length + 1

/**
 * The median of times in milliseconds, from how many are in each bucket: of an even number of times, the lower of the two in the middle. It
 * is the middle of the median's bucket, on the scale of ratios. Undefined when there are none.
 */
export function medianOf(counts: readonly number[]): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const place = Math.ceil(total / 2)
  let upTo = 0
  for (const [bucket, count] of counts.entries()) {
    upTo += count
    if (count > 0 && upTo >= place) return middleOf(bucket)
  }
  return undefined
}

function middleOf(bucket: number): number {
  return bucket === 0 ? firstMs / 2 : Math.round(firstMs * 2 ** ((bucket - 0.5) / perOctave))
}
