// A menu behind a button. Its parts are loaded when the button is first reached, so the first press opens it at once.
import { lazy, Suspense, useState } from 'react'
import { buttonClass } from './button.tsx'
import { Icon } from './icons.tsx'
import type { MenuEntry, MenuProps } from './menu-parts.tsx'

const load = () => import('./menu-parts.tsx')
const Parts = lazy(async () => ({ default: (await load()).MenuParts }))

export function Menu(props: MenuProps) {
  const [isUsed, setUsed] = useState(false)
  const plain = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={props.label}
      className={props.triggerClass}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setUsed(true)}
    >
      {props.trigger}
    </button>
  )
  if (!isUsed) return plain
  return (
    <Suspense fallback={plain}>
      <Parts {...props} />
    </Suspense>
  )
}

/** The rarer actions on a record. Without any it is not there. */
export function MoreMenu({
  label,
  entries,
}: {
  readonly label: string
  readonly entries: readonly (MenuEntry | false | undefined)[]
}) {
  const possible = entries.filter((entry) => entry !== false && entry !== undefined)
  if (possible.length === 0) return null
  return (
    <Menu
      label={label}
      triggerClass={buttonClass('plain', 'px-2.5')}
      trigger={<Icon name="more" />}
      entries={possible}
    />
  )
}
