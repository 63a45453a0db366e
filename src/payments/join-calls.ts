// Calls of this process that want the same join the one that is under way.

/** A second call with the same name waits for the result of the first. */
export function joinCalls<Result>() {
  const underWay = new Map<string, Promise<Result>>()
  return (name: string, work: () => Promise<Result>): Promise<Result> => {
    const running = underWay.get(name)
    if (running !== undefined) return running
    const started = work().finally(() => underWay.delete(name))
    underWay.set(name, started)
    return started
  }
}
