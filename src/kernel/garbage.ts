// How much garbage V8 keeps before it collects it.
import { setFlagsFromString } from 'node:v8'

/**
 * Limits garbage: old objects are collected when the garbage among them is as much as what is in use. By default V8 lets it
 * grow with the machine's memory: after a burst a server would keep hundreds of MiB of it. A lower limit costs processor time
 * (decision 153).
 */
export function boundGarbage(): void {
  setFlagsFromString('--heap-growing-percent=100')
}
