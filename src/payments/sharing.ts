// Shares one piece of work among all callers of this process that request the same.

/** Work under way, by its name: a second call with the same name waits for the same result. */
export function createSharing<Result>() {
  const underWay = new Map<string, Promise<Result>>()
  return {
    share(name: string, work: () => Promise<Result>): Promise<Result> {
      const running = underWay.get(name)
      if (running !== undefined) return running
      const started = work().finally(() => underWay.delete(name))
      underWay.set(name, started)
      return started
    },
  }
}
