// A simulator as a program: its options, the line that reports its addresses, and its end.

/**
 * Prints the ready line, and ends the process when it gets a signal. `diesWithParent`: also ends it when its standard input closes,
 * which happens however the parent process ends.
 */
export function runProgram(
  running: { close(): Promise<void> },
  ready: Readonly<Record<string, unknown>>,
  { diesWithParent }: { readonly diesWithParent: boolean },
): void {
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    void running.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  if (diesWithParent) process.stdin.on('end', end).on('close', end).on('error', end).resume()
  process.stdout.write(`${JSON.stringify({ ready: true, ...ready })}\n`)
}

export function numberOption(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number.parseInt(text, 10) : -1
  if (value < min || value > max) failProgram(`${name} is a whole number from ${min} to ${max}`)
  return value
}

/** Ends the process because of a wrong option. */
export function failProgram(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
