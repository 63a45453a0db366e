/** Lets a loop sleep until it is woken. A wake-up that comes while it does not sleep is not lost. */
export function createWakeUp() {
  let isWoken = false
  let end: (() => void) | undefined
  return {
    wake() {
      isWoken = true
      end?.()
    },
    /** To be called before the loop polls: a wake-up from now on means new work. */
    reset() {
      isWoken = false
    },
    // Not an AbortController: each item may wake the loop, and each abort would create an error.
    async wait(ms: number): Promise<void> {
      if (isWoken) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        end = () => {
          end = undefined
          clearTimeout(timer)
          resolve()
        }
      })
      end = undefined
    },
  }
}
