// State machines as tables: a row is a state, a column an event, a cell the next state. Without a cell, the event is not allowed.

export type StateTable<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>

/** The state after `event`, or undefined when the table has no such move. */
export function next<State extends string, Event extends string>(
  table: StateTable<State, Event>,
  from: State,
  event: Event,
): State | undefined {
  return table[from][event]
}
