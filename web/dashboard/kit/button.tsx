// Buttons, and links with the appearance of buttons. A screen or a dialog has at most one `primary`.
import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

type Variant = 'primary' | 'plain' | 'quiet' | 'danger'

const variants: Readonly<Record<Variant, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-card text-ink border-line hover:bg-hover',
  quiet: 'text-ink-soft border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-card text-bad border-line hover:bg-bad-tint',
}

const shape =
  'inline-flex items-center justify-center gap-2 rounded-control border px-3 text-13 font-strong no-underline select-none transition-colors duration-150 disabled:opacity-50 disabled:pointer-events-none min-h-9 phone:min-h-11 whitespace-nowrap'

/** The CSS classes of a button, for an element that is not a `Button`. */
export function buttonClass(variant: Variant = 'plain', className = ''): string {
  return `${shape} ${variants[variant]} ${className}`
}

type Shared = {
  readonly variant?: Variant
  readonly icon?: IconName | undefined
  readonly children?: ReactNode
}

/** `busy`: the request is on its way; a second press does nothing. */
export function Button({
  variant = 'plain',
  icon,
  busy = false,
  className = '',
  children,
  ...rest
}: Shared & { readonly busy?: boolean } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={rest.disabled === true || busy}
      className={buttonClass(variant, className)}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button of an icon alone. `label` is its name for screen readers, and its tip. */
export function IconButton({
  icon,
  label,
  className = '',
  ...rest
}: { readonly icon: IconName; readonly label: string } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={`inline-grid size-8 shrink-0 place-items-center rounded-control text-ink-soft transition-colors duration-150 hover:bg-hover hover:text-ink phone:size-11 ${className}`}
    >
      <Icon name={icon} />
    </button>
  )
}

/** A link inside the dashboard with the appearance of a button. */
export function ButtonLink({
  variant = 'plain',
  icon,
  to,
  className = '',
  children,
}: Shared & { readonly to: string; readonly className?: string }) {
  return (
    <Link to={to} className={buttonClass(variant, className)}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </Link>
  )
}

/** A link to another origin or a file. */
export function ButtonAnchor({
  variant = 'plain',
  icon,
  className = '',
  children,
  ...rest
}: Shared & Omit<ComponentProps<'a'>, 'children'>) {
  return (
    <a {...rest} className={buttonClass(variant, className)}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </a>
  )
}
