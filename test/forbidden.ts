/** What the types forbid, and a caller without types can send or give: for tests that it is refused. */
export function forbidden<Allowed>(value: unknown): Allowed {
  return value as Allowed
}
