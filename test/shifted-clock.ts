// Loaded before everything else (`--import`), it shifts the clock of a process by CLOCK_SHIFT_MS.
const shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? '0')
const nowMs = Date.now.bind(Date)
globalThis.Date = new Proxy(Date, {
  construct: (target, given: readonly unknown[]) =>
    Reflect.construct(target, given.length === 0 ? [nowMs() + shiftMs] : given) as object,
  get: (target, name) => (name === 'now' ? () => nowMs() + shiftMs : (Reflect.get(target, name) as unknown)),
})
