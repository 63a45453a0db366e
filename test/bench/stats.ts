// What a contender did in one round, and what many rounds say together.

/** Work done in one round. `latencies` is an even sample of all of them, sorted, in milliseconds. */
export type Sample = { readonly count: number; readonly spanMs: number; readonly latencies: readonly number[] }

/** The figures of one contender over all rounds. */
export type Figure = { readonly perSecond: number; readonly p50: number; readonly p99: number }

/** So many latencies of a round are kept: enough for a p99, small enough to be sent between processes. */
const keptMax = 2_000

export function sampleOf(latencies: readonly number[], spanMs: number): Sample {
  const sorted = Float64Array.from(latencies).sort()
  const kept = Math.min(keptMax, sorted.length)
  const even = Array.from({ length: kept }, (_, n) => sorted[Math.floor(((n + 0.5) * sorted.length) / kept)] ?? 0)
  return { count: latencies.length, spanMs, latencies: even }
}

/** What several processes did side by side in one round. */
export function together(samples: readonly Sample[]): Sample {
  return {
    count: samples.reduce((sum, each) => sum + each.count, 0),
    spanMs: Math.max(...samples.map((each) => each.spanMs)),
    latencies: samples.flatMap((each) => each.latencies).sort((a, b) => a - b),
  }
}

export function rateOf({ count, spanMs }: Sample): number {
  return (count * 1_000) / spanMs
}

/** Medians over the rounds, so that one disturbed round decides nothing. */
export function figureOf(samples: readonly Sample[]): Figure {
  return {
    perSecond: median(samples.map(rateOf)),
    p50: median(samples.map(({ latencies }) => quantile(latencies, 0.5))),
    p99: median(samples.map(({ latencies }) => quantile(latencies, 0.99))),
  }
}

export function median(values: readonly number[]): number {
  return quantile(values.toSorted((a, b) => a - b), 0.5)
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
