// A menu behind a button. Its parts are loaded when the button is first reached, so the first press opens it at once.
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { IconName } from './icons.tsx'

const load = () => import('./menu-parts.tsx')
const Parts = lazy(async () => ({ default: (await load()).MenuParts }))

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
