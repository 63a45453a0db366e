/** Returns at most `max` characters, and no half of a surrogate pair: for fields of a provider that have a limit. */
export function cut(text: string, max: number): string {
  const whole = text.slice(0, max)
  return whole.isWellFormed() ? whole : whole.slice(0, -1)
}
