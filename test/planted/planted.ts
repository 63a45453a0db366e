// How the lists name faults: several of one file that one test notices.
import type { Fault, PlantedRoom } from './fault.ts'

type Planted = Omit<Fault, 'room' | 'file' | 'caughtBy'>

/** Faults of one file that one test notices. */
export function planted(
  room: PlantedRoom,
  file: string,
  caughtBy: string,
  faults: readonly Planted[],
): readonly Fault[] {
  return faults.map((fault) => ({ room, file, caughtBy, ...fault }))
}
