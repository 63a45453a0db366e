// Nothing to show: why, and what to do next.
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

export function Empty({
  icon,
  title,
  children,
  action,
  isPage = false,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** It stands in place of a whole screen. */
  readonly isPage?: boolean
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      <span className="mb-1 grid size-11 place-items-center rounded-full bg-inset text-ink-soft">
        <Icon name={icon} size={20} />
      </span>
      {isPage ? (
        <h1 className="text-15 font-strong">{title}</h1>
      ) : (
        <p className="text-15 font-strong">{title}</p>
      )}
      {children !== undefined && <div className="max-w-110 text-13 text-ink-soft">{children}</div>}
      {action !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
