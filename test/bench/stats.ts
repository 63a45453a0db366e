// A contender's figures in one round, and over all rounds.

/** One round: answers a second, and how long one took, in milliseconds. */
export type Sample = { readonly perSecond: number; readonly p50: number; readonly p99: number }

export function sampleOf(latencies: readonly number[], spanMs: number): Sample {
  const sorted = Float64Array.from(latencies).sort()
  return {
    perSecond: (latencies.length * 1_000) / spanMs,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
  }
}

/** The sum of several equal processes side by side in one round. */
export function together(samples: readonly Sample[]): Sample {
  return {
    perSecond: samples.reduce((sum, each) => sum + each.perSecond, 0),
    p50: median(samples.map((each) => each.p50)),
    p99: Math.max(...samples.map((each) => each.p99)),
  }
}

/** Medians over the rounds, so that one disturbed round decides nothing. */
export function typical(samples: readonly Sample[]): Sample {
  return {
    perSecond: median(samples.map((each) => each.perSecond)),
    p50: median(samples.map((each) => each.p50)),
    p99: median(samples.map((each) => each.p99)),
  }
}

/** How many times as fast the first was as the second, compared within each round: a disturbance meets both. */
export function ratioOf(samples: readonly Sample[], others: readonly Sample[]): number {
  return median(samples.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN)))
}

export function median(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5)
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
