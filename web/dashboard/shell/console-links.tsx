// The navigation of the operator's console. Loaded when the console is first opened.
import { useConsoleGroups } from './console-entries.ts'
import { Group, NavLink } from './nav-parts.tsx'

export function ConsoleLinks() {
  return useConsoleGroups().map(({ heading, entries }) => (
    <Group key={heading ?? ''} heading={heading}>
      {entries.map(({ to, icon, label }) => (
        <NavLink key={to} to={to} under={to === '/operator' ? undefined : to} icon={icon} label={label} />
      ))}
    </Group>
  ))
}
