// A dialog, and a sheet at the side. Their parts are loaded when the first one opens.
import { lazy, Suspense, useState, type ComponentProps, type ReactNode } from 'react'
import { kitWords } from '../words/kit.ts'
import { useWords } from '../words/reader.ts'
import { Button } from './button.tsx'
import type { DialogProps } from './dialog-parts.tsx'
import { Loading } from './loading.tsx'

const Parts = lazy(async () => ({ default: (await import('./dialog-parts.tsx')).DialogParts }))

/** What is inside is mounted for as long as the dialog is open, so a form begins anew each time. */
export function Dialog(props: DialogProps) {
  const [wasOpened, setOpened] = useState(props.open)
  if (props.open && !wasOpened) setOpened(true)
  if (!wasOpened) return null
  return (
    <Suspense fallback={<Loading />}>
      <Parts {...props} />
    </Suspense>
  )
}

/** The buttons at the foot of a dialog: the button that closes it first, the action last. `onCancel`: the first one cancels, or what `cancel` says. */
export function DialogActions({
  onCancel,
  cancel,
  children,
}: {
  readonly onCancel?: () => void
  readonly cancel?: string | undefined
  readonly children?: ReactNode
}) {
  const words = useWords(kitWords)
  return (
    <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
      {onCancel !== undefined && <Button onClick={onCancel}>{cancel ?? words.cancel}</Button>}
      {children}
    </div>
  )
}

/** A button that opens a dialog. */
export function DialogButton({
  dialog,
  onOpen,
  ...button
}: {
  readonly dialog: (onClose: () => void) => ReactNode
  readonly onOpen?: (() => void) | undefined
} & Omit<ComponentProps<typeof Button>, 'onClick'>) {
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    onOpen?.()
    setOpen(true)
  }
  return (
    <>
      <Button {...button} onClick={open} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  )
}
