// What the tests of a file work on: opened before them, closed after them.
import { after, before } from 'node:test'
import { must } from '#/kernel/check.ts'

/** In one of these ways it is closed; a connection to a database ends. */
type Closable =
  | AsyncDisposable
  | { end(options: { readonly timeout: number }): Promise<unknown> }
  | { close(): Promise<unknown> }
  | { stop(): Promise<unknown> }

/** What is open, in the order in which it was opened: hooks run in the order of their calls, and what was opened last is closed first. */
const open: Closable[] = []
/** Hooks of a file begin at once, and each needs what the ones above it opened. */
let earlier: Promise<unknown> = Promise.resolve()

/**
 * Opens something before the tests of the file or suite that calls this, and closes it after them. It is for tests and hooks, and for
 * what is opened below it.
 */
export function openForTests<Thing extends Closable>(make: () => Promise<Thing> | Thing): Thing {
  let isOpen = false
  const thing = makeForTests(async () => {
    const opened = await make()
    open.push(opened)
    isOpen = true
    return opened
  })
  // What could not be opened has nothing to close.
  after(async () => {
    const last = isOpen ? open.pop() : undefined
    if (last !== undefined) await close(last)
  })
  return thing
}

/** The same for what has nothing to close, or is closed with what it is made of. */
export function makeForTests<Thing extends object>(make: () => Promise<Thing> | Thing): Thing {
  let thing: Thing | undefined
  before(async () => {
    const made = earlier.then(() => make())
    earlier = made.catch(() => {})
    thing = await made
  })
  const now = () => must(thing, 'something that is made before the tests, and used in them')
  // A connection to a database is a function.
  const target: unknown = () => {}
  return new Proxy(target as Thing, {
    get: (_, name) => Reflect.get(now(), name) as unknown,
    set: (_, name, value) => Reflect.set(now(), name, value),
    has: (_, name) => Reflect.has(now(), name),
    ownKeys: () => Reflect.ownKeys(now()),
    getOwnPropertyDescriptor: (_, name) => {
      const found = Reflect.getOwnPropertyDescriptor(now(), name)
      return found && { ...found, configurable: true }
    },
    apply: (_, __, values) => Reflect.apply(now() as () => unknown, undefined, values) as unknown,
  })
}

async function close(thing: Closable): Promise<void> {
  if (Symbol.asyncDispose in thing) await thing[Symbol.asyncDispose]()
  else if ('end' in thing) await thing.end({ timeout: 1 })
  else await ('close' in thing ? thing.close() : thing.stop())
}
