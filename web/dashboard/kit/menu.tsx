// A menu behind a button. Its parts are loaded when the button is first reached, so the first press opens it at once.
import { lazy, Suspense, useState } from 'react'
import type { MenuProps } from './menu-parts.tsx'

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
