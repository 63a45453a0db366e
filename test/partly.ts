/**
 * A record or a service of which the tested code reads these parts alone. Whatever else it would read is undefined there. The types of the parts
 * are checked.
 */
export function partly<Whole extends object>(parts: Partial<Whole>): Whole {
  return parts as Whole
}
