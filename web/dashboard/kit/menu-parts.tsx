// The parts of Base UI behind Menu. Loaded when the first menu opens, and open from the start.
import { Menu as Base } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

export type MenuEntry =
  | {
      readonly label: string
      readonly note?: string
      readonly icon?: IconName
      readonly checked?: boolean
      readonly danger?: boolean
      readonly disabled?: boolean
      readonly onSelect: () => void
    }
  | { readonly heading: string }
  | 'line'

export type MenuProps = {
  /** The content of the button. */
  readonly trigger: ReactNode
  readonly triggerClass: string
  /** The button's name, where its content is only an icon. */
  readonly label?: string | undefined
  readonly entries: readonly MenuEntry[]
  readonly align?: 'start' | 'end'
}

export function MenuParts({ trigger, triggerClass, label, entries, align = 'end' }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger className={triggerClass} aria-label={label}>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-50 outline-none" collisionPadding={8}>
          <Base.Popup className="min-w-52 max-w-[min(340px,calc(100vw-16px))] max-h-[min(480px,80dvh)] overflow-y-auto rounded-control border border-line bg-card p-1 shadow-over outline-none transition-opacity duration-150 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0">
            {entries.map((entry, index) => (
              // Entries of one menu keep their places.
              <Entry
                key={typeof entry === 'object' && 'label' in entry ? `${index} ${entry.label}` : index}
                entry={entry}
              />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  if (entry === 'line') return <Base.Separator className="mx-2 my-1 h-px bg-line" />
  if ('heading' in entry) return <div className="px-2.5 pt-2 pb-1 text-13 text-ink-soft">{entry.heading}</div>
  const { label, note, icon, checked, danger = false, disabled = false, onSelect } = entry
  return (
    <Base.Item
      disabled={disabled}
      onClick={onSelect}
      {...(checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': checked })}
      className={`flex min-h-9 items-center gap-2.5 rounded-small px-2.5 py-1.5 text-13 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover phone:min-h-11 ${danger ? 'text-bad' : ''}`}
    >
      {icon !== undefined && <Icon name={icon} className={danger ? '' : 'text-ink-soft'} />}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{label}</span>
        {note !== undefined && <span className="block truncate text-ink-soft">{note}</span>}
      </span>
      {checked === true && <Icon name="check" className="text-accent-text" />}
    </Base.Item>
  )
}
