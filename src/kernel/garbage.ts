// How much garbage V8 keeps before it collects it.
import { setFlagsFromString } from 'node:v8'

/**
 * Garbage among objects that have lived for some time is collected when it is as much as what is in use. By default V8 lets it grow with the
 * machine's memory: after a burst a server would keep hundreds of MiB of it. Less costs processor time (decision 153).
 */
export function boundGarbage(): void {
  setFlagsFromString('--heap-growing-percent=100')
}
