/** Lets a loop sleep until it is woken. A wake-up that comes while it does not sleep is not lost. */
export function createWakeUp() {
  let isWoken = false
  let end: (() => void) | undefined
  return {
    wake() {
      isWoken = true
      end?.()
    },
    /** Before the loop looks for work: what comes from now on is new. */
    reset() {
      isWoken = false
    },
    // Without an AbortController: each item may wake, and an abort makes an error each time.
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
