// How much garbage V8 keeps before it collects it.
import { setFlagsFromString } from 'node:v8'

/**
 * Garbage among objects that have lived for some time is collected when it is 40 % of what is in use. By default V8 lets it grow with the
 * machine's memory: after a burst a server would keep hundreds of MiB of it. Young objects have a bound of their own, which Node takes only
 * when it starts: the script `vintem` names it.
 */
export function boundGarbage(): void {
  setFlagsFromString('--heap-growing-percent=40')
}
