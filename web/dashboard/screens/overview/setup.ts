// When the overview shows the setup list. It stands apart from the list, which is a script of its own.
import type { Setup } from '../../api/generated.ts'

/** Whether there is something to show: steps that the role can do, not all of them done, and nobody has put the list away. */
export function isSettingUp({ isHidden, steps }: Setup): boolean {
  return !isHidden && steps.some(({ isDone }) => !isDone)
}
